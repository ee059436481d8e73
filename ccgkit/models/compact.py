"""A supertagger that fits into the package: a small int8 transformer, a decoder, and POS tags beside."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Self

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from ccgkit.grammar import Category
from ccgkit.sentence import Supertag
from ccgkit.taggers.bert import plain_word
from ccgkit.taggers.config import Config, DecoderConfig, write_config
from ccgkit.taggers.directory import CONFIG, README, VOCABULARY, WEIGHTS, opened, publishing
from ccgkit.taggers.interface import Decoder, Encoded, ModelError, decoder_class
from ccgkit.taggers.searching import SearchingDecoder

from .registry import INFO
from .transformer import Shape, SmallBert
from .wordpiece import WordPiece

__all__ = ["PIECES", "CompactEncoder", "CompactTagger", "Reading"]

PIECES = "pieces.txt"  # the file that tells a compact model from others
_LONGEST = 510  # pieces of a run; a longer sentence is read in several
_MOST = 6000  # pieces of a batch, padding included

# what an uncased transformer does not see of a word form
_SPECIAL, _INSIDE, _LOWER, _TITLE, _UPPER, _MIXED, _NO_LETTER, _FIRST_TITLE = range(8)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a tagger says of a sentence: for each word its categories, and POS tags if it knows them."""

    tags: list[tuple[Supertag, ...]]
    pos: list[str] | None = None


@dataclass(frozen=True, slots=True)
class _Run:
    """Words that the transformer reads at once: pieces, marks, and where the pieces of each word start."""

    pieces: list[int]
    marks: list[int]
    starts: list[int]

    def __len__(self) -> int:
        return len(self.starts)


class CompactEncoder(nn.Module):
    """Words to vectors: the mean over a word's pieces of a learnt mixture of the layers."""

    def __init__(self, pieces: WordPiece, bert: SmallBert) -> None:
        super().__init__()
        self.pieces = pieces
        self.bert = bert
        self.mixture = nn.Parameter(torch.zeros(bert.shape.layers + 1))
        nn.init.constant_(self.mixture[-1:], 2.0)  # to start with, mostly the last layer

    @property
    def width(self) -> int:
        return self.bert.shape.width

    def runs(self, words: Sequence[str]) -> list[_Run]:
        """The sentence cut between words so that each part fits."""
        runs: list[_Run] = []
        run = _Run([self.pieces.start], [_SPECIAL], [])
        for place, word in enumerate(words):
            found = self.pieces(plain_word(word))[:_LONGEST]
            if len(run.pieces) + len(found) > _LONGEST + 1:
                runs.append(self._ended(run))
                run = _Run([self.pieces.start], [_SPECIAL], [])
            run.starts.append(len(run.pieces))
            run.pieces.extend(found)
            run.marks.append(_mark(word, not place))
            run.marks.extend([_INSIDE] * (len(found) - 1))
        runs.append(self._ended(run))
        return runs

    def _ended(self, run: _Run) -> _Run:
        run.pieces.append(self.pieces.end)
        run.marks.append(_SPECIAL)
        return run

    def forward(self, runs: Sequence[_Run]) -> Encoded:
        order = sorted(range(len(runs)), key=lambda place: -len(runs[place].pieces))
        encoded = self._encode([runs[place] for place in order])
        if order == list(range(len(runs))):
            return encoded
        back = torch.tensor(order, device=encoded.mask.device).argsort()
        return Encoded(encoded.hidden[back], encoded.mask[back])

    def _encode(self, runs: Sequence[_Run]) -> Encoded:
        """As `forward`, the longest first."""
        longest = len(runs[0].pieces)
        device = self.mixture.device
        padded = len(runs[-1].pieces) < longest
        pieces = _padded([run.pieces for run in runs], longest, self.pieces.pad).to(device)
        marks = _padded([run.marks for run in runs], longest, _SPECIAL).to(device)
        layers = self.bert(pieces, marks, pieces != self.pieces.pad if padded else None)
        weights = self.mixture.softmax(0)
        hidden = layers[0] * weights[0]
        for weight, layer in zip(weights[1:], layers[1:], strict=True):
            hidden = torch.addcmul(hidden, layer, weight)
        return _by_word(_mean(hidden, runs), runs)


