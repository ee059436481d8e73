"""Names and numbers behind a noun, which are heads of compounds in CCGbank: *Flight 201*, *May 4*."""

from __future__ import annotations

from dataclasses import replace

from ..category import Atom, Functor, Slash
from ..derivation import Derivation
from ..schemes import Scheme
from .inventory import NOUN_MODIFIER, N
from .steps import joined
from .words import word_of

__all__ = ["is_numbered", "numbered"]

_MONTHS = frozenset((
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
))  # fmt: skip


def is_numbered(noun: Derivation, name: Derivation) -> bool:
    """Whether a name or a number stands as a modifier behind a noun."""
    word = word_of(name)
    if name.category is not NOUN_MODIFIER or not word[:1].isalnum() or word.islower():
        return False
    while len(noun.children) == 2 and noun.category is N:
        noun = noun.children[1]
    return noun.is_leaf and noun.category is N


def numbered(noun: Derivation, name: Derivation, scheme: Scheme) -> Derivation:
    """Flight 201: the name or number behind a noun is the head, as in any other compound."""
    spine = []
    while noun.children:
        spine.append(noun.children[0])
        noun = noun.children[1]
    kind = Atom("N", "num") if word_of(noun) in _MONTHS and word_of(name).isdecimal() else N
    first = replace(noun, category=Functor(N, Slash.FORWARD, kind))
    tree = joined(N, first, replace(name, category=kind), scheme)
    for modifier in reversed(spine):
        tree = joined(N, modifier, tree, scheme)
    return tree
