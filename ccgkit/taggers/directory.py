"""A model as a directory: what is in it, with checksums; written so that a crash leaves the old one whole.

`config.toml`, `vocabulary.json`, `weights.safetensors`, `README.md` (the model card), files of the encoder's
own where it has some, and `model.json` with the version of the format, the scheme of the categories and the
sha256 of every file. Whatever lies in a directory, reading it ends, with a `ModelError` if it is not a sound
model. This module imports no torch.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from ccgkit.grammar import CCGKitError, scheme_names

from .config import Config, from_tables, read_tables
from .errors import ModelError

__all__ = [
    "CONFIG",
    "INDEX",
    "INFO",
    "README",
    "VOCABULARY",
    "WEIGHTS",
    "Lender",
    "model_config",
    "opened",
    "publishing",
    "read_index",
    "read_json",
    "read_text",
    "replacing",
    "sound",
    "synchronise",
    "verify",
]

VERSION = 1
CONFIG, VOCABULARY, WEIGHTS, README = "config.toml", "vocabulary.json", "weights.safetensors", "README.md"
INDEX, INFO = "model.json", "info.json"
_LARGEST = 1 << 28  # bytes of a file that is read as a whole
_LARGEST_WEIGHTS = 1 << 34


@dataclass(frozen=True, slots=True)
class Lender:
    """The model whose encoder and label heads another one uses: a directory beside that one."""

    model: str  #: its directory's name
    weights: str  #: sha256 of its weights: over others the decoder would talk nonsense

    @classmethod
    def named(cls, folder: Path, index: Mapping[str, Any]) -> Lender | None:
        """The lender that the index of the model in `folder` names, not yet checked; None if none."""
        named = index.get("encoder")
        if named is None:
            return None
        if not isinstance(named, dict) or {name: type(one) for name, one in named.items()} != _LENDER:
            raise ModelError(f"{folder / INDEX}: encoder must name a model and the sha256 of its weights")
        return cls(**named)

    def check(self, folder: Path) -> None:
        """See that there is such a model beside `folder`, with an encoder of its own.

        Raises `ModelError` where there is not.
        """
        where, there = f"{folder / INDEX} names {self.model!r} as its encoder", folder.parent / self.model
        if (
            self.model in ("", ".", "..")
            or Path(self.model).name != self.model
            or "\\" in self.model
            or "\0" in self.model
        ):
            raise ModelError(f"{where}, which is not the name of a model beside it")
        if there.resolve() == folder.resolve():
            raise ModelError(f"{where}, which is the model itself")
        index = read_index(there)
        if "encoder" in index:
            raise ModelError(f"{where}, which has none of its own")
        files = index.get("files")
        if not isinstance(files, dict) or files.get(WEIGHTS) != self.weights:
            raise ModelError(f"{where}, but {there} has other weights than the ones it was made for")


_LENDER = {"model": str, "weights": str}


@contextmanager
def publishing(target: Path, scheme: str, lender: Lender | None = None) -> Iterator[Path]:
    """A directory to write a model's files into, which then move to `target`; after an error, none does.

    Everything is on disk before the first file moves; a full disk therefore never harms an old model.
    """
    if lender is not None:
        lender.check(target)
    staged = target / "training" / "next" if (target / "training").is_dir() else target / ".next"
    shutil.rmtree(staged, ignore_errors=True)
    staged.mkdir(parents=True)
    try:
        yield staged
        _publish(staged, target, {"scheme": scheme} | ({"encoder": asdict(lender)} if lender else {}))
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def _publish(staged: Path, target: Path, facts: Mapping[str, Any]) -> None:
    files = sorted(path for path in staged.rglob("*") if path.is_file())
    index = {
        "format": "ccgkit model",
        "version": VERSION,
        **facts,
        "files": {_name(f, staged): _sha256(f) for f in files},
    }
    (staged / INDEX).write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")
    for file in (*files, staged / INDEX):
        file.chmod(0o644)  # safetensors writes for its owner only
        synchronise(file)
    for file in (*files, staged / INDEX):  # the index last: until then the checksums tell
        destination = target / _name(file, staged)
        destination.parent.mkdir(parents=True, exist_ok=True)
        file.replace(destination)
    synchronise(target)


@contextmanager
def sound(folder: Path) -> Iterator[None]:
    """Within, whatever files of unknown origin do to whichever part reads them is a `ModelError`."""
    try:
        yield
    except CCGKitError:
        raise
    except Exception as error:
        raise ModelError(f"the files of {folder} do not match: {type(error).__name__}: {error}") from error


@contextmanager
def opened(folder: Path) -> Iterator[tuple[dict[str, Any], Config, dict[str, Any]]]:
    """Index, configuration and vocabulary of a whole model; within, what does not fit is a `ModelError`."""
    with sound(folder):
        index = verify(folder)
        yield index, model_config(folder), read_json(folder / VOCABULARY)


def model_config(folder: Path) -> Config:
    """The configuration in a model directory, also in one that an earlier version wrote."""
    where = str(folder / CONFIG)
    return from_tables(_converted(read_tables(read_text(folder / CONFIG), where)), where)


def _converted(tables: dict[str, Any]) -> dict[str, Any]:
    """The tables with the encoder that had a transformer as an option of the BiLSTM under its own kind."""
    encoder = tables.get("encoder")
    if not isinstance(encoder, dict) or encoder.get("kind") != "bilstm" or "bert" not in encoder:
        return tables
    if encoder["bert"]:
        return {**tables, "encoder": {**encoder, "kind": "transformer"}}
    return {**tables, "encoder": {name: encoder[name] for name in encoder if not name.startswith("bert")}}


def verify(folder: Path) -> dict[str, Any]:
    """The index of a whole, unaltered model of a version we read; `ModelError` if `folder` holds none."""
    index = read_index(folder)
    if index.get("version") != VERSION:
        raise ModelError(
            f"{folder} is a model of version {index.get('version')}; this ccgkit reads version {VERSION}"
        )
    files = index.get("files")
    if not isinstance(files, dict) or not {CONFIG, VOCABULARY, WEIGHTS} <= files.keys():
        raise ModelError(f"{folder / INDEX} does not list the model's files")
    for name, checksum in files.items():
        _check_name(folder, name)
        if not os.path.lexists(folder / name):
            raise ModelError(f"{folder} is incomplete: {name} is missing")
        _check_file(folder / name, _LARGEST_WEIGHTS if name == WEIGHTS else _LARGEST)
        if name != README and _sha256(folder / name) != checksum:
            raise ModelError(f"{folder / name} was altered or damaged: its sha256 is not that of {INDEX}")
    for path in folder.glob("transformer/**/*"):  # read by a library that asks no questions
        if not path.is_dir():
            _check_file(path, _LARGEST)
    return index


def read_index(folder: Path) -> dict[str, Any]:
    """What `model.json` says, which is not yet compared with the files."""
    if not folder.is_dir():
        raise ModelError(f"there is no model directory {folder}")
    if not os.path.lexists(folder / INDEX):
        raise ModelError(f"{folder} is not a model: there is no {INDEX} in it")
    index = read_json(folder / INDEX)
    if index.get("format") != "ccgkit model":
        raise ModelError(f"{folder / INDEX} does not describe a model of ccgkit")
    if index.get("scheme") not in (None, "", *scheme_names()):
        raise ModelError(
            f"{folder / INDEX}: scheme must be one of {', '.join(scheme_names())}, not {index['scheme']!r}"
        )
    return index


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file."""
    try:
        document = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"cannot read {path}: {error}") from error
    if not isinstance(document, dict):
        raise ModelError(f"{path} does not hold a JSON object")
    return document


