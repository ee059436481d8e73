"""The n cheapest derivations of a chart whose constituents each have all the ways to make them.

They are put together from below (Huang and Chiang 2005).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from math import inf

from ..grammar import Atom, Category
from .items import CHANGE, COORDINATIONS, GOAL, LEAF, LEFT_MARK, RIGHT_MARK, Item

__all__ = ["Choices"]

_WORD = (1 << 64) - 1
_ROUNDING = 1e-9

# one of the cheapest derivations of a constituent: its cost, an item that makes it, which of their own the
# item's parts have, and its reading, which those share that seem to say the same of who depends on whom
_Choice = tuple[float, int, int, int, int]


class Choices:
    """The cheapest derivations, at most `nbest`, that cost no more than `most`.

    `makers` are by a finished item those that make the same as it, `goals` those of the whole sentence. If
    they are to be `distinct`, no two have the same reading.
    """

    def __init__(
        self,
        items: Sequence[Item],
        makers: Mapping[int, Sequence[int]],
        goals: Sequence[int],
        categories: Sequence[Category],
        nbest: int,
        distinct: bool,
        most: float,
    ) -> None:
        self._items, self._categories, self._nbest, self._distinct = items, categories, nbest, distinct
        self._of: dict[int, list[_Choice]] = {}  # by finished items
        most += _ROUNDING * (1 + abs(most))
        nodes = sorted(makers, key=lambda node: (*self._extent(items[node]), node))
        outside = self._outside(nodes, makers, goals, most)
        for node in nodes:
            self._of[node] = self._cheapest(makers[node], most - outside[node])
        self.best = self._cheapest(goals, most)  #: those of the whole sentence

    def derivations(self) -> list[tuple[float, list[int]]]:
        """Their costs and items, parents before parts, left before right."""
        return [(cost, self._under(self._items[goal][3], left)) for cost, goal, left, *_ in self.best]

    def _extent(self, item: Item) -> tuple[int, int]:
        """What is smaller of an item's parts."""
        return item[6] - item[5], item[10]

    def _outside(
        self, nodes: Sequence[int], makers: Mapping[int, Sequence[int]], goals: Sequence[int], most: float
    ) -> dict[int, float]:
        """What the rest of a derivation costs, at least; what has a part in none up to `most` is infinite."""
        outside = dict.fromkeys(nodes, inf)

        def take_part(part: int, total: float) -> None:
            outside[part] = min(outside[part], total - self._items[part][11])

        for goal in goals:
            take_part(self._items[goal][3], self._items[goal][11])
        for node in reversed(nodes):
            for item in (self._items[number] for number in makers[node]):
                total = outside[node] + item[11]
                if total <= most and item[1] != LEAF:
                    take_part(item[3], total)
                    if item[4] >= 0:
                        take_part(item[4], total)
        return outside

    def _cheapest(self, makers: Sequence[int], most: float) -> list[_Choice]:
        """The cheapest ways through items that make the same, those up to a cost."""
        found: list[_Choice] = []
        agenda: list[_Choice] = []
        seen: set[int] = set()

        def consider(number: int, left: int, right: int) -> None:
            item = self._items[number]
            cost, reading = item[11], self._said(item)
            if item[1] != LEAF:
                for part, which in ((item[3], left), (item[4], right)):
                    if part < 0:
                        continue
                    if which >= len(self._of[part]):
                        return
                    cost += self._of[part][which][0] - self._items[part][11]
                    reading += self._of[part][which][4]
            if cost <= most:
                heappush(agenda, (cost, number, left, right, reading))

        for number in makers:
            consider(number, 0, 0)
        while agenda and len(found) < self._nbest:
            choice = heappop(agenda)
            _, number, left, right, reading = choice
            if not self._distinct or reading not in seen:
                found.append(choice)
                seen.add(reading)
            item = self._items[number]
            if item[1] != LEAF:
                consider(number, left + 1, right)
                if item[4] >= 0 and left == 0:
                    consider(number, 0, right + 1)
        return found

    def _said(self, item: Item) -> int:
        """What an item adds to the reading.

        That is a word's category, who depends on whom, what is coordinated, and changes of type, with their
        words where they make functors. Where marks attach and how constituents are put together does not
        count.
        """
        category, rule, side, left, right, start, end, head, *_ = item
        if rule in (GOAL, RIGHT_MARK, LEFT_MARK):
            return 0
        if rule == LEAF:
            return _mixed(0, start, category)
        if rule in COORDINATIONS:
            return _mixed(1, start, end)
        said = 0
        if rule == CHANGE:
            said = _mixed(2, head, category)
            if not isinstance(self._categories[category], Atom):
                said += _mixed(4, start, end)
        if right >= 0:
            said += _mixed(3, self._items[left if side else right][7], head)
        return said

    def _under(self, root: int, which: int) -> list[int]:
        """The items of one of the derivations of a finished item."""
        order, agenda = [], [(root, which)]
        while agenda:
            node, which = agenda.pop()
            _, number, left, right, _ = self._of[node][which]
            item = self._items[number]
            order.append(number)
            if item[1] != LEAF:
                if item[4] >= 0:
                    agenda.append((item[4], right))
                agenda.append((item[3], left))
        return order


def _mixed(kind: int, one: int, other: int) -> int:
    """A number for three, whose sums tell apart what is added up (SplitMix64)."""
    number = ((kind << 60 ^ one << 32 ^ other) + 0x9E3779B97F4A7C15) & _WORD
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    number = (number ^ number >> 27) * 0x94D049BB133111EB & _WORD
    return number ^ number >> 31
