"""The compiled search, if it was built; else `astar.search` does the same more slowly."""

from __future__ import annotations

import threading

from ..grammar import Category, Derivation
from .chart import LIMITS, Found, Query
from .rulebook import RULES, Rulebook

try:
    from . import _astar
except ImportError:  # installed without a compiler
    _astar = None  # type: ignore[assignment]

__all__ = ["CompiledSearch", "is_compiled"]

CompiledStep = tuple[Category, int, int, float, int]  #: as `Step`, with the category itself


def is_compiled() -> bool:
    """Whether the compiled search is there."""
    return _astar is not None


class CompiledSearch:
    """`astar.PlainSearch` for the same rulebook, with a memory of its rules of its own."""

    def __init__(self, book: Rulebook) -> None:
        self._lock = threading.Lock()  # the state holds the chart that is being filled
        self._state = _astar.new_state(book)

    def __len__(self) -> int:
        return _astar.count(self._state)

    def combine(self, left: Category, right: Category, conjoined: bool) -> tuple[CompiledStep, ...]:
        """The steps from two adjacent categories."""
        return _astar.combine(self._state, left, right, conjoined)

    def __call__(self, query: Query) -> Found | None:
        spans, links, labels = query.charges
        with self._lock:
            found = _astar.search(
                self._state,
                query.tags,
                query.tokens,
                RULES,
                Derivation,
                query.bound,
                query.tried,
                query.nbest,
                query.readings,
                query.max_items,
                query.work,
                query.seconds,
                None if spans is None else spans.tobytes(),
                None if links is None else links.tobytes(),
                tuple((one.admits, one.start, one.end, one.wanted, one.cost) for one in labels),
            )
        if found is None:
            return None
        limit, spanning, items, tags, trees, best = found
        return Found(LIMITS[limit], spanning, items, tags, trees, best)
