"""A file that another process is still writing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

__all__ = ["GrowingFile"]


class GrowingFile:
    """The lines of a file as they are completed; it need not exist yet."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stream: IO[bytes] | None = None
        self._rest = b""
        self.size = 0  #: bytes read

    @property
    def exists(self) -> bool:
        return self._stream is not None or self._path.is_file()

    def lines(self) -> Iterator[str]:
        """The lines that were completed since the last time, without their ends."""
        if self._stream is None:
            if not self._path.is_file():
                return
            self._stream = self._path.open("rb")
        new = self._stream.read()
        self.size += len(new)
        *complete, self._rest = (self._rest + new).split(b"\n")
        for line in complete:
            yield line.decode("utf-8", "replace").removesuffix("\r")

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
