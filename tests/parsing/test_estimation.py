"""Costs of steps: estimated from derivations, written, read, and used."""

from __future__ import annotations

import pytest

from ccgkit.corpora import loads
from ccgkit.grammar import Category, CCGKitError, Combination, Rule, load_scheme
from ccgkit.parsing.costs import Costs, load_costs, read_costs, write_costs
from ccgkit.parsing.estimation import estimate, for_running_text

AUTO = (
    "ID=1 PARSER=GOLD NUMPARSE=1\n"
    r"(<T S[dcl] 1 2> (<T NP 0 1> (<L N NNS NNS figs N>) ) (<T S[dcl]\NP 0 2> "
    r"(<L S[dcl]\NP VBP VBP ripen S[dcl]\NP>) (<L . . . . .>) ) )"
    "\n"
)


def test_steps_that_are_taken_cost_less_than_those_that_are_not() -> None:
    trees = [sentence.derivations[0] for sentence in loads(AUTO * 9, "auto") if sentence.derivations]
    costs = estimate(trees, load_scheme("rebank"))
    noun, phrase = Category.parse("N"), Category.parse("NP")
    taken = costs.step(Combination(phrase, Rule.TYPE_CHANGE, 0), (noun,))
    raised = Category.parse(r"S[X]/(S[X]\NP)")
    assert taken < costs.step(Combination(raised, Rule.FORWARD_TYPE_RAISING, 0), (phrase,))
    assert costs.mark < 0  # here the full stop is attached low


def test_derivations_count_as_much_as_they_are_said_to() -> None:
    trees = [sentence.derivations[0] for sentence in loads(AUTO * 4, "auto") if sentence.derivations]
    scheme = load_scheme("rebank")
    assert estimate(trees[:2], scheme, counts=[1.0, 3.0]) == estimate(trees, scheme)


def test_running_text_has_near_heads_high_marks_and_few_finite_relatives() -> None:
    phrase, relative = Category.parse(r"S[dcl]\NP"), Category.parse(r"N\N")
    trees = [sentence.derivations[0] for sentence in loads(AUTO * 9, "auto") if sentence.derivations]
    estimated = estimate(trees, load_scheme("rebank"))
    costs = for_running_text(estimated)
    step = Combination(relative, Rule.TYPE_CHANGE, 0)
    assert costs.step(step, (phrase,)) > 2 > estimated.step(step, (phrase,))
    assert costs.mark > 0 and costs.distance > estimated.distance


def test_costs_are_written_and_read() -> None:
    key = (Rule.FORWARD_APPLICATION, Category.parse("NP/N"), Category.parse("N"))
    costs = Costs(0.5, -0.25, 0.1, 0.2, 0.4, 0.3, (1.0, 0.5, 0.25, 0.7), {Rule.TYPE_CHANGE: 1.5}, {key: 0.75})
    assert read_costs(write_costs(costs)) == costs


def test_the_packaged_costs_are_never_negative() -> None:
    for scheme in ("rebank", "udccg", "ccgbank"):
        costs = load_costs(scheme)
        assert all(cost >= 0 for cost in (*costs.steps.values(), *costs.rules.values()))


def test_costs_that_do_not_read_are_told() -> None:
    with pytest.raises(CCGKitError, match="costs"):
        read_costs('{"rules": {"?": 1}}')
