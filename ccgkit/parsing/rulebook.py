"""The rules as integer tables that fill themselves: what the search looks up instead of trees.

Nothing is listed beforehand. A pair of categories that has not been met is put to
`ccgkit.grammar.combine` once and remembered, so that generated categories parse like any others.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..grammar import Category, Combination, Rule, Scheme, change, combine, is_normal
from ..grammar.compatibility import left_keys, right_keys
from .charges import RELATIONS
from .constraints import relation
from .costs import Costs

__all__ = ["RULES", "Rulebook", "Step"]

RULES = tuple(Rule)
Step = tuple[int, int, int, float, int]  #: category, rule, side of the head, cost, relation

_COMPOSITIONS = frozenset(rule for rule in RULES if "B" in rule.symbol)
_RULE_IDS = {rule: number for number, rule in enumerate(RULES)}


def _classes() -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The rules' classes under the normal form, and which classes each rule takes on its left and right.

    Rules that no other rule tells apart are in one class, so that the chart does not tell them apart either.
    A leaf is in the class of application. The second and third table are bit sets.
    """
    signatures: dict[tuple[tuple[bool, ...], ...], int] = {}
    of_rule = []
    for child in RULES:
        allowed = tuple(
            tuple(is_normal(rule, *sides) for rule in RULES) for sides in ((child, None), (None, child))
        )
        of_rule.append(signatures.setdefault(allowed, len(signatures)))
    lefts, rights = (
        tuple(
            sum(1 << number for allowed, number in signatures.items() if allowed[side][rule])
            for rule in range(len(RULES))
        )
        for side in (0, 1)
    )
    return tuple(of_rule), lefts, rights


class Rulebook:
    """The steps of one scheme over numbered categories, learned as they are asked for."""

    classes, left_classes, right_classes = _classes()

    def __init__(self, scheme: Scheme, costs: Costs) -> None:
        self.scheme = scheme
        self.costs = costs
        self.categories: list[Category] = []
        self.numbers: dict[Category, int] = {}
        self._pairs: dict[tuple[int, int, bool], tuple[Step, ...]] = {}
        self._changes: dict[int, tuple[Step, ...]] = {}
        self._keys: list[tuple[frozenset[object], frozenset[object]]] = []
        self._bits: dict[object, int] = {}
        self.tells_conjuncts = scheme.coordination == "plain"

    def number(self, category: Category) -> int:
        """The number of a category, a new one if it has none."""
        try:
            return self.numbers[category]
        except KeyError:
            number = len(self.categories)
            self.categories.append(category)
            self._keys.append((left_keys(category, self.scheme), right_keys(category, self.scheme)))
            self.numbers[category] = number
            return number

    def signatures(self, number: int) -> tuple[int, int, int, int]:
        """The category's keys as the left and as the right of two, each as 128 bits in two integers.

        Categories whose bits do not meet do not combine.
        """
        left, right = (sum({1 << self._bit(key) for key in keys}) for keys in self._keys[number])
        low = (1 << 64) - 1
        return left & low, left >> 64, right & low, right >> 64

    def _bit(self, key: object) -> int:
        """The keys' numbers in the order in which they turn up: the common ones have bits of their own."""
        return self._bits.setdefault(key, len(self._bits)) % 128

    def starts_conjunct(self, number: int) -> bool:
        """Whether what begins with this category is a conjunct, where its own category does not show it."""
        return self.tells_conjuncts and self.categories[number] in self.scheme.conjunctions

    def combine(self, left: int, right: int, conjoined: bool) -> tuple[Step, ...]:
        """The steps from two adjacent categories."""
        try:
            return self._pairs[left, right, conjoined]
        except KeyError:
            steps = self.combined(left, right, conjoined)
            self._pairs[left, right, conjoined] = steps
            return steps

    def change(self, category: int) -> tuple[Step, ...]:
        """The unary steps from a category."""
        try:
            return self._changes[category]
        except KeyError:
            steps = self.changed(category)
            self._changes[category] = steps
            return steps

    def combined(self, left: int, right: int, conjoined: bool) -> tuple[Step, ...]:
        """As `combine`, without remembering it."""
        if self._keys[left][0].isdisjoint(self._keys[right][1]):
            return ()
        one, other = self.categories[left], self.categories[right]
        return self._steps(combine(one, other, self.scheme, conjoined), (one, other))

    def changed(self, category: int) -> tuple[Step, ...]:
        """As `change`, without remembering it."""
        child = self.categories[category]
        return self._steps(change(child, self.scheme), (child,))

    def ending(self, category: int) -> float:
        """The cost of a derivation's ending in a category."""
        return self.costs.ending(self.categories[category])

    def _steps(self, combinations: Iterable[Combination], children: tuple[Category, ...]) -> tuple[Step, ...]:
        """One step for each category and class that comes out: the cheapest, of equals the first."""
        best: dict[tuple[int, int], Step] = {}
        largest = max(child.size for child in children)
        for found in combinations:
            if found.rule in _COMPOSITIONS and found.category.size > largest:
                continue  # no derivation of the corpora has it, and charts would grow without end
            rule = _RULE_IDS[found.rule]
            cost = self.costs.step(found, children)
            step = (self.number(found.category), rule, found.head, cost, _relation(found, children))
            key = (step[0], self.classes[rule])
            if key not in best or cost < best[key][3]:
                best[key] = step
        return tuple(best.values())


def _relation(found: Combination, children: tuple[Category, ...]) -> int:
    """The number of the non-head's relation to the head."""
    if len(children) == 1:
        return 0
    left, right = children
    return RELATIONS.index(relation(found.rule, left, right, found.head))
