"""A small BERT: what is needed to read words with it, in float32 to train and in int8 to run."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn import functional as F

__all__ = ["ByteEmbedding", "ByteLinear", "Shape", "SmallBert"]


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of a transformer; `marks` is how many kinds of word form its input tells apart."""

    pieces: int = 30522
    width: int = 384
    inner: int = 1536
    heads: int = 12
    layers: int = 5
    positions: int = 512
    marks: int = 8


class ByteLinear(nn.Module):
    """A linear map with int8 weights, one scale a row; activations are made int8 as they come."""

    weight: Tensor
    scale: Tensor
    bias: Tensor

    def __init__(self, width: int, out: int) -> None:
        super().__init__()
        self.register_buffer("weight", torch.zeros(out, width, dtype=torch.int8))
        self.register_buffer("scale", torch.ones(out))
        self.register_buffer("bias", torch.zeros(out))
        self._packed: Any = None

    @classmethod
    @torch.no_grad()
    def of(cls, linear: nn.Linear) -> Self:
        """The same map, rounded."""
        made = cls(linear.in_features, linear.out_features)
        made.scale = (linear.weight.abs().amax(1) / 127).clamp(min=1e-8)
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
        # seven bits: eight overflow on processors without VNNI
        return torch.ops.quantized.linear_dynamic(vectors, self._packed, True)  # type: ignore[no-any-return]

    def _pack(self) -> Any:
        zeros = torch.zeros(len(self.scale), dtype=torch.long)
        with warnings.catch_warnings():  # torch says that it will give this up after the releases we allow
            warnings.simplefilter("ignore", UserWarning)
            rounded = torch.quantize_per_channel(self.plain(), self.scale.double(), zeros, 0, torch.qint8)
        return torch.ops.quantized.linear_prepack(rounded, self.bias)


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

    def __init__(self, shape: Shape, dropout: float, linear: Callable[[int, int], nn.Module]) -> None:
        super().__init__()
        self.heads = shape.heads
        self.dropout = dropout
        self.attend = linear(shape.width, 3 * shape.width)  # query, key and value
        self.attended = linear(shape.width, shape.width)
        self.attention_norm = nn.LayerNorm(shape.width, 1e-12)
        self.widen = linear(shape.width, shape.inner)
        self.narrow = linear(shape.inner, shape.width)
        self.norm = nn.LayerNorm(shape.width, 1e-12)

    def forward(self, pieces: Tensor, mask: Tensor | None) -> Tensor:
        batch, length, width = pieces.shape
        query, key, value = self.attend(pieces).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        rate = self.dropout if self.training else 0.0
        mixed = F.scaled_dot_product_attention(query, key, value, mask, dropout_p=rate)
        mixed = self.attended(mixed.transpose(1, 2).reshape(batch, length, width))
        pieces = self.attention_norm(pieces + F.dropout(mixed, self.dropout, self.training))
        mapped = self.narrow(F.gelu(self.widen(pieces)))
        out: Tensor = self.norm(pieces + F.dropout(mapped, self.dropout, self.training))
        return out


class SmallBert(nn.Module):
    """Pieces of words to vectors; `marks` adds to each piece what kind of word form it belongs to.

    With `compressed` its large matrices are int8 from the start, to be loaded.
    """

    def __init__(self, shape: Shape, dropout: float = 0.1, *, compressed: bool = False) -> None:
        super().__init__()
        self.shape = shape
        self.pieces: nn.Module = (ByteEmbedding if compressed else nn.Embedding)(shape.pieces, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.marks = nn.Embedding(shape.marks, shape.width)
        nn.init.zeros_(self.marks.weight)
        self.norm = nn.LayerNorm(shape.width, 1e-12)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(
            Layer(shape, dropout, ByteLinear if compressed else nn.Linear) for _ in range(shape.layers)
        )

    def forward(self, pieces: Tensor, marks: Tensor, mask: Tensor | None) -> list[Tensor]:
        """What goes into the first layer and comes out of each, (sentences, pieces, width).

        `mask` is true at pieces; None where no sentence is padded.
        """
        places = torch.arange(pieces.shape[1], device=pieces.device)
        hidden = self.pieces(pieces) + self.positions(places) + self.marks(marks)
        hidden = self.dropout(self.norm(hidden))
        each = [hidden]
        seen = None if mask is None else mask[:, None, None, :]
        for layer in self.layers:
            hidden = layer(hidden, seen)
            each.append(hidden)
        return each

    def compress(self) -> None:
        """Make the large matrices int8, for good."""
        self.pieces = _compressed(self.pieces)
        for layer in self.layers:
            for name in ("attend", "attended", "widen", "narrow"):
                setattr(layer, name, _compressed(getattr(layer, name)))

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


def _compressed(module: nn.Module) -> nn.Module:
    if isinstance(module, nn.Linear):
        return ByteLinear.of(module)
    return ByteEmbedding.of(module) if isinstance(module, nn.Embedding) else module


def _copy(module: nn.Module, weights: Mapping[str, Tensor], name: str) -> None:
    for kind, parameter in module.named_parameters():
        parameter.copy_(weights[f"{name}.{kind}"])
