"""Derivations: trees of categories over the tokens of a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar, cast

from .category import Category
from .combination import Combination, changed_head, combine, functor_conjuncts, unary_rule
from .rules import Rule, is_normal
from .schemes import Scheme
from .traversal import preorder
from .views import view

if TYPE_CHECKING:
    from nltk.tree import Tree

__all__ = [
    "Derivation",
    "Step",
    "Token",
    "annotate",
    "in_normal_form",
    "license_binary",
    "license_unary",
    "unlicensed",
]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Token:
    """A word and what is known of it; `start` and `end` are offsets into the original text.

    `original_pos` and `indexed_category` are CCGbank's further leaf fields, where they say more
    than `pos` and the leaf's category; `entity` is the kind of a named entity as C&C writes it, `I-ORG`.
    """

    word: str
    pos: str | None = None
    start: int | None = None
    end: int | None = None
    original_pos: str | None = None
    indexed_category: str | None = None
    lemma: str | None = None
    entity: str | None = None


Node = tuple[Category, Rule | None, int, int]  #: category, rule, head, number of children


@dataclass(frozen=True, slots=True)
class Step:
    """A word with its category, or what a rule makes of `parts`; `words` are those it covers."""

    words: tuple[str, ...]
    category: Category
    rule: Rule | None = None
    parts: tuple[Category, ...] = ()

    def __str__(self) -> str:
        symbol = f"  {self.rule.symbol}" if self.rule else ""
        return f"{' '.join(self.words)} := {self.category}{symbol}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Derivation:
    """A node with its category: a leaf over a token, or the result of a rule over its children.

    `head` is the index of the child that is the head; `rule` is None where it is not known.
    """

    category: Category
    children: tuple[Derivation, ...] = ()
    token: Token | None = None
    rule: Rule | None = None
    head: int = 0

    def __reduce__(self) -> tuple[object, ...]:
        return unflat, (flat(self), [leaf.token for leaf in self.leaves()])  # not to recurse in a deep tree

    @property
    def is_leaf(self) -> bool:
        """Whether this is a word with its category."""
        return not self.children

    def nodes(self) -> Iterator[Derivation]:
        """This node and all below it, parents first, left to right."""
        return preorder(self)

    def fold(self, step: Callable[[Derivation, tuple[T, ...]], T]) -> T:
        """A value computed bottom-up, left to right: from each node and its children's values."""
        agenda, order = [self], []
        while agenda:
            node = agenda.pop()
            order.append(node)
            agenda.extend(node.children)
        waiting: list[T] = []
        for node in reversed(order):
            first = len(waiting) - len(node.children)
            waiting[first:] = [step(node, tuple(waiting[first:]))]
        return waiting.pop()

    def leaves(self) -> Iterator[Derivation]:
        """The leaves from left to right."""
        return (node for node in self.nodes() if not node.children)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the leaves, from left to right."""
        return tuple(leaf.token for leaf in self.leaves() if leaf.token is not None)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the leaves, from left to right."""
        return tuple(token.word for token in self.tokens)

    def head_words(self) -> tuple[int, ...]:
        """What word each word depends on: the head of the constituent that it, or its phrase, is part of.

        Words are named by their places; the head of all has -1.
        """
        heads: list[int] = []

        def head(node: Derivation, children: tuple[int, ...]) -> int:
            if not children:
                heads.append(-1)
                return len(heads) - 1
            for place, child in enumerate(children):
                if place != node.head:
                    heads[child] = children[node.head]
            return children[node.head]

        self.fold(head)
        return tuple(heads)

    def steps(self) -> list[Step]:
        """The words and steps in the order in which they can be done, left to right; printed, one a line."""
        done: list[Step] = []

        def step(node: Derivation, words: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
            covered = sum(words, ()) if words else ((node.token.word if node.token else ""),)
            done.append(Step(covered, node.category, node.rule, tuple(c.category for c in node.children)))
            return covered

        self.fold(step)
        return done

    def pretty(self, width: int | None = None, colour: bool = False) -> str:
        """The classical drawing as text: words, their categories, a line with its symbol under each step.

        What does not fit into `width` columns is cut into constituents that refer to each other as ⟨1⟩;
        `colour` adds ANSI colours.
        """
        return cast(str, view("derivation_pretty")(self, width, colour))

    def in_notation(self, notation: str) -> Derivation:
        """The derivation in the notation `ccgbank` or `rebank`, from the other one: docs/notations.md.

        Raises `NotationError` where there is no such notation, or no way to it.
        """
        from .notations import in_notation

        return in_notation(self, notation)

    def to_nltk_tree(self) -> Tree:
        """An `nltk.Tree` with categories as labels and words as leaves; it knows no rules and no POS."""
        return cast("Tree", view("derivation_to_nltk_tree")(self))

    @staticmethod
    def from_nltk_tree(tree: Tree) -> Derivation:
        """The derivation of an `nltk.Tree` labelled with categories, as `to_nltk_tree` makes it."""
        return cast(Derivation, view("derivation_from_nltk_tree")(tree))

    def _repr_html_(self) -> str:
        """The drawing that Jupyter shows."""
        return cast(str, view("derivation_html")(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Derivation):
            return NotImplemented
        return self is other or self._signature() == other._signature()

    def __hash__(self) -> int:
        return hash(tuple(self._signature()))  # readings of a sentence share its words and root

    def _signature(self) -> list[tuple[object, ...]]:
        """The nodes in order, without recursion: two derivations are equal when these are."""
        return [(n.category, len(n.children), n.token, n.rule, n.head) for n in self.nodes()]

    def __repr__(self) -> str:
        return f"<Derivation {self.category}: {' '.join(self.words)}>"


def flat(derivation: Derivation) -> list[Node]:
    """The nodes of a tree, parents first, without its tokens."""
    return [(node.category, node.rule, node.head, len(node.children)) for node in derivation.nodes()]


def unflat(nodes: Sequence[Node], tokens: Sequence[Token | None]) -> Derivation:
    """The tree of such nodes over the first of the tokens."""
    leaves = sum(1 for node in nodes if not node[3])
    done: list[Derivation] = []
    for category, rule, head, arity in reversed(nodes):
        if arity:
            done.append(Derivation(category, tuple(done.pop() for _ in range(arity)), None, rule, head))
        else:
            leaves -= 1
            done.append(Derivation(category, (), tokens[leaves]))
    return done.pop()


def annotate(derivation: Derivation, scheme: Scheme, *, keep_heads: bool = False) -> Derivation:
    """The derivation with the rule and head of each node; nodes the scheme does not admit have rule None.

    With `keep_heads` heads stay as they are.
    """

    def licensed(node: Derivation, children: tuple[Derivation, ...]) -> Derivation:
        found = _license(node, children, scheme)
        if found is None:
            return replace(node, children=children, rule=None)
        head = node.head if keep_heads else found.head
        return replace(node, children=children, rule=found.rule, head=head)

    return derivation.fold(licensed)


def unlicensed(derivation: Derivation, scheme: Scheme) -> list[Derivation]:
    """The inner nodes that no rule of the scheme makes."""
    return [node for node in annotate(derivation, scheme).nodes() if node.children and node.rule is None]


def in_normal_form(derivation: Derivation) -> bool:
    """Whether every step of an annotated derivation is normal."""
    return all(
        is_normal(node.rule, node.children[0].rule, node.children[1].rule)
        for node in derivation.nodes()
        if node.rule is not None and len(node.children) == 2
    )


def license_unary(child: Category, parent: Category, scheme: Scheme) -> Combination | None:
    """The unary step from `child` to `parent`, None if the scheme has none."""
    if any(unary.licenses(child, parent) for unary in scheme.unary):
        return Combination(parent, unary_rule(child, parent), 0)
    return None


@lru_cache(maxsize=1 << 16)
def license_binary(
    left: Category, right: Category, parent: Category, scheme: Scheme, conjoined: bool = True
) -> Combination | None:
    """The first combination that makes `parent`: exactly, or but for features the label leaves open.

    A conjunct may be X\\X in CCGbank's scheme, too: so C&C, EasyCCG and depccg label it in their trees.
    """
    found = combine(left, right, scheme, conjoined)
    exact = (combination for combination in found if combination.category is parent)
    label = _open(parent)
    nearly = (combination for combination in found if _open(combination.category) is label)
    licensed = (
        Combination(parent, Rule.TYPE_CHANGE, changed_head(left))
        for schema in scheme.binary
        if schema.licenses(left, right, parent)
    )
    functors = (
        conjunct for conjunct in functor_conjuncts(left, right, scheme) if _open(conjunct.category) is label
    )
    return next(exact, None) or next(nearly, None) or next(licensed, None) or next(functors, None)


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
