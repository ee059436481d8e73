"""The re-ranker: a generator's k best categories in the order of λ·u + (1-λ)·v, v being a second opinion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ccgkit.grammar import Category
from ccgkit.sentence import Supertag

from .decoders.classifier import Classifier
from .decoders.hypotheses import Hypothesis
from .interface import Decoder, Encoded

__all__ = ["Candidates", "Reranker", "Tuned", "candidates", "second_opinions", "spelling_length", "tune"]

Floats = npt.NDArray[np.float64]
GRID = tuple(round(step / 20, 2) for step in range(21))  # 0, 0.05, … 1


@dataclass(frozen=True, slots=True)
class Reranker:
    """λ·u + (1-λ)·v, where u = log p / m^ν of the generator and v = log p of the scorer."""

    nu: float = 0.15  #: the paper's values are the defaults
    weight: float = 0.9  #: λ
    candidates: int = 4  #: least number of the generator's best that are looked at

    def __call__(self, hypotheses: Sequence[Hypothesis], opinions: Sequence[float]) -> tuple[Supertag, ...]:
        """The categories, best first, with λ·u + (1-λ)·v as their log p; equal ones in the generator's order.

        >>> from ccgkit import Category
        >>> a, b = (Hypothesis(Category.parse(c), p, p, 2) for c, p in (("N", -0.5), ("NP", -0.6)))
        >>> [str(tag.category) for tag in Reranker(nu=0, weight=0.9)([a, b], [-3.0, -0.1])]
        ['NP', 'N']
        """
        scored = [
            Supertag(h.category, self.weight * h.normalised(self.nu) + (1 - self.weight) * opinion)
            for h, opinion in zip(hypotheses, opinions, strict=True)
        ]
        return tuple(sorted(scored, key=lambda tag: -tag.logprob))


@runtime_checkable
class _Speller(Protocol):
    """A decoder that writes categories symbol by symbol."""

    def hypotheses(self, encoded: Encoded, k: int) -> list[list[list[Hypothesis]]]: ...

    def spelling_length(self, category: Category) -> int | None: ...


def candidates(decoder: Decoder, encoded: Encoded, k: int) -> list[list[list[Hypothesis]]]:
    """The `k` best categories of each word; a classifier's are one symbol long."""
    if isinstance(decoder, _Speller):
        return decoder.hypotheses(encoded, k)
    return [
        [[Hypothesis(tag.category, tag.logprob, tag.logprob, 1) for tag in word] for word in sentence]
        for sentence in decoder.kbest(encoded, k)
    ]


def spelling_length(decoder: Decoder, category: Category) -> int | None:
    """The m of u_t: symbols the decoder takes for the category, its end included; None if it has none."""
    match decoder:
        case Classifier():
            return 1 if category in decoder.index else None
        case _Speller():
            return decoder.spelling_length(category)
    return 1


def second_opinions(
    decoder: Decoder, encoded: Encoded, asked: Sequence[Sequence[Sequence[Category]]]
) -> list[list[list[float]]]:
    """v_t: the decoder's log p; a category it does not know gets its lowest log p for that word."""
    return [
        [_known(decoder, word, scores) for word, scores in zip(words, scored, strict=True)]
        for words, scored in zip(asked, decoder.scores(encoded, asked), strict=True)
    ]


def _known(decoder: Decoder, word: Sequence[Category], scores: Sequence[float]) -> list[float]:
    # `scores` puts what is unknown one below the lowest; here it is to be level with it
    return [
        score + 1.0 if spelling_length(decoder, category) is None else score
        for category, score in zip(word, scores, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Candidates:
    """What tuning needs of the candidates of many words: arrays (words, candidates), padded with -inf."""

    best: Floats  #: log p of the best spelling
    length: Floats  #: its m
    opinion: Floats  #: v
    right: npt.NDArray[np.bool_]

    @classmethod
    def gather(cls, words: Iterable[tuple[Sequence[Hypothesis], Sequence[float], Category]]) -> Candidates:
        """From hypotheses, second opinions and the right category of each word."""
        rows = list(words)
        shape = len(rows), max((len(hypotheses) for hypotheses, _, _ in rows), default=0)
        best, length = np.full(shape, -np.inf), np.ones(shape)
        opinion, right = np.zeros(shape), np.zeros(shape, dtype=np.bool_)
        for row, (hypotheses, opinions, gold) in enumerate(rows):
            for column, (hypothesis, value) in enumerate(zip(hypotheses, opinions, strict=True)):
                best[row, column], length[row, column] = hypothesis.best, hypothesis.length
                opinion[row, column] = value
                right[row, column] = hypothesis.category is gold
        return cls(best, length, opinion, right)

    def accuracy(self, nu: float, weight: float) -> float:
        """Per cent of the words whose right category comes first."""
        with np.errstate(invalid="ignore"):  # 0 · -inf at the padding
            u = np.where(np.isinf(self.best), -np.inf, weight * self.best / self.length**nu)
        first = (u + (1 - weight) * self.opinion).argmax(1)
        return 100.0 * float(self.right[np.arange(len(first)), first].mean())

    @property
    def ceiling(self) -> float:
        """Per cent of the words whose right category is among the candidates."""
        return 100.0 * float(self.right.any(1).mean())


@dataclass(frozen=True, slots=True)
class Tuned:
    """What a search over ν and λ found."""

    nu: float
    weight: float
    accuracy: float


def tune(found: Candidates, nus: Sequence[float] = GRID, weights: Sequence[float] = GRID) -> Tuned:
    """The best ν and λ of the grid; of equally good ones those nearest to the paper's."""
    paper = Reranker()

    def merit(point: Tuned) -> tuple[float, float]:
        return round(point.accuracy, 6), -abs(point.nu - paper.nu) - abs(point.weight - paper.weight)

    return max((Tuned(nu, w, found.accuracy(nu, w)) for nu in nus for w in weights), key=merit)
