"""Steps of a derivation under the scheme of a notation."""

from __future__ import annotations

from ..category import Category
from ..combination import combine
from ..derivation import Derivation, license_binary, license_unary
from ..errors import NotationError
from ..features import unify
from ..schemes import Scheme

__all__ = ["joined", "licensed", "raised"]


def joined(category: Category, left: Derivation, right: Derivation, scheme: Scheme) -> Derivation:
    """A step to the category, or to one that only says more than it."""
    one, other = left.category, right.category
    found = license_binary(one, other, category, scheme)
    if found is None:
        near = (step for step in combine(one, other, scheme) if unify(step.category, category))
        found = next(near, None)
    if found is None:
        return Derivation(category, (left, right))
    return Derivation(found.category, (left, right), None, found.rule, found.head)


def raised(category: Category, child: Derivation, scheme: Scheme) -> Derivation:
    found = license_unary(child.category, category, scheme)
    return Derivation(category, (child,), None, found.rule if found else None)


def licensed(tree: Derivation, scheme: Scheme) -> Derivation:
    for node in tree.nodes():
        if node.children and node.rule is None:
            parts = " ".join(str(child.category) for child in node.children)
            raise NotationError(
                f"{parts} do not make {node.category} in the notation of {scheme.notation} "
                f"({' '.join(node.words)})"
            )
    return tree
