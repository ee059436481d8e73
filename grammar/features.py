"""Feature unification: which categories match, and what features the match carries over.

A missing feature and `[nb]` match any feature; `[X]` is a variable, bound to what it meets; key-value
features (`[mod=nm,form=base]`) match key by key, with `X1`, `X2` … as variable values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from .category import Atom, Category, Functor, as_category

__all__ = ["Unification", "unify"]

_VARIABLE = re.compile(r"X\d*")

Bindings = dict[str, str]


@dataclass(frozen=True, slots=True)
class Unification:
    """The match of two categories: what both say together, and the variables of either side."""

    category: Category
    left: Bindings = field(default_factory=dict)
    right: Bindings = field(default_factory=dict)


@lru_cache(maxsize=1 << 16)
def unify(left: Category | str, right: Category | str, loose: bool = False) -> Unification | None:
    """The unification of two categories, or spellings, None if they do not match.

    A variable that would have to be two things at once fails, unless `loose`: then it stays what it
    was bound to first.

    >>> unify("S[X]\\\\NP", "S[dcl]\\\\NP[nb]").category
    S[dcl]\\NP
    """
    bound: tuple[Bindings, Bindings] = ({}, {})
    done: list[Category] = []
    agenda: list[tuple[Category, Category, bool]] = [(as_category(left), as_category(right), False)]
    while agenda:
        one, other, visited = agenda.pop()
        if visited and isinstance(one, Functor):
            argument, result = done.pop(), done.pop()
            done.append(Functor(result, one.slash, argument, one.conj))
        elif isinstance(one, Atom) and isinstance(other, Atom):
            atom = _unify_atoms(one, other, bound, loose)
            if atom is None:
                return None
            done.append(atom)
        elif isinstance(one, Functor) and isinstance(other, Functor):
            if one.slash is not other.slash or one.conj != other.conj:
                return None
            agenda.append((one, other, True))
            agenda.append((one.argument, other.argument, False))
            agenda.append((one.result, other.result, False))
        else:
            return None
    return Unification(done.pop(), *bound)


def substitute(category: Category, bindings: Bindings) -> Category:
    """The category with its bound feature variables replaced."""
    if not bindings:
        return category
    return category.map_atoms(lambda atom: _substitute_atom(atom, bindings))


def _unify_atoms(one: Atom, other: Atom, bound: tuple[Bindings, Bindings], loose: bool) -> Atom | None:
    if one.base != other.base or one.conj != other.conj:
        return None
    if one is other and (one.feature is None or not _VARIABLE.search(one.feature)):
        return Atom(one.base, None, one.conj) if one.feature == "nb" else one
    pairs = "=" in (one.feature or "") and "=" in (other.feature or "")
    feature = (_unify_values if pairs else _unify_features)(one.feature, other.feature, bound, loose)
    return None if feature is _CLASH else Atom(one.base, feature or None, one.conj)


_CLASH = "\0"


def _unify_features(
    one: str | None, other: str | None, bound: tuple[Bindings, Bindings], loose: bool
) -> str | None:
    one, other = (None if feature == "nb" else feature for feature in (one, other))
    if one == other or other is None:
        return one
    if one is None:
        return other
    if _VARIABLE.fullmatch(one):
        return other if _VARIABLE.fullmatch(other) else _bind(bound[0], one, other, loose)
    if _VARIABLE.fullmatch(other):
        return _bind(bound[1], other, one, loose)
    return _CLASH


def _bind(bindings: Bindings, variable: str, feature: str, loose: bool) -> str:
    known = bindings.setdefault(variable, feature)
    return feature if known == feature or loose else _CLASH


def _unify_values(
    one: str | None, other: str | None, bound: tuple[Bindings, Bindings], loose: bool
) -> str | None:
    """Key-value features match key by key; a key that only one side has is taken over."""
    ours, theirs = _values(one or ""), _values(other or "")
    merged: dict[str, str] = {}
    for key in dict.fromkeys((*ours, *theirs)):
        value = _unify_features(ours.get(key), theirs.get(key), bound, loose)
        if value is _CLASH:
            return _CLASH
        merged[key] = value or ""
    return ",".join(f"{key}={value}" for key, value in merged.items())


def _values(feature: str) -> dict[str, str]:
    return dict(pair.partition("=")[::2] for pair in feature.split(","))


def _substitute_atom(atom: Atom, bindings: Bindings) -> Atom:
    feature = atom.feature
    if feature is None or not _VARIABLE.search(feature):
        return atom
    if "=" in feature:
        values = {key: bindings.get(value, value) for key, value in _values(feature).items()}
        return atom.replace(feature=",".join(f"{key}={value}" for key, value in values.items()))
    return atom.replace(feature=bindings.get(feature, feature))
