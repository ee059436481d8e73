"""Lexical entries: the categories of their words, also where an entry has several."""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar import Category, Functor
from ..inventory import ADVERB, CONJ, NP, PP, RELATIONAL, N, Q, S
from .task import Task

__all__ = ["lexical"]

_NEGATION = frozenset({"n't", "not", "n’t"})
_PREPOSITIONS = frozenset(["at", "by", "for", "from", "in", "of", "on", "to", "with", "without"])
_LET = Category.parse("(S[dcl]/(S[b]\\NP))/NP")


def lexical(task: Task, words: tuple[str, ...]) -> Iterator[tuple[int, Category | None]]:
    """The categories of the words of a lexical entry."""
    phrase, category = task.phrase, task.category
    last = phrase.end - 1
    parts = [word.lower() for word in words[phrase.start : phrase.end]]
    if phrase.size == 1:
        yield last, category
    elif phrase.size == 2 and parts[1] in _NEGATION:
        yield phrase.start, category
        yield last, S | S if category and category.target is Q else ADVERB
    elif phrase.size == 2 and parts[0] == "let":
        yield phrase.start, _LET
        yield last, NP
    elif category is not None and all(part[:1].isalnum() for part in parts):
        yield from zip(range(phrase.start, phrase.end), _row(parts, category, phrase.sort), strict=False)


def _row(words: list[str], category: Category, sort: Category | None) -> Iterator[Category]:
    """The categories of an entry of several words: a name, *due to*, *in fact*."""
    if words[0] == "the" and category is N:
        yield NP / N
        yield from [N / N] * (len(words) - 2)
        yield N
    elif sort is N or category in (N, RELATIONAL):
        yield from [N / N] * (len(words) - 1)
        yield category
    elif category is CONJ:
        yield from [CONJ / CONJ] * (len(words) - 1)
        yield CONJ
    elif len(words) == 2 and category is NP:
        yield NP / N
        yield N
    elif len(words) == 2 and category.is_modifier:
        preposition = words[0] in _PREPOSITIONS
        yield category / NP if preposition else category / category
        yield N if preposition else category
    elif len(words) == 2 and isinstance(category, Functor) and category.argument is NP:
        yield category.result / PP
        yield PP / NP
