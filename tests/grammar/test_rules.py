"""The combinatory rules: what each makes, and that none makes anything it should not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import lexical_categories

from ccgkit import Atom, Category, Functor, Rule, Slash
from ccgkit.grammar import change, combine, load_scheme, unify
from ccgkit.grammar.rules import (
    Kind,
    backward_application,
    backward_composition,
    backward_crossed_composition,
    backward_crossed_substitution,
    backward_substitution,
    forward_application,
    forward_composition,
    forward_crossed_composition,
    forward_crossed_substitution,
    forward_substitution,
    generalized_composition,
    type_raise,
)

parse = Category.parse
CCGBANK, REBANK, UDCCG = map(load_scheme, ("ccgbank", "rebank", "udccg"))


def made(left, right, scheme=CCGBANK, **options):
    """`category rule head` of every combination."""
    return {
        f"{c.category} {c.rule.symbol} {c.head}"
        for c in combine(parse(left), parse(right), scheme, **options)
    }


@pytest.mark.parametrize(
    ("rule", "left", "right", "result"),
    [
        (forward_application, "(S[dcl]\\NP)/NP", "NP", "S[dcl]\\NP"),
        (forward_application, "NP[nb]/N", "N", "NP"),
        (forward_application, "(S\\NP)/(S\\NP)", "S[dcl]\\NP", "S[dcl]\\NP"),
        (forward_application, "S[X]/(S[X]\\NP)", "S[dcl]\\NP", "S[dcl]"),
        (forward_application, "S/(S\\NP)", "S[b]\\NP", "S[b]"),
        (forward_application, "N/N", "N[num]", "N[num]"),
        (backward_application, "NP", "S[dcl]\\NP", "S[dcl]"),
        (backward_application, "S[dcl]\\NP[thr]", "(S\\NP)\\(S\\NP)", "S[dcl]\\NP[thr]"),
        (backward_application, "NP", "(NP[nb]/N)\\NP", "NP[nb]/N"),
        (forward_composition, "S[dcl]/(S[b]\\NP)", "(S[b]\\NP)/NP", "S[dcl]/NP"),
        (forward_composition, "S[X]/(S[X]\\NP)", "(S[dcl]\\NP)/NP", "S[dcl]/NP"),
        (backward_composition, "S[b]\\NP", "S\\S", "S[b]\\NP"),
        (forward_crossed_composition, "S/S", "S[b]\\NP", "S[b]\\NP"),
        (backward_crossed_composition, "(S[dcl]\\NP)/PP", "(S\\NP)\\(S\\NP)", "(S[dcl]\\NP)/PP"),
        (forward_substitution, "(S/NP)/PP", "NP/PP", "S/PP"),
        (forward_crossed_substitution, "(S/NP)\\PP", "NP\\PP", "S\\PP"),
        (backward_substitution, "NP\\PP", "(S\\NP)\\PP", "S\\PP"),
        (backward_crossed_substitution, "(S[b]\\NP)/NP", "((S\\NP)\\(S\\NP))/NP", "(S[b]\\NP)/NP"),
    ],
)
def test_what_each_rule_makes(rule, left, right, result):
    assert rule(parse(left), parse(right)) is parse(result)


@pytest.mark.parametrize(
    ("rule", "left", "right"),
    [
        (forward_application, "S\\NP", "NP"),
        (forward_application, "S/NP", "N"),
        (forward_application, "(S[dcl]\\NP)/(S[b]\\NP)", "S[ng]\\NP"),
        (backward_application, "NP", "S/NP"),
        (forward_composition, "S/NP", "NP\\N"),
        (forward_crossed_composition, "S/NP", "NP/N"),
        (backward_composition, "NP/N", "S\\NP"),
        (forward_application, "NP/NP", "NP[conj]"),
        (backward_crossed_substitution, "S/NP", "(S\\NP)/NP"),
    ],
)
def test_where_a_rule_does_not_apply(rule, left, right):
    assert rule(parse(left), parse(right)) is None


def test_generalised_composition_carries_the_arguments_over_in_order():
    left, right = parse("S[X]/S[X]"), parse("((S[dcl]/NP)\\PP)/N")
    assert generalized_composition(left, right, Slash.FORWARD, 3) is right
    give, adverb = parse("((S[dcl]\\NP)/PP)/NP"), parse("(S\\NP)\\(S\\NP)")
    assert generalized_composition(give, adverb, Slash.BACKWARD, 2) is give
    assert generalized_composition(give, adverb, Slash.BACKWARD, 4) is None


def test_type_raising():
    assert type_raise(parse("NP"), parse("S")) is parse("S/(S\\NP)")
    assert type_raise(parse("PP"), parse("S\\NP"), Slash.BACKWARD) is parse("(S\\NP)\\((S\\NP)/PP)")


@given(lexical_categories(), st.sampled_from(Slash), lexical_categories())
def test_application_gives_the_result_under_the_unifier(result, slash, argument):
    functor = Functor(result, slash, argument)
    pair = (functor, argument) if slash is Slash.FORWARD else (argument, functor)
    applied = (forward_application if slash is Slash.FORWARD else backward_application)(*pair)
    assert unify(applied, result, True) is not None
    assert applied.without_features() is result.without_features()


@given(lexical_categories(), lexical_categories(), lexical_categories())
def test_composition_keeps_result_and_argument(x, y, z):
    for rule, left, right, slash in (
        (forward_composition, x / y, y / z, "/"),
        (forward_crossed_composition, x / y, y | z, "\\"),
        (backward_composition, y | z, x | y, "\\"),
        (backward_crossed_composition, y / z, x | y, "/"),
    ):
        composed = rule(left, right)
        assert composed.without_features() is Functor(x, slash, z).without_features()
        assert composed.argument.without_features() is z.without_features()


@given(lexical_categories(), lexical_categories())
def test_every_combination_is_sound(left, right):
    for scheme in (CCGBANK, REBANK, UDCCG):
        for combination in combine(left, right, scheme):
            assert combination.head in (0, 1)
            assert combination.rule is not None
            size = combination.category.size
            if combination.rule.symbol in ("<", ">"):
                functor, argument = (left, right) if combination.rule.symbol == ">" else (right, left)
                assert size == functor.size - argument.size
            elif "B" in combination.rule.symbol:
                assert size <= left.size + right.size - 2


def test_results_name_rule_and_head():
    assert made("(S[dcl]\\NP)/NP", "NP") == {"S[dcl]\\NP > 0"}
    assert made("NP", "S[dcl]\\NP") == {"S[dcl] < 1"}
    assert made("NP[nb]/N", "N") == {"NP > 1"}
    assert "N > 1" in made("N/N", "N")
    assert "S[dcl]\\NP < 0" in made("S[dcl]\\NP", "(S\\NP)\\(S\\NP)")
    assert "S[dcl] > 1" in made("S/(S\\NP)", "S[dcl]\\NP")
    assert "((S[dcl]\\NP)/PP)/NP <Bxn 0" in made("((S[dcl]\\NP)/PP)/NP", "(S\\NP)\\(S\\NP)")


def test_coordination_in_ccgbank_marks_the_second_conjunct():
    assert made("conj", "NP") == {"NP[conj] & 1"}
    assert "NP[conj] & 1" in made(",", "NP")
    assert made("NP", "NP[conj]") == {"NP Φ 0"}
    assert made("S[dcl]\\NP", "S[dcl]\\NP[conj]") == {"S[dcl]\\NP Φ 0"}
    assert made("N", "NP[conj]") == set()


def test_coordination_in_pmb_makes_a_functor():
    assert made("conj", "NP", REBANK) == {"NP\\NP & 1"}
    assert "NP < 0" in made("NP", "NP\\NP", REBANK)


def test_coordination_in_ud_ccg_needs_a_conjunction_on_the_right():
    assert "NP & 1" in made("conj", "NP", UDCCG)
    assert made("NP", "NP", UDCCG, conjoined=True) == {"NP Φ 0"}
    assert made("NP", "NP", UDCCG, conjoined=False) == set()


def test_punctuation_is_absorbed_on_either_side():
    assert made("S[dcl]", ".") == {"S[dcl] rp 0"}
    assert made("LRB", "NP", REBANK) == {"NP lp 1"}
    assert "NP[conj] rp 0" in made("NP[conj]", ",")


def test_a_comma_makes_modifiers_in_ccgbank():
    assert "(S\\NP)\\(S\\NP) * 1" in made(",", "NP")
    assert "S/S * 0" in made("NP", ",")


def test_unary_steps():
    steps = {(str(c.category), c.rule) for c in change(parse("N[num]"), CCGBANK)}
    assert steps == {("NP", Rule.TYPE_CHANGE)}
    steps = {(str(c.category), c.rule) for c in change(parse("NP"), CCGBANK)}
    assert ("S/(S\\NP)", Rule.FORWARD_TYPE_RAISING) in steps
    assert ("(S\\NP)\\((S\\NP)/NP)", Rule.BACKWARD_TYPE_RAISING) in steps
    assert ("NP\\NP", Rule.TYPE_CHANGE) in {
        (str(c.category), c.rule) for c in change(parse("S[ng]\\NP"), CCGBANK)
    }
    assert change(parse("PR"), REBANK) == ()


def test_rules_work_on_categories_nobody_has_seen():
    new = Functor(Atom("Zork", "q"), "/", Atom("Frotz"))
    assert [str(c.category) for c in combine(new, Atom("Frotz"), CCGBANK)] == ["Zork[q]"]


def test_a_rule_knows_its_direction_and_kind():
    for rule in Rule:
        assert rule is Rule(rule.symbol)
        assert rule.direction == {">": Slash.FORWARD, "<": Slash.BACKWARD}.get(rule.symbol[0])
        assert rule.is_crossed == ("x" in rule.symbol)
        assert rule.is_generalized == ("n" in rule.symbol)
        letters = {
            "": Kind.APPLICATION,
            "B": Kind.COMPOSITION,
            "S": Kind.SUBSTITUTION,
            "T": Kind.TYPE_RAISING,
        }
        if rule.direction:
            assert rule.kind is letters[rule.symbol[1:2]]
        assert rule.is_combinatory == (rule.direction is not None and rule.kind is not Kind.TYPE_RAISING)
