"""NLTK: categories, derivations and lexica as `nltk.ccg` has them, and as `nltk.Tree`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..grammar import Atom, Category, CCGKitError, Derivation, Functor, Rule, Slash, Token
from ..grammar.category import CONJ

if TYPE_CHECKING:
    from nltk.ccg.api import AbstractCCGCategory
    from nltk.ccg.lexicon import CCGLexicon
    from nltk.tree import Tree

__all__ = [
    "bracketed",
    "category_from_nltk",
    "category_from_tree",
    "category_to_nltk",
    "category_to_tree",
    "derivation_from_chart",
    "derivation_from_tree",
    "derivation_to_chart",
    "derivation_to_tree",
    "lexicon_from_nltk",
    "lexicon_to_nltk",
]

_LEAF = "Leaf"  # what NLTK's charts call the step from a word to its category
_RULES = {rule.value: rule for rule in Rule}


def category_to_tree(category: Category) -> Tree:
    """See `Category.to_nltk_tree`."""
    from nltk.tree import Tree

    def node(functor: Functor, result: Tree | str, argument: Tree | str) -> Tree:
        return Tree(f"{functor.slash}{CONJ if functor.conj else ''}", [result, argument])

    drawn = category.fold(str, node)
    return Tree(drawn, []) if isinstance(drawn, str) else drawn


def category_from_tree(tree: Tree) -> Category:
    """See `Category.from_nltk_tree`. Nodes are read parents first, then built from the last one back.

    Raises `CCGKitError` where a node is not a category's.
    """
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


def category_from_nltk(category: AbstractCCGCategory) -> Category:
    """The category of one of `nltk.ccg`'s; modes of its slashes are left out.

    Raises `CCGKitError` where it has a variable, or an atom with several features.
    """
    order: list[Any] = []
    agenda: list[Any] = [category]
    while agenda:
        part = agenda.pop()
        order.append(part)
        if part.is_function():
            agenda.extend((part.arg(), part.res()))
    done: list[Category] = []
    for part in reversed(order):
        if part.is_function():
            result, argument = done.pop(), done.pop()
            done.append(Functor(result, part.dir().dir(), argument))
        elif part.is_var() or len(part.restrs()) > 1:
            raise CCGKitError(f"{category} has {part}, for which there is no category here")
        else:
            done.append(Atom(part.categ(), *part.restrs()))
    return done.pop()


def derivation_to_chart(derivation: Derivation) -> Tree:
    """The derivation as `nltk.ccg.chart` parses have it, for `printCCGDerivation` and the like."""
    from nltk.ccg.lexicon import Token as Entry
    from nltk.tree import Tree

    def tree(node: Derivation, children: tuple[tuple[Tree, list[str]], ...]) -> tuple[Tree, list[str]]:
        category = category_to_nltk(node.category)
        if node.token is not None:
            entry = Entry(node.token.word, category)
            return Tree((entry, _LEAF), [Tree(entry, [node.token.word])]), [node.token.word]
        words = [word for _, covered in children for word in covered]
        symbol = "" if node.rule is None else node.rule.symbol
        return Tree((Entry(words, category), symbol), [child for child, _ in children]), words

    return derivation.fold(tree)[0]


def derivation_from_chart(tree: Tree) -> Derivation:
    """The derivation of a parse of `nltk.ccg.chart.CCGChartParser`, with its rules.

    Raises `CCGKitError` where it is not one.
    """
    agenda: list[Any] = [tree]
    order: list[Any] = []
    while agenda:
        node = agenda.pop()
        if not _is_chart_node(node):
            raise CCGKitError(f"not a parse of nltk.ccg's chart: {node!r:.72}")
        order.append(node)
        agenda.extend(() if node.label()[1] == _LEAF else node)
    waiting: list[Derivation] = []
    for node in reversed(order):
        entry, rule = node.label()
        category = category_from_nltk(entry.categ())
        if rule == _LEAF:
            waiting.append(Derivation(category, token=Token(str(node[0][0]))))
            continue
        first = len(waiting) - len(node)
        waiting[first:] = [Derivation(category, tuple(waiting[first:]), None, _RULES.get(rule))]
    return waiting.pop()


def _is_chart_node(node: Any) -> bool:
    from nltk.tree import Tree

    label = node.label() if isinstance(node, Tree) else None
    return isinstance(label, tuple) and len(label) == 2 and hasattr(label[0], "categ") and len(node) > 0


def lexicon_to_nltk(entries: Mapping[str, Iterable[Category]], start: Category) -> CCGLexicon:
    """A lexicon for `nltk.ccg.chart.CCGChartParser`, such as the `entries` of `ccgkit.teaching.Lexicon`."""
    from nltk.ccg.lexicon import CCGLexicon
    from nltk.ccg.lexicon import Token as Entry

    words = {word: [Entry(word, category_to_nltk(one)) for one in found] for word, found in entries.items()}
    atoms = {atom.base for found in entries.values() for one in found for atom in one.atoms()}
    made = CCGLexicon(str(start), sorted(atoms), {}, words)
    made._start = category_to_nltk(start)  # which may have a feature
    return made


def lexicon_from_nltk(lexicon: CCGLexicon) -> dict[str, tuple[Category, ...]]:
    """The categories of each word, as `ccgkit.teaching.Lexicon` takes them.

    Raises `CCGKitError` where there is no category of ours for one of them.
    """
    entries: dict[str, list[Any]] = lexicon._entries  # which NLTK shows word by word only
    return {
        word: tuple(category_from_nltk(entry.categ()) for entry in found) for word, found in entries.items()
    }


def derivation_to_tree(derivation: Derivation) -> Tree:
    """See `Derivation.to_nltk_tree`."""
    from nltk.tree import Tree

    def tree(node: Derivation, children: tuple[Tree, ...]) -> Tree:
        return Tree(str(node.category), children or [node.token.word if node.token else ""])

    return derivation.fold(tree)


def derivation_from_tree(tree: Tree) -> Derivation:
    """See `Derivation.from_nltk_tree`.

    Raises `CCGKitError` where a node is not a derivation's.
    """
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
