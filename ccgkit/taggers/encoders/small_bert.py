"""A small BERT: what is needed to read words with it, in float32 to train and in int8 to run.

What a sentence gets is the same, to the last bit, whatever else is in its batch: nothing is padded, attention
is paid among sentences of one length at a time, and int8 scales are fixed. Were any of it a little off,
rounding to int8 would make it more.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..config import CompactConfig

__all__ = ["ByteEmbedding", "ByteLinear", "Layer", "RoundedLinear", "SmallBert"]


_MATRICES = ("attend", "attended", "widen", "narrow")  # of a layer: those that are made int8
_STEPS = 127  # of seven bits: products of eight overflow on processors without VNNI
_MOST = 255  # steps that are kept apart: numbers somewhat beyond the limits still count
_ROWS = 384  # pieces that go through a layer's inner units at once
_KERNELS = ("x86", "fbgemm")  # torch's ways to compute in int8 that have the kernel we use: not those of ARM


class ByteLinear(nn.Module):
    """A linear map with int8 weights, one scale a row; its input is made int8, with one scale for ever."""

    weight: Tensor
    scale: Tensor
    bias: Tensor
    limits: Tensor  #: the lowest and the highest number to expect in the input

    def __init__(self, width: int, out: int) -> None:
        super().__init__()
        self.register_buffer("weight", torch.zeros(out, width, dtype=torch.int8))
        self.register_buffer("scale", torch.ones(out))
        self.register_buffer("bias", torch.zeros(out))
        self.register_buffer("limits", torch.tensor([-1.0, 1.0]))
        self._packed: tuple[float, int, Any] | None = None

    @classmethod
    @torch.no_grad()
    def of(cls, linear: nn.Linear, limits: Tensor) -> Self:
        """The same map, rounded, for input within the limits (lowest, highest)."""
        made = cls(linear.in_features, linear.out_features)
        made.limits = limits.detach().clone()
        made.scale = _row_scale(linear.weight)
        made.weight = (linear.weight / made.scale[:, None]).round().to(torch.int8)
        if linear.bias is not None:
            made.bias = linear.bias.detach().clone()
        return made

    def plain(self) -> Tensor:
        """The weights as floating-point numbers."""
        return self.weight * self.scale[:, None]

    def forward(self, vectors: Tensor) -> Tensor:
        if vectors.device.type != "cpu":
            return F.linear(vectors, self.plain(), self.bias)
        if self._packed is None:
            self._packed = self._pack()
        step, zero, weights = self._packed
        if isinstance(weights, Tensor):  # what the kernel does, with whole numbers that float32 holds exactly
            read = (vectors * (1 / step) + zero).round().clamp(0, _MOST) - zero
            return F.linear(read, weights) * (self.scale * step) + self.bias
        made: Tensor = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_output_fp32(
            vectors, step, zero, weights
        )
        return made

    def _pack(self) -> tuple[float, int, Any]:
        """The scale of the input, what is zero in it, and the weights: for the kernel, or as they are."""
        step, zero = _input_scale(self.limits)
        if torch.backends.quantized.engine not in _KERNELS:
            return step, zero, self.weight.float()
        zeros = torch.zeros(len(self.scale), dtype=torch.long)
        with warnings.catch_warnings():  # torch says that it will give this up after the releases we allow
            warnings.simplefilter("ignore", UserWarning)
            rounded = torch.quantize_per_channel(self.plain(), self.scale.double(), zeros, 0, torch.qint8)
        return step, zero, torch.ops.quantized.linear_prepack(rounded, self.bias)


class RoundedLinear(nn.Linear):
    """A linear map that learns under the rounding of `ByteLinear`, which it is to become."""

    limits: Tensor  #: as there

    def __init__(self, width: int, out: int) -> None:
        super().__init__(width, out)
        self.register_buffer("limits", torch.tensor([-1.0, 1.0]))

    @classmethod
    @torch.no_grad()
    def of(cls, linear: nn.Linear, limits: Tensor) -> Self:
        """The same map, for input within the limits (lowest, highest)."""
        made = cls(linear.in_features, linear.out_features)
        made.weight.copy_(linear.weight)
        made.bias.copy_(linear.bias)
        made.limits.copy_(limits)
        return made

    def forward(self, vectors: Tensor) -> Tensor:
        read = torch.fake_quantize_per_tensor_affine(vectors, *_input_scale(self.limits), 0, _MOST)
        return F.linear(read, self.weight + self._lost(), self.bias)

    @torch.no_grad()
    def _lost(self) -> Tensor:
        """What rounding adds to the weights; what is learnt passes it by.

        torch's own `fake_quantize_per_channel_affine` takes six times as long.
        """
        scale = _row_scale(self.weight)[:, None]
        return (self.weight / scale).round_().mul_(scale).sub_(self.weight)


def _row_scale(weight: Tensor) -> Tensor:
    """What a step of int8 is in each row."""
    return (weight.abs().amax(1) / 127).clamp(min=1e-8)


def _input_scale(limits: Tensor) -> tuple[float, int]:
    """What a step is in the input, and the number of steps that is zero."""
    low, high = min(float(limits[0]), 0.0), max(float(limits[1]), 1e-6)
    step = (high - low) / _STEPS
    return step, round(-low / step)


class ByteEmbedding(nn.Module):
    """An embedding with int8 weights, one scale a row."""

    weight: Tensor
    scale: Tensor

    def __init__(self, rows: int, width: int) -> None:
        super().__init__()
        self.register_buffer("weight", torch.zeros(rows, width, dtype=torch.int8))
        self.register_buffer("scale", torch.ones(rows))

    @classmethod
    @torch.no_grad()
    def of(cls, embedding: nn.Embedding) -> Self:
        """The same vectors, rounded."""
        made = cls(*embedding.weight.shape)
        made.scale = (embedding.weight.abs().amax(1) / 127).clamp(min=1e-8)
        made.weight = (embedding.weight / made.scale[:, None]).round().to(torch.int8)
        return made

    def forward(self, numbers: Tensor) -> Tensor:
        vectors: Tensor = self.weight[numbers] * self.scale[numbers].unsqueeze(-1)
        return vectors


class Layer(nn.Module):
    """Attention over the sentence, then a map of each piece, both with a residual and layer norm."""

    def __init__(self, config: CompactConfig, linear: Callable[[int, int], nn.Module]) -> None:
        super().__init__()
        self.heads = config.heads
        self.dropout = config.dropout
        self.attend = linear(config.width, 3 * config.width)  # query, key and value
        self.attended = linear(config.width, config.width)
        self.attention_norm = nn.LayerNorm(config.width, 1e-12)
        self.widen = linear(config.width, config.inner)
        self.narrow = linear(config.inner, config.width)
        self.norm = nn.LayerNorm(config.width, 1e-12)

    def forward(self, pieces: Tensor, lengths: Sequence[int]) -> Tensor:
        mixed = self.attended(self._attention(self.attend(pieces), lengths))
        pieces = self.attention_norm(pieces + F.dropout(mixed, self.dropout, self.training))
        mapped = self._mapped(pieces)
        out: Tensor = self.norm(pieces + F.dropout(mapped, self.dropout, self.training))
        return out

    def _mapped(self, pieces: Tensor) -> Tensor:
        """Pieces through the inner units; where nothing is learnt, so few at once that they stay in cache."""
        if torch.is_grad_enabled() or len(pieces) <= _ROWS:
            mapped: Tensor = self.narrow(F.gelu(self.widen(pieces)))
            return mapped
        return torch.cat([self.narrow(F.gelu(self.widen(part))) for part in torch.split(pieces, _ROWS)])

    def _attention(self, asked: Tensor, lengths: Sequence[int]) -> Tensor:
        """What each piece hears from its sentence; neighbours of one length are looked at together."""
        rate = self.dropout if self.training else 0.0
        width, start, heard = asked.shape[1] // 3, 0, []
        for length, alike in groupby(lengths):
            end = start + length * len(list(alike))
            parts = asked[start:end].view(-1, length, 3, self.heads, width // self.heads)
            query, key, value = parts.permute(2, 0, 3, 1, 4)
            mixed = F.scaled_dot_product_attention(query, key, value, dropout_p=rate)
            heard.append(mixed.transpose(1, 2).reshape(end - start, width))
            start = end
        return heard[0] if len(heard) == 1 else torch.cat(heard)


class SmallBert(nn.Module):
    """Pieces of words to vectors; `marks` adds to each piece what kind of word form it belongs to."""

    def __init__(self, config: CompactConfig, pieces: int, marks: int) -> None:
        super().__init__()
        width, int8 = config.width, config.int8
        self.pieces: nn.Module = (ByteEmbedding if int8 else nn.Embedding)(pieces, width)
        self.positions = nn.Embedding(config.positions, width)
        self.marks = nn.Embedding(marks, width)
        nn.init.zeros_(self.marks.weight)
        self.norm = nn.LayerNorm(width, 1e-12)
        self.dropout = nn.Dropout(config.dropout)
        linear = ByteLinear if int8 else RoundedLinear if config.rounded else nn.Linear
        self.layers = nn.ModuleList(Layer(config, linear) for _ in range(config.layers))

    def forward(self, pieces: Tensor, marks: Tensor, mask: Tensor | None) -> list[Tensor]:
        """What goes into the first layer and comes out of each: (pieces, width), sentence after sentence.

        `mask` is true at pieces; None where no sentence is padded. It is quickest where sentences of one
        length stand together.
        """
        here = torch.ones_like(pieces, dtype=torch.bool) if mask is None else mask
        lengths = here.sum(1).tolist()
        places = torch.arange(pieces.shape[1], device=pieces.device).expand_as(pieces)[here]
        hidden = self.pieces(pieces[here]) + self.positions(places) + self.marks(marks[here])
        hidden = self.dropout(self.norm(hidden))
        each = [hidden]
        for layer in self.layers:
            hidden = layer(hidden, lengths)
            each.append(hidden)
        return each

    @property
    def is_compressed(self) -> bool:
        """Whether the large matrices are int8."""
        return isinstance(self.pieces, ByteEmbedding)

    def compress(self, read_text: Callable[[], object]) -> None:
        """Make the large matrices int8, for good.

        `read_text` puts typical text through this transformer, which tells what numbers to expect.
        """
        if self.is_compressed:
            return
        self.round(read_text)
        for layer in self.layers:
            for name in _MATRICES:
                linear = getattr(layer, name)
                setattr(layer, name, ByteLinear.of(linear, linear.limits))
        if isinstance(self.pieces, nn.Embedding):
            self.pieces = ByteEmbedding.of(self.pieces)

    def round(self, read_text: Callable[[], object]) -> None:
        """Have the large matrices compute as in int8 and learn all the same; `read_text` as above.

        What they expect is found out once, and stays.
        """
        if any(isinstance(module, RoundedLinear | ByteLinear) for module in self.modules()):
            return
        with self._watched() as limits:
            read_text()
        for number, layer in enumerate(self.layers):
            for name in _MATRICES:
                setattr(layer, name, RoundedLinear.of(getattr(layer, name), limits[number, name]))

    def decompressed(self) -> dict[str, Tensor]:
        """The state of the same transformer with floating-point matrices."""
        state = self.state_dict()
        for name, module in self.named_modules():
            if isinstance(module, ByteLinear | ByteEmbedding):
                state[f"{name}.weight"] = module.weight * module.scale[:, None]
                for extra in ("scale", "limits"):
                    state.pop(f"{name}.{extra}", None)
        return state

    @contextmanager
    def _watched(self) -> Iterator[dict[tuple[int, str], Tensor]]:
        """The lowest and the highest number that goes into each matrix of each layer meanwhile."""
        limits: dict[tuple[int, str], Tensor] = {}

        def watch(key: tuple[int, str]) -> Callable[[nn.Module, tuple[Tensor]], None]:
            def note(_: nn.Module, inputs: tuple[Tensor]) -> None:
                low, high = torch.aminmax(inputs[0].detach())
                old = limits.get(key, torch.zeros(2, device=low.device))
                limits[key] = torch.stack([torch.minimum(low, old[0]), torch.maximum(high, old[1])])

            limits[key] = torch.zeros(2)
            return note

        hooks = [
            getattr(layer, name).register_forward_pre_hook(watch((number, name)))
            for number, layer in enumerate(self.layers)
            for name in _MATRICES
        ]
        try:
            yield limits
        finally:
            for hook in hooks:
                hook.remove()

    @torch.no_grad()
    def read_hugging_face(self, weights: Mapping[str, Tensor]) -> None:
        """Take the weights of a `BertModel` as its library stores them."""
        first = "embeddings."
        types = weights[f"{first}token_type_embeddings.weight"][0]
        _copy(self.pieces, {"w.weight": weights[f"{first}word_embeddings.weight"]}, "w")
        self.positions.weight.copy_(weights[f"{first}position_embeddings.weight"] + types)
        _copy(self.norm, weights, f"{first}LayerNorm")
        for number, layer in enumerate(self.layers):
            if not isinstance(layer, Layer):
                continue
            name = f"encoder.layer.{number}."
            for kind in ("weight", "bias"):
                parts = [weights[f"{name}attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
                getattr(layer.attend, kind).copy_(torch.cat(parts))
            _copy(layer.attended, weights, f"{name}attention.output.dense")
            _copy(layer.attention_norm, weights, f"{name}attention.output.LayerNorm")
            _copy(layer.widen, weights, f"{name}intermediate.dense")
            _copy(layer.narrow, weights, f"{name}output.dense")
            _copy(layer.norm, weights, f"{name}output.LayerNorm")


def _copy(module: nn.Module, weights: Mapping[str, Tensor], name: str) -> None:
    for kind, parameter in module.named_parameters():
        parameter.copy_(weights[f"{name}.{kind}"])
