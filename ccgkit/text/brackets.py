"""Partly bracketed text: `[The old man] saw|(S[dcl]\\NP)/NP [her]|NP`.

Brackets are constituents, a bar gives a word or a constituent its category; `\\[`, `\\]` and `\\|` are the
characters themselves.

>>> read_brackets("[The old man] sleeps")
(['The', 'old', 'man', 'sleeps'], Constraints(spans=(Span(start=0, end=3, ...),), pairs=(), filters=()))
"""

from __future__ import annotations

import re

from ..constraints import ConstraintError, Constraints, Filter, Span
from ..grammar import Category, CategorySyntaxError

__all__ = ["read_brackets"]

# an opening bracket; a closing one, or a word, with its category
_PIECE = re.compile(
    r"""\s*(?: (?P<open>\[)
             | (?: (?P<close>\]) | (?P<word>(?:\\[\[\]|] | [^\s\[\]|])+) )
               (?: (?P<bar>\|) (?P<category>(?:\[[^\s\[\]]+\] | [^\s\]])*) )?
           )""",
    re.VERBOSE,
)
_ESCAPED = re.compile(r"\\([\[\]|])")


def read_brackets(text: str) -> tuple[list[str], Constraints]:
    """The words of a text and what its brackets and bars say of them.

    Raises `ConstraintError`, which shows the place, where a bracket or a bar has no partner.
    """
    words: list[str] = []
    spans: list[Span] = []
    filters: list[Filter] = []
    opened: list[tuple[int, int]] = []  # column and word
    place, text = 0, text.rstrip()
    while place < len(text):
        piece = _PIECE.match(text, place)
        if piece is None:
            column = place + len(text[place:]) - len(text[place:].lstrip())
            raise _error(text, column, "a bar with nothing before it")
        place = piece.end()
        if piece["open"]:
            opened.append((piece.start("open"), len(words)))
        elif piece["word"]:
            words.append(_ESCAPED.sub(r"\1", piece["word"]))
            if category := _category(text, piece):
                filters.append(Filter(len(words) - 1, (category,)))
        else:
            spans.append(_span(text, piece, opened, len(words)))
    if opened:
        raise _error(text, opened[-1][0], "a bracket that is not closed")
    return words, Constraints(tuple(spans), (), tuple(filters))


def _span(text: str, piece: re.Match[str], opened: list[tuple[int, int]], end: int) -> Span:
    if not opened:
        raise _error(text, piece.start("close"), "a bracket that was not opened")
    column, start = opened.pop()
    if start == end:
        raise _error(text, column, "a bracket without words")
    category = _category(text, piece)
    return Span(start, end, categories=(category,) if category else ())


def _category(text: str, piece: re.Match[str]) -> Category | None:
    if not piece["bar"]:
        return None
    try:
        return Category.parse(piece["category"])
    except CategorySyntaxError as error:
        start = piece.start("close") if piece["close"] else piece.start("word")
        raise _error(text, start, f"{piece['category']!r} is not a category") from error


def _error(text: str, column: int, what: str) -> ConstraintError:
    return ConstraintError(f"{what} at column {column + 1}\n    {text}\n    {'^':>{column + 1}}")
