"""Which word each word depends on: scores that help a parser to choose among readings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, dropout

from .interface import Encoded

if TYPE_CHECKING:
    import numpy as np

__all__ = ["ROOT", "HeadWords"]

ROOT = -1  #: the head of a sentence's head, where heads are given
_FAR = 24  # words, beyond which all distances are alike
_DROPOUT = 0.3
_IGNORED = -100
_NEVER = -1e4


class HeadWords(nn.Module):
    """A biaffine scorer (Dozat and Manning 2017), with a preference for each distance.

    The head of a constituent is that of its head child in the derivation; of each other child's head word, it
    is the head word.
    """

    def __init__(self, width: int, size: int) -> None:
        super().__init__()
        self.size = size
        self.dependent = nn.Linear(width, size)
        self.head = nn.Linear(width, size)
        self.root = nn.Parameter(nn.init.normal_(torch.empty(size), std=0.1))
        self.pairs = nn.Parameter(nn.init.normal_(torch.empty(size, size), std=0.02))
        self.likely = nn.Linear(size, 1)
        self.distance = nn.Embedding(2 * _FAR + 1, 1)
        nn.init.zeros_(self.distance.weight)

    def forward(self, words: Tensor) -> Tensor:
        """(…, n, n + 1) scores from (…, n, width) words: of each word as a dependent, of each as its head.

        The last column is for the head of the sentence.
        """
        return self._scores(words, self._near(words.shape[-2]))

    def _scores(self, words: Tensor, near: Tensor) -> Tensor:
        dependents = self._hidden(self.dependent, words)
        heads = self._hidden(self.head, words)
        heads = torch.cat([heads, self.root.expand(*heads.shape[:-2], 1, self.size)], -2)
        scores: Tensor = dependents @ self.pairs @ heads.mT + self.likely(heads).mT + near
        return scores

    def _near(self, size: int) -> Tensor:
        """(size, size + 1) preferences for distances; no word is its own head, the sentence's is nowhere."""
        places = torch.arange(size, device=self.root.device)
        apart = (places[None, :] - places[:, None]).clamp(-_FAR, _FAR) + _FAR
        near = self.distance(apart)[..., 0].masked_fill(apart == _FAR, _NEVER)
        return torch.cat([near, near.new_zeros(size, 1)], 1)

    def _hidden(self, linear: nn.Linear, words: Tensor) -> Tensor:
        return dropout(torch.relu(linear(words)), _DROPOUT, self.training)

    def loss(self, encoded: Encoded, gold: Sequence[Sequence[int | None]]) -> Tensor:
        """Minus the log-likelihood, summed over the words whose head is given."""
        hidden, mask = encoded.hidden, encoded.mask
        size = hidden.shape[1]
        absent = torch.cat([~mask, mask.new_zeros(len(mask), 1)], 1)
        scores = self(hidden).masked_fill(absent[:, None, :], _NEVER)
        rows = [[_IGNORED if head is None else head % (size + 1) for head in heads] for heads in gold]
        wanted = torch.tensor([row + [_IGNORED] * (size - len(row)) for row in rows], device=hidden.device)
        return cross_entropy(scores.mT, wanted, ignore_index=_IGNORED, reduction="sum")

    def logprobs(self, encoded: Encoded) -> list[np.ndarray]:
        """For each sentence of n words (n, n + 1) log-probabilities, the same bits in any batch."""
        lengths = encoded.mask.sum(1).tolist()
        near = {length: self._near(length) for length in set(lengths)}
        return [
            self._scores(hidden[:length], near[length]).log_softmax(-1).detach().cpu().numpy()
            for hidden, length in zip(encoded.hidden, lengths, strict=True)
        ]
