"""Where the nodes of a derivation stand in CCG's classical layout, whatever it is drawn with.

Words stand on top; a node's level is one below its deepest child's, and its slot spans its children's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..grammar import Derivation

__all__ = ["Place", "Slot", "places", "slots"]


@dataclass(frozen=True, slots=True)
class Place:
    """A node, the words `start` to `end` (exclusive) it covers, its level (0: a word) and its children.

    `children` are indices into the list that `places` gives.
    """

    node: Derivation
    start: int
    end: int
    level: int
    children: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Slot:
    """The horizontal room a node has."""

    left: int
    width: int


def places(derivation: Derivation) -> list[Place]:
    """The place of every node, children before their parents: the root's is the last."""
    found: list[Place] = []
    words = 0

    def put(node: Derivation, children: tuple[int, ...]) -> int:
        nonlocal words
        if children:
            level = 1 + max(found[child].level for child in children)
            found.append(Place(node, found[children[0]].start, found[children[-1]].end, level, children))
        else:
            words += 1
            found.append(Place(node, words - 1, words, 0))
        return len(found) - 1

    derivation.fold(put)
    return found


def slots(where: Sequence[Place], widths: Sequence[int], gap: int) -> list[Slot]:
    """A slot for each place, as wide as the node itself and its children with `gap` between them need.

    Where a node is wider than its children, these share the rest.
    """
    needed: list[int] = []
    for place, width in zip(where, widths, strict=True):
        needed.append(max(width, _together([needed[child] for child in place.children], gap)))
    found = [Slot(0, width) for width in needed]
    for place, index in zip(reversed(where), range(len(where) - 1, -1, -1), strict=True):
        if not place.children:
            continue
        slot, left = found[index], found[index].left
        spare = slot.width - _together([needed[child] for child in place.children], gap)
        for rank, child in enumerate(place.children):
            share = spare // len(place.children) + (rank < spare % len(place.children))
            found[child] = Slot(left, needed[child] + share)
            left += needed[child] + share + gap
    return found


def _together(widths: Sequence[int], gap: int) -> int:
    return sum(widths) + gap * (len(widths) - 1) if widths else 0
