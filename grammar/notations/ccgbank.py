"""From CCGrebank's notation into CCGbank's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..category import Atom, Category, Functor
from ..combination import is_mark
from ..derivation import Derivation, annotate
from ..errors import NotationError
from ..rules import Rule
from ..schemes import Scheme, load_scheme
from .compounds import is_numbered, numbered
from .inventory import (
    BARE_DETERMINER,
    CONJ,
    DETERMINER,
    INFINITIVE,
    NOUN_MODIFIER,
    NP,
    PHRASE_MODIFIER,
    PP,
    N,
)
from .questions import asked, counted, is_counting
from .relabelling import relabelled
from .steps import joined, licensed, raised
from .words import leaf_category, plain, word_of

__all__ = ["to_ccgbank"]

_RELATIONAL_PHRASE = Category.parse("NP/PP")


def to_ccgbank(derivation: Derivation) -> Derivation:
    scheme = load_scheme("ccgbank")
    whole, stops = _without_final_stops(annotate(derivation, load_scheme("rebank")))
    ccgbank = _Ccgbank(scheme)
    tree = ccgbank.settled(whole.fold(ccgbank.part))
    for stop in stops:
        tree = joined(tree.category, tree, stop, scheme)
    return licensed(tree, scheme)


def _without_final_stops(derivation: Derivation) -> tuple[Derivation, list[Derivation]]:
    """The derivation without the stops at its end, wherever they are attached, and these, the first first."""
    spine: list[Derivation] = []
    stops: list[Derivation] = []
    node = derivation
    while len(node.children) == 2:
        if node.rule is Rule.RIGHT_PUNCTUATION and node.children[1].is_leaf:
            if str(node.children[1].category) != ".":
                break
            stops.append(node.children[1])
            node = node.children[0]
        else:
            spine.append(node)
            node = node.children[1]
    for above in reversed(spine):
        node = replace(above, children=(above.children[0], node))
    return node, stops[::-1]


@dataclass(frozen=True, slots=True)
class _Part:
    """What became of a constituent, and the modifiers of its noun that wait for a place above it."""

    tree: Derivation
    waiting: tuple[Derivation, ...] = ()

    def modified(self, modifier: Derivation) -> _Part:
        return _Part(self.tree, (*self.waiting, modifier))


class _Ccgbank:
    """One node after the other, children first, into CCGbank's notation."""

    def __init__(self, scheme: Scheme) -> None:
        self.scheme = scheme

    def part(self, node: Derivation, children: Sequence[_Part]) -> _Part:
        if not children:
            return _Part(replace(node, category=leaf_category(node)))
        if len(children) == 1:
            return self.unary(node, children[0])
        return self.binary(node, *children)

    def unary(self, node: Derivation, child: _Part) -> _Part:
        if node.category is NP and child.tree.category is N:
            return self.phrase(child, lambda noun: raised(NP, noun, self.scheme))
        return _Part(raised(plain(node.category), self.settled(child), self.scheme))

    def binary(self, node: Derivation, left: _Part, right: _Part) -> _Part:
        result = plain(node.category)
        if node.rule is Rule.CONJUNCTION or _is_apposition(node):
            return _Part(self.conjunct(left, right))
        if is_mark(left.tree.category) or is_mark(right.tree.category):
            return self.marked(left, right)
        if right.tree.category.conj:
            return _Part(self.joined(result, left, right))
        return (
            self.nominal(node, left, right)
            or self.question(node, left, right)
            or _Part(self.joined(result, left, right))
        )

    def nominal(self, node: Derivation, left: _Part, right: _Part) -> _Part | None:
        """A noun or a noun phrase; None if this is neither."""
        result = plain(node.category)
        one, other = (child.category for child in node.children)
        if not left.waiting and is_numbered(left.tree, right.tree):
            return _Part(numbered(left.tree, right.tree, self.scheme))
        if result is N and (right.tree.category is NOUN_MODIFIER or other is PP):
            return left.modified(relabelled(self.settled(right), NOUN_MODIFIER, self.scheme))
        if result is N and left.tree.category is N and other is INFINITIVE:
            return left.modified(raised(NOUN_MODIFIER, self.settled(right), self.scheme))
        if one is _RELATIONAL_PHRASE and other is PP:
            modifier = relabelled(self.settled(right), PHRASE_MODIFIER, self.scheme)
            return _Part(self.joined(NP, left, _Part(modifier)))
        if result is NP and right.tree.category is N and left.tree.category in (DETERMINER, BARE_DETERMINER):
            return self.phrase(right, lambda noun: self.joined(NP, left, _Part(noun)))
        if result is N and right.tree.category is N:
            return _Part(self.joined(N, left, _Part(right.tree)), right.waiting)
        return None

    def question(self, node: Derivation, left: _Part, right: _Part) -> _Part | None:
        """A question that CCGbank derives otherwise; None if this is none."""
        question = asked(node.children[0].category, self.settled(left), self.settled(right), self.scheme)
        if question is not None:
            return _Part(question)
        if is_counting(left.tree, right.tree):
            many, noun = right.tree.children
            noun = self.settled(_Part(noun, right.waiting))
            return _Part(counted(left.tree, many, noun, self.scheme))
        return None

    def phrase(self, noun: _Part, make: Callable[[Derivation], Derivation]) -> _Part:
        """A noun phrase, and above it the modifiers of its noun that can stand there."""
        moved = [_moved(modifier, self.scheme) for modifier in noun.waiting]
        stuck = max((place for place, one in enumerate(moved, 1) if one is None), default=0)
        tree = make(self.settled(_Part(noun.tree, noun.waiting[:stuck])))
        for modifier in moved[stuck:]:
            if modifier is not None:
                tree = joined(NP, tree, modifier, self.scheme)
        return _Part(tree)

    def conjunct(self, left: _Part, right: _Part) -> Derivation:
        conjunction, tree = self.settled(left), self.settled(right)
        if word_of(conjunction) in (",", ";") and conjunction.is_leaf:
            conjunction = replace(conjunction, category=Atom(word_of(conjunction)))
        elif conjunction.is_leaf:
            conjunction = replace(conjunction, category=CONJ)
        return joined(tree.category.replace(conj=True), conjunction, tree, self.scheme)

    def marked(self, left: _Part, right: _Part) -> _Part:
        """A mark beside a constituent leaves all as it is, and what waits waiting."""
        main, mark = (right, left) if is_mark(left.tree.category) else (left, right)
        children = (mark.tree, main.tree) if main is right else (main.tree, mark.tree)
        return _Part(joined(main.tree.category, *children, self.scheme), main.waiting)

    def settled(self, part: _Part) -> Derivation:
        """The constituent with the modifiers that wait, on its noun."""
        tree = part.tree
        for modifier in part.waiting:
            tree = joined(N, tree, modifier, self.scheme)
        return tree

    def joined(self, category: Category, left: _Part, right: _Part) -> Derivation:
        return joined(category, self.settled(left), self.settled(right), self.scheme)


def _is_apposition(node: Derivation) -> bool:
    """Whether a comma makes a modifier X\\X of an X."""
    mark, other = node.children
    return (
        word_of(mark) in (",", ";")
        and isinstance(node.category, Functor)
        and node.category.result is node.category.argument is other.category
    )


def _moved(modifier: Derivation, scheme: Scheme) -> Derivation | None:
    """A noun's modifier as one of a noun phrase; None if it is a word, or of a shape that is not known."""
    if sum(not is_mark(leaf.category) for leaf in modifier.leaves()) == 1:
        return None
    try:
        return relabelled(modifier, PHRASE_MODIFIER, scheme)
    except NotationError:
        return None
