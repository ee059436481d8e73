"""A model in a thread of its own, which takes what waits for it as one batch."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

from ..grammar import Token
from ..models.registry import ModelInfo
from ..pipeline import load
from ..sentence import Sentence
from .metrics import Metrics
from .refusal import Refusal
from .settings import Limits
from .work import Outcome, Parsing, Work, Workshop

__all__ = ["Engine"]

_BATCH = 32  # sentences
_LINGER = 0.003  # seconds that a batch waits for more, where the last one was of several
_AHEAD = 2 * _BATCH  # sentences of a request that wait at a time, so that others come in between


@dataclass(frozen=True, slots=True)
class _Item:
    sentence: Sentence
    work: Work
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[dict[str, Any]]


class Engine:
    """A model that answers for sentences, whoever sends them; loaded when it is first asked for."""

    def __init__(self, info: ModelInfo, limits: Limits, metrics: Metrics) -> None:
        self.info = info
        self._limits, self._metrics = limits, metrics
        self._waiting: SimpleQueue[_Item | None] = SimpleQueue()
        self._loaded: Future[None] = Future()
        self._thread = Thread(target=self._run, name=f"model {info.name}", daemon=True)
        self._closed = False

    async def ready(self) -> None:
        """Load the model, unless that has been done."""
        if self._thread.ident is None:
            self._thread.start()
        await asyncio.shield(asyncio.wrap_future(self._loaded))

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive() and self._loaded.done()

    def close(self) -> None:
        """End the thread when what waits is done; nothing more is taken."""
        self._closed = True
        self._waiting.put(None)

    async def answers(self, tasks: Iterable[tuple[Sentence, Work]]) -> AsyncIterator[dict[str, Any]]:
        """What becomes of each sentence, in order; whoever stops listening stops the work."""
        waiting: deque[asyncio.Future[dict[str, Any]]] = deque()
        try:
            for task in tasks:
                waiting.append(self._submit(*task))
                if len(waiting) == _AHEAD:
                    yield await self._answer(waiting.popleft())
            while waiting:
                yield await self._answer(waiting.popleft())
        finally:
            for answer in waiting:
                answer.cancel()

    def _submit(self, sentence: Sentence, work: Work) -> asyncio.Future[dict[str, Any]]:
        if self._closed:
            raise Refusal(503, "the service is stopping", retry_after=5)
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[dict[str, Any]] = loop.create_future()
        self._metrics.queued()
        self._waiting.put(_Item(sentence, work, loop, answer))
        return answer

    async def _answer(self, answer: asyncio.Future[dict[str, Any]]) -> dict[str, Any]:
        try:
            async with asyncio.timeout(self._limits.seconds):  # wait_for may swallow that one is cancelled
                return await answer
        except TimeoutError:
            reason = f"no answer within {self._limits.seconds:g} seconds"
            raise Refusal(503, reason, retry_after=5) from None

    def _run(self) -> None:
        try:
            workshop = Workshop(load(self.info, threads=1), self._limits)
            workshop.outcomes([(Sentence((Token("Go"),)), Parsing())])  # reads what is read at first use
        except BaseException as error:
            self._loaded.set_exception(error)
            return
        self._loaded.set_result(None)
        crowded = False
        while batch := self._collect(crowded):
            crowded = len(batch) > 1
            wanted = [item for item in batch if not item.answer.cancelled()]
            self._metrics.batch(len(wanted), len(batch) - len(wanted))
            outcomes = workshop.outcomes([(item.sentence, item.work) for item in wanted])
            _deliver(wanted, outcomes)

    def _collect(self, crowded: bool) -> list[_Item]:
        """What waits, at least one item; none if this is the end."""
        first = self._waiting.get()
        if first is None:
            return []
        batch, end = [first], monotonic() + (_LINGER if crowded else 0.0)
        while len(batch) < _BATCH:
            try:
                item = self._waiting.get(timeout=max(0.0, end - monotonic()))
            except Empty:
                break
            if item is None:
                self._waiting.put(None)
                break
            batch.append(item)
        return batch


def _deliver(items: Sequence[_Item], outcomes: Sequence[Outcome]) -> None:
    """Hand the outcomes over, in the thread of whoever waits for them."""
    by_loop: defaultdict[asyncio.AbstractEventLoop, list[tuple[_Item, Outcome]]] = defaultdict(list)
    for item, outcome in zip(items, outcomes, strict=True):
        by_loop[item.loop].append((item, outcome))
    for loop, pairs in by_loop.items():
        with suppress(RuntimeError):  # the loop has ended, and with it all who waited
            loop.call_soon_threadsafe(_settle, pairs)


def _settle(pairs: list[tuple[_Item, Outcome]]) -> None:
    for item, outcome in pairs:
        if item.answer.done():
            continue
        if isinstance(outcome, Exception):
            item.answer.set_exception(outcome)
        else:
            item.answer.set_result(outcome)
