"""What encoders and decoders share: dropout with one mask a sentence, and how LSTMs begin."""

from __future__ import annotations

import torch
from torch import Tensor, nn

__all__ = ["SharedDropout", "initialise_lstm"]


class SharedDropout(nn.Module):
    """Dropout with one mask for all positions of a sentence; input (sentences, positions, width)."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, vectors: Tensor) -> Tensor:
        if not (self.training and self.rate):
            return vectors
        keep = torch.rand(vectors.shape[0], 1, vectors.shape[2], device=vectors.device) >= self.rate
        return vectors * keep / (1 - self.rate)


@torch.no_grad()
def initialise_lstm(lstm: nn.Module) -> None:
    """Orthogonal recurrent weights, Glorot input weights, forget gates open."""
    for name, weight in lstm.named_parameters():
        if weight.dim() == 1:
            nn.init.zeros_(weight)
            if "bias_ih" in name:
                nn.init.ones_(weight.chunk(4)[1])
            continue
        for gate in weight.chunk(4):
            (nn.init.orthogonal_ if "weight_hh" in name else nn.init.xavier_uniform_)(gate)
