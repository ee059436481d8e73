"""Keys that tell at a glance which categories cannot combine.

Two categories combine only if the left one's `left_keys` and the right one's `right_keys` share a key; the
inverse does not hold. A parser asks this before it asks `combine`, which is a hundred times slower.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import lru_cache

from .category import Atom, Category, Functor, Slash
from .schemes import BinaryChange, Scheme
from .unification import unify

__all__ = ["left_keys", "right_keys"]

Key = tuple[str, Hashable]

_ANY: Key = ("any", None)


@lru_cache(maxsize=1 << 15)
def left_keys(category: Category, scheme: Scheme) -> frozenset[Key]:
    """What a category looks for, and offers, as the left one of two.

    >>> from .schemes import load_scheme
    >>> scheme, verb = load_scheme("ccgbank"), Category.parse("(S[dcl]\\\\NP)/NP")
    >>> left_keys(verb, scheme).isdisjoint(right_keys(Category.parse("NP"), scheme))
    False
    >>> left_keys(verb, scheme).isdisjoint(right_keys(Category.parse("PP"), scheme))
    True
    """
    keys = set(_functor_keys(category, scheme, Slash.FORWARD, Slash.BACKWARD))
    keys |= {("left", number) for number, schema in _schemata(scheme) if _fits(schema.lefts, category)}
    keys.add(("coordinate", _skeleton(category)))
    keys.add(("mark", None))
    if _is_mark(category) or category in scheme.conjunctions:
        keys.add(_ANY)
    return frozenset(keys)


@lru_cache(maxsize=1 << 15)
def right_keys(category: Category, scheme: Scheme) -> frozenset[Key]:
    """What a category looks for, and offers, as the right one of two."""
    keys = set(_functor_keys(category, scheme, Slash.BACKWARD, Slash.FORWARD))
    keys |= {("left", number) for number, schema in _schemata(scheme) if _fits(schema.rights, category)}
    keys.add(_ANY)
    if _is_mark(category):
        keys.add(("mark", None))
    if scheme.coordination == "plain":
        keys.add(("coordinate", _skeleton(category)))
    elif category.conj and isinstance(category, Atom | Functor):
        keys.add(("coordinate", _skeleton(category.replace(conj=False))))
    return frozenset(keys)


def _functor_keys(category: Category, scheme: Scheme, own: Slash, other: Slash) -> Iterator[Key]:
    """The argument wanted on the far side, and what others may want of this category or of its results.

    A key names the slash of the functor that wants: `("/", X)` is an X wanted to the right.
    """
    part: Category = category
    for _ in range(max(2, scheme.degree + 1)):
        yield other.value, _skeleton(part)
        if not isinstance(part, Functor):
            break
        part = part.result
    if isinstance(category, Functor):
        if category.slash is own:
            yield own.value, _skeleton(category.argument)
        if isinstance(category.result, Functor) and category.result.slash is own:  # for substitution
            yield own.value, _skeleton(category.result.argument)


def _skeleton(category: Category) -> Category:
    return category.without_features()


def _schemata(scheme: Scheme) -> Iterator[tuple[int, BinaryChange]]:
    return enumerate(scheme.binary)


def _fits(schemata: tuple[Category, ...], category: Category) -> bool:
    return any(unify(schema, category) for schema in schemata)


def _is_mark(category: Category) -> bool:
    return isinstance(category, Atom) and category.is_punctuation
