"""Sentences a second of the embedded parser and of depccg 3 on the same supertags, one thread.

    python benchmarks/parse.py                        # sentences of a small grammar in CCGbank's notation
    python benchmarks/parse.py pmb5/en.dev.auto …     # sentences of any file with derivations or supertags
    python benchmarks/parse.py --prose ud/en_ewt.test.conllu.gz  # real prose through the package's tagger

A word has its gold category and three distractors, drawn from the other categories of the input. Each parser
runs cold (no rule known) and warm (all rules met before); both give back trees.
Times are those of the processor. `pip install depccg` to compare.
"""

from __future__ import annotations

import argparse
import functools
import gc
import gzip
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stderr
from io import StringIO
from itertools import islice
from math import log
from pathlib import Path
from statistics import median
from typing import Any

from ccgkit.corpora import load
from ccgkit.corpora.scheme import corpus_scheme
from ccgkit.grammar import Category, Scheme, Token, change, combine, load_scheme, unify
from ccgkit.grammar.combination import left_keys, right_keys
from ccgkit.parsing import Parser, is_compiled
from ccgkit.parsing.parser import BETAS, Widen
from ccgkit.sentence import Sentence, Supertag

LENGTHS = {10: (8, 12), 20: (17, 23), 40: (34, 46)}
PROSE = {10: (8, 12), 20: (17, 23), 30: (27, 33), 40: (36, 46), 60: (52, 75)}
COLD = 5  # cold runs, of which the median is told
AGAIN = 10  # warm rounds in a run, of which there are three; the best is told
GOLD = 0.7  # the probability of the gold category; the distractors share the rest

# word, category: a noun phrase, and what can follow a noun phrase and a verb phrase
NOUN_PHRASES = (
    "the|NP[nb]/N cat|N", "a|NP[nb]/N big|N/N dog|N", "it|NP",
    "the|NP[nb]/N man|N who|(NP\\NP)/(S[dcl]\\NP) sleeps|S[dcl]\\NP",
    "some|NP[nb]/N very|(N/N)/(N/N) old|N/N books|N",
)  # fmt: skip
MODIFIERS = ("in|(NP\\NP)/NP", "of|(NP\\NP)/NP", "on|((S\\NP)\\(S\\NP))/NP", "with|((S\\NP)\\(S\\NP))/NP")
VERBS = (
    "saw|(S[dcl]\\NP)/NP", "will|(S[dcl]\\NP)/(S[b]\\NP) see|(S[b]\\NP)/NP",
    "wants|(S[dcl]\\NP)/(S[to]\\NP) to|(S[to]\\NP)/(S[b]\\NP) find|(S[b]\\NP)/NP",
    "often|(S\\NP)/(S\\NP) says|(S[dcl]\\NP)/S[em] that|S[em]/S[dcl] he|NP likes|(S[dcl]\\NP)/NP",
)  # fmt: skip


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("files", nargs="*", help="files with derivations or supertags")
    options.add_argument("--sentences", type=int, default=100, help="of each length (default: 100)")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--nbest", type=int, default=1)
    options.add_argument("--prose", help="text, or a CoNLL-U file with `# text` lines, to tag and parse")
    options.add_argument("--plain", action="store_true", help="the search in Python too")
    given = options.parse_args()
    gc.disable()  # its pauses would depend on what the other parser left behind
    if given.prose:
        _prose(given.prose, given.sentences, given.seed)
        return
    sources: dict[str, Callable[[int, random.Random], Iterable[Sentence]]] = {}
    for file in given.files:
        sources[file] = functools.partial(_of_file, file)
    for name, source in (sources or {"made": _made}).items():
        for length in LENGTHS:
            chance = random.Random(given.seed)
            sentences = list(islice(source(length, chance), given.sentences))
            if sentences:
                _compare(name, length, _distracted(sentences, chance), given.nbest, given.plain)


