"""From text to tagged sentences: `ccgkit.load()` and what it gives.

>>> nlp = load()  # doctest: +SKIP
>>> [str(tags[0].category) for tags in nlp.tag("United serves Miami.")[0].tags]  # doctest: +SKIP
['N', '(S[dcl]\\\\NP)/NP', 'N', '.']
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from math import inf, log
from pathlib import Path
from typing import TYPE_CHECKING

from .grammar import Token
from .models.registry import ModelInfo, find
from .sentence import Sentence, Supertag
from .taggers import Reading, TaggerLike, load_tagger, use_threads
from .text import split_text

if TYPE_CHECKING:
    from .parsing import ParseResult
    from .text.pos import PosTagger

__all__ = ["Pipeline", "load"]

_BATCH = 32
_PARSING_BETA = 1e-4  # the parser itself starts with few of the tags and widens
_WINDOW = 8  # batches whose sentences are sorted by length together
_AHEAD = 2  # windows for each thread that are under way


def load(
    name: str | Path | ModelInfo | None = None,
    *,
    language: str | None = None,
    device: str = "cpu",
    threads: int | None = None,
) -> Pipeline:
    """The pipeline with a model of the package, by name, or with the model in a directory.

    Without a name it is the package's model for the language, which is English if none is given. For a model
    that does not say what language it is for, `language` decides how text is split into tokens.
    """
    info = name if isinstance(name, ModelInfo) else find(name, language)
    return Pipeline(info, _models(info, device, threads or _cores()))


class Pipeline:
    """Text in, tagged sentences out."""

    def __init__(self, info: ModelInfo, models: Sequence[TaggerLike]) -> None:
        self.info = info
        self.language = info.language or "en"  #: how text is split
        self._models = models  # one for each thread

    def tag(self, text: str, *, k: int = 4, beta: float = 0.075) -> list[Sentence]:
        """The sentences of a text: words with their places in it, POS tags and k best categories.

        Of the `k` best those are kept that are at least `beta` times as probable as the best.
        """
        return list(self.pipe_sentences(self._split(text), k=k, beta=beta))

    def pipe(
        self, texts: Iterable[str], *, k: int = 4, beta: float = 0.075, batch_size: int = _BATCH
    ) -> Iterator[list[Sentence]]:
        """As `tag` for each of many texts, in order; they may be without end."""
        counts: deque[int] = deque()

        def sentences() -> Iterator[Sentence]:
            for text in texts:
                found = list(self._split(text))
                counts.append(len(found))
                yield from found

        tagged = self.pipe_sentences(sentences(), k=k, beta=beta, batch_size=batch_size)
        for sentence in tagged:
            while not counts[0]:
                counts.popleft()
                yield []
            yield [sentence, *islice(tagged, counts.popleft() - 1)]
        yield from ([] for _ in counts)

    def parse(self, text: str, *, nbest: int = 1, k: int = 10) -> list[ParseResult]:
        """The sentences of a text parsed, as `ccgkit parse` does it: derivations and dependencies."""
        return list(self.pipe_parse([text], nbest=nbest, k=k))

    def pipe_parse(self, texts: Iterable[str], *, nbest: int = 1, k: int = 10) -> Iterator[ParseResult]:
        """As `parse` for the sentences of many texts, in order; they may be without end."""
        from .grammar import load_scheme
        from .parsing import Parser

        parser = Parser(load_scheme(self._models[0].scheme), nbest=nbest)
        for sentences in self.pipe(texts, k=k, beta=_PARSING_BETA):
            yield from map(parser.parse, sentences)

    def pipe_sentences(
        self,
        sentences: Iterable[Sentence | None],
        *,
        k: int = 4,
        beta: float = 0.075,
        batch_size: int = _BATCH,
    ) -> Iterator[Sentence]:
        """Sentences that are tokenised already; POS tags they have are kept. In order, however many.

        None among them says that nothing more may come for a while: what has come is tagged now.
        """
        job = _Job(k, beta, batch_size)
        idle = deque(self._models)

        def read(window: list[Sentence]) -> list[Sentence]:
            model = idle.pop()  # there are as many models as threads
            try:
                return self._read(model, window, job)
            finally:
                idle.append(model)

        most = _AHEAD * len(self._models)
        under_way: deque[Future[list[Sentence]]] = deque()
        with ThreadPoolExecutor(len(self._models)) as threads:
            try:
                for window, pause in _windows(sentences, batch_size * _WINDOW):
                    under_way.append(threads.submit(read, window))
                    while under_way and (pause or len(under_way) >= most or under_way[0].done()):
                        yield from under_way.popleft().result()
                while under_way:
                    yield from under_way.popleft().result()
            finally:
                for waiting in under_way:
                    waiting.cancel()

    def _split(self, text: str) -> Iterator[Sentence]:
        return split_text(text, language=self.language)

    def _read(self, model: TaggerLike, window: list[Sentence], job: _Job) -> list[Sentence]:
        readings = model.kbest([sentence.words for sentence in window], job.k, job.beta, job.batch)
        return [
            self._tagged(sentence, reading, job.least)
            for sentence, reading in zip(window, readings, strict=True)
        ]

    def _tagged(self, sentence: Sentence, reading: Reading, least: float) -> Sentence:
        tokens = sentence.tokens
        if any(token.pos is None for token in tokens):
            found = reading.pos if reading.pos is not None else self._small_pos_tags(sentence.words)
            tokens = tuple(map(_with_pos, tokens, found))
        tags = tuple(k_best if len(k_best) == 1 else _probable(k_best, least) for k_best in reading.tags)
        return replace(sentence, tokens=tokens, tags=tags)

    def _small_pos_tags(self, words: Sequence[str]) -> Sequence[str | None]:
        if self.language != "en":
            return [None] * len(words)
        return self._pos_tagger.tag(words)

    @cached_property
    def _pos_tagger(self) -> PosTagger:
        from .text.pos import PosTagger

        return PosTagger.load()


@dataclass(frozen=True, slots=True)
class _Job:
    k: int
    beta: float
    batch: int

    @property
    def least(self) -> float:
        """How far below the best a log-probability may be."""
        return log(self.beta) if self.beta > 0 else -inf


def _windows(sentences: Iterable[Sentence | None], size: int) -> Iterator[tuple[list[Sentence], bool]]:
    """Sentences to be read together, and whether they should be waited for."""
    window: list[Sentence] = []
    for sentence in sentences:
        if sentence is not None:
            window.append(sentence)
        if window and (sentence is None or len(window) == size):
            yield window, sentence is None
            window = []
    if window:
        yield window, False


def _with_pos(token: Token, pos: str | None) -> Token:
    """The token with the POS tag, if it has none; `dataclasses.replace` would take twice as long."""
    if token.pos is not None or pos is None:
        return token
    return Token(token.word, pos, token.start, token.end, token.original_pos, token.indexed_category)


def _probable(tags: tuple[Supertag, ...], least: float) -> tuple[Supertag, ...]:
    return tuple(tag for place, tag in enumerate(tags) if not place or tag.logprob >= tags[0].logprob + least)


def _models(info: ModelInfo, device: str, threads: int) -> Sequence[TaggerLike]:
    """The model once for each thread, its large parts shared."""
    tagger = load_tagger(info.path, device)
    if device != "cpu":
        return [tagger]
    use_threads(1)  # threads that each read sentences of their own wait for nobody
    return [tagger, *(tagger.twin() for _ in range(threads - 1))]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
