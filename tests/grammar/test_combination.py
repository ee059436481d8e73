"""Combining categories, and the keys that let a parser skip pairs: they never skip one that combines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import categories

from ccgkit.grammar import (
    Category,
    CategorySyntaxError,
    Functor,
    change,
    combine,
    load_scheme,
    scheme_names,
    unify,
)
from ccgkit.grammar.combination import left_keys, right_keys


@st.composite
def neighbours(draw: st.DrawFn) -> tuple[Category, Category]:
    """Two categories, often such that one wants the other."""
    one, other = draw(categories(6)), draw(categories(6))
    if draw(st.booleans()) and isinstance(one, Functor):
        other = one.argument
    if draw(st.booleans()) and isinstance(other, Functor):
        one = Functor(other.argument, draw(st.sampled_from("/\\")), one)
    return (one, other) if draw(st.booleans()) else (other, one)


@pytest.mark.parametrize("name", scheme_names())
@given(pair=neighbours(), conjoined=st.booleans())
def test_what_combines_shares_a_key(name: str, pair: tuple[Category, Category], conjoined: bool) -> None:
    scheme = load_scheme(name)
    if combine(*pair, scheme, conjoined):
        assert left_keys(pair[0], scheme) & right_keys(pair[1], scheme)


def test_most_of_what_does_not_combine_shares_none() -> None:
    scheme = load_scheme("ccgbank")
    words = [Category.parse(text) for text in ("NP", "N", "PP", "S[dcl]", "NP/N", r"S[b]\NP", r"(NP\NP)/NP")]
    skipped = sum(left_keys(a, scheme).isdisjoint(right_keys(b, scheme)) for a in words for b in words)
    idle = sum(not combine(a, b, scheme) for a in words for b in words)
    assert skipped > 0.8 * idle


def test_spellings_are_read_and_anything_else_is_refused() -> None:
    noun_phrase, verb = Category.parse("NP"), Category.parse(r"S[dcl]\NP")
    assert combine("NP", r"S[dcl]\NP") == combine(noun_phrase, verb) != ()
    assert change("N") == change(Category.parse("N")) != ()
    assert unify("NP", "NP[nb]") == unify(noun_phrase, Category.parse("NP[nb]")) is not None
    with pytest.raises(CategorySyntaxError, match="nothing after the slash"):
        combine("NP/", "NP")
    with pytest.raises(TypeError, match="expected a category or its spelling, not NoneType"):
        combine("NP", None)  # type: ignore[arg-type]
