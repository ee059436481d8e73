"""C&C beside the embedded parser on the same supertags, in little memory, and with tagging while it starts.

    python benchmarks/candc.py questions ccgbank_notation/questions.stagged --cc-jar candc.jar --cc-home HOME
    python benchmarks/candc.py agreement pmb5/en.dev.auto --cc-jar candc.jar --cc-home HOME
    python benchmarks/candc.py memory udccg/en_ewt.dev.auto --cc-jar candc.jar --cc-home HOME --xmx 64m 128m
    python benchmarks/candc.py startup ud/en_ewt.dev.pos --cc-jar candc.jar --cc-home HOME

`questions` wants C&C's own grammar for CCGbank in HOME, with or without its rule list, and a file of gold
categories: coverage with them and with those of `en-ccgbank`, and labelled F of both parsers. As there are no
gold trees, gold is once what the embedded parser makes of the gold categories, once what C&C does.
`agreement` has both parsers parse the same gold categories, one a word, and compares what they find; it also
counts the categories of HOME's `markedup` that have the same heads, and the same slots, by our rules.
`memory` and `startup` want a HOME of `ccgkit export-candc-grammar`. `memory` takes the longest sentences,
with the categories that the file has or else those of the default model; `startup` tags sentences of 5 to
15 words.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import ccgkit
from ccgkit.corpora import load
from ccgkit.grammar import Token
from ccgkit.grammar.heads import coindex
from ccgkit.parser_bridge import CandC, CandCError, Installation, Limits, evaluate
from ccgkit.parser_bridge.markedup import known_categories
from ccgkit.parsing import ParseResult, Status
from ccgkit.sentence import Sentence, Supertag

LENGTHS = range(5, 16)  # where the start of C&C is not small beside its work


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("what", choices=["questions", "agreement", "memory", "startup"])
    options.add_argument("file", help="sentences; for questions, with gold categories")
    options.add_argument("--cc-jar", required=True)
    options.add_argument("--cc-home", required=True)
    options.add_argument("--sentences", type=int, help="only so many (default: all questions, 100 others)")
    options.add_argument("--xmx", nargs="+", default=["2g"], help="sizes of memory (default: 2g)")
    options.add_argument("--timeout", type=float, default=300.0, help="seconds a sentence (default: 300)")
    given = options.parse_args()
    limits = Limits(timeout=given.timeout)
    places = [Installation.locate(given.cc_jar, given.cc_home, xmx=size) for size in given.xmx]
    if given.what == "questions":
        _questions(list(islice(_load(given.file), given.sentences)), places[0], limits)
        return
    if given.what == "agreement":
        _agreement(list(islice(_load(given.file), given.sentences)), places[0], limits)
        return
    wanted = given.sentences or 100
    if given.what == "memory":
        longest = sorted(_load(given.file), key=lambda sentence: len(sentence.tokens))[-wanted:]
        _memory(longest, places, limits)
        return
    fitting = (sentence for sentence in _load(given.file) if len(sentence.tokens) in LENGTHS)
    _startup(list(map(_bare, islice(fitting, wanted))), places[0], limits)


def _questions(gold: list[Sentence], place: Installation, limits: Limits) -> None:
    """Coverage and labelled F of both parsers."""
    nlp = ccgkit.load("en-ccgbank")
    tagged = list(nlp.pipe_sentences(map(_bare, gold), k=10, beta=0.0001))
    found: dict[tuple[str, str], list[Sentence]] = {}
    with CandC(place, limits) as parser:
        for tags, sentences in (("gold tags", gold), ("our tags", tagged)):
            found["embedded", tags] = _parses(nlp.parse_sentences(sentences, scheme="ccgbank"))
            found["C&C", tags] = _parses(parser.pipe(sentences))
    for (name, tags), parses in found.items():
        covered = sum(bool(parse.tokens) for parse in parses)
        print(f"{name:8} on {tags:9}  {covered} of {len(parses)} parsed, {100 * covered / len(parses):.1f} %")
    judges = found["embedded", "gold tags"], found["C&C", "gold tags"]
    both = [bool(one.tokens and other.tokens) for one, other in zip(*judges, strict=True)]
    print(f"labelled F on the {sum(both)} that both parse with gold tags, against those parses:")
    for judge, gold_parses in zip(("embedded", "C&C"), judges, strict=True):
        for name in ("embedded", "C&C"):
            columns = (gold_parses, gold, found[name, "our tags"])
            score = evaluate(*(list(compress(column, both)) for column in columns))
            print(f"{name:8} on our tags, against {judge:8}  {100 * score.all.labelled.f1:.1f}")


def _agreement(gold: list[Sentence], place: Installation, limits: Limits) -> None:
    """How many heads are the same, and labelled F of one parser against the other on the same categories."""
    known = known_categories(place.grammar / "markedup")
    pairs = [(_heads(markup), _heads(coindex(category).markup)) for category, markup in known.items()]
    heads, slots = (sum(one[part] == other[part] for one, other in pairs) for part in (0, 1))
    print(
        f"of {len(pairs)} categories, {heads} with the same heads by our rules, {slots} with the same slots"
    )
    gold = [replace(one, derivations=None, tags=_single(one)) for one in gold if one.categories is not None]
    ours = _parses(ccgkit.load().parse_sentences(gold))
    with CandC(place, limits) as parser:
        theirs = _parses(parser.pipe(gold))
    both = [bool(one.tokens and other.tokens) for one, other in zip(ours, theirs, strict=True)]
    score = evaluate(*(list(compress(column, both)) for column in (theirs, gold, ours)))
    print(f"{sum(both)} of {len(gold)} parsed by both; labelled F {100 * score.all.labelled.f1:.1f}", end="")
    print(f", unlabelled {100 * score.all.unlabelled.f1:.1f}")


def _heads(markup: str) -> tuple[str, str]:
    """The heads of a marked-up category, by other letters where these are others; and where its slots are."""
    letters: dict[str, str] = {}
    heads = re.sub(r"<\d+>|\[X\]|\*", "", markup)
    heads = re.sub(r"\{(.)\}", lambda found: letters.setdefault(found[1], f"{{{len(letters)}}}"), heads)
    return heads, re.sub(r"\{.\*?\}|\[X\]|(?<=<)\d+", "", markup)


def _single(sentence: Sentence) -> tuple[tuple[Supertag, ...], ...]:
    return tuple((Supertag(category),) for category in sentence.categories or ())


def _memory(sentences: list[Sentence], places: Sequence[Installation], limits: Limits) -> None:
    """What becomes of the sentences with so much memory; each must have one result, in its place."""
    if any(sentence.categories is None for sentence in sentences):
        sentences = list(ccgkit.load().pipe_sentences(map(_bare, sentences), k=10, beta=0.0001))
    for place in places:
        start = time.perf_counter()
        try:
            with CandC(place, limits) as parser:
                results = list(parser.pipe(sentences))
            said = str(Counter(result.reason or "parsed" for result in results))
            if [result.sentence.words for result in results] != [sentence.words for sentence in sentences]:
                said = f"NOT ONE RESULT A SENTENCE: {said}"
        except CandCError as error:
            said = str(error).splitlines()[0]
        print(f"{place.xmx:>6}  {time.perf_counter() - start:6.0f} s  {said}", flush=True)


def _startup(sentences: list[Sentence], place: Installation, limits: Limits) -> None:
    """Tagging, parsing, and both at a time: their times, and how much is tagged while C&C starts."""
    nlp = ccgkit.load()
    start = time.perf_counter()
    tagged = list(nlp.pipe_sentences(sentences, k=10, beta=0.0001))
    middle = time.perf_counter()
    with CandC(place, limits) as parser:
        list(parser.pipe(tagged))
    end = time.perf_counter()
    with TemporaryDirectory() as folder, CandC(place, limits, keep=Path(folder)) as parser:
        given = nlp.pipe_sentences(sentences, k=10, beta=0.0001)
        early = _Early(given, Path(folder) / "run-0001" / "output.deps")
        list(parser.pipe(early))
        processes = len(list(Path(folder).glob("run-*")))
    both = time.perf_counter() - end
    print(f"tagging {middle - start:.1f} s, then C&C {end - middle:.1f} s; at a time {both:.1f} s", end="")
    print(f", {both / (end - start):.2f} of that")
    print(f"{early.count} of {len(sentences)} sentences tagged before C&C had loaded; {processes} processes")


class _Early:
    """Sentences, of which those are counted that come before C&C has made its output: then it has loaded."""

    def __init__(self, sentences: Iterable[Sentence], output: Path) -> None:
        self._sentences, self._output = sentences, output
        self.count = 0

    def __iter__(self) -> Iterator[Sentence]:
        for sentence in self._sentences:
            self.count += not self._output.exists()
            yield sentence


def _load(path: str) -> Iterator[Sentence]:
    """The sentences that can be read: a corpus may have a category or two that is none."""
    return load(path, None, "skip")


def _bare(sentence: Sentence) -> Sentence:
    return Sentence(tuple(Token(word) for word in sentence.words))


def _parses(results: Iterable[ParseResult]) -> list[Sentence]:
    """The parses; a sentence without words where there is none, as in C&C's files."""
    whole = (Status.PARSED, Status.DOUBTFUL)
    return [result.to_sentence() if result.status in whole else Sentence(()) for result in results]


if __name__ == "__main__":
    main()
