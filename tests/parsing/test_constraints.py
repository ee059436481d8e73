"""Constraints on a derivation: what they say of one, how they are written, and that the search keeps them."""

from __future__ import annotations

import pytest

from ccgkit.corpora import loads
from ccgkit.grammar import Category, Derivation, annotate, load_scheme
from ccgkit.parsing import ConstraintError, Constraints, Filter, Pair, Span

N, NP, PP = map(Category.parse, ("N", "NP", "PP"))

AUTO = (
    "ID=1 PARSER=GOLD NUMPARSE=1\n"
    r"(<T S[dcl] 1 2> (<T NP 1 2> (<L NP/N DT DT the NP/N>) (<T N 1 2> (<L N/N JJ JJ old N/N>) "
    r"(<L N NN NN man N>) ) ) (<T S[dcl]\NP 0 2> (<L (S[dcl]\NP)/NP VBD VBD saw (S[dcl]\NP)/NP>) "
    "(<L NP PRP PRP her NP>) ) )\n"
)


def tree() -> Derivation:
    (sentence,) = loads(AUTO, "auto")
    assert sentence.derivations
    return annotate(sentence.derivations[0], load_scheme("rebank"))


@pytest.mark.parametrize(
    "kept",
    [
        Constraints(spans=(Span(0, 3), Span(1, 3, categories=(N,)), Span(2, 4, wanted=False))),
        Constraints(spans=(Span(0, 3, categories=(PP, NP)), Span(0, 3, False, categories=(N,)))),
        Constraints(pairs=(Pair(3, 2, "argument"), Pair(2, 0, "modifier"), Pair(2, 1), Pair(3, 4))),
        Constraints(pairs=(Pair(4, 3), Pair(2, 4, wanted=False), Pair(3, 4, "modifier", wanted=False))),
        Constraints(filters=(Filter(2, (N,)), Filter(3, targets=(Category.parse("S"),), arguments=(NP, NP)))),
        Constraints(filters=(Filter(3, arguments=(PP,), wanted=False),)),
    ],
)
def test_what_a_derivation_keeps_is_not_told(kept: Constraints) -> None:
    assert kept.violations(tree()) == []


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (Constraints(spans=(Span(2, 4),)), "'man saw' is no constituent: 'saw her' crosses it"),
        (Constraints(spans=(Span(1, 3, wanted=False),)), "'old man' is a constituent"),
        (Constraints(spans=(Span(1, 3, categories=(NP,)),)), "'old man' is N"),
        (Constraints(spans=(Span(1, 3, False, categories=(NP, N)),)), "'old man' is N"),
        (Constraints(pairs=(Pair(3, 0),)), "'the' depends on 'man'"),
        (Constraints(pairs=(Pair(3, 2, "modifier"),)), "'man' depends on 'saw' as argument"),
        (Constraints(pairs=(Pair(3, 4, wanted=False),)), "'her' depends on 'saw'"),
        (Constraints(filters=(Filter(2, (NP,)),)), "'man' is N"),
        (Constraints(filters=(Filter(3, arguments=(PP,)),)), r"'saw' is (S[dcl]\NP)/NP"),
    ],
)
def test_what_a_derivation_breaks_is_told_in_words(broken: Constraints, reason: str) -> None:
    assert [one.reason for one in broken.violations(tree())] == [reason]


def test_constraints_are_written_and_read() -> None:
    known = Constraints(
        (Span(0, 2, categories=(NP,)), Span(1, 3, False, 0.5)),
        (Pair(0, 1, "argument"), Pair(2, 1, wanted=False)),
        (Filter(0, (N, NP)), Filter(1, (), (N,), (PP,), False, 2.0)),
    )
    assert Constraints.from_dict(known.to_dict()) == known
    assert known and not Constraints.from_dict({})


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Span(2, 2),
        lambda: Span(0, 1, cost=0.0),
        lambda: Pair(1, 1),
        lambda: Pair(0, 1, "subject"),  # type: ignore[arg-type]
        lambda: Filter(0),
        lambda: Constraints(spans=(Span(0, 9),)).violations(tree()),
        lambda: Constraints.from_dict({"spans": [{"from": 1}]}),
    ],
)
def test_constraints_that_say_nothing_are_refused(wrong) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConstraintError):
        wrong()
