"""Vectors for single words: random embedding, pretrained vectors, character CNN.

Each module maps the N words of a batch to a tensor (N, width); what a word gets depends on it alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import pad

__all__ = ["CharacterCNN", "PretrainedVectors", "WordEmbedding", "WordForm"]

UNKNOWN = 1  # index of what was not seen in training; 0 is padding
_LONGEST = 40  # characters of a word that are looked at: 20 at either end
_DIGIT = re.compile(r"\d")


class WordForm:
    """How a word is looked up: in lower case and with digits as `0`, where these are asked for.

    >>> WordForm(lowercase=True, digits=True)("McDonald1989")
    'mcdonald0000'
    """

    def __init__(self, lowercase: bool, digits: bool) -> None:
        self.lowercase = lowercase
        self.digits = digits

    def __call__(self, word: str) -> str:
        word = _DIGIT.sub("0", word) if self.digits else word
        return word.lower() if self.lowercase else word


class WordEmbedding(nn.Module):
    """A random vector for each training word; the unknown word is learnt by replacing singletons."""

    def __init__(
        self, words: Sequence[str], singletons: Iterable[str], width: int, form: WordForm, rate: float
    ):
        super().__init__()
        self.width = width
        self.form = form
        self.rate = rate
        self.index = {word: i for i, word in enumerate(words, UNKNOWN + 1)}
        self.singletons = frozenset(singletons)
        self.embedding = nn.Embedding(len(words) + 2, width, padding_idx=0)
        nn.init.uniform_(self.embedding.weight[2:], -((3 / width) ** 0.5), (3 / width) ** 0.5)
        self.register_buffer("is_singleton", torch.zeros(len(words) + 2, dtype=torch.bool), persistent=False)
        self.is_singleton: Tensor
        self.is_singleton[[self.index[word] for word in self.singletons]] = True

    @classmethod
    def build(cls, words: Iterable[str], width: int, form: WordForm, rate: float) -> Self:
        """Over the words of the training data, with repetitions."""
        counts = Counter(map(form, words))
        return cls(list(counts), (word for word, count in counts.items() if count == 1), width, form, rate)

    @classmethod
    def from_json(cls, vocabulary: Mapping[str, Any], width: int, form: WordForm, rate: float) -> Self:
        return cls(vocabulary["words"], vocabulary["singletons"], width, form, rate)

    def to_json(self) -> dict[str, Any]:
        return {"words": list(self.index), "singletons": sorted(self.singletons)}

    def forward(self, words: Sequence[str]) -> Tensor:
        get, form = self.index.get, self.form
        indices = torch.tensor(
            [get(form(word), UNKNOWN) for word in words], device=self.embedding.weight.device
        )
        if self.training and self.rate:
            drop = torch.rand(len(words), device=indices.device) < self.rate
            indices = indices.masked_fill(drop & self.is_singleton[indices], UNKNOWN)
        result: Tensor = self.embedding(indices)
        return result


class PretrainedVectors(nn.Module):
    """Vectors from a file, kept as they are, plus (if tuned) a learnt change for each training word.

    Only words of the training data can change, so a change for those alone equals tuning them all.
    A word is looked up as it stands, then in lower case, then with digits as `0` and as `#`.
    """

    def __init__(self, words: Sequence[str], source_width: int, width: int, tuned: Sequence[str]):
        super().__init__()
        self.width = width
        self.index = {word: i for i, word in enumerate(words, 1)}
        self.tuned = {word: i for i, word in enumerate(tuned, 1)}
        self.register_buffer("vectors", torch.zeros(len(words) + 1, source_width, dtype=torch.float16))
        self.vectors: Tensor
        self.change = nn.Embedding(len(tuned) + 1, source_width, padding_idx=0) if tuned else None
        if self.change is not None:
            nn.init.zeros_(self.change.weight)
        self.projection = nn.Linear(source_width, width, bias=False) if source_width != width else None

    @classmethod
    def build(
        cls, words: Sequence[str], matrix: NDArray[np.float32], width: int, scale: float, tuned: Iterable[str]
    ) -> Self:
        """From a file's words and vectors, scaled to the standard deviation `scale` unless that is 0."""
        known = set(words)
        changing = sorted({found for word in tuned if (found := _lookup(word, known)) is not None})
        module = cls(words, matrix.shape[1], width, changing)
        if scale:
            matrix = matrix * (scale / matrix.std())
        module.vectors[1:] = torch.from_numpy(matrix).to(torch.float16)
        return module

    @classmethod
    def from_json(cls, vocabulary: Mapping[str, Any], width: int) -> Self:
        return cls(vocabulary["words"], vocabulary["width"], width, vocabulary["tuned"])

    def to_json(self) -> dict[str, Any]:
        return {"words": list(self.index), "width": self.vectors.shape[1], "tuned": list(self.tuned)}

    def forward(self, words: Sequence[str]) -> Tensor:
        found = [_lookup(word, self.index) or "" for word in words]
        device = self.vectors.device
        rows = self.vectors[torch.tensor([self.index.get(word, 0) for word in found], device=device)].float()
        if self.change is not None:
            rows = rows + self.change(
                torch.tensor([self.tuned.get(word, 0) for word in found], device=device)
            )
        return rows if self.projection is None else self.projection(rows)


