"""Texts out of files: Parquet and JSONL with columns, and plain text, a text a line; cut into shards."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from .columns import INPUT, rows_of
from .errors import BatchError
from .places import Place
from .schema import Row

__all__ = ["ENDINGS", "Cut", "cut", "read"]

ENDINGS = (".parquet", ".jsonl", ".ndjson", ".txt")
_CHUNK = 1 << 20  # bytes
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Cut:
    """Rows of a file, from `start` up to `stop`; lines begin at the `offset`, in bytes."""

    start: int
    stop: int
    offset: int = 0


def cut(place: Place, rows: int) -> list[Cut]:
    """The file in pieces of so many rows at most; it is read once, but for Parquet, which knows its size."""
    try:
        if _is_parquet(place):
            return _cut_parquet(place, rows)
        pieces = _cut_lines(place, rows)
        for row in islice(read(place, pieces[0], ""), 1) if pieces else ():
            _check(place, row)
        return pieces
    except (OSError, ValueError) as error:
        raise BatchError(f"{place} cannot be read: {error}") from error


def read(place: Place, piece: Cut, name: str) -> Iterator[Row]:
    """The texts in a piece of a file, of which those without an id are named by the file and the row.

    A row that does not read comes with the reason.
    """
    if _is_parquet(place):
        rows = _read_parquet(place, piece)
    else:
        decode = _line if place.bare_name().lower().endswith(".txt") else _object
        lines = enumerate(_lines(place, piece), piece.start)
        rows = ((number, decode(line)) for number, line in lines if line.strip())
    for number, row in rows:
        yield row if row.get("id") is not None else {**row, "id": f"{name}:{number + 1}"}


def _is_parquet(place: Place) -> bool:
    return place.name.lower().endswith(".parquet")


def _cut_parquet(place: Place, rows: int) -> list[Cut]:
    import pyarrow.parquet as pq

    with place.open() as stream:
        file = pq.ParquetFile(stream)
        names, count = file.schema_arrow.names, file.metadata.num_rows
    _check(place, names)
    return [Cut(start, min(start + rows, count)) for start in range(0, count, rows)]


def _check(place: Place, names: Container[str]) -> None:
    if not any(name in names for name in ("text", "words", "reason")):
        raise BatchError(f"{place} has no column text, or words")


def _read_parquet(place: Place, piece: Cut) -> Iterator[tuple[int, Row]]:
    """The rows with their numbers; only row groups that have some of them are read."""
    import pyarrow.parquet as pq

    with place.open() as stream:
        file = pq.ParquetFile(stream)
        columns = [name for name in file.schema_arrow.names if name in INPUT[:3]]
        first = 0
        for group in range(file.num_row_groups):
            size = file.metadata.row_group(group).num_rows
            start, stop = max(piece.start - first, 0), min(piece.stop - first, size)
            if start < stop:
                table = file.read_row_group(group, columns=columns, use_threads=False)
                yield from enumerate(rows_of(table.slice(start, stop - start)), first + start)
            first += size


def _cut_lines(place: Place, rows: int) -> list[Cut]:
    starts, lines, offset, last = [0], 0, 0, b"\n"
    with place.stream() as stream:
        while chunk := stream.read(_CHUNK):
            last = chunk[-1:]
            found = chunk.count(b"\n")
            while lines + found >= len(starts) * rows:
                wanted = len(starts) * rows - lines
                starts.append(offset + _after_line(chunk, wanted))
            lines, offset = lines + found, offset + len(chunk)
    lines += last != b"\n"
    return [
        Cut(place * rows, min((place + 1) * rows, lines), start)
        for place, start in enumerate(starts)
        if place * rows < lines
    ]


def _after_line(chunk: bytes, number: int) -> int:
    """Where in the chunk so many lines have ended."""
    end = 0
    for _ in range(number):
        end = chunk.index(b"\n", end) + 1
    return end


def _lines(place: Place, piece: Cut) -> Iterator[bytes]:
    """The lines without their ends."""
    rest, left = b"", piece.stop - piece.start
    with place.stream(piece.offset) as stream:
        while left and (chunk := stream.read(_CHUNK)):
            *whole, rest = (rest + chunk).split(b"\n")
            if not piece.start and left == piece.stop and whole:
                whole[0] = whole[0].removeprefix(_BOM)
            yield from whole[:left]
            left -= len(whole[:left])
    if left:
        yield rest if piece.start or left < piece.stop else rest.removeprefix(_BOM)


def _line(line: bytes) -> Row:
    try:
        return {"text": line.decode("utf-8").strip()}
    except UnicodeDecodeError as error:
        return {"reason": f"the line is not UTF-8 at byte {error.start + 1}"}


def _object(line: bytes) -> Row:
    try:
        found: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"reason": f"the line is not JSON: {error}"}
    if not isinstance(found, dict):
        return {"reason": "the line is not a JSON object"}
    return {name: found[name] for name in INPUT[:3] if name in found}
