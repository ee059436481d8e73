"""The assembled model: an encoder and a decoder, saved to and loaded from a directory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Self

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from ccgkit.grammar import Category
from ccgkit.sentence import Supertag

from .config import Config, write_config
from .directory import CONFIG, README, VOCABULARY, WEIGHTS, opened, publishing
from .encoder import Encoder
from .interface import Decoder, decoder_class

__all__ = ["Tagger"]

_WINDOW = 32  # batches sorted by length together


class Tagger(nn.Module):
    """A supertagger: words in, for each word its k best categories out.

    `Tagger.load(directory).tag([["Birds", "sing", "."]], k=2)`
    """

    def __init__(self, config: Config, encoder: Encoder, decoder: Decoder) -> None:
        super().__init__()
        self.config = config
        self.encoder = encoder
        self.decoder = decoder

    @classmethod
    def build(
        cls, config: Config, sentences: Sequence[Sequence[str]], counts: Mapping[Category, int]
    ) -> Self:
        """An untrained tagger for the words and categories of the training data."""
        encoder = Encoder.build(config.encoder, sentences)
        kept = {category: n for category, n in counts.items() if n >= config.decoder.threshold}
        decoder = decoder_class(config.decoder.kind).build(encoder.width, config.decoder, kept)
        return cls(config, encoder, decoder)

    @classmethod
    def load(cls, directory: str | Path, device: str = "cpu") -> Self:
        """The tagger in `directory`, ready to tag; `ModelError` if it is not whole."""
        folder = Path(directory)
        with opened(folder) as (config, vocabulary):
            encoder = Encoder.from_json(config.encoder, vocabulary["encoder"], folder)
            kind = decoder_class(config.decoder.kind)
            decoder = kind.from_json(encoder.width, config.decoder, vocabulary["decoder"])
            tagger = cls(config, encoder, decoder)
            tagger.load_state_dict(load_file(folder / WEIGHTS))
        return tagger.to(device).eval()

    def save(self, directory: str | Path, card: str = "") -> None:
        """Write the model; an old one in `directory` stays whole until the new one is on disk."""
        with publishing(Path(directory)) as staged:
            self._write(staged, card)

    def _write(self, staged: Path, card: str) -> None:
        vocabulary = {"encoder": self.encoder.to_json(), "decoder": self.decoder.to_json()}
        (staged / CONFIG).write_text(write_config(self.config), encoding="utf-8")
        (staged / VOCABULARY).write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
        (staged / README).write_text(card or "# A ccgkit supertagger\n", encoding="utf-8")
        self.encoder.save_files(staged)
        save_file(tensors(self), staged / WEIGHTS)

    def loss(self, words: Sequence[Sequence[str]], gold: Sequence[Sequence[Category | None]]) -> Tensor:
        """The decoder's loss, summed over the words that have a category."""
        return self.decoder.loss(self.encoder(words), gold)

    def tag(
        self, sentences: Iterable[Sequence[str]], k: int = 1, batch: int = 64
    ) -> list[list[tuple[Supertag, ...]]]:
        """For each sentence, for each word: up to `k` categories, best first."""
        return list(self.pipe(sentences, k, batch))

    def pipe(
        self, sentences: Iterable[Sequence[str]], k: int = 1, batch: int = 64
    ) -> Iterator[list[tuple[Supertag, ...]]]:
        """As `tag`, for a stream of sentences of any length, in order."""
        stream = iter(sentences)
        while window := list(islice(stream, batch * _WINDOW)):
            yield from self._tag_window(window, k, batch)

    @torch.inference_mode()
    def scores(
        self, sentences: Sequence[Sequence[str]], candidates: Sequence[Sequence[Sequence[Category]]]
    ) -> list[list[list[float]]]:
        """log p of the given categories of each word."""
        self.eval()
        scores: list[list[list[float]]] = [[] for _ in sentences]
        for rows in _by_length(sentences, 64):
            encoded = self.encoder([sentences[row] for row in rows])
            for row, words in zip(
                rows, self.decoder.scores(encoded, [candidates[row] for row in rows]), strict=True
            ):
                scores[row] = words
        return scores

    @torch.inference_mode()
    def _tag_window(
        self, sentences: Sequence[Sequence[str]], k: int, batch: int
    ) -> list[list[tuple[Supertag, ...]]]:
        self.eval()
        tagged: list[list[tuple[Supertag, ...]]] = [[] for _ in sentences]
        for rows in _by_length(sentences, batch):
            encoded = self.encoder([sentences[row] for row in rows])
            for row, words in zip(rows, self.decoder.kbest(encoded, k), strict=True):
                tagged[row] = words
        return tagged


def tensors(module: nn.Module) -> dict[str, Tensor]:
    """The module's weights, ready to be written."""
    return {name: tensor.detach().contiguous().cpu() for name, tensor in module.state_dict().items()}


def _by_length(sentences: Sequence[Sequence[str]], batch: int) -> Iterator[list[int]]:
    """The places of non-empty sentences in batches of like length, the longest first."""
    order = sorted(
        (row for row, words in enumerate(sentences) if words), key=lambda row: -len(sentences[row])
    )
    for start in range(0, len(order), batch):
        yield order[start : start + batch]
