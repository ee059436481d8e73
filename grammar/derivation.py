"""Derivations: trees of categories over the tokens of a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from .category import Category

if TYPE_CHECKING:
    from nltk.tree import Tree

__all__ = ["Derivation", "Rule", "Token"]


class Rule(Enum):
    """The step that made a node; the value is its symbol in the literature."""

    FORWARD_APPLICATION = ">"
    BACKWARD_APPLICATION = "<"
    FORWARD_COMPOSITION = ">B"
    BACKWARD_COMPOSITION = "<B"
    FORWARD_CROSSED_COMPOSITION = ">Bx"
    BACKWARD_CROSSED_COMPOSITION = "<Bx"
    GENERALIZED_FORWARD_COMPOSITION = ">Bn"
    GENERALIZED_BACKWARD_COMPOSITION = "<Bn"
    GENERALIZED_FORWARD_CROSSED_COMPOSITION = ">Bxn"
    GENERALIZED_BACKWARD_CROSSED_COMPOSITION = "<Bxn"
    FORWARD_SUBSTITUTION = ">S"
    BACKWARD_SUBSTITUTION = "<S"
    FORWARD_CROSSED_SUBSTITUTION = ">Sx"
    BACKWARD_CROSSED_SUBSTITUTION = "<Sx"
    FORWARD_TYPE_RAISING = ">T"
    BACKWARD_TYPE_RAISING = "<T"
    CONJUNCTION = "&"  # conj X -> X[conj]
    COORDINATION = "Φ"  # X X[conj] -> X
    LEFT_PUNCTUATION = "lp"  # , X -> X
    RIGHT_PUNCTUATION = "rp"  # X , -> X
    TYPE_CHANGE = "*"  # unary: N -> NP

    @property
    def symbol(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Token:
    """A word and what is known of it; `start` and `end` are offsets into the original text.

    `original_pos` and `indexed_category` are CCGbank's further leaf fields, where they say more
    than `pos` and the leaf's category.
    """

    word: str
    pos: str | None = None
    start: int | None = None
    end: int | None = None
    original_pos: str | None = None
    indexed_category: str | None = None


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

    @property
    def is_leaf(self) -> bool:
        return not self.children

    def nodes(self) -> Iterator[Derivation]:
        """This node and all below it, parents first, left to right."""
        agenda = [self]
        while agenda:
            node = agenda.pop()
            yield node
            agenda.extend(reversed(node.children))

    def leaves(self) -> Iterator[Derivation]:
        """The leaves from left to right."""
        return (node for node in self.nodes() if not node.children)

    @property
    def tokens(self) -> tuple[Token, ...]:
        return tuple(leaf.token for leaf in self.leaves() if leaf.token is not None)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(token.word for token in self.tokens)

    def pretty(self, width: int | None = None, colour: bool = False) -> str:
        """The classical drawing as text: words, their categories, a line with its symbol under each step.

        What does not fit into `width` columns is cut into constituents that refer to each other as ⟨1⟩.
        """
        from .pretty import pretty

        return pretty(self, width, colour)

    def to_nltk_tree(self) -> Tree:
        """An `nltk.Tree` with categories as labels and words as leaves; it knows no rules and no POS."""
        from .nltk_tree import to_tree

        return to_tree(self)

    @staticmethod
    def from_nltk_tree(tree: Tree) -> Derivation:
        """The derivation of an `nltk.Tree` labelled with categories, as `to_nltk_tree` makes it."""
        from .nltk_tree import from_tree

        return from_tree(tree)

    def _repr_html_(self) -> str:
        """The drawing that Jupyter shows."""
        from .markup import STYLE, fragment

        return f"<style>{STYLE}</style>{fragment(self)}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Derivation):
            return NotImplemented
        return self is other or self._signature() == other._signature()

    def __hash__(self) -> int:
        return hash((self.category, self.words))

    def _signature(self) -> list[tuple[object, ...]]:
        """The nodes in order, without recursion: two derivations are equal when these are."""
        return [(n.category, len(n.children), n.token, n.rule, n.head) for n in self.nodes()]

    def __repr__(self) -> str:
        return f"<Derivation {self.category}: {' '.join(self.words)}>"
