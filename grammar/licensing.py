"""Which rule made each node of a derivation: `.auto` files do not say, the categories do."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from .category import Category
from .combination import Combination, changed_head, combine, unary_rule
from .derivation import Derivation, Rule
from .schemes import Scheme

__all__ = ["annotate", "license_binary", "license_unary", "unlicensed"]


def annotate(derivation: Derivation, scheme: Scheme, *, keep_heads: bool = False) -> Derivation:
    """The derivation with the rule and head of each node; nodes the scheme does not admit have rule None."""
    done: list[Derivation] = []
    for node in reversed(list(derivation.nodes())):
        children = tuple(done.pop() for _ in node.children)
        found = _license(node, children, scheme)
        if found is None:
            done.append(replace(node, children=children, rule=None))
        else:
            head = node.head if keep_heads else found.head
            done.append(replace(node, children=children, rule=found.rule, head=head))
    return done.pop()


def unlicensed(derivation: Derivation, scheme: Scheme) -> list[Derivation]:
    """The inner nodes that no rule of the scheme makes."""
    return [node for node in annotate(derivation, scheme).nodes() if node.children and node.rule is None]


def license_unary(child: Category, parent: Category, scheme: Scheme) -> Combination | None:
    """The unary step from `child` to `parent`, None if the scheme has none."""
    if any(unary.licenses(child, parent) for unary in scheme.unary):
        return Combination(parent, unary_rule(child, parent), 0)
    return None


@lru_cache(maxsize=1 << 16)
def license_binary(
    left: Category, right: Category, parent: Category, scheme: Scheme, conjoined: bool = True
) -> Combination | None:
    """The first combination that makes `parent`: exactly, or but for features the label leaves open."""
    found = combine(left, right, scheme, conjoined)
    exact = (combination for combination in found if combination.category is parent)
    label = _open(parent)
    nearly = (combination for combination in found if _open(combination.category) is label)
    licensed = (
        Combination(parent, Rule.TYPE_CHANGE, changed_head(left))
        for schema in scheme.binary
        if schema.licenses(left, right, parent)
    )
    return next(exact, None) or next(nearly, None) or next(licensed, None)


def _license(node: Derivation, children: tuple[Derivation, ...], scheme: Scheme) -> Combination | None:
    if len(children) == 1:
        return license_unary(children[0].category, node.category, scheme)
    if len(children) == 2:
        left, right = children
        first = _first_leaf(right)
        conjoined = first.category in scheme.conjunctions
        return license_binary(left.category, right.category, node.category, scheme, conjoined)
    return None


def _first_leaf(derivation: Derivation) -> Derivation:
    while derivation.children:
        derivation = derivation.children[0]
    return derivation


@lru_cache(maxsize=1 << 14)
def _open(category: Category) -> Category:
    """The category without `[nb]` and feature variables, which labels write or leave out at will."""
    return category.map_atoms(
        lambda atom: atom.replace(feature=None) if atom.feature in ("nb", "X") else atom
    )
