"""The engine that needs none: processes of this machine, which are replaced when they die."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from .errors import BatchError
from .events import Event, Failure, Rows
from .manifest import TRIES, Plan, Record, Shard
from .places import Place
from .processes import Child, DiedError

__all__ = ["run_locally"]


def run_locally(plan: Plan, shards: Sequence[Shard], folder: Place, workers: int) -> Iterator[Event]:
    """Make the shards in so many processes; tell what happens."""
    engine = _Engine((replace(plan, pieces=()), folder))
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

    settings: tuple[Plan, Place]
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
                except DiedError as error:
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


class _Process:
    """A process that makes shards, one after the other."""

    def __init__(self, settings: tuple[Plan, Place]) -> None:
        self.ready = False  #: the model is loaded
        self._child = Child("ccgkit.batch.worker")
        self._settings: list[object] = [settings]  # sent with the first shard

    def make(self, shard: Shard, tell: Callable[[Rows], object]) -> Record | Failure:
        """What becomes of the shard; `tell` hears of its rows."""
        read = 0
        try:
            while self._settings:
                self._child.send(self._settings.pop())
            self._child.send(shard)
            while True:
                match self._child.receive():
                    case "ready", _:
                        self.ready = True
                    case "rows", int(count):
                        read += count
                        tell(Rows(count))
                    case "done", Record() as record:
                        return record
                    case "failed", str(reason):
                        return Failure(shard, reason)
                    case _, reason:
                        raise BatchError(reason)
        except DiedError:
            tell(Rows(-read))
            raise

    def end(self) -> None:
        self._child.end()
