"""CCGbank as the LDC distributes it: `AUTO/00` to `AUTO/24`, dependencies beside it under `PARG`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ..grammar import Dependency
from ..sentence import Sentence
from . import auto, parg
from .codec import Reader
from .errors import CorpusError, FormatError

__all__ = ["SPLITS", "CCGbankReader", "ccgbank_files", "load_ccgbank"]

#: the customary division of the sections
SPLITS: dict[str, tuple[int, ...]] = {"train": tuple(range(2, 22)), "dev": (0,), "test": (23,)}


def load_ccgbank(
    root: str | Path,
    split: str | Iterable[int] = "train",
    on_error: Literal["raise", "skip"] = "raise",
    dependencies: bool = True,
) -> CCGbankReader:
    """The sentences of a split ("train", "dev", "test"), of sections ("02-05", "00,23") or of their numbers.

    `root` is the LDC's folder. Each sentence has its derivation and, unless `dependencies` is False, those of
    `PARG`. With `on_error="skip"` damaged sentences are left out.

    Raises `FormatError` where the folder is not CCGbank's or lacks a section, `CorpusError` where a sentence
    does not read.
    """
    return CCGbankReader(ccgbank_files(root, split), on_error, dependencies)


class CCGbankReader(Iterator[Sentence]):
    """An iterator over the sentences of files of CCGbank; `skipped` counts those left out as unreadable.

    Raises `CorpusError` where a sentence does not read, unless it is to be left out.
    """

    def __init__(self, files: list[Path], on_error: Literal["raise", "skip"], dependencies: bool) -> None:
        self.skipped = 0
        self.errors: list[CorpusError] = []  #: the first few errors skipped
        self._on_error = on_error
        self._sentences = (s for path in files for s in self._file(path, dependencies))

    def __next__(self) -> Sentence:
        return next(self._sentences)

    def _file(self, path: Path, dependencies: bool) -> Iterator[Sentence]:
        beside = path.parents[2] / "PARG" / path.parent.name / f"{path.stem}.parg"
        known = self._dependencies(beside) if dependencies and beside.exists() else {}
        for sentence in self._counted(auto.load(path, self._on_error)):
            links = known.get(sentence.id or "")
            if links is None:
                yield sentence
                continue
            if any(max(link.head, link.argument) >= len(sentence.tokens) for link in links):
                raise CorpusError(f"{sentence.id} has fewer words than its dependencies name", str(beside))
            yield replace(sentence, dependencies=links)

    def _dependencies(self, path: Path) -> dict[str, tuple[Dependency, ...]]:
        sentences = self._counted(parg.load(path, self._on_error))
        return {sentence.id or "": sentence.dependencies or () for sentence in sentences}

    def _counted(self, reader: Reader[Sentence]) -> Iterator[Sentence]:
        yield from reader
        self.skipped += reader.skipped
        self.errors = [*self.errors, *reader.errors][:5]


def ccgbank_files(root: str | Path, split: str | Iterable[int] = "train") -> list[Path]:
    """The `.auto` files of a split in order; a section that is not there is an error."""
    root = Path(root)
    places = (root, root / "AUTO", root / "data" / "AUTO")
    bank = next((place for place in places if place.name == "AUTO" and place.is_dir()), None)
    if bank is None:
        raise FormatError(f"{root} is not CCGbank: it has no folder AUTO")
    files: list[Path] = []
    for section in _sections(split):
        found = sorted((bank / f"{section:02}").glob("*.auto"))
        if not found:
            raise FormatError(f"{bank} has no section {section:02}")
        files += found
    return files


def _sections(split: str | Iterable[int]) -> tuple[int, ...]:
    if not isinstance(split, str):
        return tuple(split)
    if split in SPLITS:
        return SPLITS[split]
    try:
        ranges = [part.split("-") for part in split.split(",")]
        return tuple(section for ends in ranges for section in range(int(ends[0]), int(ends[-1]) + 1))
    except ValueError:
        known = ", ".join(SPLITS)
        raise FormatError(f"no split {split!r}: choose {known}, or sections such as 00 or 02-21") from None
