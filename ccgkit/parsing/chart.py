"""What a search is asked, and what it gives back, whichever one it is."""

from __future__ import annotations

from enum import IntEnum
from math import inf
from typing import NamedTuple

from ..grammar import Derivation, Token
from ..sentence import Supertag
from .charges import Charges

__all__ = ["LIMITS", "Found", "Limit", "Query"]


class Limit(IntEnum):
    """What ended a search before it was through."""

    NONE = 0
    CHART = 1
    TIME = 2


LIMITS = tuple(Limit)


class Query(NamedTuple):
    """A sentence and how far to go for it.

    Of each word those supertags are taken that are at most `bound` nats worse than its best. If they are
    `tried` in number, nothing is searched: that many were tried before. Of constituents over the same words,
    the cheapest are kept, `work` divided by the items made so far: short sentences are searched exactly. With
    `readings`, of derivations that seem to have the same dependencies there is the cheapest.
    """

    tags: tuple[tuple[Supertag, ...], ...]
    tokens: tuple[Token, ...]
    bound: float
    tried: int
    seconds: float
    charges: Charges = Charges()
    nbest: int = 1
    readings: bool = False
    max_items: int = 1_000_000
    work: float = inf


class Found(NamedTuple):
    """The derivations of the whole sentence and their costs, cheapest first; else fragments in their order.

    `best` is the log-probability of the words' best supertags, which costs are counted from.
    """

    limit: Limit
    spanning: bool
    items: int
    tags: int  #: supertags that were taken
    trees: list[tuple[float, Derivation]]
    best: float
