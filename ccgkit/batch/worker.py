"""A process of the local engine: shards in as lines of JSON, what becomes of them out.

It is a program of its own, not a copy of the caller's, so that scripts need no `__main__` guard.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from dataclasses import asdict
from typing import IO, Any

from .events import verdict
from .inputs import Cut
from .manifest import Input, Plan, Shard
from .places import Place
from .shards import annotate_shard

__all__ = ["encoded", "main"]


def encoded(shard: Shard) -> str:
    """The line that asks for a shard."""
    return json.dumps(asdict(shard))


def _decoded(line: str) -> Shard:
    known: dict[str, Any] = json.loads(line)
    return Shard(known["file"], Input(**known["input"]), Cut(**known["piece"]))


def main() -> None:
    """Serve the process at the other end of standard input; if that has gone, so does this."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that has started this one
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever else is printed is not an answer
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    settings = json.loads(sys.stdin.readline())
    threading.Thread(target=_listen, args=(lines,), daemon=True).start()
    _Worker(answers, settings).serve(lines)


def _listen(lines: queue.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    os._exit(1)


class _Worker:
    def __init__(self, answers: IO[str], settings: dict[str, str]) -> None:
        self._answers = answers
        self._folder = Place(settings["folder"])
        self._plan = Plan.loads(settings["plan"].encode(), "the plan")

    def serve(self, lines: queue.SimpleQueue[str]) -> None:
        try:
            self._annotator = self._plan.annotator().load()
        except Exception as error:
            self._say("stop", verdict(error)[1])
            return
        self._say("ready", None)
        while True:
            self._say(*self._answer(_decoded(lines.get())))

    def _answer(self, shard: Shard) -> tuple[str, Any]:
        try:
            record = annotate_shard(
                shard, self._annotator, self._folder, self._plan.form, lambda rows: self._say("rows", rows)
            )
            return "done", asdict(record)
        except Exception as error:
            return verdict(error)

    def _say(self, what: str, value: object) -> None:
        self._answers.write(json.dumps([what, value]) + "\n")


if __name__ == "__main__":
    main()
