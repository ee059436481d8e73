"""The encoder of the shipped models: a small BERT, in float32 to train and in int8 to run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from ..config import CompactConfig
from ..directory import read_text
from ..errors import ModelError
from ..interface import Encoded, Encoder
from .bert import find_transformer, plain_word
from .small_bert import SmallBert
from .wordpiece import WordPiece

if TYPE_CHECKING:
    from ..tagger import Tagger

__all__ = ["PIECES", "CompactEncoder", "compress", "decompressed", "train_rounded"]

PIECES = "pieces.txt"

# what an uncased transformer does not see of a word form
_SPECIAL, _INSIDE, _LOWER, _TITLE, _UPPER, _MIXED, _NO_LETTER, _FIRST_TITLE = _MARKS = range(8)


@dataclass(frozen=True, slots=True)
class _Run:
    """Words that the transformer reads at once: pieces, marks, and where the pieces of each word start."""

    pieces: list[int]
    marks: list[int]
    starts: list[int]


@dataclass(frozen=True, slots=True)
class _Cut:
    """A sentence cut between words so that each run fits; its length is that of all pieces."""

    runs: tuple[_Run, ...]

    def __len__(self) -> int:
        return sum(len(run.pieces) for run in self.runs)


class CompactEncoder(Encoder):
    """Words to vectors: the mean over a word's pieces of a learnt mixture of the layers."""

    config_type = CompactConfig

    def __init__(self, config: CompactConfig, pieces: WordPiece) -> None:
        super().__init__()
        self.config = config
        self.pieces = pieces
        self.width = config.width
        self.bert = SmallBert(config, len(pieces.vocabulary), len(_MARKS))
        self.mixture = nn.Parameter(torch.zeros(config.layers + 1))
        nn.init.constant_(self.mixture[-1:], 2.0)  # to start with, mostly the last layer
        if not config.int8:
            self.bert.pieces.requires_grad_(config.tune_pieces)

    @classmethod
    def build(cls, config: CompactConfig, sentences: Sequence[Sequence[str]]) -> Self:
        """From a pretrained transformer: the training data adds nothing to its pieces."""
        if not config.pretrained or config.int8:
            raise ModelError(
                "a compact encoder is trained in floating point from a pretrained transformer: "
                "name one as encoder.pretrained, and leave encoder.int8 out"
            )
        folder = Path(find_transformer(config.pretrained))
        try:
            encoder = cls(config, _read_pieces(folder / "vocab.txt"))
            encoder.bert.read_hugging_face(load_file(folder / "model.safetensors"))
        except (OSError, KeyError, RuntimeError, SafetensorError) as error:
            raise ModelError(f"{folder} holds no BERT of these sizes: {error}") from error
        return encoder

    @classmethod
    def from_json(cls, config: CompactConfig, vocabulary: Mapping[str, Any], folder: Path) -> Self:
        return cls(config, _read_pieces(folder / PIECES))

    def to_json(self) -> dict[str, Any]:
        return {}

    def save_files(self, folder: Path) -> None:
        (folder / PIECES).write_text("\n".join(self.pieces.vocabulary) + "\n", encoding="utf-8")

    def pretrained_parameters(self) -> Iterable[nn.Parameter]:
        return self.bert.parameters()

    def prepare(self, words: Sequence[str]) -> _Cut:
        return _Cut(tuple(self._runs(words)))

    def _runs(self, words: Sequence[str]) -> Iterator[_Run]:
        longest = self.config.positions - 2
        run = _Run([self.pieces.start], [_SPECIAL], [])
        for place, word in enumerate(words):
            found = self.pieces(plain_word(word))[:longest]
            if len(run.pieces) + len(found) > longest + 1:
                yield self._ended(run)
                run = _Run([self.pieces.start], [_SPECIAL], [])
            run.starts.append(len(run.pieces))
            run.pieces.extend(found)
            run.marks.append(_mark(word, not place))
            run.marks.extend([_INSIDE] * (len(found) - 1))
        yield self._ended(run)

    def _ended(self, run: _Run) -> _Run:
        run.pieces.append(self.pieces.end)
        run.marks.append(_SPECIAL)
        return run

    def forward(self, sentences: Sequence[_Cut]) -> Encoded:
        runs = [run for sentence in sentences for run in sentence.runs]
        order = sorted(range(len(runs)), key=lambda number: -len(runs[number].pieces))
        flat = self._encode([runs[number] for number in order])
        if order != list(range(len(runs))):
            flat = flat[torch.tensor(_places(runs, order), device=flat.device)]
        return _by_sentence(flat, [sum(len(run.starts) for run in sentence.runs) for sentence in sentences])

    def _encode(self, runs: Sequence[_Run]) -> Tensor:
        """The vectors of all words in a row; the longest run comes first."""
        longest = len(runs[0].pieces)
        device = self.mixture.device
        padded = len(runs[-1].pieces) < longest
        pieces = _padded([run.pieces for run in runs], longest, self.pieces.pad).to(device)
        marks = _padded([run.marks for run in runs], longest, _SPECIAL).to(device)
        layers = self.bert(self._hidden(pieces, marks), marks, pieces != self.pieces.pad if padded else None)
        weights = self.mixture.softmax(0)
        hidden = layers[0] * weights[0]
        for weight, layer in zip(weights[1:], layers[1:], strict=True):
            hidden = torch.addcmul(hidden, layer, weight)
        return _mean(hidden, runs)

    def _hidden(self, pieces: Tensor, marks: Tensor) -> Tensor:
        """The pieces; in training a part of them is hidden."""
        if not (self.training and self.config.hide):
            return pieces
        drawn = torch.rand(pieces.shape, device=pieces.device) < self.config.hide
        return pieces.masked_fill(drawn & (marks != _SPECIAL), self.pieces.mask)


