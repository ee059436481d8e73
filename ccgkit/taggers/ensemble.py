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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Never, Self, cast

import torch
from torch import Tensor, nn

from ccgkit.grammar import Atom, Category
from ccgkit.sentence import Supertag

from .classifier import Classifier
from .config import Config, DecoderConfig
from .directory import README
from .encoder import Encoder
from .generator import Generator
from .interface import Decoder, Encoded, ModelError
from .reranker import Candidates, Reranker, candidates, second_opinions, spelling_length
from .tagger import Tagger
from .transition_generator import TransitionGenerator

__all__ = ["ENSEMBLE", "Ensemble", "load_tagger"]

ENSEMBLE = "ensemble.toml"
_PARTS = ("generator", "scorer")
_RANGES: dict[str, Callable[[Any], bool]] = {
    "nu": lambda value: type(value) in (int, float) and 0 <= value <= 1,
    "lambda": lambda value: type(value) in (int, float) and 0 <= value <= 1,
    "candidates": lambda value: type(value) is int and value >= 1,
}
_NOT_TRAINED = "an ensemble is not trained: train its parts, then combine them"
_LEAST_SHARED = 0.5  # of all atoms of two models, where no scheme tells them apart


def load_tagger(directory: str | Path, device: str = "cpu") -> Tagger:
    """The tagger in `directory`, whether it is a single model or an ensemble."""
    if (Path(directory) / ENSEMBLE).is_file():
        return Ensemble.load(directory, device)
    return Tagger.load(directory, device)


class Ensemble(Tagger):
    """A tagger whose categories are `generator`'s, re-ranked with the help of `scorer`.

    Supertags carry λ·u + (1-λ)·v as their log p. If both have the same encoder, it runs once.
    """

    def __init__(self, generator: Tagger, scorer: Tagger, reranker: Reranker | None = None) -> None:
        _check_notation(generator.decoder, scorer.decoder)
        shared = _same(generator.encoder, scorer.encoder)
        encoder = _Encoders(generator.encoder, None if shared else scorer.encoder)
        decoder = _Reranking(generator.decoder, scorer.decoder, reranker or Reranker())
        super().__init__(generator.config, cast(Encoder, encoder), decoder)
        self.parts = generator.config, scorer.config

    @property
    def reranker(self) -> Reranker:
        return cast(_Reranking, self.decoder).reranker

    @reranker.setter
    def reranker(self, reranker: Reranker) -> None:
        cast(_Reranking, self.decoder).reranker = reranker

    @property
    def shares_encoder(self) -> bool:
        """Whether one encoder serves both parts."""
        return cast(_Encoders, self.encoder).second is None

    @classmethod
    def build(
        cls, config: Config, sentences: Sequence[Sequence[str]], counts: Mapping[Category, int]
    ) -> Never:
        raise ModelError(_NOT_TRAINED)

    @classmethod
    def load(cls, directory: str | Path, device: str = "cpu") -> Self:
        folder = Path(directory)
        settings = _read(folder / ENSEMBLE)
        parts = [_load_part(folder, name, settings[name], device) for name in _PARTS]
        reranker = Reranker(settings["nu"], settings["lambda"], settings["candidates"])
        return cls(parts[0], parts[1], reranker).to(device).eval()

    def save(self, directory: str | Path, card: str = "") -> None:
        """Write both parts and `ensemble.toml`, which comes last: until then there is no ensemble."""
        folder = Path(directory)
        first, second = cast(_Encoders, self.encoder), cast(_Reranking, self.decoder)
        Tagger(self.parts[0], first.first, second.generator).save(folder / _PARTS[0])
        Tagger(self.parts[1], first.second or first.first, second.scorer).save(folder / _PARTS[1])
        write_settings(folder, self.reranker, card)

    @torch.inference_mode()
    def candidates(
        self, sentences: Sequence[Sequence[str]], gold: Sequence[Sequence[Category]], batch: int = 64
    ) -> Candidates:
        """What the re-ranker would choose from on a dev set, to tune it."""
        self.eval()
        decoder = cast(_Reranking, self.decoder)
        order = sorted(
            (row for row in range(len(sentences)) if sentences[row]), key=lambda row: -len(sentences[row])
        )

        def words() -> Iterator[tuple[Any, Any, Category]]:
            for start in range(0, len(order), batch):
                rows = order[start : start + batch]
                encoded = self.encoder([sentences[row] for row in rows])
                for row, *both in zip(rows, *decoder.propose(encoded, 1), strict=True):
                    yield from zip(*both, gold[row], strict=True)

        return Candidates.gather(words())


@dataclass(frozen=True, slots=True)
class _EncodedTwice(Encoded):
    second: Encoded


class _Encoders(nn.Module):
    """One or two encoders behind the interface of one."""

    def __init__(self, first: Encoder, second: Encoder | None) -> None:
        super().__init__()
        self.first, self.second = first, second
        self.width = first.width

    def forward(self, sentences: Sequence[Sequence[str]]) -> Encoded:
        encoded: Encoded = self.first(sentences)
        second = encoded if self.second is None else self.second(sentences)
        return _EncodedTwice(encoded.hidden, encoded.mask, second)


