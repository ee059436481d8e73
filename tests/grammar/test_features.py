"""Feature unification as CCGbank treats features."""

import pytest
from hypothesis import given
from strategies import lexical_categories

from ccgkit import Category
from ccgkit.grammar import unify

parse = Category.parse


@pytest.mark.parametrize(
    ("left", "right", "unified"),
    [
        ("S", "S[dcl]", "S[dcl]"),
        ("S[dcl]", "S", "S[dcl]"),
        ("S[X]", "S[dcl]", "S[dcl]"),
        ("S[X]", "S[X]", "S[X]"),
        ("S[X]\\NP", "S[dcl]\\NP[nb]", "S[dcl]\\NP"),
        ("NP[nb]", "NP", "NP"),
        ("NP[nb]", "NP[expl]", "NP[expl]"),
        ("N[num]", "N", "N[num]"),
        ("S[X]/(S[X]\\NP)", "S[q]/(S[q]\\NP)", "S[q]/(S[q]\\NP)"),
        ("S[mod=X1,form=base]", "S[mod=nm,form=base]", "S[mod=nm,form=base]"),
        ("S[mod=nm]", "S[form=base]", "S[mod=nm,form=base]"),
    ],
)
def test_what_matches_and_what_it_says_together(left, right, unified):
    assert unify(parse(left), parse(right)).category is parse(unified)
    assert unify(parse(right), parse(left)).category.without_features() is parse(unified).without_features()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("S[dcl]", "S[b]"),
        ("N", "NP"),
        ("S/NP", "S\\NP"),
        ("S", "S\\NP"),
        ("NP", "NP[conj]"),
        ("S\\NP", "S\\NP[conj]"),
        ("S[X]\\S[X]", "S[dcl]\\S[b]"),
        ("S[mod=nm]", "S[mod=adn]"),
        ("S[mod=X1]\\S[mod=X1]", "S[mod=nm]\\S[mod=adn]"),
    ],
)
def test_what_does_not_match(left, right):
    assert unify(parse(left), parse(right)) is None
    assert unify(parse(right), parse(left)) is None


def test_a_loose_variable_may_be_two_things():
    match = unify(parse("S[X]/(S[X]\\NP)"), parse("S[q]/(S[adj]\\NP)"), True)
    assert match.category is parse("S[q]/(S[adj]\\NP)")


def test_bindings_belong_to_the_side_of_their_variable():
    match = unify(parse("S[X]\\NP"), parse("S[dcl]\\NP"))
    assert (match.left, match.right) == ({"X": "dcl"}, {})
    match = unify(parse("S[dcl]\\NP"), parse("S[X]\\NP"))
    assert (match.left, match.right) == ({}, {"X": "dcl"})


@given(lexical_categories())
def test_a_category_unifies_with_itself(category):
    assert unify(category, category).category.without_features() is category.without_features()


@given(lexical_categories(), lexical_categories())
def test_unification_is_symmetric_and_only_adds_features(left, right):
    one, other = unify(left, right), unify(right, left)
    assert (one is None) == (other is None)
    if one is not None:
        assert one.category is other.category
        assert one.category.without_features() is left.without_features() is right.without_features()
        assert unify(one.category, left, True) and unify(one.category, right, True)


def test_depth_is_no_obstacle():
    deep = parse("(" * 5000 + "S[X]" + "/NP)" * 5000)
    other = parse("(" * 5000 + "S[dcl]" + "/NP)" * 5000)
    assert unify(deep, other).category is other
