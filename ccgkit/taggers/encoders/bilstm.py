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
from .embeddings import CharacterCNN, PretrainedVectors, WordEmbedding, WordForm
from .vectors import read_vectors

__all__ = ["BiLSTM", "BiLSTMEncoder", "Parts", "WordVectorEncoder", "built_parts", "saved_parts"]

#: of the word vector, those that are on
Parts = tuple[WordEmbedding | None, PretrainedVectors | None, CharacterCNN | None]


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


class WordVectorEncoder(Encoder):
    """Word vectors put together from parts that can each be off, and a BiLSTM over the sentence."""

    def __init__(self, config: BiLSTMConfig, parts: Parts, more: int = 0) -> None:
        """`more` is the width of what a subclass adds to the parts."""
        super().__init__()
        self.words, self.pretrained, self.characters = parts
        width = sum(part.width for part in parts if part is not None) + more
        if not width:
            raise ModelError("an encoder needs words, pretrained vectors or characters: all are off")
        self.dropout = SharedDropout(config.dropout)
        self.lstm = (
            BiLSTM(width, config.lstm_width, config.lstm_layers, config.dropout)
            if config.lstm_layers and config.lstm_width
            else None
        )
        self.width = width if self.lstm is None else self.lstm.width

    def to_json(self) -> dict[str, Any]:
        parts = {"words": self.words, "pretrained": self.pretrained, "characters": self.characters}
        return {name: part.to_json() for name, part in parts.items() if part is not None}

    def vectors(self, sentences: Sequence[Sequence[str]]) -> list[Tensor]:
        """What each part says of the words of all sentences in a row."""
        tokens = [word for sentence in sentences for word in sentence]
        return [part(tokens) for part in (self.words, self.pretrained, self.characters) if part is not None]

    def forward(self, sentences: Sequence[Sequence[str]]) -> Encoded:
        lengths = torch.tensor([len(sentence) for sentence in sentences])
        flat = torch.cat(self.vectors(sentences), 1)
        mask = (torch.arange(int(lengths.max()))[None, :] < lengths[:, None]).to(flat.device)
        hidden = flat.new_zeros(*mask.shape, flat.shape[1])
        hidden[mask] = flat
        hidden = self.dropout(hidden)
        return Encoded(hidden if self.lstm is None else self.lstm(hidden, lengths), mask)


class BiLSTMEncoder(WordVectorEncoder):
    """A BiLSTM over random, pretrained and character-built word vectors."""

    config_type = BiLSTMConfig

    @classmethod
    def build(cls, config: BiLSTMConfig, sentences: Sequence[Sequence[str]]) -> Self:
        return cls(config, built_parts(config, sentences))

    @classmethod
    def from_json(cls, config: BiLSTMConfig, vocabulary: Mapping[str, Any], folder: Path) -> Self:
        return cls(config, saved_parts(config, vocabulary))


def built_parts(config: BiLSTMConfig, sentences: Sequence[Sequence[str]]) -> Parts:
    """New parts of the word vector, for the words of the training sentences."""
    tokens = [word for sentence in sentences for word in sentence]
    return (
        WordEmbedding.build(tokens, config.word_width, _form(config), config.singletons)
        if config.word_width
        else None,
        _pretrained(config, tokens) if config.pretrained else None,
        CharacterCNN.build(tokens, config.char_filters, config.char_width, config.char_window)
        if config.char_filters
        else None,
    )


def saved_parts(config: BiLSTMConfig, vocabulary: Mapping[str, Any]) -> Parts:
    """The parts (weights not yet loaded) whose `to_json` gave `vocabulary`."""
    return (
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
    )


def _form(config: BiLSTMConfig) -> WordForm:
    return WordForm(config.lowercase, config.digits)


def _pretrained(config: BiLSTMConfig, tokens: Iterable[str]) -> PretrainedVectors:
    words, matrix = read_vectors(Path(config.pretrained))
    tuned = tokens if config.pretrained_tuned else ()
    return PretrainedVectors.build(words, matrix, config.pretrained_width, config.pretrained_scale, tuned)
