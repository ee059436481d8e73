"""The categories of punctuation marks in the Parallel Meaning Bank's notation."""

from __future__ import annotations

from collections.abc import Sequence

from ..grammar import Category

__all__ = ["propose_marks"]

_OPENING, _CLOSING = Category.parse("LRB"), Category.parse("RRB")
_KNOWN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((".", "?", "!", "..", "!!", "?!"), (".",)),
    ",": (",",),
    ";": (";",),
    ":": (":", "(NP\\NP)/NP"),
    "``": ("LRB",),
    "''": ("RRB",),
    "(": ("LRB",),
    ")": ("RRB",),
    "[": ("LRB",),
    "]": ("RRB",),
}


def propose_marks(words: Sequence[str]) -> dict[int, tuple[Category, ...]]:
    """For each mark's place the categories it may have; plain quotation marks open and close in turn.

    >>> propose_marks(["Well", ",", '"', "no", '"', "."])
    {1: (,,), 2: (LRB,), 4: (RRB,), 5: (.,)}
    """
    found: dict[int, tuple[Category, ...]] = {}
    opened = False
    for place, word in enumerate(words):
        if word == '"':
            found[place] = (_CLOSING if opened else _OPENING,)
            opened = not opened
        elif word in _KNOWN:
            found[place] = tuple(map(Category.parse, _KNOWN[word]))
    return found
