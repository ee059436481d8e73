"""An ERG derivation over our tokens: marks off the words, entries of several words apart.

Each phrase knows its sort: the category that it would have as an argument.
"""

from __future__ import annotations

import tomllib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from ..grammar import Category, Functor, Token
from ..grammar.traversal import preorder
from .erg import Item, Node

__all__ = ["Phrase", "construction", "is_auxiliary", "is_known", "is_listed", "phrases"]

_MARKS = frozenset([*",.;:?!\"'`()[]{}-–—…", "``", "''", "--", "...", "..", "?!", "!!", "-LRB-", "-RRB-"])
_N, _NP, _ADVERB, _GERUND = map(Category.parse, ("N", "NP", "(S\\NP)\\(S\\NP)", "S[ng]\\NP"))


@dataclass(frozen=True, slots=True)
class Phrase:
    """Tokens `start` to `end` under a rule, or under a lexical entry (then there are no children).

    `sort` is None where it is not known.
    """

    rule: str
    start: int
    end: int
    sort: Category | None = None
    children: tuple[Phrase, ...] = ()

    @property
    def size(self) -> int:
        return self.end - self.start

    @property
    def construction(self) -> str:
        """The kind of its rule, "" of a leaf or an unknown rule."""
        return construction(self.rule) if len(self.children) == 2 else ""

    @property
    def head(self) -> int:
        """Which of its children is the head."""
        return _head(self.construction) if len(self.children) == 2 else 0

    def descendants(self) -> Iterator[Phrase]:
        """This phrase and all below it, parents first, left to right."""
        return preorder(self)

    def first_leaf(self) -> Phrase:
        """The first lexical entry."""
        phrase = self
        while phrase.children:
            phrase = phrase.children[0]
        return phrase

    def head_leaf(self) -> Phrase:
        """The lexical head."""
        phrase = self
        while phrase.children:
            phrase = phrase.children[phrase.head]
        return phrase


def phrases(item: Item, tokens: Sequence[Token]) -> Phrase | None:
    """The item's derivation over the tokens of its text; None if it has no word."""
    places = _Places(item, tokens)
    done: list[Phrase | None] = []
    for node in reversed(list(item.tree.nodes())):
        if not node.children:
            done.append(places.leaf(node))
        else:
            children = [done.pop() for _ in node.children]
            found = [phrase for phrase in children if phrase is not None]
            done.append(_mother(node.name, found, len(children)))
    return done.pop()


class _Places:
    """Which tokens each lexical entry covers."""

    def __init__(self, item: Item, tokens: Sequence[Token]) -> None:
        self.text, self.tokens = item.text, tokens
        self.ends = [token.end or 0 for token in tokens]

    def leaf(self, node: Node) -> Phrase | None:
        covered = [place for place in self._covered(node) if not self._is_mark(place, node)]
        if not covered:
            return None
        return Phrase(node.name, covered[0], covered[-1] + 1, _entry_sort(node.name, node.tag))

    def _covered(self, node: Node) -> Iterator[int]:
        """Tokens that the entry covers for the most part, or that it is most of; offsets may be one off."""
        surface = self.text[node.start : node.end]
        start = node.start + len(surface) - len(surface.lstrip())
        end = node.end - (len(surface) - len(surface.rstrip()))
        for place in range(bisect_left(self.ends, start + 1), len(self.tokens)):
            token = self.tokens[place]
            first, last = token.start or 0, token.end or 0
            if first >= end:
                break
            shared = 2 * (min(end, last) - max(start, first))
            if shared > last - first or shared > end - start:
                yield place

    def _is_mark(self, place: int, node: Node) -> bool:
        token = self.tokens[place]
        if token.word not in _MARKS:
            return False
        alone = token.start == node.start and token.end == node.end
        return not alone or is_listed(node.name, "marks")


def _mother(rule: str, children: list[Phrase], daughters: int) -> Phrase | None:
    """The phrase over its children; one that lost the other to a mark is as it was."""
    if len(children) == 1 and daughters == 1:
        (child,) = children
        return _floated(Phrase(rule, child.start, child.end, _unary_sort(rule, child.sort), (child,)))
    if len(children) == 2:
        return _pair(rule, *children)
    return children[0] if children else None


def _pair(rule: str, left: Phrase, right: Phrase) -> Phrase:
    sort = _binary_sort(rule, left, right)
    start, end = min(left.start, right.start), max(left.end, right.end)
    if left.end <= right.start:
        return _arranged(Phrase(rule, start, end, sort, (left, right)))
    if left.size == 1 and right.size > 1:  # the first part of a word joined by a hyphen
        return right
    if right.size == 1 and left.size > 1:
        return left
    return Phrase(rule, start, end, sort)


def _arranged(phrase: Phrase) -> Phrase:
    """The phrase with its parts where the Parallel Meaning Bank has them."""
    return _floated(_raised(_lowered(_marked(phrase))))


