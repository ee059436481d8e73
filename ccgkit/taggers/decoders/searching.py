"""Decoders that find categories by search: what the tag-wise and the transition generator share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor

from ccgkit.grammar import Category
from ccgkit.sentence import Supertag

from ..config import DecoderConfig
from ..interface import Decoder, Encoded
from .beam import Beam, Steps, beam_search, regroup
from .hypotheses import Hypothesis, finite, in_sentences, merge, supertags

__all__ = ["SearchingDecoder", "padded"]


class SearchingDecoder(Decoder):
    """Spells categories symbol by symbol: greedily for the best one, by beam for more."""

    config: DecoderConfig

    @abstractmethod
    def steps(self, encoded: Encoded) -> Steps:
        """The words of a batch for a search."""

    @abstractmethod
    def compose(self, sequence: tuple[int, ...]) -> Category:
        """The category that a sequence of symbols spells, its end left out."""

    @abstractmethod
    def log_probs(self, encoded: Encoded, pairs: Sequence[tuple[int, Category]]) -> Tensor:
        """log p of categories of words, these by number; minus infinity where it cannot be expressed."""

    @abstractmethod
    def spelling_length(self, category: Category) -> int | None:
        """Symbols that spell the category, its end included; None if it cannot be expressed."""

    def taught(self, gold: Sequence[Sequence[Category | None]]) -> list[tuple[int, Category]]:
        """The words of a batch, by number, whose category carries loss."""
        words = enumerate(category for sentence in gold for category in sentence)
        return [
            (word, category)
            for word, category in words
            if category is not None and self.spelling_length(category)
        ]

    @torch.no_grad()
    def kbest(self, encoded: Encoded, k: int, beta: float = 0.0) -> list[list[tuple[Supertag, ...]]]:
        return in_sentences(supertags(self._search(encoded, k, beta), self.compose, k), encoded.mask)

    @torch.no_grad()
    def hypotheses(self, encoded: Encoded, k: int) -> list[list[list[Hypothesis]]]:
        """The `k` best categories of each word of each sentence, with what the re-ranker asks of them."""
        return in_sentences(merge(self._search(encoded, k), self.compose, k), encoded.mask)

    @torch.no_grad()
    def scores(
        self, encoded: Encoded, candidates: Sequence[Sequence[Sequence[Category]]]
    ) -> list[list[list[float]]]:
        flat = [word for sentence in candidates for word in sentence]
        pairs = [(word, category) for word, row in enumerate(flat) for category in row]
        rows = regroup(self.log_probs(encoded, pairs).tolist(), map(len, flat))
        return in_sentences([finite(row) for row in rows], encoded.mask)

    def _search(self, encoded: Encoded, k: int, beta: float = 0.0) -> Beam:
        return beam_search(self.steps(encoded), 1 if k == 1 else max(k, self.config.beam), beta)


def padded(rows: Sequence[Sequence[int]]) -> Tensor:
    """The rows as one tensor, zeros after the shorter ones.

    >>> padded([[3, 1], [2]]).tolist()
    [[3, 1], [2, 0]]
    """
    longest = max(map(len, rows))
    return torch.tensor([(*row, *(0,) * (longest - len(row))) for row in rows])
