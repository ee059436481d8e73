"""The assembled model: encoder, decoder, label heads, scorer of head words; saved to and loaded from disk."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.functional import dropout
from torch.overrides import TorchFunctionMode

from ccgkit.grammar import Category
from ccgkit.grammar.schemes import guess_name
from ccgkit.sentence import Supertag

from .config import Config, write_config
from .decoders.hypotheses import prune
from .directory import CONFIG, INFO, README, VOCABULARY, WEIGHTS, Lender, opened, publishing, read_index
from .errors import ModelError
from .head_words import HeadWords
from .interface import Decoder, Encoded, Encoder
from .parts import DECODERS, ENCODERS
from .reading import Reading

__all__ = ["Label", "LabelHead", "Tagger", "pruned", "tensors"]

POS = "pos"  # the head whose labels are a reading's POS tags
_MOST = 6000  # what the sentences of a batch cost together, padding included
_DROPOUT = 0.2  # before a label head
_LARGEST_SCORER = 4096


Label = str | Mapping[str, float]  #: of a word: one, or the shares of several


class LabelHead(nn.Linear):
    """A label for each word beside its category: POS tags, or an auxiliary task that helps the encoder."""

    def __init__(self, width: int, labels: Sequence[str]) -> None:
        super().__init__(width, len(labels))
        self.labels = tuple(labels)
        self._index = {label: number for number, label in enumerate(labels)}

    def loss(self, encoded: Encoded, gold: Sequence[Sequence[Label | None]]) -> Tensor:
        """The cross-entropy, summed over the words whose labels the head has."""
        logits: Tensor = self(dropout(encoded.hidden[encoded.mask], _DROPOUT, self.training))
        logprobs = logits.log_softmax(1)
        wanted = torch.zeros_like(logprobs)
        for row, label in zip(wanted, (label for sentence in gold for label in sentence), strict=True):
            for one, share in ({label: 1.0} if isinstance(label, str) else label or {}).items():
                if one in self._index:
                    row[self._index[one]] = share
        return -(wanted * logprobs).sum()

    def best(self, encoded: Encoded) -> list[list[str]]:
        """The most probable label of each word."""
        best = self(encoded.hidden).argmax(2).tolist()
        lengths = encoded.mask.sum(1).tolist()
        return [[self.labels[number] for number in row[:n]] for row, n in zip(best, lengths, strict=True)]


class Tagger(nn.Module):
    """A supertagger: words in, for each word its k best categories out, and a POS tag if it has such a head.

    `Tagger.load(directory).kbest([["Birds", "sing", "."]], k=2)`. Threads may use one tagger together.
    """

    def __init__(
        self,
        config: Config,
        encoder: Encoder,
        decoder: Decoder,
        scheme: str,
        heads: Mapping[str, Sequence[str]] | None = None,
        head_words: int = 0,
    ) -> None:
        """`scheme` is that of the categories, empty if unknown; `heads` are label heads and their labels.

        `head_words` is the size of a scorer of head words; 0 is for none.
        """
        super().__init__()
        self.config = config
        self.encoder = encoder
        self.decoder = decoder
        self.scheme = scheme
        self.lender: Lender | None = None  #: the model that the encoder and the heads belong to, if not this
        self.heads: dict[str, LabelHead] = {}
        for name, labels in (heads or {}).items():
            self.add_head(name, labels)
        self.head_words = HeadWords(encoder.width, head_words) if head_words else None

    def add_head(self, name: str, labels: Sequence[str]) -> None:
        """Have an untrained label head, in the place of one of the same name."""
        self.heads[name] = LabelHead(self.encoder.width, labels)
        self.add_module(name, self.heads[name])

    @classmethod
    def build(
        cls,
        config: Config,
        sentences: Sequence[Sequence[str]],
        counts: Mapping[Category, int],
        scheme: str | None = None,
        heads: Mapping[str, Sequence[str]] | None = None,
    ) -> Self:
        """An untrained tagger for the words of `sentences` and the categories in `counts`.

        Without a `scheme` the categories may tell it. `heads` are label heads by name, with their labels.
        """
        encoder = ENCODERS[config.encoder.kind].build(config.encoder, sentences)
        kept = {category: n for category, n in counts.items() if n >= config.threshold}
        decoder = DECODERS[config.decoder.kind].build(encoder.width, config.decoder, kept)
        return cls(config, encoder, decoder, scheme or guess_name(counts), heads)

    @classmethod
    def load(cls, directory: str | Path, device: str = "cpu") -> Self:
        """The tagger in `directory`, ready to tag.

        Raises `ModelError` where it is not sound.
        """
        folder = Path(directory)
        with opened(folder) as (index, config, vocabulary):
            lender = Lender.named(folder, index)
            if lender is not None:
                lender.check(folder)
                return cls._loaded_over(lender, folder, index, config, vocabulary).to(device).eval()
            scheme = index.get("scheme")
            with _sizes_only():  # they come first: those of another model could fill the memory
                _check_shapes(folder / WEIGHTS, cls._assembled(folder, scheme, config, vocabulary))
            tagger = cls._assembled(folder, scheme, config, vocabulary)
            tagger.load_state_dict(_read_weights(folder / WEIGHTS))
        return tagger.to(device).eval()

    @classmethod
    def over(cls, lender: str | Path, decoder: Decoder, config: Any, scheme: str) -> Self:
        """The decoder, with its configuration, over the encoder and label heads of the model in `lender`.

        These are not saved with it: the directory it is saved to must be beside that of the lender.

        Raises `ModelError` where that model is not sound.
        """
        folder = Path(lender)
        checksum = read_index(folder).get("files", {}).get(WEIGHTS, "")
        return cls.load(folder)._lent(Lender(folder.resolve().name, checksum), decoder, config, scheme)

    @classmethod
    def _loaded_over(
        cls,
        lender: Lender,
        folder: Path,
        index: Mapping[str, Any],
        config: Config,
        vocabulary: Mapping[str, Any],
    ) -> Self:
        base = cls.load(folder.parent / lender.model)
        kind = DECODERS[config.decoder.kind]
        with _sizes_only():
            empty = kind.from_json(base.encoder.width, config.decoder, vocabulary["decoder"])
            _check_shapes(folder / WEIGHTS, empty)
        decoder = kind.from_json(base.encoder.width, config.decoder, vocabulary["decoder"])
        decoder.load_state_dict(_read_weights(folder / WEIGHTS))
        return base._lent(lender, decoder, config.decoder, index.get("scheme") or guess_name(decoder.atoms))

    def _lent(self, lender: Lender, decoder: Decoder, config: Any, scheme: str) -> Self:
        """A tagger with this one's encoder and label heads."""
        made = type(self)(replace(self.config, decoder=config), self.encoder, decoder, scheme)
        made.lender = lender
        for name, head in self.heads.items():
            made.heads[name] = head
            made.add_module(name, head)
        made.head_words = self.head_words
        return made

    @classmethod
    def _assembled(
        cls, folder: Path, scheme: str | None, config: Config, vocabulary: Mapping[str, Any]
    ) -> Self:
        """The tagger without its weights."""
        encoder = ENCODERS[config.encoder.kind].from_json(config.encoder, vocabulary["encoder"], folder)
        decoder = DECODERS[config.decoder.kind].from_json(
            encoder.width, config.decoder, vocabulary["decoder"]
        )
        if scheme is None:  # a model from before models said it
            scheme = guess_name(decoder.atoms)
        return cls(
            config, encoder, decoder, scheme, vocabulary.get("heads"), _size(vocabulary.get("head_words", 0))
        )

    def save(self, directory: str | Path, card: str = "", info: Any = None) -> None:
        """Write the model; an old one in `directory` stays whole until the new one is on disk.

        `card` is for people, `info` is what `ccgkit.models.registry` tells of the model.
        """
        with publishing(Path(directory), self.scheme, self.lender) as staged:
            self._write(staged, card)
            if info is not None:
                text = json.dumps(info, indent=1, ensure_ascii=False) + "\n"
                (staged / INFO).write_text(text, encoding="utf-8")

    def _write(self, staged: Path, card: str) -> None:
        vocabulary: dict[str, Any] = {"decoder": self.decoder.to_json()}
        if self.lender is None:
            vocabulary["encoder"] = self.encoder.to_json()
            vocabulary["heads"] = {name: head.labels for name, head in self.heads.items()}
            if self.head_words is not None:
                vocabulary["head_words"] = self.head_words.size
            self.encoder.save_files(staged)
        (staged / CONFIG).write_text(write_config(self.config), encoding="utf-8")
        (staged / VOCABULARY).write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
        (staged / README).write_text(card or "# A ccgkit supertagger\n", encoding="utf-8")
        save_file(tensors(self if self.lender is None else self.decoder), staged / WEIGHTS)

    def kbest(
        self, sentences: Sequence[Sequence[str]], k: int = 4, beta: float = 0.0, batch_size: int = 32
    ) -> list[Reading]:
        """For each sentence up to `k` categories a word, best first, and POS tags if it has such a head.

        Only categories at least `beta` times as probable as the best of their word are kept.

        Raises `ValueError` where `beta` is not between 0 and 1.
        """
        pos = self.heads.get(POS)
        readings = [Reading([], None if pos is None else []) for _ in sentences]
        with torch.inference_mode():
            for places, encoded in self.encoded(sentences, batch_size):
                tags = self.decoder.kbest(encoded, k, beta)
                labels = [None] * len(places) if pos is None else pos.best(encoded)
                heads = self.head_words.logprobs(encoded) if self.head_words else [None] * len(places)
                for place, words, found, scores in zip(places, tags, labels, heads, strict=True):
                    readings[place] = Reading(pruned(words, beta), found, scores)
        return readings

    def encoded(
        self, sentences: Sequence[Sequence[str]], batch_size: int = 32
    ) -> Iterator[tuple[list[int], Encoded]]:
        """Batches of sentences that have words, those of like length together: their places, and vectors."""
        if self.training:
            self.eval()
        places = [place for place, words in enumerate(sentences) if words]
        prepared = {place: self.encoder.prepare(sentences[place]) for place in places}
        for batch in _batches(prepared, batch_size):
            yield batch, self.encoder([prepared[place] for place in batch])

    def encode(self, sentences: Sequence[Sequence[str]]) -> Encoded:
        """The sentences, each of one or more words, as one batch."""
        encoded: Encoded = self.encoder([self.encoder.prepare(words) for words in sentences])
        return encoded

    def twin(self) -> Self:
        """A tagger for another thread: this one, since threads may share it."""
        return self


