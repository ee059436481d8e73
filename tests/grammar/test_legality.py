"""A tag sequence is legal when it is exactly the canonical spelling of a category."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import categories, examples

from ccgkit import Category, CategorySyntaxError
from ccgkit.grammar import Prefix, is_legal, legal_next
from ccgkit.grammar.legality import IllegalTagError, lexemes

TAGS = ("(", ")", "/", "\\", "S", "NP", "N[num]")


@given(categories())
def test_canonical_spellings_are_legal(category):
    assert is_legal(category.tokens())
    assert is_legal([str(category)])


@given(st.lists(st.sampled_from(TAGS), max_size=9))
def test_legal_is_canonical_and_nothing_else(tokens):
    try:
        canonical = Category.parse("".join(tokens)).tokens() == tokens
    except CategorySyntaxError:
        canonical = False
    assert is_legal(tokens) == canonical


@pytest.mark.parametrize(
    "tokens",
    [
        [],
        ["(", "NP", ")"],
        ["(", "S", "\\", "NP", ")"],
        ["S", "\\", "NP", "/", "NP"],
        ["S", "\\", "(", "NP", ")"],
        ["(", "(", "S", "\\", "NP", ")", ")", "/", "NP"],
        ["S", "NP"],
        ["N", "P"],
        ["S", "/"],
        ["S", "\\", "NP", ")"],
        ["S", "[dcl]", "[b]"],
        ["nonsense{}"],
        ["S \\ NP"],
    ],
)
def test_illegal_sequences(tokens):
    assert not is_legal(tokens)


def test_composite_tags_and_features_of_their_own():
    assert is_legal(["(", "S\\NP", ")", "/NP"])
    assert is_legal(["S", "[dcl]", "\\", "NP"])
    assert is_legal(["(S[dcl]\\NP)/NP"])
    assert lexemes(")/(S[dcl]") == (")", "/", "(", "S[dcl]")
    with pytest.raises(IllegalTagError):
        lexemes("S NP")


def every_legal_sequence(length):
    """All legal sequences of at most `length` tags, by brute force."""
    grown, found = [[]], []
    for _ in range(length):
        grown = [[*tokens, tag] for tokens in grown for tag in ("(", ")", "/", "A") if viable([*tokens, tag])]
        found += [tokens for tokens in grown if is_legal(tokens)]
    return found


def viable(tokens):
    return tokens.count(")") <= tokens.count("(")


def test_next_tags_are_exactly_those_that_lead_to_a_category_in_time():
    limit = 7
    legal = {tuple(tokens) for tokens in every_legal_sequence(limit)}
    prefixes = {tokens[:i] for tokens in legal for i in range(len(tokens) + 1)}
    for prefix in prefixes:
        possible = [tag for tag in ("(", ")", "/", "A") if (*prefix, tag) in prefixes]
        assert legal_next(prefix, ("(", ")", "/", "A"), max_length=limit) == possible


@examples(100)
@given(st.integers(0, 2**32), st.integers(1, 15), st.integers(0, 4))
def test_following_the_next_tags_always_ends_in_a_category_within_the_limits(seed, length, depth):
    rng = random.Random(seed)
    state, tokens = Prefix(length, depth), []
    while not state.is_complete or rng.random() < 0.7:
        allowed = [tag for tag in TAGS if state.advance(tag) is not None]
        if not allowed:
            break
        tokens.append(rng.choice(allowed))
        state = state.advance(tokens[-1])
    assert state.is_complete and is_legal(tokens)
    category = Category.parse("".join(tokens))
    assert len(tokens) <= length and category.depth <= depth


@given(categories(), st.data())
def test_the_shortest_completion_is_reached_and_not_undercut(category, data):
    tokens = category.tokens()
    cut = data.draw(st.integers(0, len(tokens)))
    state = Prefix()
    for token in tokens[:cut]:
        state = state.advance(token)
    assert state.shortest_completion <= len(tokens) - cut
    steps = 0
    while not state.is_complete:
        following = (state.advance(tag) for tag in ("/", "A", ")"))
        state = min(filter(None, following), key=lambda after: after.shortest_completion)
        steps += 1
    assert steps <= 3 * len(tokens) + 3


def test_a_dead_prefix_has_no_next_tag():
    assert legal_next(["S", "\\", "NP", "/"], TAGS) == []
    assert legal_next(["S"], TAGS, max_length=1) == []
