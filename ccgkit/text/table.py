"""Tagged sentences as a table for people."""

from __future__ import annotations

import unicodedata
from math import exp

from ..sentence import Sentence, Supertag

__all__ = ["table"]

_HEADS = ("word", "POS", "category", "p", "else")


def table(sentence: Sentence, count: int = 1, *, colour: bool = False) -> str:
    """A sentence as aligned columns: word, POS tag, best category, probability, the runner-up.

    >>> from ccgkit import Category, Token
    >>> tags = ((Supertag(Category.parse("NP"), -0.1),),)
    >>> print(table(Sentence((Token("We", "PRP"),), tags)), end="")
    word  POS  category     p  else
    We    PRP  NP        0.90
    <BLANKLINE>
    """
    rows = [
        _row(token.word, token.pos or "_", tags)
        for token, tags in zip(sentence.tokens, sentence.tags or (), strict=True)
    ]
    widths = [max(_width(row[column]) for row in (_HEADS, *rows)) for column in range(4)]
    lines = [_painted("\x1b[2m", _line(_HEADS, widths), colour)]
    for row in rows:
        word, pos, category, probability, others = (
            _padded(cell, width, place == 3)
            for place, (cell, width) in enumerate(zip(row, [*widths, 0], strict=True))
        )
        cells = (
            _painted("\x1b[1m", word, colour),
            pos,
            _painted("\x1b[36m", category, colour),
            _painted(_trust(row[3]), probability, colour),
            _painted("\x1b[2m", others, colour and others != ""),
        )
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines) + "\n\n"


def _row(word: str, pos: str, tags: tuple[Supertag, ...]) -> tuple[str, str, str, str, str]:
    best, *others = tags
    runner_up = f"{others[0].category} {exp(others[0].logprob):.2f}" if others else ""
    return word, pos, str(best.category), f"{exp(best.logprob):.2f}", runner_up


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    padded = (
        _padded(cell, width, place == 3)
        for place, (cell, width) in enumerate(zip(cells, [*widths, 0], strict=True))
    )
    return "  ".join(padded).rstrip()


def _padded(cell: str, width: int, right: bool) -> str:
    space = " " * (width - _width(cell))
    return space + cell if right else cell + space


def _trust(probability: str) -> str:
    """Green where the model is sure, yellow, red."""
    value = float(probability)
    return "\x1b[32m" if value >= 0.9 else "\x1b[33m" if value >= 0.5 else "\x1b[31m"


def _painted(code: str, text: str, colour: bool) -> str:
    return f"{code}{text}\x1b[0m" if colour else text


def _width(text: str) -> int:
    """Columns a terminal needs."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )
