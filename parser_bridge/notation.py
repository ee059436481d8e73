"""From this toolkit's categories to those that C&C knows, by the table `notation.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator
from functools import cache
from importlib.resources import files
from operator import itemgetter
from typing import Any

from ccgkit.grammar import Atom, Category, Functor, Slash

from .spellings import Spellings, functors

__all__ = ["Notation", "forms"]

_NEAREST = 5  # categories that are tried for an unknown one


class Notation:
    """Translates categories into those of a `markedup` file, and what C&C answers back.

    >>> Notation([Category.parse("NP[nb]/N")]).translate(Category.parse("NP/N"))
    NP[nb]/N
    """

    def __init__(self, known: Collection[Category], spellings: Spellings | None = None) -> None:
        self.known = frozenset(known)
        self.spellings = spellings or Spellings()
        self._order = tuple(known)
        self._memo: dict[Category, tuple[Category, ...]] = {}

    @property
    def noun(self) -> Category:
        """The category of nouns, or the first that is known."""
        noun = Atom("N")
        return noun if noun in self.known else self._order[0]

    def translate(self, category: Category) -> Category | None:
        """The category as C&C knows it; None where it does not."""
        return next(iter(self.translations(category)), None)

    def translations(self, category: Category) -> tuple[Category, ...]:
        """The category as C&C knows it, then others that a word with it should have, too."""
        if category not in self._memo:
            found = self._translate(self.spellings.write(category))
            also = None if found is None else _also().get(found)
            known = (found, also if also in self.known else None)
            self._memo[category] = tuple(each for each in known if each is not None)
        return self._memo[category]

    def fallbacks(self, category: Category) -> tuple[tuple[Category, float], ...]:
        """The known categories that are nearest to an unknown one, each with its distance, nearest first.

        They are several, since which of them combines with its neighbours is for C&C to find out; a noun
        where none has the same target.
        """
        near = [other for other in self._order if other.target.base == category.target.base]
        ranked = sorted(((other, _distance(category, other)) for other in near), key=itemgetter(1))
        return tuple(ranked[:_NEAREST]) or ((self.noun, 0.0),)

    def _translate(self, category: Category) -> Category | None:
        for rewriting in _rewritings():
            if rewriting.get("prefer") and (preferred := _rewrite(category, rewriting)) in self.known:
                return preferred
        return next((form for form in forms(category) if form in self.known), None)


def _distance(category: Category, other: Category) -> float:
    """How much a category would have to be changed: its target's feature, its arguments, their slashes."""
    mine, theirs = _spine(category), _spine(other)
    cost = float(category.target is not other.target) + 2.0 * abs(len(mine) - len(theirs))
    for (slash, argument), (other_slash, other_argument) in zip(mine, theirs, strict=False):
        cost += (slash is not other_slash) + _argument_distance(argument, other_argument)
    return cost


def _argument_distance(argument: Category, other: Category) -> float:
    if argument is other:
        return 0.0
    if argument.without_features() is other.without_features():
        return 0.25
    if argument.target.base != other.target.base:
        return 2.0
    shape = [slash for slash, _ in _spine(argument)], [slash for slash, _ in _spine(other)]
    return 0.5 + 0.25 * (argument.target is not other.target) + 0.25 * (shape[0] != shape[1])


def _spine(category: Category) -> list[tuple[Slash, Category]]:
    """The arguments with their slashes, the target's first one first."""
    return [(part.slash, part.argument) for part in functors(category)][::-1]


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
