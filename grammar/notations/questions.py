"""Questions in CCGbank's notation: *what is*, *where*, *how many*."""

from __future__ import annotations

from dataclasses import replace

from ..category import Category, Functor, Slash
from ..derivation import Derivation
from ..errors import NotationError
from ..rules import Rule
from ..schemes import Scheme
from .inventory import ASKED_OBJECT, ASKED_SUBJECT, BARE_DETERMINER, COPULA, INVERTED, PP, QUESTION, N
from .relabelling import relabelled
from .steps import joined
from .words import is_copula, word_of

__all__ = ["asked", "counted", "is_counting"]

_ASKED_ARGUMENT, _ASKED_ADJUNCT = Category.parse("S[wq]/(S[q]/PP)"), Category.parse("S[wq]/S[q]")
_FRONTED = Category.parse("(S[wq]/(S[q]/PP))/(S[wq]/(S[q]/NP))")
_PLACED_COPULA, _PREMODIFIER = Category.parse("(S[q]/PP)/NP"), Category.parse("N/N")
_PLACING = frozenset(("in", "on", "at", "during"))
_MANY = frozenset(("many", "much"))
_CHANGED: dict[Rule | None, int] = {  # the child of a step that holds the verb without its PP
    Rule.FORWARD_APPLICATION: 0, Rule.FORWARD_COMPOSITION: 1, Rule.BACKWARD_CROSSED_COMPOSITION: 0,
    Rule.RIGHT_PUNCTUATION: 0,
}  # fmt: skip


def asked(category: Category, asker: Derivation, clause: Derivation, scheme: Scheme) -> Derivation | None:
    """The question of a question phrase, which had the category in CCGrebank; None if it stays as it is."""
    if category is ASKED_SUBJECT:
        return _identified(asker, clause, scheme)
    return _placed(asker, clause, scheme) if category is _ASKED_ARGUMENT else None


def _identified(asker: Derivation, clause: Derivation, scheme: Scheme) -> Derivation | None:
    """What is X? The copula is inverted."""
    try:
        verb = relabelled(clause, INVERTED, scheme, COPULA)
        return joined(QUESTION, replace(asker, category=ASKED_OBJECT), verb, scheme)
    except NotationError:
        return None


def _placed(asker: Derivation, clause: Derivation, scheme: Scheme) -> Derivation | None:
    """Where is X? *Is* takes what is asked for as an NP. Where did X sing? It is an adjunct."""
    first = next(asker.leaves())
    fronted = first.category is _FRONTED
    if fronted and word_of(first).lower() not in _PLACING:
        return None  # for whom: an argument
    ways = ((_ASKED_ADJUNCT, _without_place),) if fronted else (
        (ASKED_OBJECT, _with_inverted_copula), (_ASKED_ADJUNCT, _without_place)
    )  # fmt: skip
    for category, change in ways:
        try:
            verb = change(clause, scheme)
            return joined(QUESTION, relabelled(asker, category, scheme), verb, scheme)
        except NotationError:
            continue
    return None


def _with_inverted_copula(clause: Derivation, scheme: Scheme) -> Derivation:
    return relabelled(clause, INVERTED, scheme, _PLACED_COPULA)


def _without_place(clause: Derivation, scheme: Scheme) -> Derivation:
    """The clause X/PP as X: its verb, wherever it stands, does without the PP."""
    spine: list[tuple[Derivation, int, int]] = []  # nodes, which child is changed, arguments outside the PP
    node, depth = clause, 0
    while len(node.children) == 2:
        place = _CHANGED.get(node.rule) if depth == 0 or node.rule is Rule.FORWARD_APPLICATION else None
        if place is None:
            break
        spine.append((node, place, depth))
        node, depth = node.children[place], depth + (node.rule is Rule.FORWARD_APPLICATION)
    if not node.is_leaf or is_copula(node):
        raise NotationError(f"{' '.join(node.words)} cannot do without its PP")
    node = replace(node, category=_without_pp(node.category, depth))
    for above, place, depth in reversed(spine):
        left, right = above.children
        children = (node, right) if place == 0 else (left, node)
        node = joined(_without_pp(above.category, depth), *children, scheme)
        if node.rule is None:
            raise NotationError(f"{' '.join(node.words)} cannot do without its PP")
    return node


def _without_pp(category: Category, depth: int) -> Category:
    """The category without its argument PP, so many arguments further in."""
    outer = []
    for _ in range(depth):
        if not isinstance(category, Functor):
            break
        outer.append(category)
        category = category.result
    if not isinstance(category, Functor) or category.argument is not PP:
        raise NotationError(f"{category} has no argument PP")
    category = category.result
    for functor in reversed(outer):
        category = Functor(category, functor.slash, functor.argument)
    return category


def is_counting(asker: Derivation, noun: Derivation) -> bool:
    """Whether this is *how* before *many* and a noun."""
    return (
        word_of(asker).lower() == "how"
        and isinstance(asker.category, Functor)
        and asker.category.argument is noun.category is N
        and len(noun.children) == 2
        and word_of(noun.children[0]).lower() in _MANY
        and noun.children[0].category is _PREMODIFIER
    )


def counted(asker: Derivation, many: Derivation, noun: Derivation, scheme: Scheme) -> Derivation:
    """How many N? *How* takes *many* and then the noun."""
    category = asker.category
    if not isinstance(category, Functor):
        raise NotationError(f"{category} is not a functor")
    how = replace(asker, category=Functor(category, Slash.FORWARD, BARE_DETERMINER))
    many = replace(many, category=BARE_DETERMINER)
    return joined(category.result, joined(category, how, many, scheme), noun, scheme)
