"""Scores of dependency sets: per sentence, then summed, over the parsed sentences and over all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from ..grammar import Category, CCGKitError, Dependency
from ..sentence import Sentence

__all__ = [
    "AlignmentError",
    "Counts",
    "DependencyScores",
    "SentenceScore",
    "Totals",
    "score_sentence",
]

Word = tuple[str, int]  #: a word and its place, which together say who is meant
Labelled = tuple[Word, Category, int, Word]
Unlabelled = tuple[Word, Word]
Relation = tuple[Category, int]
Ignore = Callable[[Dependency, Sequence[str]], bool]  #: whether a dependency over these words is left out


class AlignmentError(CCGKitError):
    """Gold and test are not about the same words."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of `test` items are among the `gold` ones.

    >>> Counts(correct=3, test=4, gold=4).f1
    0.75
    """

    correct: int = 0
    test: int = 0
    gold: int = 0

    @classmethod
    def of(cls, gold: Collection[object], test: Collection[object]) -> Counts:
        """The counts of two sets."""
        return cls(len(set(gold) & set(test)), len(test), len(gold))

    @property
    def precision(self) -> float:
        """The share of what was found that is right."""
        return _ratio(self.correct, self.test)

    @property
    def recall(self) -> float:
        """The share of gold that was found."""
        return _ratio(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 where nothing is right."""
        if not self.correct:
            return 0.0
        return 2 * self.precision * self.recall / (self.precision + self.recall)

    @property
    def exact(self) -> bool:
        """Whether the sets are the same."""
        return self.correct == self.test == self.gold

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.correct + other.correct, self.test + other.test, self.gold + other.gold)


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """One sentence: the labelled sets as they were compared, and the counts."""

    parsed: bool
    gold: frozenset[Labelled]
    test: frozenset[Labelled]
    unlabelled: Counts
    ignored: int  #: dependencies of the test side that are left out
    tokens: int
    right_tokens: int  #: words with the gold category

    @property
    def labelled(self) -> Counts:
        """Dependencies that agree in head, category, slot and argument."""
        return Counts.of(self.gold, self.test)


@dataclass(slots=True)
class Totals:
    """Sums over sentences."""

    sentences: int = 0
    labelled: Counts = field(default_factory=Counts)
    unlabelled: Counts = field(default_factory=Counts)
    ignored: int = 0
    tokens: int = 0
    right_tokens: int = 0
    exact_labelled: int = 0  #: sentences whose labelled dependencies are all right
    exact_unlabelled: int = 0
    exact_categories: int = 0

    def add(self, score: SentenceScore) -> None:
        """Count one sentence in."""
        self.sentences += 1
        self.labelled += score.labelled
        self.unlabelled += score.unlabelled
        self.ignored += score.ignored
        self.tokens += score.tokens
        self.right_tokens += score.right_tokens
        self.exact_labelled += score.parsed and score.labelled.exact
        self.exact_unlabelled += score.parsed and score.unlabelled.exact
        self.exact_categories += score.parsed and score.right_tokens == score.tokens

    @property
    def category_accuracy(self) -> float:
        """The share of words whose category is gold's."""
        return _ratio(self.right_tokens, self.tokens)

    @property
    def skipped(self) -> float:
        """Share of the test dependencies that were left out."""
        return _ratio(self.ignored, self.labelled.test + self.ignored)


@dataclass(slots=True)
class DependencyScores:
    """The scores of a file: over the parsed sentences, and over all, a failed one having found nothing.

    `failed_as_empty` says over which of them the scores by relation are.
    """

    failed_as_empty: bool = False
    parsed: Totals = field(default_factory=Totals)
    all: Totals = field(default_factory=Totals)
    _relations: tuple[Counter[Relation], Counter[Relation], Counter[Relation]] = field(
        init=False, default_factory=lambda: (Counter(), Counter(), Counter())
    )

    def add(self, score: SentenceScore) -> None:
        """Count one sentence in, among the parsed ones if it has a parse."""
        self.all.add(score)
        if score.parsed:
            self.parsed.add(score)
        else:  # what was left out is counted, even if nothing else was there
            self.parsed.ignored += score.ignored
        if score.parsed or self.failed_as_empty:
            for counter, links in zip(
                self._relations, (score.gold & score.test, score.test, score.gold), strict=True
            ):
                counter.update((category, slot) for _, category, slot, _ in links)

    @property
    def coverage(self) -> float:
        """Share of the sentences that have a parse."""
        return _ratio(self.parsed.sentences, self.all.sentences)

    @property
    def relations(self) -> dict[Relation, Counts]:
        """The counts for each category and slot, the most frequent in gold first."""
        correct, test, gold = self._relations
        order = sorted(set(test) | set(gold), key=lambda key: (-gold[key], -test[key], str(key[0]), key[1]))
        return {key: Counts(correct[key], test[key], gold[key]) for key in order}


def score_sentence(
    gold: Sentence, test: Sentence, ignore: Ignore | None = None, *, empty_is_failure: bool = False
) -> SentenceScore:
    """Compare the dependencies and the best categories of two sentences over the same words.

    `test` is a failure if it has no words or no dependencies (None). Fragments are no parse, but what is
    right in them counts over all sentences. What `ignore` names is dropped from `test` only. With
    `empty_is_failure` a parse without any dependency left is a failure too.
    """
    gold_links = labelled_set(gold.dependencies or (), gold.words)
    if not test.tokens or test.dependencies is None:
        return SentenceScore(False, gold_links, frozenset(), _lost(gold_links), 0, len(gold.tokens), 0)
    kept = [link for link in test.dependencies if ignore is None or not ignore(link, test.words)]
    ignored = len(test.dependencies) - len(kept)
    if empty_is_failure and not kept:
        return SentenceScore(False, gold_links, frozenset(), _lost(gold_links), ignored, len(gold.tokens), 0)
    test_links = labelled_set(kept, test.words)
    right = sum(
        mine is theirs for mine, theirs in zip(gold.categories or (), test.categories or (), strict=False)
    )
    return SentenceScore(
        test.meta.get("status") != "fragments",
        gold_links,
        test_links,
        Counts.of(unlabelled_set(gold_links), unlabelled_set(test_links)),
        ignored,
        len(gold.tokens),
        right,
    )


def labelled_set(links: Iterable[Dependency], words: Sequence[str]) -> frozenset[Labelled]:
    """Dependencies as (head, category, slot, argument), words and places together."""
    return frozenset(
        ((words[link.head], link.head), link.category, link.slot, (words[link.argument], link.argument))
        for link in links
    )


def unlabelled_set(links: Iterable[Labelled]) -> frozenset[Unlabelled]:
    """Directed pairs of head and argument."""
    return frozenset((head, argument) for head, _, _, argument in links)


def _lost(gold: frozenset[Labelled]) -> Counts:
    """Nothing found of what is in gold."""
    return Counts(0, 0, len(unlabelled_set(gold)))


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
