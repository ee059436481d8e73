"""The encoder: word vectors concatenated from their parts, then a BiLSTM over the sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from .bert import Transformer
from .config import EncoderConfig
from .embeddings import CharacterCNN, PretrainedVectors, WordEmbedding, WordForm
from .interface import Encoded, ModelError
from .vectors import read_vectors

__all__ = ["BiLSTM", "Encoder", "SharedDropout"]


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
        for name, weight in self.named_parameters():
            _initialise(name, weight, hidden)

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        for depth, layer in enumerate(self.layers):
            read = self.dropout(vectors) if depth else vectors
            packed = pack_padded_sequence(read, lengths, batch_first=True, enforce_sorted=False)
            vectors, _ = pad_packed_sequence(
                layer(packed)[0], batch_first=True, total_length=vectors.shape[1]
            )
        return vectors


class Encoder(nn.Module):
    """Turns the words of sentences into the vectors that decoders read."""

    def __init__(
        self,
        config: EncoderConfig,
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
        self.width: int = width if self.lstm is None else self.lstm.width

    @classmethod
    def build(cls, config: EncoderConfig, sentences: Sequence[Sequence[str]]) -> Self:
        """A new encoder whose vocabularies are those of the training `sentences`."""
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
    def from_json(cls, config: EncoderConfig, vocabulary: Mapping[str, Any], folder: Path) -> Self:
        """The encoder (weights not yet loaded) whose `to_json` and `save_files` wrote these."""
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
        """The vocabularies of the parts."""
        parts = {"words": self.words, "pretrained": self.pretrained, "characters": self.characters}
        return {name: part.to_json() for name, part in parts.items() if part is not None}

    def save_files(self, folder: Path) -> None:
        """What cannot be JSON of ours: the transformer's own files."""
        if self.bert is not None:
            self.bert.save(folder / "transformer")

    def forward(self, sentences: Sequence[Sequence[str]]) -> Encoded:
        """Encode sentences of one or more words each."""
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


def _form(config: EncoderConfig) -> WordForm:
    return WordForm(config.lowercase, config.digits)


def _bert_options(config: EncoderConfig) -> dict[str, Any]:
    return {
        "width": config.bert_width,
        "pooling": config.bert_pooling,
        "layers": config.bert_layers,
        "tuned": config.bert_tuned,
    }


def _pretrained(config: EncoderConfig, tokens: Iterable[str]) -> PretrainedVectors:
    words, matrix = read_vectors(Path(config.pretrained))
    tuned = tokens if config.pretrained_tuned else ()
    return PretrainedVectors.build(words, matrix, config.pretrained_width, config.pretrained_scale, tuned)


def _initialise(name: str, weight: Tensor, hidden: int) -> None:
    """Orthogonal recurrent weights, Glorot input weights, forget gates open."""
    if weight.dim() < 2:
        nn.init.zeros_(weight)
        if "bias_ih" in name:
            nn.init.ones_(weight[hidden : 2 * hidden])
        return
    for gate in weight.chunk(4):
        (nn.init.orthogonal_ if "weight_hh" in name else nn.init.xavier_uniform_)(gate)
