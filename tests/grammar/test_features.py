"""Feature unification as CCGbank treats features."""

import pytest
from hypothesis import given
from strategies import lexical_categories

from ccgkit import Category
from ccgkit.grammar import unify

parse = Category.parse


@pytest.mark.parametrize(
    "categories",
    [
        r"S  S[dcl]  S[dcl]",
        r"S[dcl]  S  S[dcl]",
        r"S[X]  S[dcl]  S[dcl]",
        r"S[X]  S[X]  S[X]",
        r"S[X]\NP  S[dcl]\NP[nb]  S[dcl]\NP",
        r"NP[nb]  NP  NP",
        r"NP[nb]  NP[expl]  NP[expl]",
        r"N[num]  N  N[num]",
        r"S[X]/(S[X]\NP)  S[q]/(S[q]\NP)  S[q]/(S[q]\NP)",
        r"S[mod=X1,form=base]  S[mod=nm,form=base]  S[mod=nm,form=base]",
        r"S[mod=nm]  S[form=base]  S[mod=nm,form=base]",
    ],
)
def test_what_matches_and_what_it_says_together(categories):
    left, right, unified = map(parse, categories.split())
    assert unify(left, right).category is unified
    assert unify(right, left).category.without_features() is unified.without_features()


@pytest.mark.parametrize(
    "categories",
    [
        r"S[dcl]  S[b]",
        r"N  NP",
        r"S/NP  S\NP",
        r"S  S\NP",
        r"NP  NP[conj]",
        r"S\NP  S\NP[conj]",
        r"S[X]\S[X]  S[dcl]\S[b]",
        r"S[mod=nm]  S[mod=adn]",
        r"S[mod=X1]\S[mod=X1]  S[mod=nm]\S[mod=adn]",
    ],
)
def test_what_does_not_match(categories):
    left, right = map(parse, categories.split())
    assert unify(left, right) is None
    assert unify(right, left) is None


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
