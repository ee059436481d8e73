"""A string that is not a category gets one error: what is wrong, where, what was probably meant."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgkit import Category, CategorySyntaxError, CCGKitError

ERRORS = [
    # text, column, words of the reason, suggestions
    ("", 1, "empty string", ()),
    ("  ", 1, "empty string", ()),
    ("(S\\NP", 1, "unclosed parenthesis", ("S\\NP",)),
    ("((S\\NP)/NP", 1, "unclosed parenthesis", ("(S\\NP)/NP",)),
    ("(", 1, "unclosed parenthesis", ()),
    ("S\\NP)", 5, "closing parenthesis without", ("S\\NP",)),
    ("(S[dcl]\\NP))/NP", 12, "closing parenthesis without", ("(S[dcl]\\NP)/NP",)),
    (")S(", 1, "closing parenthesis without", ()),
    ("((S[b]\\NP)/NP)/", 15, "nothing after the slash", ("(S[b]\\NP)/NP",)),
    ("(S/)", 3, "nothing after the slash", ("S",)),
    ("/NP", 1, "nothing before the slash", ("NP",)),
    ("S//NP", 3, "two slashes", ("S/NP",)),
    ("S/\\NP", 3, "two slashes", ("S/NP", "S\\NP")),
    ("()", 1, "empty parentheses", ()),
    ("S[]", 2, "empty feature", ("S",)),
    ("S[dcl", 2, "unclosed feature", ("S[dcl]",)),
    ("S[", 2, "unclosed feature", ()),
    ("S]", 2, "] without [", ("S",)),
    ("[dcl]", 1, "feature without an atom", ()),
    ("S[dcl][b]", 7, "second feature", ("S[dcl]",)),
    ("NP[conj][conj]", 9, "second", ("NP[conj]",)),
    ("(S\\NP)[dcl]", 7, "feature on a complex category", ("S\\NP",)),
    ("S[d/cl]", 2, "feature cannot hold", ("S",)),
    ("N NP", 2, "two categories", ()),
    ("(S\\NP)(S\\NP)", 7, "two categories", ()),
    ("S \\ NP", 2, "white space inside", ("S\\NP",)),
    ("S\u00a0/NP", 2, "white space inside", ("S/NP",)),
    ("S\x00", 2, "control character", ("S",)),
    ("S\u200b/NP", 2, "control character", ("S/NP",)),
    ("S/.NP", 3, "modal slash", ("S/NP",)),
    ("S\\*(S\\NP)", 3, "modal slash", ("S\\(S\\NP)",)),
    ("S/<NP", 3, "modal slash", ("S/NP",)),
    ("NP\\.,NP", 4, "modal slash", ("NP\\NP",)),
    ("NP{Y}/N{Y}<1>", 3, "annotation ({Y})", ("NP/N",)),
    ("(S[dcl]\\NP_94)/NP_95:B", 11, "annotation (_94)", ("(S[dcl]\\NP)/NP",)),
    ("S|NP", 2, "without a direction", ("S/NP", "S\\NP")),
    ("S\\NP/NP", 5, "ambiguous", ("(S\\NP)/NP", "S\\(NP/NP)")),
    ("(S\\NP/NP)/N", 6, "ambiguous", ("(S\\NP)/NP", "S\\(NP/NP)")),
]


@pytest.mark.parametrize(
    ("text", "column", "reason", "suggestions"), ERRORS, ids=[repr(e[0]) for e in ERRORS]
)
def test_the_error_says_what_where_and_what_was_meant(text, column, reason, suggestions):
    with pytest.raises(CategorySyntaxError) as caught:
        Category.parse(text)
    error = caught.value
    assert reason in error.reason
    assert error.text == text
    assert error.column == column == error.position + 1
    assert error.suggestions == suggestions


def test_the_message_has_a_caret_under_the_place():
    with pytest.raises(CategorySyntaxError) as caught:
        Category.parse("  (S\\NP))/NP")
    assert str(caught.value) == (
        "a closing parenthesis without an opening one at column 9; did you mean (S\\NP)/NP?\n"
        "      (S\\NP))/NP\n"
        "            ^"
    )


def test_the_caret_stands_right_under_wide_and_invisible_characters():
    with pytest.raises(CategorySyntaxError) as caught:
        Category.parse("名詞/\u200b/NP")
    shown, caret = str(caught.value).splitlines()[1:]
    assert shown == "    名詞/\\u200b/NP"
    assert caret == " " * 4 + " " * 5 + "^"


def test_found_and_expected_are_named():
    with pytest.raises(CategorySyntaxError) as caught:
        Category.parse("S[dcl")
    assert (caught.value.found, caught.value.expected) == ("the end", "]")
    assert "expected ], found the end" in str(caught.value)


@pytest.mark.parametrize("text", ["(" * 10_000, "S" + ")" * 10_000, "(" * 10_000 + "S", "S" * 50_000 + "/"])
def test_long_nonsense_gets_a_short_error(text):
    with pytest.raises(CategorySyntaxError) as caught:
        Category.parse(text)
    assert len(str(caught.value)) < 400


def test_left_association_on_request():
    assert Category.parse("S\\NP/NP", left_associative=True) is Category.parse("(S\\NP)/NP")
    assert Category.parse("S\\NP/NP/PP", left_associative=True) is Category.parse("((S\\NP)/NP)/PP")
    with pytest.raises(CategorySyntaxError, match="ambiguous"):
        Category.parse("S\\NP/NP")


def test_the_error_is_one_of_ours_a_value_error_and_picklable():
    with pytest.raises(CategorySyntaxError) as caught:
        Category.parse("S//NP")
    assert isinstance(caught.value, CCGKitError) and isinstance(caught.value, ValueError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.suggestions == caught.value.suggestions


@given(st.text(alphabet="SNP()[]/\\dcl{}<1>_ .,|conj\t\x01é名", max_size=12) | st.text(max_size=8))
def test_any_text_is_a_category_or_a_syntax_error(text):
    try:
        category = Category.parse(text)
    except CategorySyntaxError as error:
        assert 0 <= error.position <= len(text)
        assert str(error)
        for suggestion in error.suggestions:
            assert str(Category.parse(suggestion)) == suggestion
    else:
        assert Category.parse(str(category)) is category
        assert "".join(c for c in str(category) if c not in "()") == "".join(
            c for c in text.strip() if c not in "()"
        )
