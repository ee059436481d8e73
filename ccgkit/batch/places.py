"""Files wherever pyarrow finds them: paths of this machine, and addresses as s3://bucket/folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, unquote, urlsplit

from .errors import BatchError, OutputError

__all__ = ["Place", "find_files"]

_WILD = re.compile(r"[*?[]")
_CLASS = re.compile(r"\[[^]]+\]")
_PIECES = re.compile(rf"(\*\*/|\*\*|\*|\?|{_CLASS.pattern})")
_COMPRESSION = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}


@dataclass(frozen=True, slots=True)
class Place:
    """A file or folder, by its path or its address; nothing is opened before it is needed.

    Raises `BatchError` wherever pyarrow cannot reach the address.
    """

    address: str

    @classmethod
    def of(cls, name: str | os.PathLike[str]) -> Place:
        """The place of a name; a path is made absolute, since other processes may work elsewhere.

        Raises `BatchError` where an address has a password in it.
        """
        name = os.fspath(name)
        if "://" not in name:
            return cls(Path(name).absolute().as_posix())
        if ":" in urlsplit(name).netloc.rpartition("@")[0]:
            raise BatchError("addresses are kept in the manifest: put credentials into the environment")
        return cls(name)

    def __str__(self) -> str:
        return self.address

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rstrip("/").rpartition("/")[2]

    @property
    def path(self) -> str:
        """The path as the filesystem calls it.

        Raises `BatchError` where pyarrow cannot reach the address.
        """
        return self._located()[1]

    def holds(self, other: Place) -> bool:
        """Whether the other one is in this folder."""
        return other.path.startswith(f"{self.path.rstrip('/')}/")

    def __truediv__(self, name: str) -> Place:
        return self._at(f"{self.path.rstrip('/')}/{name}")

    def info(self) -> Any:
        """What the filesystem says of it: type, size, time of its last change.

        Raises `BatchError` where it cannot be looked at.
        """
        filesystem, path = self._located()
        try:
            return filesystem.get_file_info(path)
        except OSError as error:
            raise BatchError(f"{self} cannot be looked at: {error}") from error

    def exists(self) -> bool:
        """Whether there is a file or a folder."""
        return bool(self.info().type.value)

    def is_folder(self) -> bool:
        """Whether there is a folder."""
        return bool(self.info().type.name == "Directory")

    def files(self, recursive: bool = False) -> list[Place]:
        """The files in a folder, in the order of their paths; with `recursive` those of its folders, too.

        Raises `BatchError` where pyarrow cannot reach the address.
        """
        from pyarrow.fs import FileSelector

        filesystem, path = self._located()
        found = filesystem.get_file_info(FileSelector(path, allow_not_found=True, recursive=recursive))
        return [self._at(path) for path in sorted(one.path for one in found if one.type.name == "File")]

    def open(self) -> Any:
        """A stream of its bytes, at any place of which reading can go on.

        Raises `BatchError` where pyarrow cannot reach the address.
        """
        filesystem, path = self._located()
        return filesystem.open_input_file(path)

    def stream(self, offset: int = 0) -> IO[bytes]:
        """A stream of its bytes from an offset on, decompressed if the name says that it must be."""
        import pyarrow as pa

        raw = self.open()
        kind = _COMPRESSION.get(Path(self.name).suffix.lower())
        stream: IO[bytes] = pa.CompressedInputStream(raw, kind) if kind else raw
        if kind is None:
            stream.seek(offset)
        while kind and offset and (skipped := len(stream.read(min(offset, 1 << 20)))):
            offset -= skipped
        return stream

    def bare_name(self) -> str:
        """The name without what says that it is compressed."""
        name = Path(self.name)
        return name.stem if name.suffix.lower() in _COMPRESSION else name.name

    def read(self) -> bytes:
        """Its content."""
        with self.open() as stream:
            content: bytes = stream.read()
        return content

    def write(self, content: bytes) -> None:
        """Put the content in this place: it appears whole, and takes the place of what was there.

        Raises `OutputError` where it cannot be written, `BatchError` where pyarrow cannot reach the address.
        """
        filesystem, path = self._located()
        folder, _, name = path.rpartition("/")
        part = f"{folder}/.{name}.{os.urandom(8).hex()}.part"
        try:
            filesystem.create_dir(folder)
            with filesystem.open_output_stream(part, compression=None) as stream:
                stream.write(content)
            filesystem.move(part, path)
        except OSError as error:
            self._at(part).delete()
            raise OutputError(f"{self} cannot be written: {error}") from error

    def delete(self) -> None:
        """Remove it, as far as that is possible.

        Raises `BatchError` where pyarrow cannot reach the address.
        """
        filesystem, path = self._located()
        with suppress(OSError):  # it may have gone, or never have been there
            filesystem.delete_file(path)

    def _located(self) -> tuple[Any, str]:
        from pyarrow.fs import LocalFileSystem

        if "://" not in self.address:
            return LocalFileSystem(), self.address
        scheme, host, path, query, _ = urlsplit(self.address)
        filesystem, root = _filesystem(scheme, host, query)
        return filesystem, f"{root}{unquote(path)}".rstrip("/") or "/"

    def _at(self, path: str) -> Place:
        """Another place of the same filesystem."""
        if "://" not in self.address:
            return Place(path)
        scheme, host, _, query, _ = urlsplit(self.address)
        below = quote(path.removeprefix(_filesystem(scheme, host, query)[1]))
        return Place(f"{scheme}://{host}{below}{f'?{query}' if query else ''}")


@cache
def _filesystem(scheme: str, host: str, query: str) -> tuple[Any, str]:
    """The filesystem of an address, and what its paths begin with: the bucket, where there are some."""
    from pyarrow.fs import FileSystem

    address = f"{scheme}://{host}/{f'?{query}' if query else ''}"
    try:
        filesystem, root = FileSystem.from_uri(address)
    except (OSError, ValueError) as error:
        raise BatchError(f"{address}: there is no such filesystem here: {error}") from error
    return filesystem, root.rstrip("/")


def find_files(names: Sequence[str], endings: Sequence[str]) -> list[Place]:
    """The files that paths, addresses, folders and patterns name, each once.

    Of folders they are those with one of the endings, as of patterns; hidden ones are left out.
    """
    found = dict.fromkeys(place for name in names for place in _named(name, endings))
    return list(found)


def _named(name: str, endings: Sequence[str]) -> Iterator[Place]:
    """The files of a name; in an address, where ? and [] mean something else, only * makes a pattern."""
    addressed = "://" in name
    if not (addressed and "*" in name) and (place := Place.of(name)).exists():
        if place.is_folder():
            yield from _within(place, re.compile(r".*", re.S), name, endings)
        elif place.bare_name().lower().endswith(tuple(endings)):
            yield place
        else:
            known = ", ".join(endings)
            raise BatchError(f"{name}: the name must show the format: {known}, perhaps with .gz or .zst")
    elif wild := (_WILD.search(name) if not addressed else re.search(r"\*", name)):
        folder, _, rest = name[: wild.start()].rpartition("/")
        pattern, mark, query = (rest + name[wild.start() :]).partition("?" if addressed else "\n")
        base = Place.of((folder or ("/" if name.startswith("/") else ".")) + mark + query)
        yield from _within(base, _expression(f"{base.path.rstrip('/')}/", pattern), name, endings)
    else:
        raise BatchError(f"there is no file or folder {name}")


def _within(folder: Place, pattern: re.Pattern[str], name: str, endings: Sequence[str]) -> list[Place]:
    start = len(folder.path)
    found = [
        file
        for file in folder.files(recursive=True)
        if pattern.fullmatch(file.path) and _is_corpus(file.path[start:], file, endings)
    ]
    if not found:
        known = ", ".join(endings)
        raise BatchError(f"{name}: there is no file whose name ends in {known}, perhaps with .gz or .zst")
    return found


def _is_corpus(path: str, file: Place, endings: Sequence[str]) -> bool:
    hidden = any(part.startswith(("_", ".")) for part in path.split("/"))
    return not hidden and file.bare_name().lower().endswith(tuple(endings))


def _expression(folder: str, pattern: str) -> re.Pattern[str]:
    """The pattern of a shell as a regular expression: * and ? stay within a name, ** does not."""
    pieces = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    made = (
        pieces.get(part) or (part.replace("[!", "[^") if _CLASS.fullmatch(part) else re.escape(part))
        for part in _PIECES.split(pattern)
    )
    return re.compile(re.escape(folder) + "".join(made), re.S)
