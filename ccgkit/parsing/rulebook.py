"""The rules as integer tables that fill themselves: what the search looks up instead of trees.

Nothing is listed beforehand. A pair of categories that has not been met is put to
`ccgkit.grammar.combine` once and remembered, so that generated categories parse like any others.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

from ..constraints import makes_cluster, relation
from ..grammar import (
    Atom,
    Category,
    Combination,
    Derivation,
    Functor,
    Rule,
    Scheme,
    Slash,
    change,
    combine,
    is_normal,
)
from ..grammar.combination import changed_head, is_mark, left_keys, right_keys
from ..grammar.rules import Kind, functor_is_head
from ..sentence import Supertag
from .charges import CLUSTER, RELATIONS
from .costs import Costs

__all__ = ["RULES", "Rulebook", "Step"]

RULES = tuple(Rule)
Step = tuple[int, int, int, float, int]  #: category, rule, side of the head, cost, relation

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
    atom, functor, slashes = Atom, Functor, (Slash.FORWARD, Slash.BACKWARD)  # what categories are made of
    derivation, supertag = Derivation, Supertag

    def __init__(self, scheme: Scheme, costs: Costs) -> None:
        self.scheme = scheme
        self.costs = costs
        self.categories: list[Category] = []
        self.numbers: dict[Category, int] = {}
        self._pairs: dict[tuple[int, int, bool], tuple[Step, ...]] = {}
        self._changes: dict[int, tuple[Step, ...]] = {}
        self._keys: list[tuple[frozenset[object], frozenset[object]]] = []
        self.tells_conjuncts = scheme.coordination == "plain"
        self._sizes = {child.size for schema in scheme.unary for child in schema.children}
        self._lock = threading.Lock()

    def number(self, category: Category) -> int:
        """The number of a category, a new one if it has none."""
        try:
            return self.numbers[category]
        except KeyError:
            return self._add(category)

    def _add(self, category: Category) -> int:
        keys = left_keys(category, self.scheme), right_keys(category, self.scheme)
        with self._lock:
            number = self.numbers.get(category)
            if number is None:
                number = len(self.categories)
                self.categories.append(category)
                self._keys.append(keys)
                self.numbers[category] = number  # last: other threads may now ask for the rest
            return number

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
            child = self.categories[category]
            steps = self._steps(self._changed(child), (child,))
            self._changes[category] = steps
            return steps

    def combined(self, left: int, right: int, conjoined: bool) -> tuple[Step, ...]:
        """As `combine`, without remembering it."""
        if self._keys[left][0].isdisjoint(self._keys[right][1]):
            return ()
        one, other = self.categories[left], self.categories[right]
        return self._steps(combine(one, other, self.scheme, conjoined), (one, other))

    def ending(self, category: int) -> float:
        """The cost of a derivation's ending in a category."""
        return self.costs.ending(self.categories[category], self.scheme)

    def tables(self) -> tuple[object, ...]:
        """What the compiled rules are made of besides `describe`: those of the scheme, and the costs."""
        scheme, costs = self.scheme, self.costs
        return (
            tuple(rule.symbol for rule in RULES),
            tuple(_RULE_IDS[rule] for rule in scheme.rules),
            scheme.degree,
            scheme.coordination,
            scheme.loose_variables,
            tuple(tuple(change.made()) for change in scheme.binary),
            (costs.distance, costs.mark, costs.right_first),
            tuple(costs.rules.get(rule, 0.0) for rule in RULES),
            tuple((_RULE_IDS[rule], one, other, cost) for (rule, one, other), cost in costs.steps.items()),
        )

    def describe(self, category: Category) -> tuple[object, ...]:
        """What the compiled rules need to know of a category.

        Whether it heads what it makes, starts a conjunct, is a mark, is a conjunction, leaves the head of a
        binary change to its right; the cost of ending in it; the binary changes that take it on the left and
        on the right, as bits; its unary steps.
        """
        scheme = self.scheme
        conjunction = category in scheme.conjunctions
        return (
            functor_is_head(category),
            self.tells_conjuncts and conjunction,
            is_mark(category),
            conjunction,
            bool(changed_head(category)),
            self.costs.ending(category, scheme),
            sum(1 << n for n, change in enumerate(scheme.binary) if change.takes(category, change.lefts)),
            sum(1 << n for n, change in enumerate(scheme.binary) if change.takes(category, change.rights)),
            tuple(
                (found.category, _RULE_IDS[found.rule], cost)
                for found, cost in self._best(self._changed(category), (category,))
            ),
        )

    def _changed(self, category: Category) -> tuple[Combination, ...]:
        """The unary steps from a category; most are larger than any that the scheme changes."""
        return change(category, self.scheme) if category.size in self._sizes else ()

    def _steps(self, combinations: Iterable[Combination], children: tuple[Category, ...]) -> tuple[Step, ...]:
        return tuple(
            (
                self.number(found.category),
                _RULE_IDS[found.rule],
                found.head,
                cost,
                _relation(found, children),
            )
            for found, cost in self._best(combinations, children)
        )

    def _best(
        self, combinations: Iterable[Combination], children: tuple[Category, ...]
    ) -> Iterable[tuple[Combination, float]]:
        """One step for each category and class that comes out: the cheapest, of equals the first."""
        best: dict[tuple[Category, int], tuple[Combination, float]] = {}
        largest = max(child.size for child in children)
        for found in combinations:
            if found.rule.kind is Kind.COMPOSITION and found.category.size > largest:
                continue  # no derivation of the corpora has it, and charts would grow without end
            cost = self.costs.step(found, children)
            key = (found.category, self.classes[_RULE_IDS[found.rule]])
            if key not in best or cost < best[key][1]:
                best[key] = found, cost
        return best.values()


def _relation(found: Combination, children: tuple[Category, ...]) -> int:
    """The number of the non-head's relation to the head."""
    if len(children) == 1:
        return 0
    left, right = children
    if makes_cluster(found.rule, left, right):
        return CLUSTER
    return RELATIONS.index(relation(found.rule, left, right, found.head))
