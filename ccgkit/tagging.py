"""Sentences tagged as the pipeline does it, by a tagger for each thread, loaded when the first comes."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from math import inf, log
from queue import LifoQueue
from threading import Lock
from typing import TYPE_CHECKING, Self

from .grammar import Token
from .grammar.errors import OptionError
from .models.registry import ModelInfo
from .sentence import Sentence, Supertag
from .taggers import Reading, TaggerLike, load_tagger, use_threads
from .text.lemmas import known_lemma

if TYPE_CHECKING:
    from .text.pos import PosTagger

__all__ = ["BATCH", "MOST_CATEGORIES", "SentenceTagger", "Taggers", "load_taggers", "window_start", "windows"]

MOST_CATEGORIES = 50  #: the most categories that a word may be given
BATCH = 64  #: how many sentences are tagged together
_WINDOW = 4  # batches whose sentences are sorted by length together
_AHEAD = 2  # windows for each thread that are under way


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

    def apart(self, processes: int) -> Taggers | None:
        """Those that each of several processes loads for itself; None where they are not loaded from files.

        Nor are they loaded more than once where the model is on a device other than the processor.
        """
        model = self._load
        if not isinstance(model, _Model) or model.device != "cpu":
            return None
        return Taggers(replace(model, threads=max(1, (model.threads or _cores()) // processes)))

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


def load_taggers(
    info: ModelInfo, device: str = "cpu", threads: int | None = None, head_words: bool = True
) -> Taggers:
    """The model of `info` on a `device`, once for each of the `threads` that use it, its large parts shared.

    Without a number of threads there are as many as cores. Without `head_words` their scores, which only a
    parser needs, are left out.
    """
    return Taggers(_Model(info, device, threads, head_words))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class _Model:
    """A model on a device, to be loaded for so many threads."""

    info: ModelInfo
    device: str
    threads: int | None
    head_words: bool

    def __call__(self) -> Sequence[TaggerLike]:
        from .taggers.tagger import Tagger

        tagger = load_tagger(self.info.path, self.device)
        if isinstance(tagger, Tagger) and not self.head_words:
            tagger.head_words = None
        if self.device != "cpu":
            return [tagger]
        use_threads(1)  # threads that each read sentences of their own wait for nobody
        return [tagger, *(tagger.twin() for _ in range((self.threads or _cores()) - 1))]


class SentenceTagger:
    """Tags sentences that are tokenised already, in order, however many, several at once."""

    def __init__(self, taggers: Taggers, language: str) -> None:
        self.taggers = taggers
        self._language = language

    def pipe(
        self, sentences: Iterable[Sentence | None], k: int, beta: float, batch_size: int
    ) -> Iterator[Sentence]:
        """The sentences with categories, POS tags and lemmas; those they have are kept.

        None among them says that nothing more may come for a while: what has come is tagged now.

        Raises `OptionError` where `k`, `beta` or `batch_size` is out of range, `CCGKitError` where the small
        POS tagger, which is for models without POS tags, is not sound.
        """
        read = partial(self._read, job=_Job(k, beta, batch_size))
        most = _AHEAD * len(self.taggers)
        under_way: deque[Future[list[Sentence]]] = deque()
        with ThreadPoolExecutor(len(self.taggers)) as threads:
            try:
                for window, pause in windows(sentences, batch_size):
                    under_way.append(threads.submit(read, window))
                    while under_way and (pause or len(under_way) >= most or under_way[0].done()):
                        yield from under_way.popleft().result()
                while under_way:
                    yield from under_way.popleft().result()
            finally:
                for waiting in under_way:
                    waiting.cancel()

    def once(self, sentence: Sentence, k: int, beta: float) -> Sentence:
        """As `pipe`, a sentence by itself.

        Raises `OptionError` where `k` or `beta` is out of range, `CCGKitError` where the small POS tagger is
        not sound.
        """
        (found,) = self._read([sentence], _Job(k, beta, 1))
        return found

    def _read(self, window: list[Sentence], job: _Job) -> list[Sentence]:
        """Sentences tagged together, by a tagger that nobody else uses meanwhile."""
        with self.taggers.one() as tagger:
            readings = tagger.kbest([sentence.words for sentence in window], job.k, job.beta, job.batch)
        return [
            self._tagged(sentence, reading, job.least)
            for sentence, reading in zip(window, readings, strict=True)
        ]

    def _tagged(self, sentence: Sentence, reading: Reading, least: float) -> Sentence:
        tokens = sentence.tokens
        found: Sequence[str | None] = [token.pos for token in tokens]
        if None in found:
            found = reading.pos if reading.pos is not None else self._small_pos_tags(sentence.words)
        lemma = known_lemma if self._language == "en" else _no_lemma
        tokens = tuple(_annotated(token, pos, lemma) for token, pos in zip(tokens, found, strict=True))
        tags = tuple(k_best if len(k_best) == 1 else _probable(k_best, least) for k_best in reading.tags)
        return replace(sentence, tokens=tokens, tags=tags, head_words=reading.head_words)

    def _small_pos_tags(self, words: Sequence[str]) -> Sequence[str | None]:
        if self._language != "en":
            return [None] * len(words)
        return _pos_tagger().tag(words)


@cache
def _pos_tagger() -> PosTagger:
    from .text.pos import PosTagger

    return PosTagger.load()


@dataclass(frozen=True, slots=True)
class _Job:
    k: int
    beta: float
    batch: int

    def __post_init__(self) -> None:
        if not 1 <= self.k <= MOST_CATEGORIES:
            raise OptionError(f"k must be between 1 and {MOST_CATEGORIES}, not {self.k}")
        if not 0 <= self.beta <= 1:
            raise OptionError(f"beta must be between 0 and 1, not {self.beta}")
        if self.batch < 1:
            raise OptionError(f"batch_size must be 1 or more, not {self.batch}")

    @property
    def least(self) -> float:
        """How far below the best a log-probability may be."""
        return log(self.beta) if self.beta > 0 else -inf


def window_start(done: int, batch_size: int = BATCH) -> int:
    """The first of the sentences that are read together with the one after `done` others.

    A run that goes on from there gives the same to the last digit: some taggers' probabilities depend a
    little on what else is in a batch.
    """
    return done - done % (batch_size * _WINDOW)


def windows(
    sentences: Iterable[Sentence | None], batch_size: int = BATCH
) -> Iterator[tuple[list[Sentence], bool]]:
    """Sentences to be read together, and whether they should be waited for."""
    size = batch_size * _WINDOW
    window: list[Sentence] = []
    for sentence in sentences:
        if sentence is not None:
            window.append(sentence)
        if window and (sentence is None or len(window) == size):
            yield window, sentence is None
            window = []
    if window:
        yield window, False


def _no_lemma(word: str, pos: str | None) -> None:
    """What is known of lemmas in other languages."""


def _annotated(token: Token, pos: str | None, lemma: Callable[[str, str | None], str | None]) -> Token:
    """The token with POS tag and lemma where it has none; `dataclasses.replace` would take twice as long."""
    word, pos = token.word, pos if token.pos is None else token.pos
    base = lemma(word, pos) if token.lemma is None else token.lemma
    return Token(
        word, pos, token.start, token.end, token.original_pos, token.indexed_category, base, token.entity
    )


def _probable(tags: tuple[Supertag, ...], least: float) -> tuple[Supertag, ...]:
    return tuple(tag for place, tag in enumerate(tags) if not place or tag.logprob >= tags[0].logprob + least)