def train_rounded(tagger: Tagger, sentences: Sequence[Sequence[str]]) -> None:
    """Have the tagger's encoder learn under the rounding of int8; `sentences` as for `compress`."""
    encoder = _compact(tagger)
    encoder.bert.round(lambda: tagger.kbest(sentences, k=1))
    _configure(tagger, encoder, replace(encoder.config, rounded=True))


def compress(tagger: Tagger, sentences: Sequence[Sequence[str]]) -> None:
    """Make the tagger's encoder int8, for good; `sentences` are some hundreds of the kind to be read."""
    encoder = _compact(tagger)
    encoder.bert.compress(lambda: tagger.kbest(sentences, k=1))
    _configure(tagger, encoder, replace(encoder.config, rounded=False, int8=True))


def _compact(tagger: Tagger) -> CompactEncoder:
    if not isinstance(tagger.encoder, CompactEncoder):
        raise ModelError("only a compact encoder can be made int8")
    return tagger.encoder


def _configure(tagger: Tagger, encoder: CompactEncoder, config: CompactConfig) -> None:
    encoder.config = config
    tagger.config = replace(tagger.config, encoder=config)


def decompressed(encoder: CompactEncoder) -> CompactEncoder:
    """The same encoder in floating point, to learn more; what rounding lost stays lost."""
    made = CompactEncoder(replace(encoder.config, int8=False), encoder.pieces)
    made.bert.load_state_dict(encoder.bert.decompressed())
    made.mixture.data.copy_(encoder.mixture.data)
    return made


def _read_pieces(path: Path) -> WordPiece:
    return WordPiece(read_text(path).splitlines())


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


def _places(runs: Sequence[_Run], order: Sequence[int]) -> list[int]:
    """Where the words of the runs are among those of the runs in another order."""
    sizes = [len(runs[number].starts) for number in order]
    start = dict(zip(order, accumulate(sizes, initial=0), strict=False))
    return [start[number] + word for number, run in enumerate(runs) for word in range(len(run.starts))]


def _by_sentence(flat: Tensor, words: Sequence[int]) -> Encoded:
    lengths = torch.tensor(words, device=flat.device)
    mask = torch.arange(max(words), device=flat.device)[None, :] < lengths[:, None]
    hidden = flat.new_zeros(*mask.shape, flat.shape[1])
    hidden[mask] = flat
    return Encoded(hidden, mask)


def _padded(rows: Sequence[list[int]], longest: int, filler: int) -> Tensor:
    return torch.tensor([row + [filler] * (longest - len(row)) for row in rows])
