"""The memory of a long run: once the caches are full it does not grow."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from toy import small_tagger, toy_sentences

from ccgkit import Category, Sentence, Token, load
from ccgkit.corpora import codec, formats
from ccgkit.grammar import load_scheme
from ccgkit.parsing import Parser
from ccgkit.sentence import Supertag

STATUS = Path("/proc/self/statm")
PAGE = 4096
SAMPLES = 10
GROWTH = 4 << 20  # bytes that the second half of the calls may need more: an allocator's, now and then


def categories(_: Path) -> Callable[[int], object]:
    """Categories of which no two are equal."""
    return lambda number: Category.parse(rf"(S[x{number}]\NP)/(N/Y{number})")


def parsing(_: Path) -> Callable[[int], object]:
    parser, sentences = Parser(load_scheme("ccgbank")), tagged(500)
    return lambda number: parser.parse(sentences[number % len(sentences)])


def tagging(folder: Path) -> Callable[[int], object]:
    small_tagger("cg", scheme="ccgbank").save(folder)
    nlp, sentences = load(folder, threads=1), [words for words, _ in toy_sentences(500)]
    return lambda number: nlp.tag([sentences[number % len(sentences)]])


def files(_: Path) -> Callable[[int], object]:
    """A sentence in every format that has room for it, written and read."""
    known = [codec(name) for name in ("stagged", "multitag", "jsonl", "conll", "easyccg")]
    assert {one.name for one in known} <= set(formats())
    sentences = tagged(500)

    def call(number: int) -> object:
        form, sentence = known[number % len(known)], sentences[number % len(sentences)]
        return list(form.loads(form.dumps([sentence])))

    return call


def tagged(count: int) -> list[Sentence]:
    return [
        Sentence(
            tuple(Token(word, "X") for word in words), tuple((Supertag(category),) for category in categories)
        )
        for words, categories in toy_sentences(count)
    ]


def resident() -> int:
    return int(STATUS.read_text().split()[1]) * PAGE


def curve(make: Callable[[Path], Callable[[int], object]], calls: int, folder: Path) -> list[int]:
    call, sizes = make(folder), []
    for number in range(calls):
        call(number)
        if (number + 1) % (calls // SAMPLES) == 0:
            sizes.append(resident())
    return sizes


@pytest.mark.slow
@pytest.mark.skipif(not STATUS.exists(), reason="only Linux tells the size of a process there")
@pytest.mark.parametrize(
    ("make", "calls"), [(categories, 100_000), (files, 60_000), (parsing, 20_000), (tagging, 20_000)]
)
def test_memory_stays_flat(
    make: Callable[[Path], Callable[[int], object]], calls: int, tmp_path: Path
) -> None:
    # in a process of its own: growth must not hide in what other tests have freed
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        sizes = process.submit(curve, make, calls, tmp_path / "model").result()
    print(make.__name__, calls, "calls, MB:", *(f"{size / 1e6:.1f}" for size in sizes))
    first, second = sizes[: SAMPLES // 2], sizes[SAMPLES // 2 :]
    assert max(second) - max(first) < GROWTH, sizes
