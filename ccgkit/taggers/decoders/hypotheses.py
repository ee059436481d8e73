"""What a search found for a word: categories with their scores, for people, parsers and the re-ranker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, inf, log
from operator import gt
from typing import TypeVar

from torch import Tensor

from ccgkit.grammar import Category
from ccgkit.sentence import Supertag

from .beam import Beam, regroup

__all__ = ["Hypothesis", "finite", "in_sentences", "merge", "prune", "supertags"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A category, with log p of all spellings found for it together, and of the best one alone."""

    category: Category
    logprob: float
    best: float
    length: int  #: symbols of the best spelling; its end counts

    def normalised(self, nu: float) -> float:
        """The paper's u_t: log p of the best spelling over its length to the power of `nu`."""
        return float(self.best / self.length**nu)


def merge(beam: Beam, compose: Callable[[tuple[int, ...]], Category], k: int) -> list[list[Hypothesis]]:
    """The `k` best categories of each word: sequences of one category are taken together.

    Equally probable categories are in the order of their spelling.
    """
    known = [(compose(sequence), len(sequence) + 1) for sequence in beam.sequences]
    return [
        _merge([(*known[n], p) for n, p in zip(which, logprobs, strict=True)])[:k]
        for which, logprobs in zip(beam.which, beam.logprobs, strict=True)
    ]


def supertags(
    beam: Beam, compose: Callable[[tuple[int, ...]], Category], k: int
) -> list[tuple[Supertag, ...]]:
    """As `merge`, with nothing but log p."""
    known = list(map(compose, beam.sequences))
    words: list[tuple[Supertag, ...]] = []
    for which, logprobs in zip(beam.which, beam.logprobs, strict=True):
        if len(which) == 1:
            words.append((Supertag(known[which[0]], logprobs[0]),))
            continue
        found = [known[number] for number in which]
        if len(set(found)) == len(found) and all(map(gt, logprobs, logprobs[1:])):  # nothing to merge or sort
            words.append(tuple(map(Supertag, found[:k], logprobs)))
        else:
            merged = _merge([(c, 0, p) for c, p in zip(found, logprobs, strict=True)])
            words.append(tuple(Supertag(h.category, h.logprob) for h in merged[:k]))
    return words


def _merge(spelt: list[tuple[Category, int, float]]) -> list[Hypothesis]:
    merged: dict[Category, Hypothesis] = {}
    for category, length, logprob in spelt:  # the best spelling of a category comes first
        known = merged.get(category)
        if known is None:
            merged[category] = Hypothesis(category, logprob, logprob, length)
        else:
            total = log_add(known.logprob, logprob)
            merged[category] = Hypothesis(category, total, known.best, known.length)
    found = list(merged.values())
    if any(a.logprob <= b.logprob for a, b in pairwise(found)):
        found.sort(key=lambda hypothesis: (-hypothesis.logprob, str(hypothesis.category)))
    return found


def log_add(a: float, b: float) -> float:
    """log(exp(a) + exp(b))"""
    high, low = max(a, b), min(a, b)
    return high + log(1.0 + exp(low - high)) if low > -inf else high


def in_sentences(words: Sequence[T], mask: Tensor) -> list[list[T]]:
    """What belongs to the words of a batch, one after the other, as lists a sentence."""
    return regroup(words, mask.sum(1).tolist())


def finite(logprobs: Sequence[float]) -> list[float]:
    """log p of a word's candidates, where those that cannot be expressed get one less than the lowest.

    >>> finite([-1.0, -inf, -3.0])
    [-1.0, -4.0, -3.0]
    """
    lowest = min((value for value in logprobs if value > -inf), default=0.0)
    return [value if value > -inf else lowest - 1.0 for value in logprobs]


def prune(tags: Sequence[Supertag], beta: float) -> tuple[Supertag, ...]:
    """The supertags that are at least `beta` times as probable as the best one, as C&C prunes.

    >>> tags = [Supertag(Category.parse("N"), log(0.6)), Supertag(Category.parse("NP"), log(0.05))]
    >>> len(prune(tags, 0.05)), len(prune(tags, 0.1))
    (2, 1)
    """
    if not 0.0 <= beta <= 1.0:
        raise ValueError(f"beta must be a share of the best probability, from 0 to 1, not {beta}")
    if not tags or beta == 0.0:
        return tuple(tags)
    least = max(tag.logprob for tag in tags) + log(beta)
    return tuple(tag for tag in tags if tag.logprob >= least)
