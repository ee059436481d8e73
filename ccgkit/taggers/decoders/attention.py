"""Attention over the words of the sentence: α_l = softmax_l(w · tanh(W₁ query + W₂ h_l))."""

from __future__ import annotations

import torch
from torch import Tensor, nn

__all__ = ["Attention"]

_CELLS = 1 << 26  # queries times words times size that are worked on at once: 256 MB


class Attention(nn.Module):
    """Weights of a sentence's words for each of several queries."""

    def __init__(self, query: int, width: int, size: int) -> None:
        super().__init__()
        self.query = nn.Linear(query, size, bias=False)  # W₁
        self.key = nn.Linear(width, size, bias=False)  # W₂
        self.score = nn.Linear(size, 1, bias=False)  # w

    def forward(self, queries: Tensor, keys: Tensor, mask: Tensor) -> Tensor:
        """(sentences, queries, words): weights that add up to one over the words of each sentence.

        `keys` is `key(h)` of all words, so that it is computed once.
        """
        parts = torch.split(queries, max(1, _CELLS // max(1, keys.numel())), 1)
        return torch.cat([self._weights(part, keys, mask) for part in parts], 1)

    def _weights(self, queries: Tensor, keys: Tensor, mask: Tensor) -> Tensor:
        both = torch.tanh(self.query(queries).unsqueeze(2) + keys.unsqueeze(1))
        scores: Tensor = self.score(both).squeeze(3)
        return scores.masked_fill(~mask.unsqueeze(1), -torch.inf).softmax(2)