class CharacterCNN(nn.Module):
    """Filters over the characters of a word, the highest answer of each (max-pooling)."""

    def __init__(self, characters: Sequence[str], filters: int, width: int, window: int):
        super().__init__()
        self.width = filters
        self.window = window
        self.index = {character: i for i, character in enumerate(characters, UNKNOWN + 1)}
        self.embedding = nn.Embedding(len(characters) + 2, width, padding_idx=0)
        self.convolution = nn.Conv1d(width, filters, window)

    @classmethod
    def build(cls, words: Iterable[str], filters: int, width: int, window: int) -> Self:
        return cls(sorted({character for word in words for character in word}), filters, width, window)

    @classmethod
    def from_json(cls, vocabulary: Mapping[str, Any], filters: int, width: int, window: int) -> Self:
        return cls(vocabulary["characters"], filters, width, window)

    def to_json(self) -> dict[str, Any]:
        return {"characters": list(self.index)}

    def forward(self, words: Sequence[str]) -> Tensor:
        types = {
            word: i for i, word in enumerate(dict.fromkeys(words))
        }  # each distinct word is computed once
        spelled = [self._spell(word) for word in types]
        lengths = torch.tensor([len(characters) for characters in spelled])
        indices = torch.zeros(len(spelled), int(lengths.max()), dtype=torch.long)
        for row, characters in zip(indices, spelled, strict=True):
            row[: len(characters)] = torch.tensor(characters)
        vectors = self._filter(indices.to(self.embedding.weight.device), lengths)
        return vectors[torch.tensor([types[word] for word in words], device=vectors.device)]

    def _spell(self, word: str) -> list[int]:
        if len(word) > _LONGEST:
            word = word[: _LONGEST // 2] + word[-_LONGEST // 2 :]
        return [self.index.get(character, UNKNOWN) for character in word] or [UNKNOWN]

    def _filter(self, indices: Tensor, lengths: Tensor) -> Tensor:
        left = (self.window - 1) // 2
        embedded = pad(self.embedding(indices).transpose(1, 2), (left, self.window - 1 - left))
        answers = self.convolution(embedded)
        beyond = torch.arange(indices.shape[1])[None, :] >= lengths[:, None]  # answers centred on padding
        seen: Tensor = answers.masked_fill(beyond[:, None, :].to(answers.device), float("-inf"))
        return seen.amax(2).relu()


def _lookup(word: str, known: Container[str]) -> str | None:
    """The spelling under which `known` has `word`."""
    lower = word.lower()
    for spelling in (word, lower, _DIGIT.sub("0", lower), _DIGIT.sub("#", lower)):
        if spelling in known:
            return spelling
    return None