def read_text(path: Path) -> str:
    """The text of a regular file of bearable size."""
    _check_file(path, _LARGEST)
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot read {path}: {error}") from error


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write a file to that takes the place of `path` once it is on disk; after an error it goes."""
    temporary = path.with_name(f".{path.name}.new")
    try:
        yield temporary
        synchronise(temporary)
        temporary.replace(path)
        synchronise(path.parent)
    except OSError as error:
        error.filename = error.filename or str(path)
        raise
    finally:
        temporary.unlink(missing_ok=True)


def synchronise(path: Path) -> None:
    """Make the file or directory durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _check_name(folder: Path, name: str) -> None:
    path = PurePosixPath(name)
    if not name or "\0" in name or "\\" in name or path.is_absolute() or ".." in path.parts:
        raise ModelError(f"{folder / INDEX} names {name!r}, which is not a file of the model")


def _check_file(path: Path, largest: int) -> None:
    """Raise `ModelError` where reading could hang, or fill the memory."""
    try:
        found = path.stat()
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot read {path}: {error}") from error
    if not stat.S_ISREG(found.st_mode):
        raise ModelError(f"{path} is not a regular file")
    if found.st_size > largest:
        raise ModelError(f"{path} has {found.st_size:,} bytes, more than the {largest:,} that are read")


def _name(file: Path, folder: Path) -> str:
    return file.relative_to(folder).as_posix()


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