class _Reranking(Decoder):
    """Two decoders and the re-ranker behind the interface of one decoder."""

    kind = "ensemble"

    def __init__(self, generator: Decoder, scorer: Decoder, reranker: Reranker) -> None:
        super().__init__()
        self.generator, self.scorer, self.reranker = generator, scorer, reranker

    @classmethod
    def build(cls, width: int, config: DecoderConfig, counts: Mapping[Category, int]) -> Never:
        raise ModelError(_NOT_TRAINED)

    @classmethod
    def from_json(cls, width: int, config: DecoderConfig, vocabulary: Mapping[str, Any]) -> Never:
        raise ModelError("an ensemble has no vocabulary of its own: its parts have")

    def to_json(self) -> dict[str, Any]:
        return {"generator": self.generator.to_json(), "scorer": self.scorer.to_json()}

    def loss(self, encoded: Encoded, gold: Sequence[Sequence[Category | None]]) -> Tensor:
        raise ModelError(_NOT_TRAINED)

    def propose(self, encoded: Encoded, k: int) -> tuple[list[Any], list[list[list[float]]]]:
        """The generator's candidates and the scorer's opinions of them."""
        found = candidates(self.generator, encoded, max(k, self.reranker.candidates))
        asked = [[[h.category for h in word] for word in sentence] for sentence in found]
        return found, second_opinions(self.scorer, _second(encoded), asked)

    def kbest(self, encoded: Encoded, k: int) -> list[list[tuple[Supertag, ...]]]:
        return [
            [self.reranker(*word)[:k] for word in zip(*sentence, strict=True)]
            for sentence in zip(*self.propose(encoded, k), strict=True)
        ]

    def scores(
        self, encoded: Encoded, candidates: Sequence[Sequence[Sequence[Category]]]
    ) -> list[list[list[float]]]:
        logprobs = self.generator.scores(encoded, candidates)
        opinions = second_opinions(self.scorer, _second(encoded), candidates)
        nu, weight = self.reranker.nu, self.reranker.weight
        return [
            [
                [
                    weight * p / (spelling_length(self.generator, category) or 1) ** nu + (1 - weight) * v
                    for category, p, v in zip(*word, strict=True)
                ]
                for word in zip(*sentence, strict=True)
            ]
            for sentence in zip(candidates, logprobs, opinions, strict=True)
        ]


def _second(encoded: Encoded) -> Encoded:
    return encoded.second if isinstance(encoded, _EncodedTwice) else encoded


def _same(one: Encoder, other: Encoder) -> bool:
    """Whether two encoders give the same vectors: same parts, same vocabularies, same weights."""
    if one is other:
        return True
    mine, theirs = one.state_dict(), other.state_dict()
    return (
        mine.keys() == theirs.keys()
        and one.to_json() == other.to_json()
        and all(torch.equal(weight, theirs[name]) for name, weight in mine.items())
    )


def _check_notation(generator: Decoder, scorer: Decoder) -> None:
    mine, theirs = _atoms(generator), _atoms(scorer)
    unlike = (Atom("NP", "nb") in mine) != (Atom("NP", "nb") in theirs)  # CCGbank's determiners
    if unlike or len(mine & theirs) < _LEAST_SHARED * len(mine | theirs):
        only = [", ".join(sorted(map(str, a - b))[:8]) or "none" for a, b in ((mine, theirs), (theirs, mine))]
        raise ModelError(
            "these models cannot be combined: they were trained on categories of different notations. "
            f"Atoms that only the generator has: {only[0]}; that only the scorer has: {only[1]}"
        )


def _atoms(decoder: Decoder) -> set[Atom]:
    """The atoms that the decoder's categories are made of."""
    match decoder:
        case Classifier():
            return {atom for category in decoder.categories for atom in category.atoms()}
        case Generator():
            return decoder.atoms
        case TransitionGenerator():
            return set(decoder.actions.atoms)
    raise ModelError(f"a {decoder.kind} decoder cannot be a part of an ensemble")


def write_settings(folder: Path, reranker: Reranker, card: str = "") -> None:
    """Write `ensemble.toml` (and the model card) of an ensemble whose parts lie in the folder."""
    lines = [
        *(f'{name} = "{name}"' for name in _PARTS),
        f"nu = {reranker.nu}",
        f"lambda = {reranker.weight}",
        f"candidates = {reranker.candidates}",
    ]
    (folder / README).write_text(card or "# A ccgkit supertagger: two models, re-ranked\n", encoding="utf-8")
    temporary = folder / f"{ENSEMBLE}.new"
    temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
    temporary.replace(folder / ENSEMBLE)


def copy_parts(folder: Path, generator: Path, scorer: Path) -> None:
    """Copy two model directories (without what only training needs) to where an ensemble has them."""
    for source, name in ((generator, _PARTS[0]), (scorer, _PARTS[1])):
        shutil.copytree(
            source, folder / name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("training", ".next")
        )


def _read(path: Path) -> dict[str, Any]:
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
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
                f"{path}: {name} = {value!r}: nu and lambda are from 0 to 1, candidates from 1 on"
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
