"""Word vectors concatenated from their parts, then a BiLSTM over the sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from ..config import BiLSTMConfig
from ..errors import ModelError
from ..interface import Encoded, Encoder
from ..layers import SharedDropout, initialise_lstm
from .bert import Transformer
from .embeddings import CharacterCNN, PretrainedVectors, WordEmbedding, WordForm
from .vectors import read_vectors

__all__ = ["BiLSTM", "BiLSTMEncoder"]


class BiLSTM(nn.Module):
    """LSTM layers in both directions; padding is never read, so it changes nothing."""

    def __init__(self, width: int, hidden: int, layers: int, dropout: float) -> None:
        super().__init__()
        self.width = 2 * hidden
        self.dropout = SharedDropout(dropout)
        self.layers = nn.ModuleList(
            nn.LSTM(self.width if layer else width, hidden, batch_first=True, bidirectional=True)
            for layer in range(layers)
        )
        for layer in self.layers:
            initialise_lstm(layer)

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        for depth, layer in enumerate(self.layers):
            read = self.dropout(vectors) if depth else vectors
            packed = pack_padded_sequence(read, lengths, batch_first=True, enforce_sorted=False)
            vectors, _ = pad_packed_sequence(
                layer(packed)[0], batch_first=True, total_length=vectors.shape[1]
            )
        return vectors


class BiLSTMEncoder(Encoder):
    """Word vectors put together from parts, perhaps a pretrained transformer among them, and a BiLSTM."""

    config_type = BiLSTMConfig

    def __init__(
        self,
        config: BiLSTMConfig,
        words: WordEmbedding | None,
        pretrained: PretrainedVectors | None,
        characters: CharacterCNN | None,
        bert: Transformer | None,
    ) -> None:
        super().__init__()
        self.words = words
        self.pretrained = pretrained
        self.characters = characters
        self.bert = bert
        width = sum(part.width for part in (words, pretrained, characters, bert) if part is not None)
        if not width:
            raise ModelError("an encoder needs words, pretrained vectors, characters or bert: all are off")
        self.dropout = SharedDropout(config.dropout)
        self.lstm = (
            BiLSTM(width, config.lstm_width, config.lstm_layers, config.dropout)
            if config.lstm_layers and config.lstm_width
            else None
        )
        self.width = width if self.lstm is None else self.lstm.width

    @classmethod
    def build(cls, config: BiLSTMConfig, sentences: Sequence[Sequence[str]]) -> Self:
        tokens = [word for sentence in sentences for word in sentence]
        return cls(
            config,
            WordEmbedding.build(tokens, config.word_width, _form(config), config.singletons)
            if config.word_width
            else None,
            _pretrained(config, tokens) if config.pretrained else None,
            CharacterCNN.build(tokens, config.char_filters, config.char_width, config.char_window)
            if config.char_filters
            else None,
            Transformer.load(config.bert, **_bert_options(config)) if config.bert else None,
        )

    @classmethod
    def from_json(cls, config: BiLSTMConfig, vocabulary: Mapping[str, Any], folder: Path) -> Self:
        return cls(
            config,
            WordEmbedding.from_json(vocabulary["words"], config.word_width, _form(config), config.singletons)
            if config.word_width
            else None,
            PretrainedVectors.from_json(vocabulary["pretrained"], config.pretrained_width)
            if config.pretrained
            else None,
            CharacterCNN.from_json(
                vocabulary["characters"], config.char_filters, config.char_width, config.char_window
            )
            if config.char_filters
            else None,
            Transformer.from_directory(folder / "transformer", **_bert_options(config))
            if config.bert
            else None,
        )

    def to_json(self) -> dict[str, Any]:
        parts = {"words": self.words, "pretrained": self.pretrained, "characters": self.characters}
        return {name: part.to_json() for name, part in parts.items() if part is not None}

    def save_files(self, folder: Path) -> None:
        if self.bert is not None:
            self.bert.save(folder / "transformer")

    def remember(self, sentences: Sequence[Sequence[str]]) -> None:
        if self.bert is not None:
            self.bert.remember(sentences)

    def pretrained_parameters(self) -> Iterable[nn.Parameter]:
        return () if self.bert is None else self.bert.model.parameters()

    def forward(self, sentences: Sequence[Sequence[str]]) -> Encoded:
        lengths = torch.tensor([len(sentence) for sentence in sentences])
        tokens = [word for sentence in sentences for word in sentence]
        parts = [part(tokens) for part in (self.words, self.pretrained, self.characters) if part is not None]
        if self.bert is not None:
            parts.append(self.bert(sentences))
        flat = torch.cat(parts, 1)
        mask = (torch.arange(int(lengths.max()))[None, :] < lengths[:, None]).to(flat.device)
        hidden = flat.new_zeros(*mask.shape, flat.shape[1])
        hidden[mask] = flat
        hidden = self.dropout(hidden)
        return Encoded(hidden if self.lstm is None else self.lstm(hidden, lengths), mask)


def _form(config: BiLSTMConfig) -> WordForm:
    return WordForm(config.lowercase, config.digits)


def _bert_options(config: BiLSTMConfig) -> dict[str, Any]:
    return {
        "width": config.bert_width,
        "pooling": config.bert_pooling,
        "layers": config.bert_layers,
        "tuned": config.bert_tuned,
    }


def _pretrained(config: BiLSTMConfig, tokens: Iterable[str]) -> PretrainedVectors:
    words, matrix = read_vectors(Path(config.pretrained))
    tuned = tokens if config.pretrained_tuned else ()
    return PretrainedVectors.build(words, matrix, config.pretrained_width, config.pretrained_scale, tuned)
