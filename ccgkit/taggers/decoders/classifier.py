"""CC: the category classifier, a softmax over the categories kept from the training data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self, TypeVar

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from ccgkit.grammar import Atom, Category
from ccgkit.sentence import Supertag

from ..config import DecoderConfig
from ..errors import ModelError
from ..interface import Decoder, Encoded
from ..layers import SharedDropout

__all__ = ["Classifier"]

_T = TypeVar("_T")


class Classifier(Decoder):
    """p(t | x) = softmax over the kept categories of a linear map of h."""

    config_type = DecoderConfig

    def __init__(self, width: int, config: DecoderConfig, categories: Sequence[Category]) -> None:
        super().__init__()
        if not categories:
            raise ModelError("no category is frequent enough to be learnt: lower decoder.threshold")
        self.categories = tuple(categories)
        self.index = {category: i for i, category in enumerate(self.categories)}
        self.dropout = SharedDropout(config.dropout)
        self.output = nn.Linear(width, len(self.categories))

    @classmethod
    def build(cls, width: int, config: DecoderConfig, counts: Mapping[Category, int]) -> Self:
        return cls(width, config, sorted(counts, key=lambda category: (-counts[category], str(category))))

    @classmethod
    def from_json(cls, width: int, config: DecoderConfig, vocabulary: Mapping[str, Any]) -> Self:
        return cls(width, config, [Category.parse(text) for text in vocabulary["categories"]])

    def to_json(self) -> dict[str, Any]:
        return {"categories": [str(category) for category in self.categories]}

    @property
    def atoms(self) -> set[Atom]:
        return {atom for category in self.categories for atom in category.atoms()}

    def loss(self, encoded: Encoded, gold: Sequence[Sequence[Category | None]]) -> Tensor:
        logits = self.output(self.dropout(encoded.hidden)[encoded.mask])
        known = [-1 if category is None else self.index.get(category, -1) for row in gold for category in row]
        targets = torch.tensor(known, device=logits.device)
        return cross_entropy(logits, targets, ignore_index=-1, reduction="sum")

    def kbest(self, encoded: Encoded, k: int, beta: float = 0.0) -> list[list[tuple[Supertag, ...]]]:
        logprobs, best = self._logprobs(encoded).topk(min(k, len(self.categories)))
        words = [
            tuple(Supertag(self.categories[i], logprob) for i, logprob in zip(row, row_logprobs, strict=True))
            for row, row_logprobs in zip(best.tolist(), logprobs.tolist(), strict=True)
        ]
        return _by_sentence(words, encoded)

    def scores(
        self, encoded: Encoded, candidates: Sequence[Sequence[Sequence[Category]]]
    ) -> list[list[list[float]]]:
        logprobs = self._logprobs(encoded).tolist()
        flat = (word for sentence in candidates for word in sentence)
        return _by_sentence(
            [self._score(row, word) for row, word in zip(logprobs, flat, strict=True)], encoded
        )

    def _score(self, logprobs: list[float], candidates: Sequence[Category]) -> list[float]:
        lowest = min(logprobs) - 1
        return [lowest if (i := self.index.get(category)) is None else logprobs[i] for category in candidates]

    def _logprobs(self, encoded: Encoded) -> Tensor:
        """(N words, categories)."""
        logits: Tensor = self.output(self.dropout(encoded.hidden)[encoded.mask])
        return logits.float().log_softmax(1)


def _by_sentence(words: list[_T], encoded: Encoded) -> list[list[_T]]:
    rest = iter(words)
    return [[next(rest) for _ in range(length)] for length in encoded.mask.sum(1).tolist()]
