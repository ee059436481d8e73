"""A model as a directory: what is in it, with checksums; written so that a crash leaves the old one whole.

`config.toml`, `vocabulary.json`, `weights.safetensors`, `README.md` (the model card), the transformer's own
files where there is one, and `model.json` with the version of the format and the sha256 of every file.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

from .config import Config, load_config
from .interface import ModelError

__all__ = ["CONFIG", "README", "VOCABULARY", "WEIGHTS", "opened", "publishing", "synchronise", "verify"]

VERSION = 1
CONFIG, VOCABULARY, WEIGHTS, README = "config.toml", "vocabulary.json", "weights.safetensors", "README.md"
_INDEX = "model.json"


@contextmanager
def publishing(target: Path) -> Iterator[Path]:
    """A directory to write a model's files into, which then move to `target`; after an error, none does.

    Everything is on disk before the first file moves; a full disk therefore never harms an old model.
    """
    staged = target / "training" / "next" if (target / "training").is_dir() else target / ".next"
    shutil.rmtree(staged, ignore_errors=True)
    staged.mkdir(parents=True)
    try:
        yield staged
        _publish(staged, target)
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def _publish(staged: Path, target: Path) -> None:
    files = sorted(_files(staged))
    index = {
        "format": "ccgkit model",
        "version": VERSION,
        "files": {_name(f, staged): _sha256(f) for f in files},
    }
    (staged / _INDEX).write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")
    for file in (*files, staged / _INDEX):
        file.chmod(0o644)  # safetensors writes for its owner only
        synchronise(file)
    for file in (*files, staged / _INDEX):  # the index last: until then the checksums tell
        destination = target / _name(file, staged)
        destination.parent.mkdir(parents=True, exist_ok=True)
        file.replace(destination)
    synchronise(target)


@contextmanager
def opened(folder: Path) -> Iterator[tuple[Config, dict[str, Any]]]:
    """The configuration and the vocabulary of a whole model; within, what does not fit is a `ModelError`."""
    verify(folder)
    config = load_config(folder / CONFIG)
    try:
        yield config, json.loads((folder / VOCABULARY).read_text(encoding="utf-8"))
    except (KeyError, TypeError, ValueError, RuntimeError, OSError, SafetensorError) as error:
        raise ModelError(f"the files of {folder} do not go together: {error}") from error


def verify(folder: Path) -> None:
    """Raise `ModelError` unless `folder` holds a whole, unaltered model of a version we read."""
    index = _read_index(folder)
    if index.get("version") != VERSION:
        raise ModelError(
            f"{folder} is a model of version {index.get('version')}; this ccgkit reads version {VERSION}"
        )
    files = index.get("files")
    if not isinstance(files, dict) or not {CONFIG, VOCABULARY, WEIGHTS} <= files.keys():
        raise ModelError(f"{folder / _INDEX} does not list the model's files")
    for name, checksum in files.items():
        if not (folder / name).is_file():
            raise ModelError(f"{folder} is incomplete: {name} is missing")
        if name != README and _sha256(folder / name) != checksum:
            raise ModelError(f"{folder / name} was altered or damaged: its sha256 is not that of {_INDEX}")


def synchronise(path: Path) -> None:
    """Make the file or directory durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _read_index(folder: Path) -> dict[str, Any]:
    if not folder.is_dir():
        raise ModelError(f"there is no model directory {folder}")
    try:
        index = json.loads((folder / _INDEX).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelError(f"{folder} is no model: there is no {_INDEX} in it") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot read {folder / _INDEX}: {error}") from error
    if not isinstance(index, dict) or index.get("format") != "ccgkit model":
        raise ModelError(f"{folder / _INDEX} does not describe a model of ccgkit")
    return index


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file() and path.name != _INDEX)


def _name(file: Path, folder: Path) -> str:
    return file.relative_to(folder).as_posix()


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
