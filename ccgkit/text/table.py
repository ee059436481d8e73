"""Tagged sentences as a table for people."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp

from ..sentence import Sentence, Supertag

__all__ = ["table"]


def table(sentence: Sentence, *, colour: bool = False) -> str:
    """A sentence as aligned columns: word, lemma, POS tag, best category, probability, the runner-up.

    >>> from ccgkit import Category, Token
    >>> tags = ((Supertag(Category.parse("NP"), -0.1),),)
    >>> print(table(Sentence((Token("We", "PRP", lemma="we"),), tags)), end="")
    word  lemma  POS  category     p  else
    We    we     PRP  NP        0.90
    <BLANKLINE>
    """
    columns = _columns(sentence)
    lines = [
        _painted("\x1b[2m", "  ".join(column.padded(column.head) for column in columns).rstrip(), colour)
    ]
    for place in range(len(sentence.tokens)):
        lines.append("  ".join(column.shown(place, colour) for column in columns).rstrip())
    return "\n".join(lines) + "\n\n"


def _columns(sentence: Sentence) -> list[_Column]:
    """A language without lemmas has no column of them."""
    tokens, tags = sentence.tokens, sentence.tags or ()
    lemmas = [_Column("lemma", [token.lemma or "_" for token in tokens])]
    return [
        _Column("word", [token.word for token in tokens], lambda _: "\x1b[1m"),
        *(lemmas if any(token.lemma for token in tokens) else []),
        _Column("POS", [token.pos or "_" for token in tokens]),
        _Column("category", [str(best.category) for best, *_ in tags], lambda _: "\x1b[36m"),
        _Column("p", [f"{exp(best.logprob):.2f}" for best, *_ in tags], _trust, right=True),
        _Column("else", [_runner_up(others) for _, *others in tags], lambda _: "\x1b[2m"),
    ]


@dataclass(slots=True)
class _Column:
    head: str
    cells: Sequence[str]
    colour: Callable[[str], str] | None = None
    right: bool = False
    width: int = field(init=False)

    def __post_init__(self) -> None:
        self.width = max(map(_width, (self.head, *self.cells)))

    def shown(self, place: int, colour: bool) -> str:
        cell = self.cells[place]
        return _painted(self.colour(cell) if self.colour else "", self.padded(cell), colour and cell != "")

    def padded(self, cell: str) -> str:
        space = " " * (self.width - _width(cell))
        return space + cell if self.right else cell + space


def _runner_up(others: Sequence[Supertag]) -> str:
    return f"{others[0].category} {exp(others[0].logprob):.2f}" if others else ""


def _trust(probability: str) -> str:
    """Green where the model is sure, yellow, red."""
    value = float(probability)
    return "\x1b[32m" if value >= 0.9 else "\x1b[33m" if value >= 0.5 else "\x1b[31m"


def _painted(code: str, text: str, colour: bool) -> str:
    return f"{code}{text}\x1b[0m" if code and colour else text


def _width(text: str) -> int:
    """Columns a terminal needs."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )
