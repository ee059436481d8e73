"""What is known of a sentence's derivation beforehand: constituents, heads and categories.

A constraint always holds (its cost is infinite), or a derivation that breaks it costs so many nats more.

>>> known = Constraints(spans=(Span(0, 2),), filters=(Filter(1, targets=(Category.parse("N"),)),))
>>> Constraints.from_dict(known.to_dict()) == known
True
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from math import inf
from typing import Any, Literal, NamedTuple, get_args

from .grammar import Category, CCGKitError, Derivation, Rule, Slash, unify
from .grammar.rules import Kind

__all__ = [
    "ConstraintError", "Constraints", "Filter", "Pair", "Relation", "Span", "Violation", "makes_cluster",
    "relation",
]  # fmt: skip

Relation = Literal["argument", "modifier"]


class ConstraintError(CCGKitError, ValueError):
    """A constraint that says nothing, or nothing about this sentence."""


@dataclass(frozen=True, slots=True)
class Span:
    """Words `start` to `end` (exclusive) are a constituent: none crosses them; not wanted: none is just them.

    With `categories`, the constituent's category, after all unary steps, unifies with one of these; not
    wanted: a constituent of just these words may be there, but never with one of these categories.

    Raises `ConstraintError` where there are no words from `start` to `end`, where a single word is not
    wanted, or where it costs nothing.
    """

    start: int
    end: int
    wanted: bool = True
    cost: float = inf
    categories: tuple[Category, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ConstraintError(f"a span of words from {self.start} to {self.end} holds none")
        if self.end - self.start == 1 and not (self.wanted or self.categories):
            raise ConstraintError(f"word {self.start} alone is always a constituent")
        _check_cost(self.cost)

    def admits(self, category: Category) -> bool:
        """Whether a constituent of just these words may have the category."""
        return any(unify(one, category) for one in self.categories) is self.wanted


@dataclass(frozen=True, slots=True)
class Pair:
    """The word `dependent` depends on the word `head`, by a derivation's heads.

    A functor heads what it makes, unless it is a modifier, a determiner or type-raised. Where the constituent
    that `dependent` heads is the non-head of two, the other's head is `head`; not wanted: it is any other
    word. As "argument" it is taken by the head's functor, as "modifier" its own functor takes the head.

    Raises `ConstraintError` where both are one word, the kind is unknown, or it costs nothing.
    """

    head: int
    dependent: int
    kind: Relation | None = None
    wanted: bool = True
    cost: float = inf

    def __post_init__(self) -> None:
        if min(self.head, self.dependent) < 0 or self.head == self.dependent:
            raise ConstraintError(f"words {self.head} and {self.dependent} cannot be a pair")
        if self.kind is not None and self.kind not in get_args(Relation):
            raise ConstraintError(f"a pair's kind must be argument or modifier, not {self.kind!r}")
        _check_cost(self.cost)

    def admits(self, head: int, kind: Relation | None) -> bool:
        """Whether the dependent may be attached to a head in that way."""
        return (head == self.head and (self.kind is None or kind == self.kind)) is self.wanted


@dataclass(frozen=True, slots=True)
class Filter:
    """What a word's supertag is: one of `categories`, with one of `targets`, with all of `arguments`.

    What is empty says nothing. Targets and arguments unify: `S` is any clause's, `S[dcl]` a finite one's. If
    not wanted, the supertags that fit are those that the word may not have. Categories that always hold need
    not be among the tagger's.

    Raises `ConstraintError` where it says nothing, or costs nothing.
    """

    word: int
    categories: tuple[Category, ...] = ()
    targets: tuple[Category, ...] = ()
    arguments: tuple[Category, ...] = ()
    wanted: bool = True
    cost: float = inf

    def __post_init__(self) -> None:
        if self.word < 0 or not (self.categories or self.targets or self.arguments):
            raise ConstraintError(f"the filter of word {self.word} names no category, target or argument")
        _check_cost(self.cost)

    def admits(self, category: Category) -> bool:
        """Whether the word may have the category."""
        fits = (
            (not self.categories or category in self.categories)
            and (not self.targets or any(unify(one, category.target) for one in self.targets))
            and all(any(unify(one, other) for other in category.arguments) for one in self.arguments)
        )
        return fits is self.wanted


class Violation(NamedTuple):
    """A constraint that a derivation breaks, and how, in words."""

    constraint: Span | Pair | Filter
    reason: str


@dataclass(frozen=True, slots=True)
class Constraints:
    """All constraints on one sentence; words are counted from 0."""

    spans: tuple[Span, ...] = ()
    pairs: tuple[Pair, ...] = ()
    filters: tuple[Filter, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.spans or self.pairs or self.filters)

    def check(self, size: int) -> None:
        """See that the constraints suit a sentence of `size` words.

        Raises `ConstraintError` where one is about a word that it does not have.
        """
        last = max(
            *(span.end - 1 for span in self.spans),
            *(max(pair.head, pair.dependent) for pair in self.pairs),
            *(one.word for one in self.filters),
            -1, -1,
        )  # fmt: skip
        if last >= size:
            raise ConstraintError(f"a constraint on word {last}, but there are {size} words, from 0")

    def contradictions(self, words: Sequence[str]) -> Iterator[str]:
        """What always holds, but cannot hold together in a derivation of the words, in words."""
        for one, other in combinations((span for span in self.spans if span.cost == inf), 2):
            first, second = (_quoted(words, span.start, span.end) for span in (one, other))
            if one.wanted and other.wanted and _crosses(one, other):
                yield f"{first} and {second} overlap and cannot both be constituents"
            if (
                one.wanted is not other.wanted
                and (one.start, one.end) == (other.start, other.end)
                and not (one.categories or other.categories)
            ):
                yield f"{first} cannot both be and not be a constituent"
        for here, there in combinations((pair for pair in self.pairs if pair.cost == inf and pair.wanted), 2):
            if here.dependent == there.dependent and here.head != there.head:
                heads = f"{words[here.head]!r} and on {words[there.head]!r}"
                yield f"{words[here.dependent]!r} cannot depend on {heads}"

    def violations(self, derivation: Derivation) -> list[Violation]:
        """The constraints that an annotated derivation breaks.

        Raises `ConstraintError` where one is about a word that the derivation does not have.
        """
        self.check(len(derivation.tokens))
        return [*self._spans(derivation), *self._pairs(derivation), *self._filters(derivation)]

    def _spans(self, derivation: Derivation) -> Iterator[Violation]:
        places, words = list(_places(derivation)), derivation.words
        for span in self.spans:
            inside = [place for place in places if (place.start, place.end) == (span.start, span.end)]
            named = _quoted(words, span.start, span.end)
            if span.wanted:
                crossing = next((place for place in places if _crosses(place, span)), None)
                if crossing is not None:
                    other = _quoted(words, crossing.start, crossing.end)
                    yield Violation(span, f"{named} is not a constituent: {other} crosses it")
                inside = inside[:1]  # parents come first
            elif inside and not span.categories:
                yield Violation(span, f"{named} is a constituent")
            for place in inside if span.categories else ():
                if not span.admits(place.node.category):
                    yield Violation(span, f"{named} is {place.node.category}")
                    break

    def _pairs(self, derivation: Derivation) -> Iterator[Violation]:
        words = derivation.words
        attached = {dependent: (head, kind) for head, dependent, kind in _attachments(derivation)}
        for pair in self.pairs:
            if pair.dependent in attached and not pair.admits(*attached[pair.dependent]):
                head, kind = attached[pair.dependent]
                how = f" as {kind}" if pair.kind and kind else ""
                yield Violation(pair, f"{words[pair.dependent]!r} depends on {words[head]!r}{how}")

    def _filters(self, derivation: Derivation) -> Iterator[Violation]:
        leaves = list(derivation.leaves())
        for one in self.filters:
            category = leaves[one.word].category
            if not one.admits(category):
                yield Violation(one, f"{derivation.words[one.word]!r} is {category}")

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """The constraints as JSON can hold them; what is as by default is left out."""
        return {
            name: [_to_dict(one) for one in getattr(self, name)]
            for name in ("spans", "pairs", "filters")
            if getattr(self, name)
        }

    @staticmethod
    def from_dict(data: Mapping[str, list[Mapping[str, Any]]]) -> Constraints:
        """The inverse of `to_dict`.

        Raises `ConstraintError` where `data` is nothing that `to_dict` writes.
        """
        try:
            return Constraints(
                tuple(Span(**_from_dict(one)) for one in data.get("spans", ())),
                tuple(Pair(**_from_dict(one)) for one in data.get("pairs", ())),
                tuple(Filter(**_from_dict(one)) for one in data.get("filters", ())),
            )
        except (AttributeError, TypeError) as error:
            raise ConstraintError(f"the constraints cannot be read: {error}") from error


def relation(rule: Rule | None, left: Category, right: Category, head: int) -> Relation | None:
    """How the non-head of two constituents that `rule` combines depends on the head; None for marks.

    What is coordinated modifies the first conjunct, as the functor `X\\X` would.
    """
    if rule is Rule.COORDINATION:
        return "modifier"
    if rule is None or rule.direction is None:
        return None
    side = 0 if rule.direction is Slash.FORWARD else 1
    functor = right if side else left
    return "argument" if side == head or functor.is_argument_cluster else "modifier"


def makes_cluster(rule: Rule | None, left: Category, right: Category) -> bool:
    """Whether `rule` composes type-raised arguments, `left` and `right`.

    Neither depends on the other, both on what takes them.
    """
    composed = rule is not None and rule.kind is Kind.COMPOSITION
    return composed and left.is_argument_cluster and right.is_argument_cluster


class _Place(NamedTuple):
    start: int
    end: int
    node: Derivation


def _places(derivation: Derivation) -> Iterator[_Place]:
    """The nodes with the words that they span, parents first."""
    agenda = [(derivation, 0)]
    sizes = _sizes(derivation)
    while agenda:
        node, start = agenda.pop()
        yield _Place(start, start + sizes[id(node)], node)
        for child in node.children:
            agenda.append((child, start))
            start += sizes[id(child)]


def _sizes(derivation: Derivation) -> dict[int, int]:
    """How many words each node spans."""
    sizes: dict[int, int] = {}
    for node in reversed(list(derivation.nodes())):
        sizes[id(node)] = sum(sizes[id(child)] for child in node.children) if node.children else 1
    return sizes


def _crosses(place: _Place | Span, span: Span) -> bool:
    return place.start < span.start < place.end < span.end or span.start < place.start < span.end < place.end


def _attachments(derivation: Derivation) -> Iterator[tuple[int, int, Relation | None]]:
    """Head, dependent and their relation, wherever of two constituents one depends on the other."""
    heads: dict[int, int] = {}
    for start, _, node in reversed(list(_places(derivation))):
        if not node.children:
            heads[id(node)] = start
            continue
        heads[id(node)] = heads[id(node.children[node.head])]
        if len(node.children) == 2:
            left, right = (child.category for child in node.children)
            dependent = heads[id(node.children[1 - node.head])]
            if not makes_cluster(node.rule, left, right):
                yield heads[id(node)], dependent, relation(node.rule, left, right, node.head)


def _quoted(words: Sequence[str], start: int, end: int) -> str:
    return repr(" ".join(words[start:end]))


def _check_cost(cost: float) -> None:
    if not cost > 0:
        raise ConstraintError(f"a constraint's cost must be above 0, not {cost}")


def _to_dict(constraint: Span | Pair | Filter) -> dict[str, Any]:
    return {
        field.name: list(map(str, value)) if isinstance(value, tuple) else value
        for field in fields(constraint)
        if (value := getattr(constraint, field.name)) != field.default
    }


def _from_dict(data: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(map(Category.parse, value)) if isinstance(value, list) else value
        for name, value in data.items()
    }