def _marked(phrase: Phrase) -> Phrase:
    """*(and then) left* is *and (then left)*."""
    marker, conjunct = phrase.children
    if phrase.construction == "marker" and marker.construction == "right":
        conjunction, adverb = marker.children
        inner = Phrase("aj-hd_scp_c", adverb.start, conjunct.end, conjunct.sort, (adverb, conjunct))
        return Phrase(phrase.rule, phrase.start, phrase.end, phrase.sort, (conjunction, inner))
    return phrase


def _lowered(phrase: Phrase) -> Phrase:
    """What follows a clause modifies its verb phrase, as the Parallel Meaning Bank has it."""
    clause, modifier = phrase.children
    if phrase.construction == "right" and clause.construction == "subject":
        subject, head = clause.children
        inner = Phrase(phrase.rule, head.start, modifier.end, head.sort, (head, modifier))
        return Phrase(clause.rule, phrase.start, phrase.end, clause.sort, (subject, inner))
    return phrase


def _raised(phrase: Phrase) -> Phrase:
    """An adverb after an auxiliary modifies that, as in the Parallel Meaning Bank: *(are usually) sold*."""
    auxiliary, rest = phrase.children
    if phrase.construction != "complement" or not is_auxiliary(auxiliary) or not _is_verbal(rest.sort):
        return phrase
    adverb, verb = _detached(rest)
    if adverb is None:
        return phrase
    head = Phrase("hd-aj_int-unsl_c", auxiliary.start, adverb.end, auxiliary.sort, (auxiliary, adverb))
    return Phrase(phrase.rule, phrase.start, phrase.end, phrase.sort, (head, verb))


def _is_verbal(sort: Category | None) -> bool:
    return isinstance(sort, Functor) and sort.target.base == "S" and sort.target.feature not in ("adj", "to")


def _detached(phrase: Phrase) -> tuple[Phrase | None, Phrase]:
    """An adverb that a verb phrase begins with, and the rest."""
    kind = phrase.construction
    if kind == "left" and phrase.children[0].sort is _ADVERB:
        return phrase.children[0], phrase.children[1]
    if kind in ("right", "complement"):
        adverb, rest = _detached(phrase.children[0])
        if adverb is not None:
            return adverb, Phrase(
                phrase.rule, rest.start, phrase.end, phrase.sort, (rest, phrase.children[1])
            )
    return None, phrase


def _floated(phrase: Phrase) -> Phrase:
    """A clause set off by commas modifies the whole noun phrase: *(the film), which …*."""
    inner = phrase.children[-1]
    nominal = phrase.construction in ("determiner", "left") or phrase.rule.startswith("hdn_bnp")
    if not nominal or inner.construction != "right" or not inner.rule.endswith("-pr_c"):
        return phrase
    noun, clause = inner.children
    head = Phrase(phrase.rule, phrase.start, noun.end, phrase.sort, (*phrase.children[:-1], noun))
    return Phrase(inner.rule, phrase.start, phrase.end, phrase.sort, (head, clause))


def is_auxiliary(phrase: Phrase) -> bool:
    """Whether the head is a form of *be*, *have* or *do*, or a modal verb."""
    return is_listed(phrase.head_leaf().rule, "auxiliaries")


@cache
def is_listed(entry: str, name: str) -> bool:
    """Whether a lexical entry is on one of the lists."""
    return _fits(entry, tuple(_table()["lists"][name]))


def _head(construction: str) -> int:
    """Which of two children is the head."""
    return int(construction in ("subject", "determiner", "degree", "left", "relative", "question", "fronted"))


def _binary_sort(rule: str, left: Phrase, right: Phrase) -> Category | None:
    kind = construction(rule)
    if kind == "determiner":
        return _NP
    if kind == "subject" and isinstance(right.sort, Functor):
        return right.sort.result if right.sort.target.base == "S" else right.sort
    if kind == "question":
        return Category.parse("S[wq]" if "-mc" in rule else "S[qem]")
    if kind == "free_relative":
        return _NP
    if kind == "marker" or (kind == "coordination" and left.sort is _GERUND):
        return right.sort
    if rule.startswith("w-w_"):
        return _N
    if rule.endswith("cpd_c") and "_j-" in rule:
        return Category.parse("N/N")
    return (left, right)[_head(kind)].sort


@cache
def construction(rule: str) -> str:
    """The kind of a rule of two daughters; "" if it is not known."""
    kinds = _table()["constructions"]
    return next((kind for kind, patterns in kinds.items() if _fits(rule, tuple(patterns))), "")


def is_known(node: Node) -> bool:
    """Whether the rule of a node of two daughters is translated."""
    return "pct" in node.name or bool(construction(node.name))


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _unary_sort(rule: str, child: Category | None) -> Category | None:
    found = _first("unary", rule)
    if not found:
        return child
    return Category.parse(found)


def _entry_sort(name: str, tag: str) -> Category | None:
    found = _first("entries", name) or _table()["tags"].get(tag.split(" ")[0], "")
    return Category.parse(found) if found else None


@cache
def _first(section: str, name: str) -> str:
    """What the first pattern of a section that fits the name says."""
    return next((value for key, value in _table()[section].items() if fnmatchcase(name, key)), "")


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    return MappingProxyType(tomllib.loads((files(__package__) / "erg.toml").read_text(encoding="utf-8")))
