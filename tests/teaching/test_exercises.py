"""Exercises: a right derivation has no mistakes, and each wrong step is named with the reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lexica import TOY
from strategies import examples

from ccgkit import Category
from ccgkit.teaching import Grammar

SENTENCES = (
    "John likes Mary",
    "I saw the man with a telescope",
    "John saw John and John",
    "John gave Mary a book and Bill a pen",
    "the man saw the man",
)


def written(derivation):
    return "\n".join(map(str, derivation.steps()))


@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_derivation_of_the_grammar_is_right_in_either_form(sentence):
    grammar = Grammar(TOY, normal_form=False)
    for derivation in grammar.parse(sentence):
        assert grammar.check(derivation) == []
        assert grammar.check(written(derivation)) == []


def test_words_may_come_first_and_rules_be_left_out():
    assert Grammar(TOY).check(r"""
        John := NP
        likes := S\NP/NP
        Mary := NP
        # now the steps
        likes Mary := S\NP
        John likes Mary := S
    """) == []  # fmt: skip


START = "John := NP\nlikes := (S\\NP)/NP\nMary := NP\n"


@pytest.mark.parametrize(
    ("steps", "line", "said"),
    [
        ("likes Mary := S  >", 4, r"(S\NP)/NP NP gives S\NP by >, not S"),
        (
            "likes Mary := S\\NP  <",
            4,
            "the step is right, but it is forward application (X/Y Y → X): write >",
        ),
        ("John likes := S\\NP  <", 4, r"(S\NP)/NP looks for its argument to the right"),
        ("John likes := S/NP  >", 4, "NP is not a functor"),
        ("John likes := S/NP  >B", 4, "NP is not a functor"),
        ("John Mary := S", 4, "not one constituent or two neighbours; what there is: John | likes | Mary"),
        ("likes Mary := S\\NP >>", 4, ">> is not a rule"),
        ("likes Mary = S\\NP", 4, "write WORDS := CATEGORY RULE"),
        ("likes Mary := (S\\NP  >", 4, "is not a category: unclosed parenthesis"),
        ("Bill := N", 4, "in the lexicon Bill is NP"),
        ("xyz := N", 4, "xyz is not in the lexicon"),
        ("John := S/(S/NP)  >T", 4, r"type-raising makes T/(T\NP) or T\(T/NP) of NP"),
        ("John := N", 4, "no rule changes NP into N"),
        ("likes Mary := S\\NP  >", None, r"not complete: John := NP | likes Mary := S\NP"),
    ],
)
def test_a_wrong_step_is_named_with_the_reason(steps, line, said):
    (mistake,) = Grammar(TOY).check(START + steps)
    assert mistake.line == line and said in str(mistake)


def test_a_rule_that_is_switched_off_is_called_by_its_name():
    composed = START + "John := S/(S\\NP)  >T\nJohn likes := S/NP  >B\nJohn likes Mary := S  >"
    assert Grammar(TOY).check(composed) == []
    (mistake,) = Grammar(TOY, composition=False).check(composed)
    assert (
        mistake.line == 5
        and "forward composition (X/Y Y/Z → X/Z), which this grammar does not have" in str(mistake)
    )
    (mistake,) = Grammar(TOY, type_raising=False).check(composed)
    assert mistake.line == 4 and "forward type-raising" in str(mistake)


def test_a_noun_phrase_is_no_sentence():
    (mistake,) = Grammar(TOY).check("the := NP/N\nman := N\nthe man := NP  >")
    assert "ends in NP, not in S" in str(mistake)
    assert "there is no derivation" in str(*Grammar(TOY).check(""))


@examples(30)
@given(st.sampled_from(SENTENCES), st.data())
def test_a_category_that_is_spoilt_is_found_where_it_is(sentence, data):
    grammar = Grammar(TOY)
    lines = written(grammar.parse(sentence)[0]).split("\n")
    number = data.draw(st.integers(0, len(lines) - 1))
    words, _, rest = lines[number].partition(" := ")
    spoilt = Category.parse(rest.split()[0]) / "PP"
    lines[number] = f"{words} := {spoilt}"
    assert grammar.check("\n".join(lines))[0].line == number + 1


PIECES = st.sampled_from(
    ["John", "likes", ":=", "NP", r"(S\NP)/NP", "S", ">", "<T", ">B", "Φ", "(", "\n", "#", "conj"]
)


@given(st.lists(PIECES, max_size=12).map(" ".join) | st.text())
def test_whatever_is_handed_in_gets_an_answer(text):
    assert all(mistake.reason for mistake in Grammar(TOY).check(text))
