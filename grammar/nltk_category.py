"""Categories as NLTK sees them: an `nltk.Tree`, or a category of `nltk.ccg`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .category import CONJ, Atom, Category, Functor, Slash
from .errors import CCGKitError

if TYPE_CHECKING:
    from nltk.ccg.api import AbstractCCGCategory
    from nltk.tree import Tree

__all__ = ["from_tree", "to_ccg", "to_tree"]


def to_tree(category: Category) -> Tree:
    from nltk.tree import Tree

    def node(functor: Functor, result: Tree | str, argument: Tree | str) -> Tree:
        return Tree(f"{functor.slash}{CONJ if functor.conj else ''}", [result, argument])

    drawn = category.fold(str, node)
    return Tree(drawn, []) if isinstance(drawn, str) else drawn


def from_tree(tree: Tree) -> Category:
    """Nodes are read parents first, then built from the last one back."""
    from nltk.tree import Tree

    nodes, agenda = [], [tree]
    while agenda:
        node = agenda.pop()
        nodes.append(node)
        agenda.extend(reversed(node if isinstance(node, Tree) else ()))
    done: list[Category] = []
    for node in reversed(nodes):
        if not isinstance(node, Tree):
            done.append(Category.parse(node))
        elif len(node) == 0:
            done.append(Category.parse(node.label()))
        else:
            done.append(_functor(node, done))
    return done.pop()


def _functor(node: Tree, done: list[Category]) -> Functor:
    label = str(node.label())
    if len(node) != 2 or label.removesuffix(CONJ) not in tuple(Slash):
        raise CCGKitError(f"a functor's node has two children and the label / or \\, not {label!r}")
    result, argument = done.pop(), done.pop()
    return Functor(result, label.removesuffix(CONJ), argument, label.endswith(CONJ))


def to_ccg(category: Category) -> AbstractCCGCategory:
    from nltk.ccg.api import Direction, FunctionalCategory, PrimitiveCategory

    def primitive(atom: Atom) -> AbstractCCGCategory:
        return PrimitiveCategory(atom.base, [atom.feature] if atom.feature else [])

    def functional(
        functor: Functor, result: AbstractCCGCategory, argument: AbstractCCGCategory
    ) -> AbstractCCGCategory:
        return FunctionalCategory(result, argument, Direction(str(functor.slash), ""))

    return category.fold(primitive, functional)