class CompactTagger(nn.Module):
    """Words in, for each word its k best categories and its POS tag out."""

    def __init__(
        self, encoder: CompactEncoder, decoder: Decoder, config: Config, pos_tags: Sequence[str] = ()
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder
        self.config = config
        self.pos_tags = tuple(pos_tags)
        self.pos = nn.Linear(encoder.width, len(pos_tags)) if pos_tags else None

    @classmethod
    def load(cls, directory: str | Path, device: str = "cpu") -> Self:
        """The tagger in `directory`; `ModelError` if it is not whole."""
        folder = Path(directory)
        with opened(folder) as (config, vocabulary):
            pieces = WordPiece((folder / PIECES).read_text(encoding="utf-8").splitlines())
            tagger = cls._empty(pieces, Shape(**vocabulary["transformer"]), config, vocabulary)
            tagger.load_state_dict(load_file(folder / WEIGHTS))
        return tagger.to(device).eval()

    @classmethod
    def _empty(cls, pieces: WordPiece, shape: Shape, config: Config, vocabulary: Mapping[str, Any]) -> Self:
        encoder = CompactEncoder(pieces, SmallBert(shape, compressed=True))
        decoder = decoder_class(config.decoder.kind).from_json(
            encoder.width, config.decoder, vocabulary["decoder"]
        )
        return cls(encoder, decoder, config, vocabulary["pos"])

    def save(self, directory: str | Path, card: str, info: Mapping[str, Any]) -> None:
        """Write the model, which `compress` has made int8; nothing more is rounded, so it is read as it was.

        `card` is for people, `info` is what `ccgkit.models.registry.ModelInfo` says.
        """
        if not self.encoder.bert.is_compressed:
            raise ModelError(
                "only a compressed model is saved: call compress(sentences) with typical ones first"
            )
        with publishing(Path(directory)) as staged:
            self._write(staged, card, info)

    def _write(self, staged: Path, card: str, info: Mapping[str, Any]) -> None:
        vocabulary = {
            "transformer": asdict(self.encoder.bert.shape),
            "decoder": self.decoder.to_json(),
            "pos": self.pos_tags,
        }
        (staged / CONFIG).write_text(write_config(self.config), encoding="utf-8")
        (staged / VOCABULARY).write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
        (staged / PIECES).write_text("\n".join(self.encoder.pieces.vocabulary) + "\n", encoding="utf-8")
        (staged / README).write_text(card, encoding="utf-8")
        (staged / INFO).write_text(json.dumps(info, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        save_file(
            {name: tensor.contiguous().cpu() for name, tensor in self.state_dict().items()}, staged / WEIGHTS
        )

    def compress(self, sentences: Sequence[Sequence[str]]) -> None:
        """Make the transformer int8, for good; `sentences` are some hundreds of the kind to be read."""
        self.encoder.bert.compress(lambda: self.read(sentences))

    def twin(self) -> CompactTagger:
        """A tagger for another thread: the weights of the encoder are shared, the decoder, which remembers
        things as it goes, is not."""
        twin = CompactTagger(self.encoder, copy.deepcopy(self.decoder), self.config, self.pos_tags)
        twin.pos = self.pos
        return twin

    def read(
        self, sentences: Sequence[Sequence[str]], k: int = 1, batch: int = 32, beta: float = 0.0
    ) -> list[Reading]:
        """The readings of sentences; those of like length are read together.

        Categories that are less than `beta` times as probable as the best of their word may be left out.
        """
        with torch.inference_mode():
            self.eval()
            return self._read(sentences, k, batch, beta)

    def _read(self, sentences: Sequence[Sequence[str]], k: int, batch: int, beta: float) -> list[Reading]:
        runs = [
            (place, run) for place, words in enumerate(sentences) if words for run in self.encoder.runs(words)
        ]
        readings = [Reading([], [] if self.pos_tags else None) for _ in sentences]
        found: dict[int, tuple[list[tuple[Supertag, ...]], list[str]]] = {}
        for numbers in _batches([len(run.pieces) for _, run in runs], batch):
            encoded = self.encoder([runs[number][1] for number in numbers])
            tags = self._kbest(encoded, k, beta)
            pos = self._pos(encoded)
            found.update(zip(numbers, zip(tags, pos, strict=True), strict=True))
        for number, (place, _) in enumerate(runs):  # runs of a sentence stand in order
            tags_of_run, pos_of_run = found[number]
            readings[place].tags.extend(tags_of_run)
            if (known := readings[place].pos) is not None:
                known.extend(pos_of_run)
        return readings

    def _kbest(self, encoded: Encoded, k: int, beta: float) -> list[list[tuple[Supertag, ...]]]:
        if isinstance(self.decoder, SearchingDecoder):
            return self.decoder.kbest(encoded, k, beta)
        return self.decoder.kbest(encoded, k)

    def tag(
        self, sentences: Sequence[Sequence[str]], k: int = 1, batch: int = 32
    ) -> list[list[tuple[Supertag, ...]]]:
        """For each sentence, for each word: up to `k` categories, best first."""
        return [reading.tags for reading in self.read(sentences, k, batch)]

    def _pos(self, encoded: Encoded) -> list[list[str]]:
        lengths = encoded.mask.sum(1).tolist()
        if self.pos is None:
            return [[] for _ in lengths]
        best = self.pos(encoded.hidden).argmax(2).tolist()
        return [[self.pos_tags[tag] for tag in row[:n]] for row, n in zip(best, lengths, strict=True)]


def build(
    pieces: WordPiece,
    bert: SmallBert,
    config: DecoderConfig,
    counts: Mapping[Category, int],
    pos: Sequence[str],
) -> CompactTagger:
    """An untrained tagger for the categories of the training data over a pretrained transformer."""
    encoder = CompactEncoder(pieces, bert)
    decoder = decoder_class(config.kind).build(encoder.width, config, counts)
    return CompactTagger(encoder, decoder, Config(decoder=config), pos)


def _mark(word: str, first: bool) -> int:
    if word.islower():
        return _LOWER
    if word.istitle():
        return _FIRST_TITLE if first else _TITLE
    if word.isupper():
        return _UPPER
    return _MIXED if any(map(str.isalpha, word)) else _NO_LETTER


def _mean(hidden: Tensor, runs: Sequence[_Run]) -> Tensor:
    """(words, width): of each word the mean over its pieces, given those of all runs in a row."""
    counts = [end - start for run in runs for start, end in pairwise((*run.starts, len(run.pieces) - 1))]
    ends = accumulate(len(run.pieces) for run in runs)
    places = [
        place
        for run, end in zip(runs, ends, strict=True)
        for place in range(end - len(run.pieces) + 1, end - 1)
    ]
    flat = hidden[torch.tensor(places, device=hidden.device)]
    if len(counts) == len(places):
        return flat
    number = torch.tensor(counts, device=hidden.device)
    whose = torch.repeat_interleave(torch.arange(len(counts), device=hidden.device), number)
    return flat.new_zeros(len(counts), flat.shape[1]).index_add(0, whose, flat) / number[:, None]


def _by_word(flat: Tensor, runs: Sequence[_Run]) -> Encoded:
    lengths = torch.tensor([len(run) for run in runs], device=flat.device)
    mask = torch.arange(int(lengths.max()), device=flat.device)[None, :] < lengths[:, None]
    hidden = flat.new_zeros(*mask.shape, flat.shape[1])
    hidden[mask] = flat
    return Encoded(hidden, mask)


def _padded(rows: Sequence[list[int]], longest: int, filler: int) -> Tensor:
    return torch.tensor([row + [filler] * (longest - len(row)) for row in rows])


def _batches(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Places in batches of like length, longest first."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        if batch and (len(batch) == size or (len(batch) + 1) * lengths[batch[0]] > _MOST):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
