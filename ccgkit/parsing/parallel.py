"""Work in several processes, in order, and the embedded parser's results on their way between them.

Trees travel without their tokens, and tags in columns, which is half as dear as to have the objects pickled.
"""

from __future__ import annotations

import os
import signal
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, count, islice
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from ..grammar import Category
from ..grammar.derivation import Node, flat, unflat
from ..grammar.heads import Coindexation
from ..memory import keep_freed_memory, look_less_for_garbage
from ..sentence import Sentence, Supertag
from .parser import Parser, ParsingError, tagged
from .result import Parse, ParseResult

__all__ = ["Packed", "batches", "in_order", "pack", "parse_in_parallel", "unpack"]

_BATCH = 32  # sentences with supertags that a process gets at a time
_AHEAD = 3  # chunks for each process that are under way

Own = TypeVar("Own")
Chunk = TypeVar("Chunk")
Answer = TypeVar("Answer")

_ENDED = """a process of the parser ended unexpectedly. If this is a script, it runs again in each of the
processes: start them under `if __name__ == "__main__":`, in a file (not from standard input).
Otherwise there may not have been enough memory: use fewer jobs"""

_work: list[Callable[[Any], Any]] = []  # of this process


class _Words(NamedTuple):
    """What a tagger has said of a sentence, in columns."""

    pos: list[str | None]
    lemmas: list[str | None]
    counts: list[int]  # of each word's supertags
    categories: list[Category]
    logprobs: bytes
    head_words: Any


class Packed(NamedTuple):
    """A result without its sentence; if that was tagged with what is new of it."""

    result: ParseResult
    parses: list[tuple[str, float, list[list[Node]]]]
    words: _Words | None


def in_order(
    work: Callable[[Chunk], Answer], chunks: Iterable[tuple[Own, Chunk, bool]], jobs: int
) -> Iterator[tuple[Own, Answer]]:
    """What `work`, which goes to `jobs` processes, makes of each chunk there, beside what is not sent.

    A chunk comes with what stays here and whether nothing more may come for a while: then it is waited for.

    Raises `ParsingError` where a process died before its work was done, else what the work raises.
    """
    under_way: deque[tuple[Own, Future[Answer]]] = deque()
    with _processes(jobs, work) as pool:
        for own, chunk, pause in chunks:
            under_way.append((own, _submit(pool, chunk)))
            while under_way and (pause or len(under_way) >= _AHEAD * jobs or under_way[0][1].done()):
                first, answer = under_way.popleft()
                yield first, answer.result()
        while under_way:
            first, answer = under_way.popleft()
            yield first, answer.result()


@contextmanager
def _processes(jobs: int, work: Callable[[Chunk], Answer]) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with the block, whatever they are at."""
    context = get_context("spawn")  # a fork would copy the locks of other threads
    pool = ProcessPoolExecutor(jobs, context, _start, (work,))
    try:
        yield pool
    except BrokenProcessPool:
        raise ParsingError(_ENDED) from None
    finally:
        for process in list((pool._processes or {}).values()):  # what terminate_workers() is in Python 3.14
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _submit(pool: ProcessPoolExecutor, chunk: Chunk) -> Future[Any]:
    try:
        return pool.submit(_do, chunk)
    except RuntimeError:  # this process is itself still starting
        raise ParsingError(_ENDED) from None


def _start(work: Callable[[Any], Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that has started this one
    Thread(target=_end_with_parent, daemon=True).start()
    keep_freed_memory()
    _work.append(work)
    look_less_for_garbage()


def _end_with_parent() -> None:
    """End this process when the one that has started it is killed: it would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do(chunk: Any) -> Any:
    return _work[0](chunk)


def parse_in_parallel(parser: Parser, sentences: Iterable[Sentence], jobs: int) -> Iterator[ParseResult]:
    """The parses of many sentences, in order, by `jobs` processes, each with a `parser` like this one.

    Raises `ParsingError` where a process died before its work was done.
    """
    if jobs == 1:
        yield from parser.pipe(sentences)
        return
    numbers = count(1)
    chunks = ((batch, [tagged(one, next(numbers)) for one in batch], False) for batch in batches(sentences))
    for batch, answer in in_order(partial(_parsed, parser), chunks, jobs):
        for sentence, packed in zip(batch, answer, strict=True):
            yield unpack(packed, sentence, parser.coindexation)


def batches(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """The sentences, which have supertags, as many at a time as a process gets."""
    coming = iter(sentences)
    return iter(lambda: list(islice(coming, _BATCH)), [])


def _parsed(parser: Parser, sentences: list[Sentence]) -> list[Packed]:
    return [pack(result) for result in parser.pipe(sentences)]


def pack(result: ParseResult, with_words: bool = False) -> Packed:
    """A result as it travels, `with_words` if the sentence is not the one that was sent."""
    parses = [(one.id, one.score, [flat(tree) for tree in one.derivations]) for one in result.parses]
    words = _columns(result.sentence) if with_words else None
    return Packed(replace(result, sentence=Sentence(()), parses=()), parses, words)


def unpack(packed: Packed, sentence: Sentence, coindexation: Coindexation) -> ParseResult:
    """The result for the sentence that was sent."""
    if packed.words is not None:
        sentence = _annotated(sentence, packed.words)
    rebuilt = []
    for name, score, trees in packed.parses:
        start, row = 0, []
        for nodes in trees:
            row.append(unflat(nodes, sentence.tokens[start:]))
            start += len(row[-1].tokens)
        rebuilt.append(Parse(name, score, tuple(row), coindexation))
    return replace(packed.result, sentence=sentence, parses=tuple(rebuilt))


def _columns(sentence: Sentence) -> _Words:
    tokens, tags = sentence.tokens, sentence.tags or ()
    every = list(chain.from_iterable(tags))
    return _Words(
        [token.pos for token in tokens],
        [token.lemma for token in tokens],
        [len(k_best) for k_best in tags],
        [tag.category for tag in every],
        array("d", [tag.logprob for tag in every]).tobytes(),
        sentence.head_words,
    )


def _annotated(sentence: Sentence, words: _Words) -> Sentence:
    """The sentence with what a tagger has said of it."""
    tokens = tuple(
        replace(token, pos=pos, lemma=lemma)
        for token, pos, lemma in zip(sentence.tokens, words.pos, words.lemmas, strict=True)
    )
    every = map(Supertag, words.categories, array("d", words.logprobs))
    tags = tuple(tuple(islice(every, number)) for number in words.counts)
    return replace(sentence, tokens=tokens, tags=tags, head_words=words.head_words)
