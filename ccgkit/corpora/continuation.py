"""Files that grow sentence by sentence, and go on where they were cut off."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from .codec import Codec, Ending, clear, replacing
from .errors import FormatError

__all__ = ["completed", "growing"]

_CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"


@contextmanager
def growing(path: Path, codec: Codec, resume: bool = False) -> Iterator[tuple[IO[bytes], int]]:
    """A stream into the file, zipped if its name says so, and how many sentences are in it already.

    Without `resume` it starts anew; with it the unfinished end of an interrupted file is cut off, as it is
    where the disk is full.
    """
    clear(path)
    done = 0
    if resume and path.is_file():
        done, size = completed(path, codec)
        _cut(path, size)
    try:
        with path.open("ab" if done else "wb") as raw:
            if path.suffix != ".gz":
                yield raw, done
                return
            with gzip.GzipFile("", "ab" if done else "wb", fileobj=raw, mtime=0) as zipped:
                yield cast("IO[bytes]", zipped), done
    except OSError:
        if path.is_file() and path.suffix != ".gz":  # a zipped one would have to be written again
            _cut(path, completed(path, codec)[1])
        raise


def completed(path: Path, codec: Codec) -> tuple[int, int]:
    """How many whole sentences an interrupted file holds, and how many bytes they take, unzipped."""
    if codec.ending is None:
        raise FormatError(f"a file in the format {codec.name} cannot be continued")
    if codec.ending is Ending.TREES:
        return _whole_trees(path)
    count = size = read = 0
    preface = bool(codec.header)
    for line in _readable_lines(path):
        read += len(line)
        if not line.endswith(b"\n"):
            break
        if codec.ending is Ending.LINE or not line.strip(b"\r\n"):
            count += not preface
            preface = False  # which ends like a sentence
            size = read
    return count, size if count else 0


def _whole_trees(path: Path) -> tuple[int, int]:
    """All but the last sentence, which may lack some of its derivations."""
    count = size = read = 0
    last = b""
    for line in _readable_lines(path):
        if line.startswith(b"ID=") and line.split()[0] != last:
            count, size, last = count + 1, read, line.split()[0]
        read += len(line)
    return max(0, count - 1), size if count > 1 else 0


def _readable_lines(path: Path) -> Iterator[bytes]:
    """The lines, up to where a zipped file breaks off; the last may have no end."""
    with path.open("rb") as stream:
        if path.suffix == ".gz" and not _GZIP.startswith(stream.read(2)):
            raise FormatError(f"{path} is not zipped, as its name says, and cannot be continued")
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            yield from stream
    except (EOFError, gzip.BadGzipFile, zlib.error):
        return


def _cut(path: Path, size: int) -> None:
    """Leave the first bytes of the file; a zipped one is written anew."""
    if path.suffix != ".gz":
        with path.open("r+b") as stream:
            stream.truncate(size)
        return
    with gzip.open(path) as source, replacing(path) as target:
        while size and (chunk := source.read(min(size, _CHUNK))):
            target.write(chunk)
            size -= len(chunk)
