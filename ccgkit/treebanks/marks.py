"""The categories of punctuation marks in the Parallel Meaning Bank's notation."""

from __future__ import annotations

from collections.abc import Sequence

from ..grammar import Category, Functor, Slash

__all__ = ["close_brackets", "propose_marks"]

_OPENING, _CLOSING = Category.parse("LRB"), Category.parse("RRB")
_NOMINAL = ("N", "NP")
_KNOWN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((".", "?", "!", "..", "!!", "?!"), (".",)),
    ",": (",",),
    ";": (";",),
    ":": (":", "(NP\\NP)/NP"),
    "``": ("LRB",),
    "''": ("RRB",),
    "(": ("LRB", "(N\\N)/N"),
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


def close_brackets(words: Sequence[str], categories: Sequence[Category]) -> list[Category]:
    """The categories, where a bracket that opens an apposition is closed by a modifier of what is in it.

    >>> [n, apposition] = map(Category.parse, ("N", r"(N\\N)/N"))
    >>> close_brackets(["disks", "(", "cheap", ")"], [n, apposition, n, _CLOSING])
    [N, (N\\N)/N, N, N\\N]
    """
    closed = list(categories)
    opened: list[Category] = []
    for place, (word, category) in enumerate(zip(words, categories, strict=True)):
        if word == "(":
            opened.append(category)
        elif word == ")" and opened:
            opening = opened.pop()
            if category is _CLOSING and isinstance(opening, Functor) and str(opening.argument) in _NOMINAL:
                closed[place] = Functor(opening.argument, Slash.BACKWARD, opening.argument)
    return closed
