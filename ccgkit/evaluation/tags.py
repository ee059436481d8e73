"""Supertags against gold: accuracy, how often gold is among the k best, by frequency and by length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from ..grammar import Category, CCGKitError
from ..sentence import Sentence

__all__ = ["MismatchError", "Share", "TagScores", "accuracy", "frequency_bin", "length_bin", "score_tags"]

_FREQUENCIES = ((0, 0), (1, 9), (10, 99), (100, 399), (400, 1999), (2000, None))  # in the training data
_LENGTHS = ((1, 1), (2, 3), (4, 7), (8, 15), (16, None))  # symbols of a category


class MismatchError(CCGKitError, ValueError):
    """Predictions that are not about the same words as gold."""


@dataclass(slots=True)
class Share:
    """How many are right, of how many.

    >>> str(Share(19, 20))
    '95.00 % (19 of 20)'
    """

    right: int = 0
    all: int = 0

    def count(self, right: bool) -> None:
        """Count one more, right or not."""
        self.right += right
        self.all += 1

    @property
    def percent(self) -> float:
        """The right ones in per cent of all; 0 of nothing."""
        return 100 * self.right / self.all if self.all else 0.0

    def __str__(self) -> str:
        return f"{self.percent:.2f} % ({self.right:,} of {self.all:,})"


def accuracy(gold: Iterable[Sequence[object]], found: Iterable[Sequence[object]]) -> float:
    """Per cent of the words, given sentence by sentence, whose category or other label is the right one.

    >>> accuracy([["DT", "NN"], ["NNP"]], [["DT", "VB"], ["NNP"]])
    66.66666666666667
    """
    share = Share()
    for wanted, said in zip(gold, found, strict=True):
        for one, other in zip(wanted, said, strict=True):
            share.count(one == other)
    return share.percent


@dataclass(slots=True)
class TagScores:
    """Counts that grow with every sentence.

    `frequencies` are those of the categories in the training data; without them there are no frequency bins.
    """

    frequencies: Mapping[Category, int] | None = None
    sentences: int = 0
    accuracy: Share = field(default_factory=Share)
    without_features: Share = field(default_factory=Share)
    whole_sentences: Share = field(default_factory=Share)
    ranks: Counter[int] = field(default_factory=Counter)  #: place of gold among a word's categories, from 1
    featureless_ranks: Counter[int] = field(default_factory=Counter)  #: the same, features left aside
    categories: int = 0  #: of all words together
    deepest: int = 1  #: most categories of a word
    by_frequency: dict[str, Share] = field(default_factory=dict)
    by_length: dict[str, Share] = field(default_factory=dict)

    def add(self, gold: Sequence[Category], predicted: Sequence[Sequence[Category]]) -> None:
        """Count one sentence in."""
        self.sentences += 1
        right = 0
        for wanted, found in zip(gold, predicted, strict=True):
            right += found[0] is wanted
            self._word(wanted, found)
        self.whole_sentences.count(right == len(gold))

    def _word(self, wanted: Category, found: Sequence[Category]) -> None:
        right = found[0] is wanted
        self.accuracy.count(right)
        bare = wanted.without_features()
        self.without_features.count(found[0].without_features() is bare)
        self.categories += len(found)
        self.deepest = max(self.deepest, len(found))
        if wanted in found:
            self.ranks[found.index(wanted) + 1] += 1
        alike = (place for place, one in enumerate(found, 1) if one.without_features() is bare)
        place = next(alike, None)
        if place is not None:
            self.featureless_ranks[place] += 1
        self.by_length.setdefault(length_bin(wanted), Share()).count(right)
        if self.frequencies is not None:
            seen = frequency_bin(self.frequencies.get(wanted, 0))
            self.by_frequency.setdefault(seen, Share()).count(right)

    def at(self, k: int, *, features: bool = True) -> Share:
        """How often gold is among the `k` best, or is but for features."""
        ranks = self.ranks if features else self.featureless_ranks
        return Share(sum(n for rank, n in ranks.items() if rank <= k), self.accuracy.all)

    @property
    def ambiguity(self) -> float:
        """Categories a word."""
        return self.categories / self.accuracy.all if self.accuracy.all else 0.0

    def as_dict(self) -> dict[str, Any]:
        """All figures as plain values, for JSON."""
        return {
            "sentences": self.sentences,
            "words": self.accuracy.all,
            "accuracy": self.accuracy.percent,
            "accuracy_without_features": self.without_features.percent,
            "whole_sentences": self.whole_sentences.percent,
            "categories_a_word": self.ambiguity,
            "at": {str(k): self.at(k).percent for k in range(1, self.deepest + 1)},
            "by_frequency": _shares(self.by_frequency, _FREQUENCIES),
            "by_length": _shares(self.by_length, _LENGTHS),
        }

    def bins(self) -> tuple[dict[str, Share], dict[str, Share]]:
        """By frequency and by length, in order."""
        return _ordered(self.by_frequency, _FREQUENCIES), _ordered(self.by_length, _LENGTHS)


def score_tags(
    gold: Iterable[Sentence], predicted: Iterable[Sentence], frequencies: Mapping[Category, int] | None = None
) -> TagScores:
    """The scores of predicted sentences, which must be the gold ones in the same order.

    `frequencies` are those of the categories in the training data, for scores by frequency.

    Raises `MismatchError` where they are not, or where one has no categories.
    """
    scores = TagScores(frequencies)
    for number, (wanted, found) in enumerate(zip_longest(gold, predicted), 1):
        if wanted is None or found is None:
            which = "gold" if wanted is None else "the predictions"
            raise MismatchError(f"{which} end before sentence {number}")
        if len(wanted.tokens) != len(found.tokens):
            raise MismatchError(
                f"sentence {number} has {len(wanted.tokens)} words in gold "
                f"and {len(found.tokens)} in the predictions: {' '.join(wanted.words)[:60]}"
            )
        categories = wanted.categories
        if categories is None or found.categories is None:
            which = "gold" if categories is None else "the predictions"
            raise MismatchError(f"sentence {number} of {which} has no categories")
        k_best = [[tag.category for tag in word] for word in found.tags or ()]
        if found.tags is None:
            k_best = [[category] for category in found.categories]
        scores.add(categories, k_best)
    return scores


def frequency_bin(times: int) -> str:
    """The bin of a category that is so many times in the training data.

    >>> frequency_bin(0), frequency_bin(99), frequency_bin(5000)
    ('0', '10-99', '2000+')
    """
    return _bin(times, _FREQUENCIES)


def length_bin(category: Category) -> str:
    """The bin of a category by its symbols.

    >>> length_bin(Category.parse("N")), length_bin(Category.parse("(S\\\\NP)/NP"))
    ('1', '4-7')
    """
    return _bin(len(category.tokens()), _LENGTHS)


def _bin(value: int, bins: Sequence[tuple[int, int | None]]) -> str:
    return next(_label(*limits) for limits in bins if limits[1] is None or value <= limits[1])


def _label(low: int, high: int | None) -> str:
    if high is None:
        return f"{low}+"
    return str(low) if low == high else f"{low}-{high}"


def _ordered(shares: Mapping[str, Share], bins: Sequence[tuple[int, int | None]]) -> dict[str, Share]:
    return {label: shares[label] for limits in bins if (label := _label(*limits)) in shares}


def _shares(
    shares: Mapping[str, Share], bins: Sequence[tuple[int, int | None]]
) -> dict[str, dict[str, float]]:
    return {
        label: {"accuracy": share.percent, "words": share.all}
        for label, share in _ordered(shares, bins).items()
    }
