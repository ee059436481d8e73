"""NLTK's view: categories as `nltk.Tree` or of `nltk.ccg`, derivations as `nltk.Tree`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..grammar import Atom, Category, CCGKitError, Derivation, Functor, Slash, Token
from ..grammar.category import CONJ

if TYPE_CHECKING:
    from nltk.ccg.api import AbstractCCGCategory
    from nltk.tree import Tree

__all__ = [
    "bracketed",
    "category_from_tree",
    "category_to_nltk",
    "category_to_tree",
    "derivation_from_tree",
    "derivation_to_tree",
]


def category_to_tree(category: Category) -> Tree:
    """See `Category.to_nltk_tree`."""
    from nltk.tree import Tree

    def node(functor: Functor, result: Tree | str, argument: Tree | str) -> Tree:
        return Tree(f"{functor.slash}{CONJ if functor.conj else ''}", [result, argument])

    drawn = category.fold(str, node)
    return Tree(drawn, []) if isinstance(drawn, str) else drawn


def category_from_tree(tree: Tree) -> Category:
    """See `Category.from_nltk_tree`. Nodes are read parents first, then built from the last one back."""
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


def category_to_nltk(category: Category) -> AbstractCCGCategory:
    """See `Category.to_nltk`."""
    from nltk.ccg.api import Direction, FunctionalCategory, PrimitiveCategory

    def primitive(atom: Atom) -> AbstractCCGCategory:
        return PrimitiveCategory(atom.base, [atom.feature] if atom.feature else [])

    def functional(
        functor: Functor, result: AbstractCCGCategory, argument: AbstractCCGCategory
    ) -> AbstractCCGCategory:
        return FunctionalCategory(result, argument, Direction(str(functor.slash), ""))

    return category.fold(primitive, functional)


def derivation_to_tree(derivation: Derivation) -> Tree:
    """See `Derivation.to_nltk_tree`."""
    from nltk.tree import Tree

    def tree(node: Derivation, children: tuple[Tree, ...]) -> Tree:
        return Tree(str(node.category), children or [node.token.word if node.token else ""])

    return derivation.fold(tree)


def derivation_from_tree(tree: Tree) -> Derivation:
    """See `Derivation.from_nltk_tree`."""
    agenda: list[Tree] = [tree]
    order: list[Tree] = []
    while agenda:
        node = agenda.pop()
        order.append(node)
        agenda.extend(_subtrees(node))
    waiting: list[Derivation] = []
    for node in reversed(order):
        category, subtrees = Category.parse(str(node.label())), _subtrees(node)
        if not subtrees:
            waiting.append(Derivation(category, token=Token(str(node[0]))))
            continue
        children = tuple(waiting[-len(subtrees) :])
        del waiting[-len(subtrees) :]
        waiting.append(Derivation(category, children))
    return waiting.pop()


def _subtrees(tree: Tree) -> list[Tree]:
    from nltk.tree import Tree

    if not isinstance(tree, Tree):
        raise CCGKitError(f"not an nltk.Tree, which a derivation is made of: {tree!r:.72}")
    subtrees = [child for child in tree if isinstance(child, Tree)]
    if len(subtrees) != len(tree) or not subtrees:
        # str(tree) would recurse: the label has to do
        if len(tree) != 1:
            raise CCGKitError(f"the node {tree.label()} has to stand over one word, or over nodes only")
        return []
    return subtrees


def bracketed(derivation: Derivation) -> str:
    """One line in braces, because categories have parentheses and brackets of their own.

    `nltk.Tree.fromstring(line, brackets="{}")` reads it; braces in words become `-LCB-` and `-RCB-`.
    """

    def step(node: Derivation, children: tuple[str, ...]) -> str:
        return f"{{{node.category} {' '.join(children) if children else _word(node)}}}"

    return derivation.fold(step)


def _word(leaf: Derivation) -> str:
    word = leaf.token.word if leaf.token else ""
    return "_".join(word.replace("{", "-LCB-").replace("}", "-RCB-").split())
