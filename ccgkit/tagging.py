"""Supertaggers as the pipeline uses them: one for each thread, loaded when the first sentence comes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from queue import LifoQueue
from threading import Lock
from typing import Self

from .models.registry import ModelInfo
from .taggers import TaggerLike, load_tagger, use_threads

__all__ = ["Taggers", "load_taggers"]


class Taggers:
    """Taggers that say the same, one for each thread; each is used by one thread at a time."""

    def __init__(self, load: Callable[[], Sequence[TaggerLike]]) -> None:
        self._load = load
        self._lock = Lock()

    @classmethod
    def of(cls, *taggers: TaggerLike) -> Self:
        """Taggers that are loaded already, one for each thread."""
        return cls(partial(tuple, taggers))

    def __reduce__(self) -> tuple[type[Self], tuple[Callable[[], Sequence[TaggerLike]]]]:
        return type(self), (self._load,)  # another process loads the model itself

    @property
    def scheme(self) -> str:
        """The scheme of the categories."""
        return self._all[0].scheme

    def __len__(self) -> int:
        return len(self._all)

    @contextmanager
    def one(self) -> Iterator[TaggerLike]:
        """A tagger that nobody else uses meanwhile."""
        tagger = self._idle.get()
        try:
            yield tagger
        finally:
            self._idle.put(tagger)

    def ready(self) -> Self:
        """The same, with everything loaded."""
        len(self)
        return self

    @property
    def _all(self) -> Sequence[TaggerLike]:
        with self._lock:
            return self._loaded

    @cached_property
    def _loaded(self) -> Sequence[TaggerLike]:
        return self._load()

    @cached_property
    def _waiting(self) -> LifoQueue[TaggerLike]:
        idle: LifoQueue[TaggerLike] = LifoQueue()
        for tagger in self._loaded:
            idle.put(tagger)
        return idle

    @property
    def _idle(self) -> LifoQueue[TaggerLike]:
        with self._lock:
            return self._waiting


def load_taggers(info: ModelInfo, device: str = "cpu", threads: int | None = None) -> Taggers:
    """The model once for each thread, its large parts shared; all cores' if none are named."""
    return Taggers(partial(_load, info, device, threads))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _load(info: ModelInfo, device: str, threads: int | None) -> Sequence[TaggerLike]:
    tagger = load_tagger(info.path, device)
    if device != "cpu":
        return [tagger]
    use_threads(1)  # threads that each read sentences of their own wait for nobody
    return [tagger, *(tagger.twin() for _ in range((threads or _cores()) - 1))]
