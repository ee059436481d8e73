"""Two taggers as one: a generator proposes categories, a scorer has its say, the re-ranker decides.

The model is a directory with an `ensemble.toml` that names its two parts, which are model directories:

    generator = "generator"
    scorer = "scorer"
    nu = 0.15
    lambda = 0.9
    candidates = 4
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import tomli_w
import torch
from torch import nn

from ccgkit.grammar import Category

from .decoders.hypotheses import Hypothesis
from .directory import README, read_text, replacing, sound
from .errors import ModelError
from .interface import Encoded, Encoder
from .reading import Reading
from .reranker import Candidates, Reranker, candidates, second_opinions
from .tagger import POS, Tagger, pruned

__all__ = ["ENSEMBLE", "Ensemble"]

ENSEMBLE = "ensemble.toml"
_PARTS = ("generator", "scorer")
_RANGES: dict[str, Callable[[Any], bool]] = {
    "nu": lambda value: type(value) in (int, float) and 0 <= value <= 1,
    "lambda": lambda value: type(value) in (int, float) and 0 <= value <= 1,
    "candidates": lambda value: type(value) is int and 1 <= value <= 1024,
}

Proposed = tuple[list[Hypothesis], list[float]]  # for a word: candidates, and opinions of them


class Ensemble(nn.Module):
    """A tagger whose categories are `generator`'s, re-ranked with the help of `scorer`.

    Supertags carry λ·u + (1-λ)·v as their log p. If both have the same encoder, it runs once.
    """

    def __init__(self, generator: Tagger, scorer: Tagger, reranker: Reranker | None = None) -> None:
        super().__init__()
        if generator.scheme and scorer.scheme and generator.scheme != scorer.scheme:
            raise ModelError(
                "these models cannot be combined: they were trained on categories of different schemes, "
                f"{generator.scheme} (the generator) and {scorer.scheme} (the scorer)"
            )
        self.generator, self.scorer = generator, scorer
        self.reranker = reranker or Reranker()
        self.scheme = generator.scheme or scorer.scheme
        self.shares_encoder = _same(generator.encoder, scorer.encoder)  #: whether one serves both
        if self.shares_encoder:
            self.scorer = Tagger(scorer.config, generator.encoder, scorer.decoder, scorer.scheme)

    @classmethod
    def load(cls, directory: str | Path, device: str = "cpu") -> Self:
        """The ensemble in `directory`, ready to tag; `ModelError` if it is not sound."""
        folder = Path(directory)
        with sound(folder):
            settings = _read(folder / ENSEMBLE)
            parts = [_load_part(folder, name, settings[name], device) for name in _PARTS]
            reranker = Reranker(settings["nu"], settings["lambda"], settings["candidates"])
            return cls(parts[0], parts[1], reranker).eval()

    def save(self, directory: str | Path, card: str = "") -> None:
        """Write both parts and `ensemble.toml`, which comes last: until then there is no ensemble."""
        folder = Path(directory)
        self.generator.save(folder / _PARTS[0])
        self.scorer.save(folder / _PARTS[1])
        write_settings(folder, self.reranker, card)

    def kbest(
        self, sentences: Sequence[Sequence[str]], k: int = 4, beta: float = 0.0, batch_size: int = 32
    ) -> list[Reading]:
        """As a `Tagger`; POS tags are the generator's."""
        pos = self.generator.heads.get(POS)
        readings = [Reading([], None if pos is None else []) for _ in sentences]
        with torch.inference_mode():
            for places, encoded, proposed in self._proposed(sentences, k, batch_size):
                labels = [None] * len(places) if pos is None else pos.best(encoded)
                for place, words, found in zip(places, proposed, labels, strict=True):
                    tags = [self.reranker(*word)[:k] for word in words]
                    readings[place] = Reading(pruned(tags, beta), found)
        return readings

    def twin(self) -> Self:
        """An ensemble for another thread: this one, since threads may share it."""
        return self

    @torch.inference_mode()
    def candidates(
        self, sentences: Sequence[Sequence[str]], gold: Sequence[Sequence[Category]]
    ) -> Candidates:
        """What the re-ranker would choose from on a dev set, to tune it."""
        return Candidates.gather(
            (*word, right)
            for places, _, proposed in self._proposed(sentences, 1)
            for place, words in zip(places, proposed, strict=True)
            for word, right in zip(words, gold[place], strict=True)
        )

    def _proposed(
        self, sentences: Sequence[Sequence[str]], k: int, batch_size: int = 32
    ) -> Iterator[tuple[list[int], Encoded, list[list[Proposed]]]]:
        """Batches with the generator's candidates and the scorer's opinions of them."""
        self.eval()
        for places, encoded in self.generator.encoded(sentences, batch_size):
            found = candidates(self.generator.decoder, encoded, max(k, self.reranker.candidates))
            asked = [[[h.category for h in word] for word in sentence] for sentence in found]
            again = encoded
            if not self.shares_encoder:
                again = self.scorer.encode([sentences[place] for place in places])
            opinions = second_opinions(self.scorer.decoder, again, asked)
            both = zip(found, opinions, strict=True)
            yield places, encoded, [list(zip(*words, strict=True)) for words in both]


