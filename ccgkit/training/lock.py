"""One training at a time in a directory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["BusyError", "alone_in"]

_LOCK = "lock"


class BusyError(OSError):
    """Another process is at work there."""


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the folder while the block runs; `BusyError` if another process does.

    The system frees it when the process ends, however that is. Where files cannot be locked nothing is held.
    """
    try:
        import fcntl
    except ImportError:  # no such thing on Windows
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _LOCK).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BusyError(f"another process is at work in {folder}") from error
        except OSError:  # a file system without locks
            pass
        yield
