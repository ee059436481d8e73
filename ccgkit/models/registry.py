"""Which models there are: those in the package by name, any other by its directory. Imports no torch."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..grammar import CCGKitError
from ..taggers.directory import INDEX, INFO, Lender, read_index, read_text, sound
from ..taggers.errors import ModelError
from ..taggers.token_classifier import is_token_classifier, label_scheme

__all__ = ["INFO", "ModelInfo", "UnknownModelError", "describe", "described", "find", "installed"]

_HERE = Path(__file__).parent
_ENSEMBLE = "ensemble.toml"
_USUAL = "rebank"  # the scheme of the models that are taken where nobody asks for one
_NOTATIONS = {"ccgbank": "CCGbank", "rebank": "rebank/PMB", "udccg": "UD-CCG"}


class UnknownModelError(CCGKitError):
    """A model that is not there, and which ones are."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model and what its makers say of it."""

    name: str
    path: Path
    scheme: str = ""  #: of its categories: ccgbank, rebank, udccg; empty if the model does not say
    encoder: str = ""  #: the model beside it whose encoder it uses; empty if it has one of its own
    language: str = ""
    data: str = ""  #: what it was trained on
    licence: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)  #: accuracies in per cent, by test set

    @property
    def notation(self) -> str:
        """The scheme as people call it."""
        return _NOTATIONS.get(self.scheme, self.scheme or "unknown")

    @property
    def size(self) -> int:
        """Bytes of the model's files.

        Raises `ModelError` where its list of files cannot be read.
        """
        return sum(file.stat().st_size for file in _files(self.path))

    def __str__(self) -> str:
        return f"{self.name} ({self.notation} notation)"


def installed() -> list[ModelInfo]:
    """The models in the package, in the order of their names.

    Raises `ModelError` where the description of one cannot be read.
    """
    found = (model for index in _HERE.glob(f"*/{INDEX}") for model in described(index.parent))
    return sorted(found, key=lambda model: model.name)


def find(name: str | Path | None = None, language: str | None = None, scheme: str | None = None) -> ModelInfo:
    """The model of a name or directory; without one, the package's for the language.

    Of several, one of the scheme is preferred. A model that does not say what language it is for is taken
    for one of the language asked for.

    Raises `UnknownModelError` where there is none or the language is not settled, `ModelError` where its
    description cannot be read.
    """
    known = installed()
    if name is None:
        return _first_of_language(language or "en", known, scheme or _USUAL)
    models = _named(name, known)
    fitting = [model for model in models if language is None or model.language in ("", language)]
    if len(fitting) == 1:
        return replace(fitting[0], language=fitting[0].language or language or "")
    languages = ", ".join(model.language for model in models)
    asked = "name one of them" if language is None else f"not for {language}"
    raise UnknownModelError(f"{name} is a model for the language {languages}: {asked}")


def _first_of_language(language: str, known: list[ModelInfo], scheme: str) -> ModelInfo:
    speaking = [model for model in known if model.language == language]
    for model in (*(one for one in speaking if one.scheme == scheme), *speaking):
        return model
    others = ", ".join(sorted({model.language for model in known})) or "none"
    raise UnknownModelError(
        f"no model for the language {language!r} is in the package (languages: {others}); "
        "name a model's directory"
    )


def _named(name: str | Path, known: list[ModelInfo]) -> list[ModelInfo]:
    """The models of a name, which is one, or those in a directory."""
    for model in known:
        if model.name == str(name):
            return [model]
    if any((Path(name) / index).is_file() for index in (INDEX, _ENSEMBLE)):
        return described(Path(name))
    if is_token_classifier(Path(name)):
        return [ModelInfo(Path(name).name, Path(name), label_scheme(Path(name)))]
    names = ", ".join(model.name for model in known) or "none"
    reason = f"no model {str(name)!r}"
    if Path(name).is_dir():
        reason = f"{name} is a directory without {INDEX}, and not a token classifier"
    raise UnknownModelError(f"{reason}; in the package: {names}; otherwise give the directory of a model")


def describe(folder: Path) -> ModelInfo:
    """What is known of the model in a directory; of the first, if it holds several.

    Raises `ModelError` where its description cannot be read.
    """
    return described(folder)[0]


def described(folder: Path) -> list[ModelInfo]:
    """The models in a directory: one, or one for each language that its weights serve."""
    with sound(folder):
        index = _index(folder)
        lender = Lender.named(folder, index)
        scheme, encoder = str(index.get("scheme") or ""), lender.model if lender else ""
    if not os.path.lexists(folder / INFO):
        return [ModelInfo(folder.name, folder, scheme, encoder)]
    try:
        facts: Any = json.loads(read_text(folder / INFO))
        return [
            ModelInfo(path=folder, scheme=scheme, encoder=encoder, **each)
            for each in (facts if isinstance(facts, list) else [facts])
        ]
    except (ValueError, TypeError, RecursionError) as error:
        raise ModelError(f"cannot read {folder / INFO}: {error}") from error


def _index(folder: Path) -> dict[str, Any]:
    """The index of a model; an ensemble's is that of its generator."""
    if (folder / _ENSEMBLE).is_file():
        try:
            generator = tomllib.loads(read_text(folder / _ENSEMBLE)).get("generator")
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise ModelError(f"cannot read the ensemble {folder / _ENSEMBLE}: {error}") from error
        folder = folder / str(generator)
    return read_index(folder)


def _files(folder: Path) -> list[Path]:
    if (folder / _ENSEMBLE).is_file():
        return [path for path in folder.rglob("*") if path.is_file()]
    listed = read_index(folder).get("files", {})
    return [path for name in (*listed, INDEX) if (path := folder / name).is_file()]