def _prose(file: str, most: int, seed: int) -> None:
    """Tagging and parsing of as many sentences of each length, the parser cold and warm."""
    from ccgkit import load as load_pipeline

    lines = _read_lines(file)
    texts = [line[9:] for line in lines if line.startswith("# text = ")] or lines
    random.Random(seed).shuffle(texts)
    nlp = load_pipeline(threads=1)
    nlp.parse("The first sentence takes longest.")

    def widen(sentence: Sentence) -> Sentence:
        return next(nlp.pipe_sentences([sentence], k=10, beta=1e-4))

    total: dict[int, float] = {}
    print(f"{file}: milliseconds a sentence, of the processor")
    for length, (least, longest) in PROSE.items():
        fitting = [text for text in texts if least <= len(text.split()) <= longest][:most]
        start = time.process_time()
        tagged = [one for sentences in nlp.pipe(fitting, k=10, beta=BETAS[0]) for one in sentences]
        words = sum(len(one.tokens) for one in tagged)
        a_word = (time.process_time() - start) / words
        sentences = [one for one in tagged if least <= len(one.tokens) <= longest]
        if not sentences:
            continue
        cold, warm, spanned = _ours(sentences, load_scheme("rebank"), 1, is_compiled(), widen)
        mean = sum(len(one.tokens) for one in sentences) / len(sentences)
        tag, first, again = (
            1000 * seconds for seconds in (a_word * mean, cold / len(sentences), warm / len(sentences))
        )
        total[length] = tag + first
        print(
            f"  {len(sentences):3} sentences of {mean:4.1f} words: tagging {tag:6.1f}, "
            f"parsing {first:6.1f} cold {again:6.1f} warm, "
            f"share {first / (tag + first):.2f} / {again / (tag + again):.2f}, "
            f"cold to warm {(tag + first) / (tag + again):.2f}, {spanned} spanned"
        )
    shortest, longest = min(total), max(total)
    growth = log(total[longest] / total[shortest]) / log(longest / shortest)
    print(f"  time grows as length^{growth:.2f} from {shortest} to {longest} words")


def _read_lines(file: str) -> list[str]:
    content = Path(file).read_bytes()
    return (gzip.decompress(content) if file.endswith(".gz") else content).decode("utf-8").splitlines()


def _compare(name: str, length: int, sentences: list[Sentence], nbest: int, plain: bool) -> None:
    scheme = corpus_scheme(sentences)
    words = sum(len(one.tokens) for one in sentences) / len(sentences)
    print(f"\n{name}: {len(sentences)} sentences, {words:.1f} words, scheme {scheme.name}, {nbest}-best")
    ours = _report("ccgkit", len(sentences), *_ours(sentences, scheme, nbest, is_compiled()))
    if plain:
        _report("ccgkit, plain Python", len(sentences), *_ours(sentences, scheme, nbest, False))
    try:
        theirs = _report("depccg", len(sentences), *_depccg(sentences, scheme, nbest))
    except ImportError:
        print("  depccg is not installed")
        return
    print(f"  ratio: cold {theirs[0] / ours[0]:.2f}, warm {theirs[1] / ours[1]:.2f}")


def _report(name: str, count: int, cold: float, warm: float, parsed: int) -> tuple[float, float]:
    print(f"  {name:21} {count / cold:8.0f}/s cold {count / warm:8.0f}/s warm   {parsed}/{count} spanned")
    return cold, warm


def _ours(
    sentences: list[Sentence], scheme: Scheme, nbest: int, compiled: bool, widen: Widen | None = None
) -> tuple[float, float, int]:
    colds = []
    for _ in range(COLD):
        for known in (combine, change, unify, left_keys, right_keys):
            known.cache_clear()
        parser = Parser(scheme, nbest, compiled=compiled)
        gc.collect()
        start = time.process_time()
        results = [parser.parse(sentence, widen=widen) for sentence in sentences]
        colds.append(time.process_time() - start)
    warms = []
    for _ in range(3):
        start = time.process_time()
        for sentence in sentences * AGAIN:
            parser.parse(sentence, widen=widen)
        warms.append((time.process_time() - start) / AGAIN)
    return median(colds), min(warms), sum(result.spans for result in results)


def _depccg(sentences: list[Sentence], scheme: Scheme, nbest: int) -> tuple[float, float, int]:
    """Its rules are learned anew in each call: what the same sentences take more later on is warm."""
    import depccg.parsing as parsing
    from depccg.cat import Category as TheirCategory
    from depccg.types import Token as TheirToken

    spelled = {str(tag.category) for one in sentences for tags in one.tags or () for tag in tags}
    names = sorted(spelled)
    categories = [TheirCategory.parse(name) for name in names]
    binary, unary = _their_rules(scheme)
    roots = sorted({str(category) for category in _roots(names)})
    doc = [[TheirToken.of_word(word) for word in one.words] for one in sentences]
    scores = [_scores(one, names) for one in sentences]

    def run(times: int) -> tuple[float, list[Any]]:
        settings = {"nbest": nbest, "processes": 1, "max_chunk_size": 1 << 30}
        gc.collect()
        start = time.process_time()
        with redirect_stderr(StringIO()):
            found = parsing.run(
                doc * times, scores * times, categories, [TheirCategory.parse(root) for root in roots],
                binary, unary, **settings,
            )  # fmt: skip
        return time.process_time() - start, found

    colds = [run(1) for _ in range(COLD)]
    cold, found = median(seconds for seconds, _ in colds), colds[0][1]
    binary, unary = functools.cache(binary), functools.cache(unary)  # the first round varies less so
    once, often = (min(run(times)[0] for _ in range(3)) for times in (1, 1 + AGAIN))
    warm = min(max(often - once, 1e-6) / AGAIN, once)  # never worse than a round that learns
    return cold, warm, sum(trees[0].score > float("-inf") for trees in found)


