"""C&C's evaluation of its output against gold tags and gold dependencies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ccgkit.corpora import ptb_unescape
from ccgkit.evaluation.dependencies import AlignmentError, DependencyScores, SentenceScore, score_sentence
from ccgkit.grammar import Category, Dependency
from ccgkit.sentence import Sentence

from .ignored import is_ignored

__all__ = ["aligned", "evaluate", "scored"]


def evaluate(
    gold_deps: Iterable[Sentence],
    gold_tags: Iterable[Sentence],
    test: Iterable[Sentence],
    *,
    easyccg: bool = False,
    failed_as_empty: bool = False,
    markup: Mapping[Category, str] | None = None,
) -> DependencyScores:
    """The scores of a parser's output, by C&C's rules.

    Dependencies that C&C ignores are dropped from the test side; sentences without a parse lower the
    coverage only. `easyccg` also counts a parse without dependencies as failed; `failed_as_empty` says over
    which sentences the scores by relation are. With `markup`, dependencies are ignored only where they are
    marked up as there.

    Raises `AlignmentError` where the three do not have the same words.
    """
    scores = DependencyScores(failed_as_empty)
    for score in scored(gold_deps, gold_tags, test, easyccg=easyccg, markup=markup):
        scores.add(score)
    return scores


def scored(
    gold_deps: Iterable[Sentence],
    gold_tags: Iterable[Sentence],
    test: Iterable[Sentence],
    *,
    easyccg: bool = False,
    markup: Mapping[Category, str] | None = None,
) -> Iterator[SentenceScore]:
    """The score of each sentence, one after the other."""

    def ignore(link: Dependency, words: Sequence[str]) -> bool:
        return is_ignored(link, words, markup)

    for gold, found in aligned(gold_deps, gold_tags, test):
        yield score_sentence(gold, found, ignore, empty_is_failure=easyccg)


def aligned(
    gold_deps: Iterable[Sentence], gold_tags: Iterable[Sentence], test: Iterable[Sentence]
) -> Iterator[tuple[Sentence, Sentence]]:
    """Each gold sentence, tags and dependencies joined, with the parser's; the words must be the same."""
    links, parses = iter(gold_deps), iter(test)
    number = 0
    for number, tagged in enumerate(gold_tags, 1):
        gold = _joined(tagged, next(links, None), number)
        found = next(parses, None)
        if found is None:
            raise AlignmentError(f"the parser's output ends before sentence {number}: gold has more")
        if found.tokens:
            _check_words(gold, found, number)
        yield gold, found
    if next(links, None) is not None:
        raise AlignmentError(f"gold dependencies go on after the {number} sentences of the gold tags")


def _joined(tagged: Sentence, linked: Sentence | None, number: int) -> Sentence:
    """The tagged sentence with the dependencies; brackets may be -LRB- in one file and ( in the other."""
    if linked is None or linked.dependencies is None:
        raise AlignmentError(f"gold has tags but no dependencies for sentence {number}")
    if None not in (tagged.id, linked.id) and tagged.id != linked.id:
        raise AlignmentError(
            f"gold sentence {number} is {tagged.id} in the tags, {linked.id} in dependencies"
        )
    if len(linked.tokens) > len(tagged.tokens):
        raise AlignmentError(
            f"gold sentence {number} has {len(tagged.tokens)} words, "
            f"but its dependencies speak of word {len(linked.tokens)}"
        )
    for place, token in enumerate(linked.tokens):
        if token.word and ptb_unescape(token.word) != ptb_unescape(tagged.tokens[place].word):
            raise AlignmentError(
                f"word {place + 1} of gold sentence {number} is {tagged.tokens[place].word!r} in the tags, "
                f"{token.word!r} in the dependencies"
            )
    return replace(tagged, dependencies=linked.dependencies)


def _check_words(gold: Sentence, found: Sentence, number: int) -> None:
    """The same words; output without categories names only those in a dependency."""
    partial = found.categories is None
    if len(gold.tokens) < len(found.tokens) or (len(gold.tokens) > len(found.tokens) and not partial):
        raise AlignmentError(
            f"sentence {number} has {len(gold.tokens)} words in gold, {len(found.tokens)} in the output"
        )
    for place, (mine, theirs) in enumerate(zip(gold.words, found.words, strict=False), 1):
        if mine != theirs and (theirs or not partial):
            raise AlignmentError(
                f"words are not aligned: word {place} of sentence {number} is {mine!r} in gold, "
                f"{theirs!r} in the output"
            )
