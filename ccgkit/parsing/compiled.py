"""The compiled search, if it was built; else `astar.search` does the same more slowly."""

from __future__ import annotations

import threading

from ..grammar import Derivation
from .astar import BACKWARD, FORWARD, LEFT_MARK, RIGHT_MARK
from .chart import LIMITS, Found, Query
from .rulebook import RULES, Rulebook

try:
    from . import _astar
except ImportError:  # installed without a compiler
    _astar = None  # type: ignore[assignment]

__all__ = ["CompiledSearch", "is_compiled"]


def is_compiled() -> bool:
    """Whether the compiled search is there."""
    return _astar is not None


class CompiledSearch:
    """`astar.search` for one rulebook, with a memory of its rules of its own."""

    def __init__(self, book: Rulebook) -> None:
        self._book = book
        self._lock = threading.Lock()  # the state holds the chart that is being filled
        costs = book.costs
        self._state = _astar.new_state(
            book,
            book.tells_conjuncts,
            (costs.distance, costs.mark, costs.right_first),
            (FORWARD, BACKWARD, RIGHT_MARK, LEFT_MARK),
        )

    def __call__(self, query: Query) -> Found | None:
        book, (spans, links, labels) = self._book, query.charges
        with self._lock:
            found = _astar.search(
                book,
                self._state,
                query.tags,
                query.tokens,
                book.numbers,
                book.categories,
                RULES,
                Derivation,
                query.bound,
                query.tried,
                query.nbest,
                query.max_items,
                query.seconds,
                None if spans is None else spans.tobytes(),
                None if links is None else links.tobytes(),
                tuple((one.admits, one.start, one.end, one.wanted, one.cost) for one in labels),
            )
        if found is None:
            return None
        limit, spanning, items, tags, trees, best = found
        return Found(LIMITS[limit], spanning, items, tags, trees, best)