def _roots(names: Sequence[str]) -> Iterator[Category]:
    """All atoms may end a derivation, and verb phrases, as in ccgkit."""
    for name in (*names, "S", "NP", "S\\NP", "S[dcl]", "S[q]", "S[wq]", "S[dcl]\\NP", "S[b]\\NP"):
        category = Category.parse(name)
        yield category
        yield category.target


def _their_rules(scheme: Scheme) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """depccg's English rules; its list of seen pairs for its own notation only, which the others lack."""
    import json
    from importlib.resources import files

    from depccg.cat import Category as TheirCategory
    from depccg.grammar import en

    read = TheirCategory.parse
    data = json.loads((files("depccg") / "models" / "grammar_en.json").read_text(encoding="utf-8"))
    changes: dict[Any, list[Any]] = {}
    if scheme.name == "udccg":
        pairs = [
            ("NP", "S/(S\\NP)"),
            ("NP", "NP\\NP"),
            ("S\\NP", "NP\\NP"),
            ("S/NP", "NP\\NP"),
            ("S", "S\\S"),
        ]
    else:
        pairs = data["unary_rules"]
    for child, parent in pairs:
        changes.setdefault(read(child), []).append(read(parent))
    clear = ("X", "nb")
    seen = {(read(x).clear_features(*clear), read(y).clear_features(*clear)) for x, y in data["seen_rules"]}
    known = seen if scheme.name == "ccgbank" else None
    return (
        lambda x, y: en.apply_binary_rules(x, y, known),
        lambda x: en.apply_unary_rules(x, changes),
    )


def _scores(sentence: Sentence, names: list[str]) -> Any:
    import numpy
    from depccg.types import ScoringResult

    places = {name: place for place, name in enumerate(names)}
    size = len(sentence.tokens)
    tags = numpy.full((size, len(names)), -1e10, dtype=numpy.float32)
    for row, k_best in enumerate(sentence.tags or ()):
        for tag in k_best:
            tags[row, places[str(tag.category)]] = tag.logprob
    return ScoringResult(tags, numpy.zeros((size, size + 1), dtype=numpy.float32))


def _of_file(file: str, length: int, chance: random.Random) -> Iterator[Sentence]:
    least, most = LENGTHS[length]
    found = [
        one for one in load(file, on_error="skip") if least <= len(one.tokens) <= most and one.categories
    ]
    chance.shuffle(found)
    return iter(found)


def _made(length: int, chance: random.Random) -> Iterator[Sentence]:
    """Sentences from the grammar above, of about so many words."""
    least, most = LENGTHS[length]
    while True:
        pieces = [chance.choice(NOUN_PHRASES), chance.choice(VERBS), chance.choice(NOUN_PHRASES)]
        while sum(piece.count("|") for piece in pieces) < chance.randint(least, most) - 4:
            pieces += [chance.choice(MODIFIERS), chance.choice(NOUN_PHRASES)]
        pairs = [word.rsplit("|", 1) for word in " ".join([*pieces, ".|."]).split(" ")]
        if least <= len(pairs) <= most:
            tags = tuple((Supertag(Category.parse(category)),) for _, category in pairs)
            yield Sentence(tuple(Token(word, "X") for word, _ in pairs), tags)


def _distracted(sentences: list[Sentence], chance: random.Random) -> list[Sentence]:
    """The sentences with three more categories a word, each less probable than the gold one."""
    bag = [category for one in sentences for category in one.categories or ()]
    made = []
    for one in sentences:
        tags = []
        for gold in one.categories or ():
            others = [category for category in chance.sample(bag, 12) if category is not gold]
            wrong = list(dict.fromkeys(others))[:3]
            shares = [chance.uniform(0.2, 1) for _ in wrong]
            tags.append(
                (
                    Supertag(gold, log(GOLD)),
                    *(
                        Supertag(category, log((1 - GOLD) * share / sum(shares)))
                        for category, share in zip(wrong, shares, strict=True)
                    ),
                )
            )
        made.append(Sentence(one.tokens, tuple(tags)))
    return made


if __name__ == "__main__":
    main()
