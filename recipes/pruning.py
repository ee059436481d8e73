"""A compact encoder made narrower, with the inner units that its task misses most."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import torch
from torch import Tensor, nn

from ccgkit.taggers.encoders.compact import CompactEncoder
from ccgkit.taggers.encoders.small_bert import Layer

__all__ = ["importance", "narrowed"]


def importance(encoder: CompactEncoder, losses: Iterable[Callable[[], Tensor]]) -> list[Tensor]:
    """For each layer and inner unit how much the losses would change without it, to first order."""
    inner: list[Tensor] = []
    scores = [torch.zeros(encoder.config.inner) for _ in encoder.bert.layers]

    def keep(_: nn.Module, inputs: tuple[Tensor]) -> None:
        inputs[0].retain_grad()
        inner.append(inputs[0])

    hooks = [layer.narrow.register_forward_pre_hook(keep) for layer in _layers(encoder)]
    try:
        for loss in losses:
            inner.clear()
            loss().backward()  # type: ignore[no-untyped-call]
            for score, units in zip(scores, inner, strict=True):
                if units.grad is not None:
                    score += (units * units.grad).detach().abs().sum(0)
    finally:
        for hook in hooks:
            hook.remove()
        encoder.zero_grad(set_to_none=True)
    return scores


@torch.no_grad()
def narrowed(encoder: CompactEncoder, scores: list[Tensor], width: int) -> CompactEncoder:
    """The same encoder with the `width` best inner units of each layer."""
    made = CompactEncoder(replace(encoder.config, inner=width), encoder.pieces)
    weights = encoder.state_dict()
    for number, score in enumerate(scores):
        kept = score.topk(width).indices.sort().values
        for name, dimension in (("widen.weight", 0), ("widen.bias", 0), ("narrow.weight", 1)):
            key = f"bert.layers.{number}.{name}"
            weights[key] = weights[key].index_select(dimension, kept)
    made.load_state_dict(weights)
    return made


def _layers(encoder: CompactEncoder) -> Iterable[Layer]:
    return (layer for layer in encoder.bert.layers if isinstance(layer, Layer))
