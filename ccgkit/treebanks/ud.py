"""What a tree of Universal Dependencies says of a derivation: constituents, pairs of heads, categories.

Function words are heads here, as in CCG: prepositions, copulas, auxiliaries and markers head their phrases.
Constituents and pairs hold for any language; categories are proposed where words have Penn tags.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ..constraints import Constraints, Pair, Span
from ..corpora.conllu import Word, tree
from ..sentence import Sentence
from .evidence import NOMINAL, Evidence
from .marks import propose_marks
from .ud_categories import propose

__all__ = ["Tree", "ud_evidence"]

_FUNCTION = ("mark", "case", "cop")  # what heads a phrase, the outermost first
_PHRASES = frozenset(
    [
        "nsubj", "csubj", "obj", "iobj", "obl", "nmod", "xcomp", "ccomp", "advcl", "acl", "appos", "conj",
        "parataxis",
    ]
)  # fmt: skip
_NOMINAL = frozenset(["NOUN", "PROPN"])
_ARGUMENTS = frozenset(["nsubj", "obj", "iobj", "xcomp", "ccomp"])
_PAIR_COST = 2.0


@dataclass(frozen=True)
class Tree:
    """A dependency tree with its words' dependents in order."""

    words: tuple[Word, ...]
    dependents: tuple[tuple[int, ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        found: list[list[int]] = [[] for _ in self.words]
        for place, word in enumerate(self.words):
            if word.head >= 0:
                found[word.head].append(place)
        object.__setattr__(self, "dependents", tuple(map(tuple, found)))

    def relation(self, place: int) -> str:
        """A word's relation to its head without the subtype: `acl` of `acl:relcl`."""
        return self.words[place].relation.partition(":")[0]

    def with_relation(self, place: int, *relations: str) -> list[int]:
        """A word's dependents in one of the relations, with or without subtypes."""
        return [
            one
            for one in self.dependents[place]
            if self.relation(one) in relations or self.words[one].relation in relations
        ]

    @cached_property
    def tops(self) -> tuple[int, ...]:
        """For each word the one that heads its phrase in CCG: a marker, preposition, copula or auxiliary."""
        return tuple(self._top(place) for place in range(len(self.words)))

    def _top(self, place: int) -> int:
        for one in self.function_words(place):
            if one < place:
                return one
        auxiliaries = self.with_relation(place, "aux")
        return auxiliaries[0] if auxiliaries else place

    def function_words(self, place: int) -> list[int]:
        """The markers, prepositions and copulas of a word, the outermost first."""
        return [one for relation in _FUNCTION for one in self.with_relation(place, relation)]

    @cached_property
    def yields(self) -> tuple[tuple[int, int] | None, ...]:
        """For each word its subtree's words, without marks at the edges; None if they are not in a row."""
        inside: list[set[int]] = [{place} for place in range(len(self.words))]
        for place in self._upwards():
            head = self.words[place].head
            if head >= 0:
                inside[head] |= inside[place]
        return tuple(self._row(places) for places in inside)

    def _upwards(self) -> Iterator[int]:
        """The words, dependents before their heads."""
        order = [place for place, word in enumerate(self.words) if word.head < 0]
        for place in order:
            order.extend(self.dependents[place])
        return reversed(order)

    def _row(self, places: set[int]) -> tuple[int, int] | None:
        left = sorted(places)
        marks = [self.words[place].upos == "PUNCT" for place in left]
        while left and marks[0]:
            left, marks = left[1:], marks[1:]
        while left and marks[-1]:
            left, marks = left[:-1], marks[:-1]
        if not left or left[-1] - left[0] + 1 != len(left):
            return None
        return left[0], left[-1] + 1


def ud_evidence(sentence: Sentence) -> Evidence:
    """What the dependencies of a sentence read from CoNLL-U say of its derivation."""
    found = Tree(tree(sentence))
    known = propose(found) if all(word.xpos not in ("_", word.upos) for word in found.words) else {}
    marks = propose_marks(sentence.words)
    proposals = tuple(marks.get(place) or known.get(place, ()) for place in range(len(found.words)))
    constraints = Constraints(tuple(_spans(found)), tuple(_pairs(found)))
    return Evidence(Sentence(sentence.tokens, id=sentence.id, text=sentence.text), proposals, constraints)


def _spans(found: Tree) -> Iterator[Span]:
    """Phrases and clauses that depend on something are constituents, and so are nouns after a preposition."""
    places: dict[tuple[int, int], bool] = {}  # and whether they are noun phrases
    for word, place in enumerate(found.yields):
        if place is None or found.relation(word) not in _PHRASES:
            continue
        start, end = place
        nominal = found.words[word].upos in _NOMINAL
        cases = [one for one in found.with_relation(word, "case") if one < word]
        places[place] = nominal and not cases and found.relation(word) in ("nsubj", "obj", "iobj")
        if cases and cases[-1] == start + len(cases) - 1:
            places[cases[-1] + 1, end] = nominal
    for (start, end), nominal in sorted(places.items()):
        if 1 < end - start < len(found.words):
            yield Span(start, end, categories=NOMINAL if nominal else ())


def _pairs(found: Tree) -> Iterator[Pair]:
    """Arguments and modifiers whose heads our derivations agree on."""
    for place, word in enumerate(found.words):
        relation = found.relation(place)
        if word.head < 0:
            continue
        if relation == "case" and place < word.head and found.tops[word.head] == place:
            yield Pair(place, word.head, "argument", cost=_PAIR_COST)
        elif relation in ("det", "amod", "nummod", "compound") and place < word.head:
            yield Pair(word.head, place, None, cost=_PAIR_COST)
        elif relation in _ARGUMENTS and place > word.head and not found.with_relation(word.head, "cop"):
            yield Pair(word.head, found.tops[place], None, cost=_PAIR_COST)
