"""What constraints cost at each place of a sentence, as tables that a search adds up.

The tables are general: whatever else knows about heads may fill one with costs of its own.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, NamedTuple, get_args

from ..constraints import ConstraintError, Constraints, Filter, Relation, Span
from ..sentence import Supertag

if TYPE_CHECKING:
    import numpy as np

__all__ = ["CLUSTER", "RELATIONS", "Charges", "charges", "constrained"]

_MOST = 8.0  # nats that an improbable head word may cost: scores are sure of themselves too often

RELATIONS: tuple[Relation | None, ...] = (None, *get_args(Relation))
CLUSTER = len(RELATIONS)  #: in place of a relation's number: neither depends on the other, but on what comes

Tags = tuple[tuple[Supertag, ...], ...]


class Charges(NamedTuple):
    """Costs that come on top of a derivation's own, all of them 0 or more.

    `spans` has them for each constituent, at `start * (size + 1) + end`; `links` for each attachment, at
    `(dependent * (size + 1) + head) * 3 + relation`, where the whole sentence's head has the head `size`.
    """

    spans: array[float] | None = None
    links: array[float] | None = None
    labels: tuple[Span, ...] = ()  #: those with categories


_NONE = Charges()


def charges(
    constraints: Constraints, size: int, head_words: np.ndarray | None = None, weight: float = 0.0
) -> Charges:
    """The costs of breaking constraints on a sentence of `size` words, and of improbable head words.

    A word's most probable head costs nothing, any other what it is less probable, times `weight`.
    """
    if not constraints and (head_words is None or not weight):
        return _NONE
    constraints.check(size)
    labels = tuple(span for span in constraints.spans if span.categories)
    links = _links(constraints, size)
    if head_words is not None and weight:
        links = _improbable(head_words, size, weight, links)
    return Charges(_spans(constraints, size), links, labels)


def _improbable(head_words: np.ndarray, size: int, weight: float, links: array[float] | None) -> array[float]:
    """The costs of links with those of head words."""
    import numpy as np

    if head_words.shape != (size, size + 1):
        raise ConstraintError(f"scores of head words have the shape {head_words.shape} for {size} words")
    scores = np.asarray(head_words, dtype=np.float64)
    if not np.isfinite(scores).all():
        raise ConstraintError("the scores of head words are not finite")
    costs = np.minimum(weight * (scores.max(1, keepdims=True) - scores), _MOST)
    table = np.repeat(costs, len(RELATIONS), axis=1).ravel()
    if links is not None:
        table += np.frombuffer(links)
    return array("d", table.tobytes())


def _spans(constraints: Constraints, size: int) -> array[float] | None:
    if not constraints.spans:
        return None
    costs = array("d", bytes(8 * (size + 1) ** 2))
    for span in constraints.spans:
        if span.wanted:
            for place in _crossing(span, size):
                costs[place] += span.cost
        elif not span.categories:
            costs[span.start * (size + 1) + span.end] += span.cost
    return costs


def _crossing(span: Span, size: int) -> list[int]:
    """Where constituents are that overlap with the span, neither being part of the other."""
    inner = range(span.start + 1, span.end)
    before = [start * (size + 1) + end for start in range(span.start) for end in inner]
    return before + [start * (size + 1) + end for start in inner for end in range(span.end + 1, size + 1)]


def _links(constraints: Constraints, size: int) -> array[float] | None:
    if not constraints.pairs:
        return None
    costs = array("d", bytes(8 * size * (size + 1) * len(RELATIONS)))
    for pair in constraints.pairs:
        for head in range(size) if pair.wanted else (pair.head,):
            place = (pair.dependent * (size + 1) + head) * len(RELATIONS)
            for number, kind in enumerate(RELATIONS):
                if not pair.admits(head, kind):
                    costs[place + number] += pair.cost
    return costs


def constrained(tags: Tags, constraints: Constraints, words: Sequence[str]) -> Tags:
    """The supertags that constraints leave, at what they cost then."""
    left = list(tags)
    for one in constraints.filters:
        left[one.word] = _filtered(left[one.word], one)
    for span in constraints.spans:
        if span.categories and not span.wanted and span.end == span.start + 1:
            left[span.start] = _charged(left[span.start], span)
    bare = next((place for place, k_best in enumerate(left) if not k_best), None)
    if bare is not None:
        raise ConstraintError(f"{words[bare]!r}, word {bare}, has no supertag that its constraints allow")
    return tuple(left)


def _filtered(tags: tuple[Supertag, ...], one: Filter) -> tuple[Supertag, ...]:
    """The tags that a filter leaves; what it always demands is there, if need be as the least probable."""
    left = _charged(tags, one)
    if one.cost < inf or not one.wanted:
        return left
    known = {tag.category for tag in left}
    least = min(tag.logprob for tag in tags) if tags else 0.0
    new = (category for category in one.categories if category not in known and one.admits(category))
    return (*left, *(Supertag(category, least) for category in new))


def _charged(tags: tuple[Supertag, ...], constraint: Filter | Span) -> tuple[Supertag, ...]:
    return tuple(
        tag if admitted else replace(tag, logprob=tag.logprob - constraint.cost)
        for tag in tags
        if (admitted := constraint.admits(tag.category)) or constraint.cost < inf
    )
