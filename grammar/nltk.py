"""Categories as NLTK sees them: an `nltk.Tree`, or a category of `nltk.ccg`."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from .category import Atom, Category, Functor, Slash
from .errors import CCGKitError

if TYPE_CHECKING:
    from nltk.ccg.api import AbstractCCGCategory
    from nltk.tree import Tree

__all__ = ["from_tree", "to_ccg", "to_tree"]


def to_tree(category: Category) -> Tree | str:
    from nltk.tree import Tree

    if isinstance(category, Functor):
        label = f"{category.slash}{'[conj]' if category.conj else ''}"
        return Tree(label, [to_tree(category.result), to_tree(category.argument)])
    return str(category)


def from_tree(tree: Tree | str) -> Category:
    from nltk.tree import Tree

    if not isinstance(tree, Tree):
        return Category.parse(tree)
    label, conj = tree.label().removesuffix("[conj]"), tree.label().endswith("[conj]")
    if len(tree) != 2 or label not in (Slash.FORWARD, Slash.BACKWARD):
        raise CCGKitError(f"a functor's node is labelled / or \\ and has two children, not {tree}")
    return Functor(from_tree(tree[0]), label, from_tree(tree[1]), conj)


def to_ccg(category: Category) -> AbstractCCGCategory:
    from nltk.ccg.api import Direction, FunctionalCategory, PrimitiveCategory

    if isinstance(category, Functor):
        direction = Direction(str(category.slash), "")
        return FunctionalCategory(to_ccg(category.result), to_ccg(category.argument), direction)
    atom = cast(Atom, category)
    return PrimitiveCategory(atom.base, [atom.feature] if atom.feature else [])
