"""The combinatory rules as functions over category trees.

Each takes the left and the right category and gives the result, or None where it does not apply.

>>> left, right = Category.parse("(S[dcl]\\\\NP)/NP"), Category.parse("NP")
>>> forward_application(left, right)
S[dcl]\\NP
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from .category import Atom, Category, Functor, Slash
from .features import Unification, substitute, unify
from .heads import is_adjective, is_determiner, keeps_head

__all__ = [
    "Kind",
    "Rule",
    "backward_application",
    "backward_composition",
    "backward_crossed_composition",
    "backward_crossed_substitution",
    "backward_substitution",
    "forward_application",
    "forward_composition",
    "forward_crossed_composition",
    "forward_crossed_substitution",
    "forward_substitution",
    "functor_is_head",
    "generalized_composition",
    "is_normal",
    "type_raise",
]

FORWARD, BACKWARD = Slash.FORWARD, Slash.BACKWARD


class Kind(Enum):
    """What a step does, whichever way it looks."""

    APPLICATION = "application"
    COMPOSITION = "composition"
    SUBSTITUTION = "substitution"
    TYPE_RAISING = "type-raising"
    CONJUNCTION = "conjunction"
    COORDINATION = "coordination"
    PUNCTUATION = "punctuation"
    TYPE_CHANGE = "type change"


class Rule(Enum):
    """The step that made a node; the value is its symbol in the literature.

    `direction` is the slash of the functor, or of what type-raising makes; None of rules without one.
    """

    FORWARD_APPLICATION = ">", Kind.APPLICATION, FORWARD
    BACKWARD_APPLICATION = "<", Kind.APPLICATION, BACKWARD
    FORWARD_COMPOSITION = ">B", Kind.COMPOSITION, FORWARD
    BACKWARD_COMPOSITION = "<B", Kind.COMPOSITION, BACKWARD
    FORWARD_CROSSED_COMPOSITION = ">Bx", Kind.COMPOSITION, FORWARD, "crossed"
    BACKWARD_CROSSED_COMPOSITION = "<Bx", Kind.COMPOSITION, BACKWARD, "crossed"
    GENERALIZED_FORWARD_COMPOSITION = ">Bn", Kind.COMPOSITION, FORWARD, "generalized"
    GENERALIZED_BACKWARD_COMPOSITION = "<Bn", Kind.COMPOSITION, BACKWARD, "generalized"
    GENERALIZED_FORWARD_CROSSED_COMPOSITION = ">Bxn", Kind.COMPOSITION, FORWARD, "crossed", "generalized"
    GENERALIZED_BACKWARD_CROSSED_COMPOSITION = "<Bxn", Kind.COMPOSITION, BACKWARD, "crossed", "generalized"
    FORWARD_SUBSTITUTION = ">S", Kind.SUBSTITUTION, FORWARD
    BACKWARD_SUBSTITUTION = "<S", Kind.SUBSTITUTION, BACKWARD
    FORWARD_CROSSED_SUBSTITUTION = ">Sx", Kind.SUBSTITUTION, FORWARD, "crossed"
    BACKWARD_CROSSED_SUBSTITUTION = "<Sx", Kind.SUBSTITUTION, BACKWARD, "crossed"
    FORWARD_TYPE_RAISING = ">T", Kind.TYPE_RAISING, FORWARD
    BACKWARD_TYPE_RAISING = "<T", Kind.TYPE_RAISING, BACKWARD
    CONJUNCTION = "&", Kind.CONJUNCTION  # conj X -> X[conj]
    COORDINATION = "Φ", Kind.COORDINATION  # X X[conj] -> X
    LEFT_PUNCTUATION = "lp", Kind.PUNCTUATION  # , X -> X
    RIGHT_PUNCTUATION = "rp", Kind.PUNCTUATION  # X , -> X
    TYPE_CHANGE = "*", Kind.TYPE_CHANGE  # unary: N -> NP

    kind: Kind
    direction: Slash | None
    is_crossed: bool  #: an argument that is carried over looks to the other side
    is_generalized: bool  #: more than one argument is carried over

    def __new__(
        cls, symbol: str, kind: Kind = Kind.TYPE_CHANGE, direction: Slash | None = None, *marks: str
    ) -> Rule:
        # the default is for mypy alone, to which the look-up Rule(">") is a call of this
        rule = object.__new__(cls)
        rule._value_ = symbol
        rule.kind, rule.direction = kind, direction
        rule.is_crossed, rule.is_generalized = "crossed" in marks, "generalized" in marks
        return rule

    @property
    def symbol(self) -> str:
        """How drawings mark the rule: `>`, `<B`, `&` …"""
        return str(self.value)

    @property
    def is_combinatory(self) -> bool:
        """Whether a functor meets its argument: application, composition, substitution."""
        return self.kind in (Kind.APPLICATION, Kind.COMPOSITION, Kind.SUBSTITUTION)


def forward_application(left: Category, right: Category, loose: bool = False) -> Category | None:
    """X/Y  Y  →  X"""
    return _apply(left, right, FORWARD, loose)


def backward_application(left: Category, right: Category, loose: bool = False) -> Category | None:
    """Y  X\\Y  →  X"""
    return _apply(right, left, BACKWARD, loose)


def forward_composition(left: Category, right: Category, loose: bool = False) -> Category | None:
    """X/Y  Y/Z  →  X/Z"""
    return _compose(left, right, FORWARD, (FORWARD,), loose)


def forward_crossed_composition(left: Category, right: Category, loose: bool = False) -> Category | None:
    """X/Y  Y\\Z  →  X\\Z"""
    return _compose(left, right, FORWARD, (BACKWARD,), loose)


def backward_composition(left: Category, right: Category, loose: bool = False) -> Category | None:
    """Y\\Z  X\\Y  →  X\\Z"""
    return _compose(right, left, BACKWARD, (BACKWARD,), loose)


def backward_crossed_composition(left: Category, right: Category, loose: bool = False) -> Category | None:
    """Y/Z  X\\Y  →  X/Z"""
    return _compose(right, left, BACKWARD, (FORWARD,), loose)


def generalized_composition(
    left: Category, right: Category, direction: Slash, degree: int, loose: bool = False
) -> Category | None:
    """X/Y  (Y|Z1)…|Zn  →  (X|Z1)…|Zn, and its mirror image for `direction` backward."""
    functor, argument = (left, right) if direction is FORWARD else (right, left)
    slashes = tuple(part.slash for part in _spine(argument, degree))
    return _compose(functor, argument, direction, slashes, loose) if len(slashes) == degree else None


def forward_substitution(left: Category, right: Category, loose: bool = False) -> Category | None:
    """(X/Y)/Z  Y/Z  →  X/Z"""
    return _substitute(left, right, FORWARD, FORWARD, loose)


def forward_crossed_substitution(left: Category, right: Category, loose: bool = False) -> Category | None:
    """(X/Y)\\Z  Y\\Z  →  X\\Z"""
    return _substitute(left, right, FORWARD, BACKWARD, loose)


def backward_substitution(left: Category, right: Category, loose: bool = False) -> Category | None:
    """Y\\Z  (X\\Y)\\Z  →  X\\Z"""
    return _substitute(right, left, BACKWARD, BACKWARD, loose)


def backward_crossed_substitution(left: Category, right: Category, loose: bool = False) -> Category | None:
    """Y/Z  (X\\Y)/Z  →  X/Z"""
    return _substitute(right, left, BACKWARD, FORWARD, loose)


def type_raise(category: Category, target: Category, direction: Slash = FORWARD) -> Functor:
    """X  →  T/(T\\X), or T\\(T/X) for `direction` backward."""
    inner = BACKWARD if direction is FORWARD else FORWARD
    return Functor(target, direction, Functor(target, inner, category))


def functor_is_head(functor: Category) -> bool:
    """Whether a functor heads what it makes: modifiers, determiners and type-raised arguments do not."""
    leaves_head = keeps_head(functor) or is_determiner(functor) or is_adjective(functor)
    return not (leaves_head or functor.is_argument_cluster)


COMPOSITIONS: dict[Rule, Callable[..., Category | None]] = {
    Rule.FORWARD_APPLICATION: forward_application,
    Rule.BACKWARD_APPLICATION: backward_application,
    Rule.FORWARD_COMPOSITION: forward_composition,
    Rule.BACKWARD_COMPOSITION: backward_composition,
    Rule.FORWARD_CROSSED_COMPOSITION: forward_crossed_composition,
    Rule.BACKWARD_CROSSED_COMPOSITION: backward_crossed_composition,
    Rule.FORWARD_SUBSTITUTION: forward_substitution,
    Rule.BACKWARD_SUBSTITUTION: backward_substitution,
    Rule.FORWARD_CROSSED_SUBSTITUTION: forward_crossed_substitution,
    Rule.BACKWARD_CROSSED_SUBSTITUTION: backward_crossed_substitution,
}


def is_normal(rule: Rule, left: Rule | None, right: Rule | None) -> bool:
    """Whether `rule` may combine constituents that the rules `left` and `right` made.

    Eisner's (1996) normal form: what composition made may not be the functor of another step to the same
    side, and a type-raised category may not be applied. Both would only repeat a simpler derivation.

    >>> is_normal(Rule.FORWARD_APPLICATION, Rule.FORWARD_COMPOSITION, None)
    False
    """
    functor = left if rule.direction is FORWARD else right
    if not rule.is_combinatory or functor is None or functor.direction is not rule.direction:
        return True
    if functor.kind is Kind.TYPE_RAISING:
        return rule.kind is not Kind.APPLICATION
    return functor.kind is not Kind.COMPOSITION


def _apply(functor: Category, argument: Category, slash: Slash, loose: bool) -> Category | None:
    if not isinstance(functor, Functor) or functor.slash is not slash or functor.conj:
        return None
    match = unify(functor.argument, argument, loose)
    return None if match is None else _bare(_result(functor, match))


def _compose(
    functor: Category, argument: Category, slash: Slash, slashes: tuple[Slash, ...], loose: bool
) -> Category | None:
    """Compose `functor` with an argument whose outer slashes, outermost first, are `slashes`."""
    if not isinstance(functor, Functor) or functor.slash is not slash or functor.conj or argument.conj:
        return None
    outer = _spine(argument, len(slashes))
    if tuple(part.slash for part in outer) != slashes:
        return None
    match = unify(functor.argument, outer[-1].result, loose)
    if match is None:
        return None
    result = _result(functor, match)
    for part in reversed(outer):
        result = Functor(result, part.slash, substitute(part.argument, match.right))
    return result


def _substitute(
    functor: Category, argument: Category, slash: Slash, shared: Slash, loose: bool
) -> Category | None:
    if not (isinstance(functor, Functor) and isinstance(argument, Functor)):
        return None
    inner = functor.result
    if not isinstance(inner, Functor) or inner.slash is not slash or functor.conj or argument.conj:
        return None
    if functor.slash is not shared or argument.slash is not shared:
        return None
    match = unify(inner.argument, argument.result, loose)
    common = unify(functor.argument, argument.argument, loose)
    if match is None or common is None:
        return None
    return Functor(_result(inner, match), shared, common.category)


def _result(functor: Functor, match: Unification) -> Category:
    """The functor's result under the unifier.

    A part of the argument that is the result again (a modifier's, a type-raised category's) passes its
    features on: `(S\\NP)\\(S\\NP)` makes `S[dcl]\\NP` of `S[dcl]\\NP`.
    """
    part, matched = functor.argument, match.category
    while part is not functor.result:
        if not (isinstance(part, Functor) and isinstance(matched, Functor)):
            return substitute(functor.result, match.left)
        part, matched = part.result, matched.result
    return matched


def _bare(category: Category) -> Category:
    """CCGbank's node labels drop the determiners' `[nb]`: `NP[nb]/N  N` makes an `NP`."""
    return (
        category.replace(feature=None)
        if isinstance(category, Atom) and category.feature == "nb"
        else category
    )


def _spine(category: Category, length: int) -> list[Functor]:
    """The category and its results, as far as they are functors, at most `length`."""
    parts: list[Functor] = []
    while isinstance(category, Functor) and len(parts) < length:
        parts.append(category)
        category = category.result
    return parts
