"""One shard from its rows to its file: the unit of work on every engine, with the same bytes on each."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from itertools import islice

from .._version import __version__
from .annotator import Annotator
from .errors import BatchError
from .guard import Guard
from .inputs import read
from .manifest import TRIES, Form, Manifest, Record, Shard
from .places import Place
from .schema import Row, arrow_schema, present

__all__ = ["annotate_shard"]

_BATCH = 256  # texts that are annotated together
_GROUP = 20  # batches in a row group of Parquet


def annotate_shard(
    shard: Shard,
    annotator: Annotator,
    folder: Place,
    form: Form,
    tell: Callable[[int], object] = lambda _: None,
) -> Record:
    """Annotate a shard and write it and its record; `tell` hears how many rows more are read.

    The same shard gives the same bytes, whoever makes it, so doing it twice does no harm.
    """
    manifest = Manifest(folder)
    died = manifest.note_try(shard.file)
    try:
        if died == TRIES:
            raise BatchError(f"{shard}: {TRIES} processes have died over it")
        record, content = _made(shard, annotator, form, tell, careful=died > 0)
        manifest.write(record, content)
    finally:
        manifest.forget_tries(shard.file)
    return record


def _made(
    shard: Shard, annotator: Annotator, form: Form, tell: Callable[[int], object], *, careful: bool
) -> tuple[Record, bytes]:
    """The shard's record and its content; where a process has died over it, another may die, too."""
    reader = Guard(annotator) if careful else nullcontext(annotator.load())
    started, worked = time.monotonic(), _worked()
    count = _Count()
    with reader as opened:
        batches = count.watch(_batches(shard, opened.rows, tell))
        content = (_parquet if form == "parquet" else _jsonl)(batches)
    record = Record(
        shard.file,
        shard.input.address,
        shard.piece.start,
        shard.piece.stop,
        count.rows,
        count.failed,
        len(content),
        hashlib.sha256(content).hexdigest(),
        annotator.info.name,
        __version__,
        round(time.monotonic() - started, 3),
        round(_worked() - worked, 3),
        _memory(),
    )
    return record, content


def _batches(
    shard: Shard, annotate: Callable[[list[Row]], Iterable[Row]], tell: Callable[[int], object]
) -> Iterator[list[Row]]:
    texts = _texts(shard)
    told = 0
    while batch := list(islice(texts, _BATCH)):
        yield list(annotate(batch))
        told += len(batch)
        tell(len(batch))
    tell(shard.size - told)  # blank lines


def _texts(shard: Shard) -> Iterator[Row]:
    try:
        yield from read(Place(shard.input.address), shard.piece, shard.input.name)
    except (OSError, ValueError) as error:
        raise BatchError(f"{shard} cannot be read: {error}") from error


class _Count:
    """How many rows went through, and how many of them failed."""

    rows = failed = 0

    def watch(self, batches: Iterable[list[Row]]) -> Iterator[list[Row]]:
        for batch in batches:
            self.rows += len(batch)
            self.failed += sum(row["status"] == "failed" for row in batch)
            yield batch


def _parquet(batches: Iterator[list[Row]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema, sink = arrow_schema(), pa.BufferOutputStream()
    with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        while tables := [pa.Table.from_pylist(batch, schema) for batch in islice(batches, _GROUP)]:
            writer.write_table(pa.concat_tables(tables))
    return bytes(sink.getvalue())


def _jsonl(batches: Iterator[list[Row]]) -> bytes:
    sink = io.BytesIO()
    with gzip.GzipFile("", "wb", fileobj=sink, mtime=0) as zipped:
        for batch in batches:
            zipped.write("".join(f"{_line(row)}\n" for row in batch).encode())
    return sink.getvalue()


def _line(row: Row) -> str:
    return json.dumps(present(row), ensure_ascii=False)


def _worked() -> float:
    """Seconds of the processor that this process and those it has ended have taken."""
    return sum(os.times()[:4])


def _memory() -> int:
    """The most bytes that this process, or one that it has ended, has had; 0 where nobody can tell."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    owners = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    most = max(int(resource.getrusage(owner).ru_maxrss) for owner in owners)
    return most * (1 if sys.platform == "darwin" else 1024)
