"""A pretrained transformer as an encoder: alone, or beside word vectors below a BiLSTM as in the paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from torch import Tensor, nn

from ..config import TransformerConfig
from ..errors import ModelError
from .bert import Transformer
from .bilstm import Parts, WordVectorEncoder, built_parts, saved_parts

__all__ = ["FOLDER", "TransformerEncoder"]

FOLDER = "transformer"  # in the model directory


class TransformerEncoder(WordVectorEncoder):
    """A frozen or fine-tuned transformer beside the other parts of the word vector, and a BiLSTM."""

    config_type = TransformerConfig

    def __init__(self, config: TransformerConfig, parts: Parts, bert: Transformer) -> None:
        super().__init__(config, parts, bert.width)
        self.bert = bert

    @classmethod
    def build(cls, config: TransformerConfig, sentences: Sequence[Sequence[str]]) -> Self:
        if not config.bert:
            raise ModelError("an encoder of the kind transformer needs one: name it as encoder.bert")
        parts = built_parts(config, sentences)
        return cls(config, parts, Transformer.load(config.bert, **_options(config)))

    @classmethod
    def from_json(cls, config: TransformerConfig, vocabulary: Mapping[str, Any], folder: Path) -> Self:
        parts = saved_parts(config, vocabulary)
        return cls(config, parts, Transformer.from_directory(folder / FOLDER, **_options(config)))

    def save_files(self, folder: Path) -> None:
        self.bert.save(folder / FOLDER)

    def remember(self, sentences: Sequence[Sequence[str]]) -> None:
        self.bert.remember(sentences)

    def pretrained_parameters(self) -> Iterable[nn.Parameter]:
        parameters: Iterable[nn.Parameter] = self.bert.model.parameters()
        return parameters

    def vectors(self, sentences: Sequence[Sequence[str]]) -> list[Tensor]:
        return [*super().vectors(sentences), self.bert(sentences)]


def _options(config: TransformerConfig) -> dict[str, Any]:
    return {
        "width": config.bert_width,
        "pooling": config.bert_pooling,
        "layers": config.bert_layers,
        "tuned": config.bert_tuned,
        "frozen": config.bert_frozen,
    }
