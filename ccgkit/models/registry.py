"""Which models there are: those in the package by name, any other by its directory. Imports no torch."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..grammar import CCGKitError

__all__ = ["INFO", "ModelInfo", "UnknownModelError", "describe", "described", "find", "installed", "notation"]

_HERE = Path(__file__).parent
INFO = "info.json"
_INDEX = "model.json"
_ENSEMBLE = "ensemble.toml"


class UnknownModelError(CCGKitError):
    """A model that is not there, and which ones are."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model and what its makers say of it."""

    name: str
    path: Path
    notation: str  #: of its categories: CCGbank, rebank/PMB, UD-CCG
    language: str = ""
    data: str = ""  #: what it was trained on
    licence: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)  #: accuracies in per cent, by test set

    @property
    def size(self) -> int:
        """Bytes of the model's files."""
        return sum(file.stat().st_size for file in _files(self.path))

    def __str__(self) -> str:
        return f"{self.name} ({self.notation} notation)"


def installed() -> list[ModelInfo]:
    """The models in the package, in the order of their names."""
    found = (model for index in _HERE.glob(f"*/{_INDEX}") for model in described(index.parent))
    return sorted(found, key=lambda model: model.name)


def find(name: str | Path | None = None, language: str | None = None) -> ModelInfo:
    """The model of a name or directory; without one, the first model in the package for the language.

    A model that does not say what language it is for is taken for one of the language asked for.
    """
    known = installed()
    if name is None:
        return _first_of_language(language or "en", known)
    models = _named(name, known)
    fitting = [model for model in models if language is None or model.language in ("", language)]
    if len(fitting) == 1:
        return replace(fitting[0], language=fitting[0].language or language or "")
    languages = ", ".join(model.language for model in models)
    asked = "name one of them" if language is None else f"not for {language}"
    raise UnknownModelError(f"{name} is a model for the language {languages}: {asked}")


def _first_of_language(language: str, known: list[ModelInfo]) -> ModelInfo:
    for model in known:
        if model.language == language:
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
    if any((Path(name) / index).is_file() for index in (_INDEX, _ENSEMBLE)):
        return described(Path(name))
    names = ", ".join(model.name for model in known) or "none"
    reason = f"{name} is a directory without {_INDEX}" if Path(name).is_dir() else f"no model {str(name)!r}"
    raise UnknownModelError(f"{reason}; in the package: {names}; otherwise give the directory of a model")


def describe(folder: Path) -> ModelInfo:
    """What is known of the model in a directory; of the first, if it holds several."""
    return described(folder)[0]


def described(folder: Path) -> list[ModelInfo]:
    """The models in a directory: one, or one for each language that its weights serve."""
    try:
        facts: dict[str, Any] | list[dict[str, Any]] = json.loads((folder / INFO).read_text(encoding="utf-8"))
        return [ModelInfo(path=folder, **each) for each in (facts if isinstance(facts, list) else [facts])]
    except FileNotFoundError:
        return [ModelInfo(folder.name, folder, notation(folder))]
    except (OSError, ValueError, TypeError) as error:
        raise CCGKitError(f"cannot read {folder / INFO}: {error}") from error


def notation(folder: Path) -> str:
    """The notation of a model's categories, told from what only one of them has."""
    if (folder / _ENSEMBLE).is_file():
        parts = tomllib.loads((folder / _ENSEMBLE).read_text(encoding="utf-8"))
        return notation(folder / str(parts.get("generator")))
    try:
        spelled = (folder / "vocabulary.json").read_text(encoding="utf-8")
    except OSError as error:
        raise CCGKitError(f"cannot read {folder / 'vocabulary.json'}: {error}") from error
    if "[nb]" in spelled:
        return "CCGbank"
    return "rebank/PMB" if "[dcl]" in spelled else "UD-CCG"


def _files(folder: Path) -> list[Path]:
    if (folder / _ENSEMBLE).is_file():
        return [path for path in folder.rglob("*") if path.is_file()]
    listed = json.loads((folder / _INDEX).read_text(encoding="utf-8")).get("files", {})
    return [path for name in (*listed, _INDEX) if (path := folder / name).is_file()]
