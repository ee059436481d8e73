"""Costs of steps from derivations: how often a step was taken where it was possible.

A step is possible wherever constituents of the annotated derivation stand side by side (or, for unary steps,
alone) and a rule applies to them; its cost is the negative logarithm of the share that was taken.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import repeat

from ..grammar import Category, Combination, Derivation, Rule, Scheme, annotate, change, combine
from .costs import Costs, StepKey, step_key

__all__ = ["estimate", "for_running_text"]

Place = tuple[int, int, StepKey]
_SMOOTHING = 1.0
_UNSEEN = 2.0  # how much more a step costs that was not seen than those of its rule that were
_SEEN = 3  # times that a step must have been possible to have a cost of its own
_CROSSED = 4.0  # how much more crossed composition costs in running text, where chains of it go wrong …
_LEAST_CROSSED = 0.2  # … even if it was always taken
_FINITE_RELATIVE = 3.0  # for a finite verb phrase as a relative clause, which English does not have

Counts = dict[StepKey, float]


def estimate(
    derivations: Iterable[Derivation],
    scheme: Scheme,
    *,
    counts: Iterable[float] = repeat(1.0),
    weight: float = 0.1,
) -> Costs:
    """Costs from derivations, of which each counts as much as `counts` has it.

    `weight` is what a nat of them is worth beside one of a supertag.
    """
    taken: Counts = defaultdict(float)
    possible: Counts = defaultdict(float)
    shapes: dict[str, float] = defaultdict(float)
    for derivation, count in zip(derivations, counts, strict=False):  # counts may go on
        annotated = annotate(derivation, scheme)
        steps, nodes = _read(annotated)
        leaves = [leaf.category for leaf in derivation.leaves()]
        for _, _, key in steps:
            taken[key] += count
        for _, _, key in steps.union(_possible(nodes, leaves, scheme)):
            possible[key] += count
        for shape in (*_edges(steps, len(leaves)), *_orders(annotated)):
            shapes[shape] += count
    mark = weight * math.log((shapes["wide"] + 1) / (shapes["inner"] + 1))
    right_first = weight / 2 * math.log((shapes["left inside"] + 1) / (shapes["right inside"] + 1))
    return replace(_costs(taken, possible, weight), mark=round(mark, 4), right_first=round(right_first, 4))


def for_running_text(costs: Costs) -> Costs:
    """Costs with what short sentences cannot tell, as it was chosen on the hand-checked running text.

    Heads are near, and those that a tagger expects; marks are high, and what they enclose is a constituent;
    crossed composition is dear; finite verb phrases hardly become relative clauses.
    """
    finite = Category.parse(r"S[dcl]\NP")

    def price(rule: Rule, child: Category | None, cost: float) -> float:
        if rule is Rule.TYPE_CHANGE and child is finite:
            return _FINITE_RELATIVE
        return round(max(_LEAST_CROSSED, _CROSSED * cost), 4) if rule.is_crossed else cost

    return replace(
        costs,
        distance=0.02,
        mark=0.1,
        head_words=0.75,
        enclosed=8.0,
        rules={rule: price(rule, None, cost) for rule, cost in costs.rules.items()},
        steps={key: price(key[0], key[1], cost) for key, cost in costs.steps.items()},
    )


def _read(derivation: Derivation) -> tuple[set[Place], set[tuple[int, int, Category]]]:
    """The steps of a derivation and its constituents."""
    steps: set[Place] = set()
    nodes: set[tuple[int, int, Category]] = set()
    agenda = [(derivation, 0)]
    while agenda:
        node, start = agenda.pop()
        end = start + len(node.tokens)
        nodes.add((start, end, node.category))
        if node.children and node.rule is not None:
            children = tuple(child.category for child in node.children)
            steps.add((start, end, step_key(Combination(node.category, node.rule, node.head), children)))
        place = start
        for child in node.children:
            agenda.append((child, place))
            place += len(child.tokens)
    return steps, nodes


def _edges(steps: set[Place], size: int) -> Iterator[str]:
    """Whether each mark stands on a constituent up to the sentence's edge, or on a shorter one."""
    for start, end, (rule, *_) in steps:
        if rule in (Rule.RIGHT_PUNCTUATION, Rule.LEFT_PUNCTUATION):
            at_edge = start == 0 if rule is Rule.RIGHT_PUNCTUATION else end == size
            yield "wide" if at_edge else "inner"


def _orders(derivation: Derivation) -> Iterator[str]:
    """Of what is modified on both sides, which modifier is inside."""
    for node in derivation.nodes():
        if node.rule is Rule.FORWARD_APPLICATION and node.category is node.children[1].category:
            inner, which, other = node.children[1], "right inside", Rule.BACKWARD_APPLICATION
        elif node.rule is Rule.BACKWARD_APPLICATION and node.category is node.children[0].category:
            inner, which, other = node.children[0], "left inside", Rule.FORWARD_APPLICATION
        else:
            continue
        if inner.rule is other and inner.category in (child.category for child in inner.children):
            yield which


def _possible(
    nodes: set[tuple[int, int, Category]], leaves: list[Category], scheme: Scheme
) -> Iterator[Place]:
    """Every step from constituents of the derivation."""
    starting: dict[int, list[tuple[int, Category]]] = defaultdict(list)
    for start, end, category in nodes:
        starting[start].append((end, category))
    for start, middle, left in nodes:
        for found in change(left, scheme):
            yield start, middle, step_key(found, (left,))
        for end, right in starting[middle]:
            for found in combine(left, right, scheme, leaves[middle] in scheme.conjunctions):
                yield start, end, step_key(found, (left, right))


def _costs(taken: Counts, possible: Counts, weight: float) -> Costs:
    by_rule: dict[Rule, float] = defaultdict(float)
    in_all: dict[Rule, float] = defaultdict(float)
    for key, count in possible.items():
        in_all[key[0]] += count
        by_rule[key[0]] += taken[key]
    share = {rule: (by_rule[rule] + 0.1) / (in_all[rule] + 1) for rule in in_all}
    rules = {rule: _cost(share[rule], _UNSEEN * weight) for rule in share}
    steps = {
        key: _cost((taken[key] + _SMOOTHING * share[key[0]]) / (count + _SMOOTHING), weight)
        for key, count in possible.items()
        if count >= _SEEN
    }
    known = {key: cost for key, cost in steps.items() if abs(cost - rules[key[0]]) > weight / 10}
    return Costs(rules=rules, steps=known)


def _cost(share: float, weight: float) -> float:
    """The odds against a step; what is more likely than not costs nothing, so that A* goes straight."""
    return max(0.0, round(weight * math.log((1 - share) / share), 4)) if share < 1 else 0.0