def _size(value: object) -> int:
    """The size of a scorer of head words, as a model directory gives it."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_SCORER:
        return value
    raise ModelError(f"head_words must be a number from 0 to {_LARGEST_SCORER}, not {value!r}")


def pruned(words: Sequence[tuple[Supertag, ...]], beta: float) -> list[tuple[Supertag, ...]]:
    """The words without categories less than `beta` times as probable as the best of their word.

    Raises `ValueError` where `beta` is not between 0 and 1.
    """
    return [word if len(word) == 1 else prune(word, beta) for word in words]


def tensors(module: nn.Module) -> dict[str, Tensor]:
    """The module's weights, ready to be written."""
    return {name: tensor.detach().contiguous().cpu() for name, tensor in module.state_dict().items()}


class _Unfilled(TorchFunctionMode):
    """Leaves new weights as they are: for random numbers without memory torch would import its compiler."""

    def __torch_function__(
        self, function: Any, types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        given = kwargs or {}
        if getattr(function, "__module__", "") == nn.init.__name__:
            return args[0] if args else given["tensor"]
        return function(*args, **given)


@contextmanager
def _sizes_only() -> Iterator[None]:
    """Modules made in the block have shapes but neither memory nor numbers."""
    with torch.device("meta"), _Unfilled():
        yield


def _check_shapes(path: Path, module: nn.Module) -> None:
    wanted = {name: list(tensor.shape) for name, tensor in module.state_dict().items()}
    with safe_open(path, "pt") as file:
        stored = {name: file.get_slice(name).get_shape() for name in file.keys()}  # noqa: SIM118
    for name in sorted(wanted.keys() | stored.keys()):
        if wanted.get(name) != stored.get(name):
            raise ModelError(
                f"{path} does not match the rest of the model: {name} has the shape {stored.get(name)}, "
                f"not {wanted.get(name)}"
            )


def _read_weights(path: Path) -> dict[str, Tensor]:
    """The weights in a file; `ModelError` if some are not finite."""
    weights: dict[str, Tensor] = load_file(path)
    for name, weight in weights.items():
        if weight.is_floating_point() and not bool(weight.isfinite().all()):
            raise ModelError(f"{path}: {name} holds numbers that are not finite")
    return weights


def _batches(prepared: Mapping[int, Sized], size: int) -> Iterator[list[int]]:
    """Places in batches of like cost, the dearest first."""
    costs = {place: len(sentence) for place, sentence in prepared.items()}
    batch: list[int] = []
    for place in sorted(costs, key=lambda place: -costs[place]):
        if batch and (len(batch) == size or (len(batch) + 1) * costs[batch[0]] > _MOST):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
