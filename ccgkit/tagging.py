"""Supertaggers as the pipeline uses them: one for each thread, loaded when the first sentence comes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from queue import LifoQueue
from threading import Lock
from typing import Protocol, Self

from .models.registry import ModelInfo
from .sentence import Supertag

__all__ = ["Reading", "Tagger", "Taggers", "load_taggers"]

_SCHEMES = {"CCGbank": "ccgbank", "rebank/PMB": "rebank", "UD-CCG": "udccg"}


class Reading(Protocol):
    """What a tagger says of a sentence."""

    @property
    def tags(self) -> Sequence[tuple[Supertag, ...]]:
        """For each word its categories, best first."""

    @property
    def pos(self) -> Sequence[str] | None:
        """For each word its POS tag, if the tagger knows them."""


class Tagger(Protocol):
    """A supertagger: words in, for each word its k best categories out."""

    @property
    def scheme(self) -> str:
        """The name of the scheme of annotation that its categories are of."""

    def kbest(
        self, sentences: Sequence[Sequence[str]], k: int = 4, beta: float = 0.0, batch_size: int = 32
    ) -> Sequence[Reading]:
        """For each sentence what the tagger says of it; what `beta` rules out may be missing."""


class Taggers:
    """Taggers that say the same, one for each thread; each is used by one thread at a time."""

    def __init__(self, load: Callable[[], Sequence[Tagger]]) -> None:
        self._load = load
        self._lock = Lock()

    @classmethod
    def of(cls, *taggers: Tagger) -> Self:
        return cls(lambda: taggers)

    @property
    def scheme(self) -> str:
        """The scheme of the categories."""
        return self._all[0].scheme

    def __len__(self) -> int:
        return len(self._all)

    @contextmanager
    def one(self) -> Iterator[Tagger]:
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
    def _all(self) -> Sequence[Tagger]:
        with self._lock:
            return self._loaded

    @cached_property
    def _loaded(self) -> Sequence[Tagger]:
        return self._load()

    @cached_property
    def _waiting(self) -> LifoQueue[Tagger]:
        idle: LifoQueue[Tagger] = LifoQueue()
        for tagger in self._loaded:
            idle.put(tagger)
        return idle

    @property
    def _idle(self) -> LifoQueue[Tagger]:
        with self._lock:
            return self._waiting


def load_taggers(info: ModelInfo, device: str = "cpu", threads: int | None = None) -> Taggers:
    """The model once for each thread, its large parts shared; all cores' if none are named."""
    return Taggers(lambda: _load(info, device, threads or _cores()))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Adapted:
    """A model of either kind as a `Tagger`."""

    def __init__(self, read: Callable[..., Sequence[Reading]], scheme: str) -> None:
        self._read, self.scheme = read, scheme

    def kbest(
        self, sentences: Sequence[Sequence[str]], k: int = 4, beta: float = 0.0, batch_size: int = 32
    ) -> Sequence[Reading]:
        return self._read(sentences, k, batch_size, beta)


def _load(info: ModelInfo, device: str, threads: int) -> Sequence[Tagger]:
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # waiting threads would take the others' cores
    os.environ.setdefault("GOMP_SPINCOUNT", "0")
    import torch

    from .models.compact import PIECES, CompactTagger

    scheme = _SCHEMES[info.notation]
    if not (info.path / PIECES).is_file():
        torch.set_num_threads(threads)
        return [_Adapted(_trained(info.path, device), scheme)]
    tagger = CompactTagger.load(info.path, device)
    if device != "cpu":
        return [_Adapted(tagger.read, scheme)]
    torch.set_num_threads(1)  # threads that each read sentences of their own wait for nobody
    return [_Adapted(one.read, scheme) for one in (tagger, *(tagger.twin() for _ in range(threads - 1)))]


def _trained(folder: Path, device: str) -> Callable[..., Sequence[Reading]]:
    """A tagger made by `ccgkit train`."""
    from .models.compact import Reading as Found
    from .taggers.ensemble import load_tagger

    tagger = load_tagger(folder, device)

    def read(sentences: Sequence[Sequence[str]], k: int, batch: int, beta: float) -> Sequence[Reading]:
        return [Found(tags) for tags in tagger.tag(sentences, k, batch)]

    return read
