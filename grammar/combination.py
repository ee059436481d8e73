"""All ways to combine two categories, or to change one, under a scheme.

>>> scheme = load_scheme("ccgbank")
>>> combine("NP", "S[dcl]\\\\NP", scheme)
(Combination(category=S[dcl], rule=<Rule.BACKWARD_APPLICATION: '<'>, head=1),)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from .category import Atom, Category, Functor, Slash, as_category
from .features import unify
from .rules import COMPOSITIONS, Rule, functor_is_head, generalized_composition
from .schemes import BinaryChange, Scheme, load_scheme

__all__ = ["Combination", "change", "combine", "left_keys", "right_keys"]

LEFT, RIGHT = 0, 1

_GENERALIZED = {(rule.direction, rule.is_crossed): rule for rule in Rule if rule.is_generalized}


@dataclass(frozen=True, slots=True)
class Combination:
    """A result, the rule that made it, and the side of its head (0 left, 1 right)."""

    category: Category
    rule: Rule
    head: int


@lru_cache(maxsize=1 << 17)
def combine(
    left: Category | str, right: Category | str, scheme: Scheme | None = None, conjoined: bool = True
) -> tuple[Combination, ...]:
    """Every combination of two adjacent categories, or spellings, that the scheme (CCGbank's if none) admits.

    `conjoined` says whether the right constituent begins with a conjunction or comma: schemes that
    leave no trace of it in the category (UD-CCG) coordinate only then.

    >>> [(found.category, found.rule.symbol) for found in combine("S/NP", "NP")]
    [(S, '>')]
    """
    left, right, scheme = as_category(left), as_category(right), scheme or load_scheme("ccgbank")
    found = (
        *_combinatory(left, right, scheme),
        *_generalized(left, right, scheme),
        *_COORDINATIONS[scheme.coordination](left, right, scheme, conjoined),
        *_punctuation(left, right),
        *_changed(left, right, scheme),
    )
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=1 << 14)
def change(category: Category | str, scheme: Scheme | None = None) -> tuple[Combination, ...]:
    """Every unary step from a category, or spelling, that the scheme (CCGbank's if none) admits."""
    category, scheme = as_category(category), scheme or load_scheme("ccgbank")
    results = (result for unary in scheme.unary for result in unary.results(category))
    return tuple(
        Combination(result, unary_rule(category, result), LEFT)
        for result in dict.fromkeys(results)
        if result is not category
    )


def unary_rule(category: Category, parent: Category) -> Rule:
    """Type-raising if the parent is the category raised, a type change otherwise."""
    match parent:
        case Functor(_, slash, Functor(_, _, raised)) if parent.is_type_raised and unify(raised, category):
            forward = slash is Slash.FORWARD
            return Rule.FORWARD_TYPE_RAISING if forward else Rule.BACKWARD_TYPE_RAISING
    return Rule.TYPE_CHANGE


def _combinatory(left: Category, right: Category, scheme: Scheme) -> Iterator[Combination]:
    for rule in scheme.rules:
        if rule in COMPOSITIONS:
            result = COMPOSITIONS[rule](left, right, scheme.loose_variables)
            if result is not None:
                yield Combination(result, rule, _head(rule, left, right))


def _generalized(left: Category, right: Category, scheme: Scheme) -> Iterator[Combination]:
    for direction, argument in ((Slash.FORWARD, right), (Slash.BACKWARD, left)):
        functor = left if direction is Slash.FORWARD else right
        if not isinstance(functor, Functor) or functor.slash is not direction:
            continue
        for degree in range(2, scheme.degree + 1):
            result = generalized_composition(left, right, direction, degree, scheme.loose_variables)
            if result is None:
                continue
            rule = _GENERALIZED[direction, _is_crossed(argument, degree, direction)]
            if rule in scheme.rules:
                yield Combination(result, rule, _head(rule, left, right))


def _is_crossed(argument: Category, degree: int, direction: Slash) -> bool:
    """Whether an argument that is carried over looks to the other side."""
    for _ in range(degree):
        if isinstance(argument, Functor):
            if argument.slash is not direction:
                return True
            argument = argument.result
    return False


def _head(rule: Rule, left: Category, right: Category) -> int:
    functor, side = (left, LEFT) if rule.direction is Slash.FORWARD else (right, RIGHT)
    return side if functor_is_head(functor) else 1 - side


def _marking(left: Category, right: Category, scheme: Scheme, conjoined: bool) -> Iterator[Combination]:
    """conj X → X[conj];  X X[conj] → X"""
    if left in scheme.conjunctions and not right.conj and not is_mark(right):
        yield Combination(right.replace(conj=True), Rule.CONJUNCTION, RIGHT)
    if right.conj and not left.conj:
        match = unify(left, right.replace(conj=False))
        if match is not None:
            yield Combination(match.category, Rule.COORDINATION, LEFT)


def functor_conjuncts(
    left: Category, right: Category, scheme: Scheme, conjoined: bool = True
) -> Iterator[Combination]:
    """conj X → X\\X; the rest is backward application"""
    if left in scheme.conjunctions and not is_mark(right):
        yield Combination(Functor(right, Slash.BACKWARD, right), Rule.CONJUNCTION, RIGHT)


def _plain(left: Category, right: Category, scheme: Scheme, conjoined: bool) -> Iterator[Combination]:
    """conj X → X;  X X → X where the right one begins with a conjunction"""
    if left in scheme.conjunctions:
        yield Combination(right, Rule.CONJUNCTION, RIGHT)
    match = unify(left, right) if conjoined and not is_mark(left) else None
    if match is not None:
        yield Combination(match.category, Rule.COORDINATION, LEFT)


_COORDINATIONS: dict[str, Callable[[Category, Category, Scheme, bool], Iterator[Combination]]] = {
    "mark": _marking,
    "functor": functor_conjuncts,
    "plain": _plain,
}


def _punctuation(left: Category, right: Category) -> Iterator[Combination]:
    """X , → X;  , X → X"""
    if is_mark(right):
        yield Combination(left, Rule.RIGHT_PUNCTUATION, LEFT)
    if is_mark(left):
        yield Combination(right, Rule.LEFT_PUNCTUATION, RIGHT)


def _changed(left: Category, right: Category, scheme: Scheme) -> Iterator[Combination]:
    for schema in scheme.binary:
        for result in schema.combine(left, right):
            yield Combination(result, Rule.TYPE_CHANGE, changed_head(left))


def changed_head(left: Category) -> int:
    """The head of a binary type change: the side that is not the mark or conjunction."""
    return RIGHT if is_mark(left) or left is Atom("conj") else LEFT


def is_mark(category: Category) -> bool:
    """Whether a category is a punctuation mark's."""
    return isinstance(category, Atom) and category.is_punctuation and not category.conj


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
    keys |= {("left", number) for number, schema in _schemata(scheme) if schema.takes(category, schema.lefts)}
    keys.add(("coordinate", _skeleton(category)))
    keys.add(("mark", None))
    if is_mark(category) or category in scheme.conjunctions:
        keys.add(_ANY)
    return frozenset(keys)


@lru_cache(maxsize=1 << 15)
def right_keys(category: Category, scheme: Scheme) -> frozenset[Key]:
    """What a category looks for, and offers, as the right one of two."""
    keys = set(_functor_keys(category, scheme, Slash.BACKWARD, Slash.FORWARD))
    keys |= {
        ("left", number) for number, schema in _schemata(scheme) if schema.takes(category, schema.rights)
    }
    keys.add(_ANY)
    if is_mark(category):
        keys.add(("mark", None))
    if scheme.coordination == "plain":
        keys.add(("coordinate", _skeleton(category)))
    elif category.conj:
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
