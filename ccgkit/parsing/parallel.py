"""Parsing in several processes, in order.

Trees travel between processes as flat lists: pickling a deep tree would recurse.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from multiprocessing import get_context
from typing import Any

from ..grammar import Category, Derivation, Rule, Token
from ..sentence import Sentence
from .parser import Parser, ParsingError, tagged
from .result import Parse, ParseResult

__all__ = ["parse_in_parallel"]

_BATCH = 32  # sentences that a process gets at a time
_AHEAD = 3  # batches for each process that are under way

_Node = tuple[Category, Rule | None, int, int]  # category, rule, head, number of children
_Flat = tuple[ParseResult, list[tuple[str, float, list[list[_Node]]]]]

_ENDED = """a process of the parser ended unexpectedly. If this is a script, it runs again in each of the
processes: start them under `if __name__ == "__main__":`, in a file (not from standard input).
Otherwise there may not have been enough memory: use fewer jobs"""

_parser: list[Parser] = []  # of this process


def parse_in_parallel(parser: Parser, sentences: Iterable[Sentence], jobs: int) -> Iterator[ParseResult]:
    """The parses of many sentences, in order, by `jobs` processes, each with a `parser` like this one.

    Raises `ParsingError` where a process died before its work was done.
    """
    if jobs == 1:
        yield from parser.pipe(sentences)
        return
    settings = {
        "scheme": parser.scheme,
        "nbest": parser.nbest,
        "betas": tuple(parser.betas),
        "limits": parser.limits,
        "costs": parser.costs,
        "compiled": parser.compiled,
        "distinct": parser.distinct,
    }
    coming, count = iter(sentences), 1
    under_way: deque[tuple[list[Sentence], Future[list[_Flat]]]] = deque()
    with _processes(jobs, settings) as pool:
        while batch := list(islice(coming, _BATCH)):
            bare = [tagged(one, number) for number, one in enumerate(batch, count)]
            count += len(batch)
            under_way.append((batch, _submit(pool, bare)))
            if len(under_way) >= _AHEAD * jobs:
                yield from _results(*under_way.popleft(), parser)
        while under_way:
            yield from _results(*under_way.popleft(), parser)


@contextmanager
def _processes(jobs: int, settings: dict[str, Any]) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with the block, whatever they are at."""
    context = get_context("spawn")  # a fork would copy the locks of other threads
    pool = ProcessPoolExecutor(jobs, context, _start, (settings,))
    try:
        yield pool
    except BrokenProcessPool:
        raise ParsingError(_ENDED) from None
    finally:
        for process in list((pool._processes or {}).values()):  # what terminate_workers() is in Python 3.14
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _submit(pool: ProcessPoolExecutor, sentences: list[Sentence]) -> Future[list[_Flat]]:
    try:
        return pool.submit(_parse, sentences)
    except RuntimeError:  # this process is itself still starting
        raise ParsingError(_ENDED) from None


def _start(settings: dict[str, Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that has started this one
    _parser.append(Parser(**settings))


def _parse(sentences: list[Sentence]) -> list[_Flat]:
    empty = Sentence(())
    return [
        (
            replace(result, sentence=empty, parses=()),
            [(one.id, one.score, [_flat(tree) for tree in one.derivations]) for one in result.parses],
        )
        for result in _parser[0].pipe(sentences)
    ]


def _results(batch: list[Sentence], answer: Future[list[_Flat]], parser: Parser) -> Iterator[ParseResult]:
    for sentence, (result, parses) in zip(batch, answer.result(), strict=True):
        rebuilt = []
        for name, score, trees in parses:
            start, row = 0, []
            for nodes in trees:
                row.append(_tree(nodes, sentence.tokens[start:]))
                start += len(row[-1].tokens)
            rebuilt.append(Parse(name, score, tuple(row), parser.coindexation))
        yield replace(result, sentence=sentence, parses=tuple(rebuilt))


def _flat(derivation: Derivation) -> list[_Node]:
    return [(node.category, node.rule, node.head, len(node.children)) for node in derivation.nodes()]


def _tree(nodes: list[_Node], tokens: Sequence[Token]) -> Derivation:
    """The tree of nodes that come parents first, over the first of the tokens."""
    leaves = sum(1 for node in nodes if not node[3])
    done: list[Derivation] = []
    for category, rule, head, count in reversed(nodes):
        if count:
            done.append(Derivation(category, tuple(done.pop() for _ in range(count)), None, rule, head))
        else:
            leaves -= 1
            done.append(Derivation(category, (), tokens[leaves]))
    return done.pop()
