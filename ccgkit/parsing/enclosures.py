"""What brackets and quotation marks enclose, which is nearly always a constituent, the marks included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..constraints import Span

__all__ = ["enclosed", "enclosures"]

_CLOSING = {"(": ")", "[": "]", "{": "}", "-LRB-": "-RRB-", "-LSB-": "-RSB-", "-LCB-": "-RCB-"}
_CLOSING |= {"``": "''", "“": "”", "«": "»", "„": "“"}
_PLAIN = '"'  # opens and closes in turn
_OPENING = frozenset([*_CLOSING, _PLAIN])


def enclosures(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The places of each mark that opens and of the one that closes it; those without a partner are not.

    >>> list(enclosures('He ( " Al " ) sang ) .'.split()))
    [(2, 4), (1, 5)]
    """
    opened: list[tuple[int, str]] = []
    for place, word in enumerate(words):
        partner = _partner(opened, word) if opened else None
        if partner is not None:
            yield opened[partner][0], place
            del opened[partner:]  # what was opened since is not closed any more
        elif word == _PLAIN or word in _CLOSING:
            opened.append((place, _CLOSING.get(word, _PLAIN)))


def _partner(opened: Sequence[tuple[int, str]], word: str) -> int | None:
    """Which of the marks that are open the word closes, the last of several."""
    return next((number for number in reversed(range(len(opened))) if opened[number][1] == word), None)


def enclosed(words: Sequence[str], cost: float) -> tuple[Span, ...]:
    """The constituents that are enclosed, with both marks and with the closing one; each holds at a cost."""
    if not cost or _OPENING.isdisjoint(words):
        return ()
    return tuple(
        Span(start, end + 1, cost=cost)
        for opening, end in enclosures(words)
        for start in (opening, opening + 1)
    )
