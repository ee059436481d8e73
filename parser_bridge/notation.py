"""From this toolkit's categories to those that C&C knows, by the table `notation.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from ccgkit.grammar import Atom, Category, Functor

__all__ = ["Notation", "forms"]


class Notation:
    """Translates categories into those of a `markedup` file.

    >>> Notation([Category.parse("NP[nb]/N")]).translate(Category.parse("NP/N"))
    NP[nb]/N
    """

    def __init__(self, known: Collection[Category]) -> None:
        self.known = frozenset(known)
        self._order = tuple(known)
        self._memo: dict[Category, Category | None] = {}

    def translate(self, category: Category) -> Category | None:
        """The category as C&C knows it; None where it does not."""
        if category not in self._memo:
            self._memo[category] = self._translate(category)
        return self._memo[category]

    def also(self, category: Category) -> Category | None:
        """A further category that a word with this one should have."""
        other = _also().get(category)
        return other if other in self.known else None

    def fallback(self, category: Category) -> Category:
        """The known category that is most like an unknown one, by features last; a noun if none is."""
        noun = Atom("N")
        best = max(self._order, key=lambda other: _likeness(category, other))
        if _likeness(category, best) == _UNLIKE:
            return noun if noun in self.known else self._order[0]
        return best

    def _translate(self, category: Category) -> Category | None:
        for rewriting in _rewritings():
            if rewriting.get("prefer") and (preferred := _rewrite(category, rewriting)) in self.known:
                return preferred
        return next((form for form in forms(category) if form in self.known), None)


_UNLIKE = (False, False, False, False, False)


def _likeness(category: Category, other: Category) -> tuple[bool, ...]:
    """What two categories with the same target and arity have in common, what counts most first."""
    if (category.target.base, category.arity) != (other.target.base, other.arity):
        return _UNLIKE
    bare, other_bare = category.without_features(), other.without_features()
    same_argument = same_slash = False
    if isinstance(bare, Functor) and isinstance(other_bare, Functor):
        same_argument, same_slash = bare.argument is other_bare.argument, bare.slash is other_bare.slash
    return bare is other_bare, category.target is other.target, same_argument, same_slash, True


def forms(category: Category) -> Iterator[Category]:
    """The category, and what each further rewriting makes of it."""
    yield category
    for rewriting in _rewritings():
        category = _rewrite(category, rewriting)
        yield category


@cache
def _table() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(files(__package__).joinpath("notation.toml").read_text(encoding="utf-8"))


def _rewritings() -> list[dict[str, Any]]:
    return _table()["rewrite"]


@cache
def _also() -> dict[Category, Category]:
    return {Category.parse(entry["category"]): Category.parse(entry["as"]) for entry in _table()["also"]}


def _rewrite(category: Category, rewriting: dict[str, Any]) -> Category:
    """The category with one rewriting done at all its parts, the innermost first."""
    part = Category.parse(rewriting["part"]) if "part" in rewriting else None

    def replaced(made: Category) -> Category:
        return Category.parse(rewriting["as"]) if made is part else made

    def atom(leaf: Atom) -> Category:
        unwanted = "feature" in rewriting and leaf.feature == rewriting["feature"]
        return replaced(leaf.replace(feature=None) if unwanted else leaf)

    def functor(old: Functor, result: Category, argument: Category) -> Category:
        if "argument" in rewriting and argument is Category.parse(rewriting["argument"]):
            return result
        if rewriting.get("modifiers") and result is argument:
            result = argument = result.without_features()
        return replaced(old.replace_parts(result, argument))

    return category.fold(atom, functor)
