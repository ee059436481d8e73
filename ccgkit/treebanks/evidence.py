"""What a treebank says of a sentence: categories its words may have, and constraints on its derivation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..constraints import Constraints, Span
from ..grammar import Category
from ..sentence import Sentence
from ..text import tokenize
from .constructions import propose
from .constructions.modifiers import is_compound
from .constructions.nominals import bracketed_sort
from .erg import Item
from .inventory import NP, N, Proposal
from .phrases import Phrase, phrases

__all__ = ["NOMINAL", "Evidence", "erg_evidence"]

#: what a noun phrase as an argument is, itself or type-raised: not one with a modifier of the verb behind it
NOMINAL = tuple(map(Category.parse, ("NP", "N", r"S[X]/(S[X]\NP)")))

# constructions whose heads are constituents by themselves, whatever our derivation looks like inside
_CLOSED = frozenset(
    (
        "subject", "determiner", "coordination", "marker", "relative", "question", "fronted", "free_relative",
        "shared", "sequence", "parenthesis",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence with what is known of it; `proposals` has categories for each word, perhaps none."""

    sentence: Sentence
    proposals: tuple[Proposal, ...]
    constraints: Constraints


def erg_evidence(item: Item) -> Evidence:
    """What an ERG derivation says, over the tokens that the text has as one sentence."""
    sentence = Sentence(tokenize(item.text), id=item.id, text=item.text)
    root = phrases(item, sentence.tokens)
    if root is None:
        return Evidence(sentence, ((),) * len(sentence.tokens), Constraints())
    proposals = _bracketed(root, sentence.words, propose(root, sentence.words))
    nominal = {(phrase.start, phrase.end) for phrase in _arguments(root)}
    spans = tuple(
        Span(start, end, categories=NOMINAL if (start, end) in nominal else ())
        for start, end in sorted(set(_constituents(root)))
    )
    return Evidence(sentence, proposals, Constraints(spans))


def _constituents(root: Phrase) -> Iterator[tuple[int, int]]:
    """Where phrases are that must be constituents: dependents, conjuncts, and heads of certain kinds."""
    for phrase in root.descendants():
        kind = phrase.construction
        if kind:
            for index, child in enumerate(phrase.children):
                flat = kind == "left" and _is_row(child)
                if child.size > 1 and not flat and (index != phrase.head or kind in _CLOSED):
                    yield child.start, child.end


def _arguments(root: Phrase) -> Iterator[Phrase]:
    """Noun phrases that are subjects or complements."""
    for phrase in root.descendants():
        if phrase.construction in ("subject", "complement", "shared"):
            child = phrase.children[1 - phrase.head]
            if child.sort in (N, NP) and child.construction != "marker":
                yield child


def _is_row(phrase: Phrase) -> bool:
    """Whether a modifier is a flat row of words, which is no constituent before a noun."""
    while len(phrase.children) == 1:
        phrase = phrase.children[0]
    return not phrase.children or is_compound(phrase)


def _bracketed(root: Phrase, words: tuple[str, ...], proposals: tuple[Proposal, ...]) -> tuple[Proposal, ...]:
    """Brackets around a noun or a noun phrase make it a modifier of what stands before them."""
    sorts = {(phrase.start, phrase.end): bracketed_sort(phrase) for phrase in root.descendants()}
    left = list(proposals)
    opened: list[int] = []
    for place, word in enumerate(words):
        if word == "(":
            opened.append(place)
        elif word == ")" and opened:
            start = opened.pop()
            sort = sorts.get((start + 1, place))
            if sort is not None and start:
                left[start], left[place] = ((sort | sort) / sort,), (sort | sort,)
    return tuple(left)
