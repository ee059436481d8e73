"""Derivations of another category: the functors change with it, down to the words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..category import Category, Functor
from ..derivation import Derivation
from ..errors import NotationError
from ..rules import Rule
from ..schemes import Scheme
from .inventory import NOUN_PREPOSITION, NP, PHRASE_PREPOSITION
from .steps import joined, raised
from .words import is_copula, word_of

__all__ = ["relabelled"]


def relabelled(
    tree: Derivation, category: Category, scheme: Scheme, only: Category | None = None
) -> Derivation:
    """The derivation of another category, its functors changed down to the words.

    With `only`, the one word that is changed is a form of *be* with that category.
    """
    wanted = {id(tree): category}
    for node in tree.nodes():
        if id(node) not in wanted:
            continue
        new = wanted[id(node)]
        if node.is_leaf and only is not None and (node.category is not only or not is_copula(node)):
            raise NotationError(f"{word_of(node)!r} is not a copula")
        for child, label in _children_wanted(node, new):
            wanted[id(child)] = label

    def rebuilt(node: Derivation, children: Sequence[Derivation]) -> Derivation:
        label = wanted.get(id(node), node.category)
        if not children:
            return replace(node, category=label)
        if len(children) == 1:
            return raised(label, children[0], scheme)
        return joined(label, children[0], children[1], scheme)

    return tree.fold(rebuilt)


def _children_wanted(node: Derivation, new: Category) -> Iterable[tuple[Derivation, Category]]:
    """The children whose categories change with their parent's, and what they become."""
    if len(node.children) < 2 or new is node.category:
        return
    left, right = node.children
    if node.rule is Rule.COORDINATION:
        yield from ((left, new), (right, new.replace(conj=True)))
    elif node.rule is Rule.CONJUNCTION:
        yield right, new.replace(conj=False) if new.conj else new.result  # type: ignore[attr-defined]
    elif node.rule is Rule.RIGHT_PUNCTUATION:
        yield left, new
    elif node.rule is Rule.LEFT_PUNCTUATION:
        yield right, new
    elif node.rule in (Rule.FORWARD_APPLICATION, Rule.BACKWARD_APPLICATION):
        forward = node.rule is Rule.FORWARD_APPLICATION
        functor, argument = (left, right) if forward else (right, left)
        yield from _functor_wanted(functor, argument, new)
    else:
        raise NotationError(
            f"{node.category} by {node.rule.symbol if node.rule else '?'} cannot become {new}"
        )


def _functor_wanted(
    functor: Derivation, argument: Derivation, new: Category
) -> Iterable[tuple[Derivation, Category]]:
    category = functor.category
    if not isinstance(category, Functor):
        raise NotationError(f"{category} is not a functor")
    if category.result is category.argument:  # a modifier, or what a conjunction made
        yield from ((functor, Functor(new, category.slash, new)), (argument, new))
    elif category.argument is NOUN_PREPOSITION and new.target is NP:  # which, after its preposition
        yield functor, Functor(new, category.slash, PHRASE_PREPOSITION)
        yield argument, PHRASE_PREPOSITION
    else:
        yield functor, Functor(new, category.slash, category.argument)
