"""The manifest of an annotated corpus: what is to be done, and for each finished shard what it holds.

It is the folder `_manifest` beside the shards: `plan.json`, written before anything is annotated, and a
record for each shard, written after it. No file is ever changed, so that many may work on the same folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import takewhile
from typing import Any, Literal, cast

from .._version import __version__
from ..models.registry import ModelInfo
from ..taggers.directory import INDEX
from .annotator import Annotator, Task
from .errors import BatchError
from .inputs import ENDINGS, Cut, cut
from .places import Place, find_files

__all__ = ["TRIES", "Form", "Input", "Manifest", "Plan", "Record", "Shard"]

Form = Literal["parquet", "jsonl"]
TRIES = 3  #: processes that may die over a shard
_FOLDER, _PLAN, _TRY = "_manifest", "plan.json", ".try"
_FORMAT = 1  # of the plan
_SUFFIXES: Mapping[Form, str] = {"parquet": ".parquet", "jsonl": ".jsonl.gz"}


@dataclass(frozen=True, slots=True)
class Input:
    """A file that is read: its address, its name in ids, and what tells whether it was changed."""

    address: str
    name: str
    size: int
    modified: int  #: nanoseconds since 1970


@dataclass(frozen=True, slots=True)
class Shard:
    """A piece of an input file, and the file that it becomes."""

    file: str
    input: Input
    piece: Cut

    def __str__(self) -> str:
        return f"{self.input.address}, rows {self.piece.start + 1} to {self.piece.stop}"

    @property
    def size(self) -> int:
        """Rows that are read."""
        return self.piece.stop - self.piece.start


@dataclass(frozen=True, slots=True)
class Record:
    """A finished shard: where it comes from, how many rows it has, and what it was made with."""

    file: str
    input: str
    start: int  #: first row of the input, from 0
    stop: int  #: the row behind the last
    rows: int  #: sentences
    failed: int  #: those of them without an annotation
    bytes: int
    sha256: str
    model: str
    version: str
    seconds: float  #: that it took
    processor_seconds: float  #: of them, those of the processor
    memory: int  #: bytes, at most, of the process that made it


@dataclass(frozen=True, slots=True)
class Plan:
    """What is annotated, how, and in which shards."""

    task: Task
    model: str
    model_sha256: str
    language: str
    options: Mapping[str, Any]
    form: Form
    shard_rows: int
    inputs: Sequence[Input]
    pieces: Sequence[tuple[int, Cut]] = field(default=())  #: of which input which rows
    version: str = __version__
    format: int = _FORMAT

    @classmethod
    def make(
        cls, annotator: Annotator, files: Sequence[str], folder: Place, form: Form, shard_rows: int
    ) -> Plan:
        """The plan for an `annotator` and `files` outside of the `folder`, whose rows are not counted yet.

        Each shard will have the format `form` and up to `shard_rows` rows.

        Raises `BatchError` where there is nothing to annotate, or where a shard would have no rows.
        """
        if shard_rows < 1:
            raise BatchError(f"a shard must have 1 row or more, not {shard_rows}")
        places = [place for place in find_files(files, ENDINGS) if not folder.holds(place)]
        if not places:
            raise BatchError(f"there is nothing to annotate outside {folder}")
        info = annotator.info
        options = dict(sorted(annotator.options.items()))
        language = info.language or "en"
        return cls(
            annotator.task,
            _model_name(info),
            _digest(info),
            language,
            options,
            form,
            shard_rows,
            _inputs(places),
        )

    def counted(self) -> Plan:
        """The same with its shards, for which every input is looked at or read once.

        Raises `BatchError` where an input cannot be read.
        """
        pieces = [
            (number, piece)
            for number, one in enumerate(self.inputs)
            for piece in cut(Place(one.address), self.shard_rows)
        ]
        return replace(self, pieces=tuple(pieces))

    def annotator(self) -> Annotator:
        """What annotates as it is planned."""
        return Annotator(self.model, self.task, language=self.language, **cast("Any", self.options))

    def shards(self) -> list[Shard]:
        """The shards, from the first to the last."""
        return [
            Shard(f"part-{number:06}{_SUFFIXES[self.form]}", self.inputs[source], piece)
            for number, (source, piece) in enumerate(self.pieces)
        ]

    def dumps(self) -> bytes:
        """The plan as JSON."""
        return _json(asdict(self))

    @classmethod
    def loads(cls, content: bytes, name: str) -> Plan:
        """What `dumps` has written; `name` tells errors where.

        Raises `BatchError` where it is not a plan, or one of another version of ccgkit.
        """
        try:
            known = json.loads(content)
            if known["format"] != _FORMAT:
                raise BatchError(f"{name} is of another version of ccgkit ({known['version']})")
            known["inputs"] = tuple(Input(**one) for one in known["inputs"])
            known["pieces"] = tuple((source, Cut(**piece)) for source, piece in known["pieces"])
            return cls(**known)
        except (ValueError, KeyError, TypeError) as error:
            raise BatchError(f"{name} is not the plan of a run: {error}") from error

    def differences(self, other: Plan) -> Iterator[str]:
        """What another plan has otherwise, besides shards that are not counted yet."""
        for name in ("task", "model", "model_sha256", "language", "options", "form", "shard_rows", "version"):
            mine, its = getattr(self, name), getattr(other, name)
            if mine != its:
                yield f"{name}: {mine} then, {its} now"
        before = {one.address: one for one in self.inputs}
        now = {one.address: one for one in other.inputs}
        yield from (f"{address} is missing now" for address in before if address not in now)
        yield from (f"{address} is new" for address in now if address not in before)
        yield from (f"{name} was changed" for name in before if name in now and before[name] != now[name])


@dataclass(frozen=True, slots=True)
class Manifest:
    """The plan and the records in a folder."""

    folder: Place

    @property
    def _place(self) -> Place:
        return self.folder / _FOLDER

    def begin(self, plan: Plan, resume: bool) -> Plan:
        """The plan to go by: the one that is there, if it is to be resumed and is the same, else this.

        Raises `BatchError` where the folder holds a run that is not to be resumed, another run, or other
        files.
        """
        place = self._place / _PLAN
        if place.exists():
            known = self.plan()
            if not resume:
                raise BatchError(f"{self.folder} holds a run already: --resume goes on with it")
            if others := list(known.differences(plan)):
                listed = "\n".join(others[:10])
                raise BatchError(f"{self.folder} holds a run with other settings or data:\n{listed}")
            return known
        if any(not file.name.startswith(".") for file in self.folder.files()):
            raise BatchError(f"{self.folder} is not empty: choose a new folder")
        counted = plan.counted()
        place.write(counted.dumps())
        return counted

    def plan(self) -> Plan:
        """The plan of the run in the folder.

        Raises `BatchError` where there is none, or one that cannot be read.
        """
        place = self._place / _PLAN
        if not place.exists():
            raise BatchError(f"there is no run in {self.folder}: {place} is missing")
        return Plan.loads(place.read(), str(place))

    def records(self) -> list[Record]:
        """The finished shards that are there as they were written, in their order."""
        sizes = {file.name: file.info().size for file in self.folder.files()}
        found = [self.record(file) for file in self._place.files() if _is_record(file.name)]
        return [one for one in found if one is not None and sizes.get(one.file) == one.bytes]

    def record(self, file: Place) -> Record | None:
        """A record; None where a disk has lost what was written."""
        try:
            return Record(**json.loads(file.read()))
        except (ValueError, TypeError):
            return None

    def write(self, record: Record, content: bytes) -> None:
        """A finished shard, and then its record."""
        (self.folder / record.file).write(content)
        (self._place / f"{record.file}.json").write(_json(asdict(record)))

    def note_try(self, file: str) -> int:
        """Leave a note that somebody makes a shard; how many have died over it, up to `TRIES`."""
        for died, mark in enumerate(self._tries(file)):
            if not mark.exists():
                mark.write(b"")
                return died
        return TRIES

    def forget_tries(self, file: str) -> None:
        """Nobody makes the shard any more."""
        for mark in self._tries(file):
            mark.delete()

    def clear(self, files: Sequence[str]) -> None:
        """Remove what killed processes have left of some shards, or of the plan."""
        ours = (_PLAN, *files)
        for file in (*self.folder.files(), *self._place.files()):
            left = file.name.endswith(".part") or file.name[:-1].endswith(_TRY)
            if left and file.name.lstrip(".").startswith(ours):
                file.delete()

    def _tries(self, file: str) -> list[Place]:
        return [self._place / f"{file}{_TRY}{number}" for number in range(TRIES)]


def _is_record(name: str) -> bool:
    return name.startswith("part-") and name.endswith(".json")


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def _inputs(places: Sequence[Place]) -> tuple[Input, ...]:
    folders = [place.path.split("/")[:-1] for place in places]
    common = sum(1 for _ in takewhile(lambda parts: len(set(parts)) == 1, zip(*folders, strict=False)))
    looked = [(place, place.info()) for place in places]
    return tuple(
        Input(place.address, "/".join(place.path.split("/")[common:]), info.size, info.mtime_ns or 0)
        for place, info in looked
    )


def _model_name(info: ModelInfo) -> str:
    """The name of a model that comes with the package, or the directory of another."""
    from ..models.registry import installed

    return info.name if info in installed() else str(info.path.resolve())


def _digest(info: ModelInfo) -> str:
    """A digest of the model's files, whose checksums are in its index."""
    digest = hashlib.sha256()
    for index in sorted(info.path.rglob(INDEX)):
        digest.update(index.read_bytes())
    return digest.hexdigest()
