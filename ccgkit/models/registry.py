"""Which models there are: those in the package by name, any other by its directory. Imports no torch."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..grammar import CCGKitError

__all__ = ["INFO", "ModelInfo", "UnknownModelError", "describe", "find", "installed", "notation"]

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
    """The models in the package."""
    return [describe(index.parent) for index in sorted(_HERE.glob(f"*/{_INDEX}"))]


def find(name: str | Path | None = None, language: str = "en") -> ModelInfo:
    """The model of a name or directory; without one, the first model in the package for the language."""
    known = installed()
    if name is None:
        fitting = [model for model in known if model.language == language]
        if not fitting:
            others = ", ".join(sorted({model.language for model in known})) or "none"
            raise UnknownModelError(
                f"no model for the language {language!r} is in the package (languages: {others}); "
                "name a model's directory"
            )
        return fitting[0]
    for model in known:
        if model.name == str(name):
            return model
    if any((Path(name) / index).is_file() for index in (_INDEX, _ENSEMBLE)):
        return describe(Path(name))
    names = ", ".join(model.name for model in known) or "none"
    reason = f"{name} is a directory without {_INDEX}" if Path(name).is_dir() else f"no model {str(name)!r}"
    raise UnknownModelError(f"{reason}; in the package: {names}; otherwise give the directory of a model")


def describe(folder: Path) -> ModelInfo:
    """What is known of the model in a directory."""
    try:
        facts: dict[str, Any] = json.loads((folder / INFO).read_text(encoding="utf-8"))
        return ModelInfo(path=folder, **facts)
    except FileNotFoundError:
        return ModelInfo(folder.name, folder, notation(folder))
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
