"""Derivations as `nltk.Tree`: categories as labels, words as leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .category import Category
from .derivation import Derivation, Token
from .errors import CCGKitError
from .layout import postorder

if TYPE_CHECKING:
    from nltk.tree import Tree

__all__ = ["bracketed", "from_tree", "to_tree"]


def to_tree(derivation: Derivation) -> Tree:
    from nltk.tree import Tree

    waiting: list[Tree] = []
    for node in postorder(derivation):
        children: list[Tree | str] = [node.token.word if node.token else ""]
        if node.children:
            children = list(waiting[-len(node.children) :])
            del waiting[-len(node.children) :]
        waiting.append(Tree(str(node.category), children))
    return waiting.pop()


def from_tree(tree: Tree) -> Derivation:
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
    written: list[str] = []
    agenda: list[Derivation | str] = [derivation]
    while agenda:
        part = agenda.pop()
        if isinstance(part, str):
            written.append(part)
            continue
        written.append(f"{{{part.category}" + (f" {_word(part)}" if part.is_leaf else ""))
        agenda.append("}")
        for child in reversed(part.children):
            agenda += (child, " ")
    return "".join(written)


def _word(leaf: Derivation) -> str:
    word = leaf.token.word if leaf.token else ""
    return "_".join(word.replace("{", "-LCB-").replace("}", "-RCB-").split())
