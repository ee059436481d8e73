"""What a worker has done, in the text format of Prometheus."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Lock

__all__ = ["Histogram", "Metrics"]

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_SIZES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)


@dataclass(slots=True)
class Histogram:
    """How many values were at most so large."""

    bounds: tuple[float, ...]
    counts: list[int] = field(default_factory=list)
    total: float = 0.0

    def add(self, value: float) -> None:
        self.counts = self.counts or [0] * (len(self.bounds) + 1)
        self.counts[next((i for i, bound in enumerate(self.bounds) if value <= bound), -1)] += 1
        self.total += value

    def lines(self, name: str, labels: str) -> Iterator[str]:
        reached = 0
        counts = self.counts or [0] * (len(self.bounds) + 1)
        for bound, count in zip((*map(str, self.bounds), "+Inf"), counts, strict=True):
            reached += count
            yield f'{name}_bucket{{{labels},le="{bound}"}} {reached}'
        yield f"{name}_sum{{{labels}}} {self.total}"
        yield f"{name}_count{{{labels}}} {reached}"


class Metrics:
    """The figures of one worker; each worker has its own, with its process as a label."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.open = 0  #: requests that are being answered
        self.waiting = 0  #: sentences
        self.sentences: Counter[str] = Counter()
        self._seconds: dict[str, Histogram] = {}
        self._batches = Histogram(_SIZES)
        self._lock = Lock()

    def answered(self, route: str, status: int, seconds: float) -> None:
        self.requests[route, status] += 1
        self._seconds.setdefault(route, Histogram(_SECONDS)).add(seconds)

    def batch(self, size: int, dropped: int) -> None:
        """A batch was taken from the queue; some of it nobody waits for any more."""
        with self._lock:
            self.waiting -= size + dropped
            self.sentences.update(done=size, dropped=dropped)
            if size:
                self._batches.add(size)

    def queued(self) -> None:
        with self._lock:
            self.waiting += 1

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        worker = f'worker="{os.getpid()}"'
        yield "# TYPE ccgkit_requests_total counter"
        for (route, status), count in sorted(self.requests.items()):
            yield f'ccgkit_requests_total{{{worker},route="{route}",status="{status}"}} {count}'
        yield "# TYPE ccgkit_request_seconds histogram"
        for route, seconds in sorted(self._seconds.items()):
            yield from seconds.lines("ccgkit_request_seconds", f'{worker},route="{route}"')
        yield "# TYPE ccgkit_open_requests gauge"
        yield f"ccgkit_open_requests{{{worker}}} {self.open}"
        yield "# TYPE ccgkit_waiting_sentences gauge"
        yield f"ccgkit_waiting_sentences{{{worker}}} {self.waiting}"
        yield "# TYPE ccgkit_sentences_total counter"
        for end in ("done", "dropped"):
            yield f'ccgkit_sentences_total{{{worker},end="{end}"}} {self.sentences[end]}'
        yield "# TYPE ccgkit_batch_sentences histogram"
        yield from self._batches.lines("ccgkit_batch_sentences", worker)