def _same(one: Encoder, other: Encoder) -> bool:
    """Whether two encoders give the same vectors: same parts, same vocabularies, same weights."""
    if one is other:
        return True
    mine, theirs = one.state_dict(), other.state_dict()
    return (
        type(one) is type(other)
        and mine.keys() == theirs.keys()
        and one.to_json() == other.to_json()
        and all(torch.equal(weight, theirs[name]) for name, weight in mine.items())
    )


def write_settings(folder: Path, reranker: Reranker, card: str = "") -> None:
    """Write `ensemble.toml` (and the model card) of an ensemble whose parts lie in the folder."""
    settings = {
        **{name: name for name in _PARTS},
        "nu": reranker.nu,
        "lambda": reranker.weight,
        "candidates": reranker.candidates,
    }
    (folder / README).write_text(card or "# A ccgkit supertagger: two models, re-ranked\n", encoding="utf-8")
    with replacing(folder / ENSEMBLE) as new:
        new.write_text(tomli_w.dumps(settings), encoding="utf-8")


def copy_parts(folder: Path, generator: Path, scorer: Path) -> None:
    """Copy two model directories (without what only training needs) to where an ensemble has them."""
    for source, name in ((generator, _PARTS[0]), (scorer, _PARTS[1])):
        try:
            shutil.copytree(
                source, folder / name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("training", ".next")
            )
        except shutil.Error as error:
            raise OSError(error.args[0][0][2]) from error  # the first of all that it says


def _read(path: Path) -> dict[str, Any]:
    try:
        settings = tomllib.loads(read_text(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ModelError(f"cannot read the ensemble {path}: {error}") from error
    for name in _PARTS:
        if not isinstance(settings.get(name), str):
            raise ModelError(f'{path} does not name its {name}: write {name} = "directory"')
    settings = {"nu": 0.15, "lambda": 0.9, "candidates": 4} | settings
    for name, value in settings.items():
        if name not in (*_PARTS, *_RANGES):
            raise ModelError(f"{path}: there is no setting {name}")
        if name in _RANGES and not _RANGES[name](value):
            raise ModelError(
                f"{path}: {name} = {value!r}: nu and lambda must be from 0 to 1, candidates from 1 to 1024"
            )
    return settings


def _load_part(folder: Path, role: str, name: str, device: str) -> Tagger:
    part = folder / name
    if not part.is_dir():
        raise ModelError(
            f"{folder / ENSEMBLE} names {name!r} as its {role}, but there is no directory {part}"
        )
    if (part / ENSEMBLE).exists():
        raise ModelError(f"{part} is itself an ensemble: the parts of an ensemble are single models")
    return Tagger.load(part, device)
