"""Processes of their own that are sent values and answer with some; when their parent has gone, so do they.

They are programs, not copies of the caller's, so that scripts need no `__main__` guard.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import IO, Any, cast

__all__ = ["Child", "DiedError", "serve"]

_LENGTH = 8  # bytes that tell how many follow


class DiedError(Exception):
    """The process has died, and how."""


class Child:
    """A process that runs a module of this package, which calls `serve`."""

    def __init__(self, module: str) -> None:
        self._popen = subprocess.Popen(
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )

    def send(self, value: object) -> None:
        """Hand over a value."""
        try:
            _write(cast("IO[bytes]", self._popen.stdin), value)
        except OSError:
            raise self._died() from None

    def receive(self) -> Any:
        """Wait for an answer."""
        content = _read(cast("IO[bytes]", self._popen.stdout))
        if content is None:
            raise self._died()
        return pickle.loads(content)

    def end(self) -> None:
        """Kill it."""
        self._popen.kill()
        self._popen.wait()

    def _died(self) -> DiedError:
        code = self._popen.wait()
        return DiedError(_signal(-code) if code < 0 else f"exit code {code}")


def serve(work: Callable[[Iterator[Any], Callable[[object], None]], None]) -> None:
    """In such a process: work on what comes in, and answer by a call; if the parent has gone, end at once."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that has started this one
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever else is printed is not an answer
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    work((pickle.loads(questions.get()) for _ in iter(int, 1)), lambda value: _write(answers, value))


def _listen(questions: queue.SimpleQueue[bytes]) -> None:
    while (content := _read(sys.stdin.buffer)) is not None:
        questions.put(content)
    os._exit(1)


def _write(stream: IO[bytes], value: object) -> None:
    content = pickle.dumps(value)
    stream.write(len(content).to_bytes(_LENGTH, "big") + content)
    stream.flush()


def _read(stream: IO[bytes]) -> bytes | None:
    """The next value, pickled; None at the end, and where it is cut off."""
    head = stream.read(_LENGTH)
    size = int.from_bytes(head, "big")
    content = stream.read(size) if len(head) == _LENGTH else b""
    return content if len(head) == _LENGTH and len(content) == size else None


def _signal(number: int) -> str:
    try:
        return f"signal {number}, {signal.Signals(number).name}"
    except ValueError:  # one of a real-time system
        return f"signal {number}"
