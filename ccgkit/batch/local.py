"""The engine that needs none: processes of this machine, which are replaced when they die."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import IO, Any, cast

from .errors import BatchError
from .events import Event, Failure, Rows
from .manifest import TRIES, Plan, Record, Shard
from .places import Place
from .worker import encoded

__all__ = ["run_locally"]


def run_locally(plan: Plan, shards: Sequence[Shard], folder: Place, workers: int) -> Iterator[Event]:
    """Make the shards in so many processes; tell what happens."""
    engine = _Engine(
        json.dumps({"folder": folder.address, "plan": replace(plan, pieces=()).dumps().decode()})
    )
    for shard in shards:
        engine.waiting.put(shard)
    threads = [threading.Thread(target=engine.attend, daemon=True) for _ in range(min(workers, len(shards)))]
    left = len(shards)
    try:
        for thread in threads:
            thread.start()
        while left:
            event = engine.events.get()
            if isinstance(event, Exception):
                raise event
            left -= not isinstance(event, Rows)
            yield event
    finally:
        engine.end(len(threads))
        for thread in threads:
            thread.join()


@dataclass(slots=True)
class _Engine:
    """Shards that wait, processes at work, and what is to be told of them."""

    settings: str
    waiting: queue.SimpleQueue[Shard | None] = field(default_factory=queue.SimpleQueue)
    events: queue.SimpleQueue[Event | Exception] = field(default_factory=queue.SimpleQueue)
    lock: threading.Lock = field(default_factory=threading.Lock)
    started: list[_Process] = field(default_factory=list)
    ended: bool = False

    def attend(self) -> None:
        """Keep one process at work, another one when it has died."""
        process, stillborn = None, 0
        try:
            while (shard := self.waiting.get()) is not None and not self.ended:
                process = process or self._start()
                try:
                    self.events.put(process.make(shard, self.events.put))
                except _GoneError as error:
                    stillborn = 0 if process.ready else stillborn + 1
                    if stillborn == TRIES:
                        raise BatchError(
                            f"{TRIES} processes have died before they were ready: {error}"
                        ) from error
                    self.waiting.put(shard)
                    process = None
        except Exception as error:
            self.events.put(error)

    def end(self, threads: int) -> None:
        """Have threads and processes end, whatever they are doing."""
        with self.lock:
            self.ended = True
            for process in self.started:
                process.end()
        for _ in range(threads):
            self.waiting.put(None)

    def _start(self) -> _Process:
        with self.lock:
            process = _Process(self.settings)
            self.started.append(process)
            if self.ended:
                process.end()
        return process


class _GoneError(Exception):
    """The process has died, and how."""


class _Process:
    """A process that makes shards, one after the other."""

    def __init__(self, settings: str) -> None:
        self.ready = False  #: the model is loaded
        self._popen = subprocess.Popen(
            [sys.executable, "-P", "-m", "ccgkit.batch.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"},
        )
        self._waiting = [settings]

    def make(self, shard: Shard, tell: Callable[[Rows], object]) -> Record | Failure:
        """What becomes of the shard; `tell` hears of its rows."""
        read = 0
        try:
            for what, value in self._answers(shard):
                match what:
                    case "ready":
                        self.ready = True
                    case "rows":
                        read += value
                        tell(Rows(value))
                    case "done":
                        return Record(**value)
                    case "failed":
                        return Failure(shard, value)
                    case _:
                        raise BatchError(value)
        except (OSError, ValueError):  # cut off in the middle of a line
            pass
        tell(Rows(-read))
        code = self._popen.wait()
        raise _GoneError(f"signal {-code}" if code < 0 else f"exit code {code}")

    def end(self) -> None:
        self._popen.kill()
        self._popen.wait()

    def _answers(self, shard: Shard) -> Iterator[tuple[str, Any]]:
        questions, answers = cast("IO[str]", self._popen.stdin), cast("IO[str]", self._popen.stdout)
        questions.write("".join(f"{line}\n" for line in (*self._waiting, encoded(shard))))
        questions.flush()
        self._waiting = []
        yield from map(json.loads, answers)
