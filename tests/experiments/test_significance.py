"""Paired tests: known values, and what must hold of any data."""

import sys

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from tiny import options

from ccgkit import CCGKitError
from ccgkit.cli.experiment import command
from ccgkit.experiments.significance import (
    f1_difference,
    holm,
    paired_bootstrap,
    paired_t_test,
    significance,
)

differences = st.lists(st.integers(-3, 3).map(float), min_size=2, max_size=60)


@pytest.mark.parametrize(
    ("values", "p"),
    [
        ([1, 2, 3], 0.07418),  # t = 3.4641, two degrees of freedom
        ([0.2, -0.1, 0.4, 0.3], 0.16116),  # t = 1.8516, three degrees
        ([1, -1], 1.0),
        ([0, 0, 0], 1.0),
        ([2, 2, 2], 0.0),
        ([1], 1.0),
    ],
)
def test_students_t(values, p):
    assert paired_t_test(values) == pytest.approx(p, abs=1e-4)


def test_many_sentences_come_near_the_normal_distribution():
    values = np.tile([1.0, -1.0], 5000) + 1.96 / 100  # t is 1.96, and p 0.05
    assert paired_t_test(values) == pytest.approx(0.05, abs=1e-3)


def test_without_scipy_nothing_is_begun_and_it_is_told_what_to_install(data, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    result = CliRunner().invoke(command, ["main", *options(data, tmp_path)])
    assert isinstance(result.exception, CCGKitError)
    assert "pip install scipy" in str(result.exception)
    assert not list(tmp_path.iterdir())


@given(differences)
def test_p_is_a_probability_and_has_no_side(values):
    for test in (paired_t_test, paired_bootstrap):
        assert 0.0 <= test(values) <= 1.0
    assert paired_t_test(values) == pytest.approx(paired_t_test([-one for one in values]))


def test_the_bootstrap_agrees_with_the_t_test_where_there_are_many_sentences():
    chance = np.random.default_rng(7)
    for shift in (0.0, 0.05, 0.1, 0.3):
        values = np.rint(chance.normal(shift, 1.0, 800))
        assert paired_bootstrap(values) == pytest.approx(paired_t_test(values), abs=0.03)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_a_correction_only_raises_p_and_keeps_the_order(values):
    found = holm(values)
    assert all(p <= q <= 1.0 for p, q in zip(values, found, strict=True))
    assert [q for _, q in sorted(zip(values, found, strict=True))] == sorted(found)
    assert not values or min(found) == min(1.0, len(values) * min(values))


@given(differences)
def test_one_side_and_the_other_make_up_all(values):
    more, less = (paired_t_test([sign * one for one in values], "greater") for sign in (1, -1))
    if any(values):
        assert more + less == pytest.approx(1.0)
        assert paired_t_test(values) == pytest.approx(2 * min(more, less))


def test_runs_are_paired_by_seed_and_empty_sentences_left_out():
    words = np.array([5.0, 4.0, 0.0, 6.0])
    base = [np.stack([right, words], 1) for right in (np.array([3.0, 4, 0, 2]), np.array([3.0, 3, 0, 2]))]
    better = [one + np.array([[1, 0], [0, 0], [0, 0], [2, 0]]) for one in base]
    found = significance(base, better)
    assert found.sentences == pytest.approx(paired_t_test([1, 0, 2]))
    assert found.seeds == pytest.approx(0.0)  # the same gain with both seeds
    assert significance(base[:1], better[:1]).seeds is None
    assert significance(base, base).bootstrap == 1.0


@st.composite
def runs(draw):
    """Right, found and gold items of some sentences, for two systems."""
    size = draw(st.integers(1, 30))
    one = st.integers(1, 9).flatmap(
        lambda gold: st.tuples(st.integers(0, gold), st.just(gold), st.just(gold))
    )
    return tuple([draw(st.lists(one, min_size=size, max_size=size))] for _ in range(2))


@given(runs())
@examples(20)
def test_the_interval_of_a_difference_turns_with_the_systems(pair):
    base, other = pair
    difference, low, high = f1_difference(base, other)
    assert low <= high and f1_difference(base, base) == (0, 0, 0)
    assert f1_difference(other, base) == pytest.approx((-difference, -high, -low), abs=1e-9)
    plain = [200 * sum(r for r, _, _ in one[0]) / sum(f + g for _, f, g in one[0]) for one in pair]
    assert difference == pytest.approx(plain[1] - plain[0])


def test_the_interval_narrows_with_the_number_of_sentences():
    worse, better = [(1, 3, 3), (3, 4, 4), (2, 4, 4)], [(2, 3, 3), (3, 4, 4), (3, 4, 4)]
    _, low, high = f1_difference([worse], [better])
    _, many_low, many_high = f1_difference([worse * 50] * 2, [better * 50] * 2)
    assert low <= many_low and many_high <= high and many_low > 0
