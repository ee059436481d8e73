"""Lexica written by hand: what they may hold, and what is said of what they may not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import lexical_categories

from ccgkit import Category
from ccgkit.teaching import Lexicon, LexiconError, UnknownWordError


def categories(text, word):
    return [str(category) for category in Lexicon.fromstring(text).categories(word)]


@pytest.mark.parametrize("sign", [":=", "=>", "->", "-->"])
def test_an_entry_may_be_written_in_any_of_the_usual_ways(sign):
    assert categories(rf"likes {sign} (S\NP)/NP", "likes") == [r"(S\NP)/NP"]


def test_slashes_associate_to_the_left():
    assert categories(r"gives := S\NP/NP/NP", "gives") == [r"((S\NP)/NP)/NP"]


def test_a_line_may_hold_several_words_and_several_categories():
    text = r"""
    eats reads := S\NP | (S\NP)/NP   # with or without an object
    reads := N
    """
    assert categories(text, "eats") == [r"S\NP", r"(S\NP)/NP"]
    assert categories(text, "reads") == [r"S\NP", r"(S\NP)/NP", "N"]


def test_a_family_stands_for_its_categories_also_inside_of_others():
    text = """
    VP :: S\\NP
    V :: VP | VP/NP
    eats := V
    tries := VP/VP[to]
    often := VP/VP
    """
    assert categories(text, "eats") == [r"S\NP", r"(S\NP)/NP"]
    assert categories(text, "tries") == [r"(S\NP)/(S[to]\NP)"]
    assert categories(text, "often") == [r"(S\NP)/(S\NP)"]


def test_the_first_declared_atom_is_the_start():
    assert str(Lexicon.fromstring(":- N, S\nbook := N").start) == "N"
    assert str(Lexicon.fromstring("book := N").start) == "S"


def test_nltk_conjunctions_and_terms_are_understood():
    assert categories(r"and => var\.,var/.,var", "and") == ["conj"]
    assert categories(r"and => (var\.,var)/.,var", "and") == ["conj"]
    assert categories(r"has => (S\NP)/NP {\x y.have(y, x)}", "has") == [r"(S\NP)/NP"]


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        (r"likes (S\NP)/NP", 1, 1, "neither an entry nor a family"),
        ("a := NP\n  likes := (S\\NP/NP", 2, 12, "unclosed parenthesis"),
        ("likes := S/NP | ", 1, 16, "expected a category"),
        (r"likes := S\.NP", 1, 12, "modal slash"),
        (":- S, NP\nlikes := S\\Np", 2, 12, "did you mean NP?"),
        ("likes := TV\nTV :: S\\NP", 2, 1, "used in line 1, before it is defined"),
        ("TV :: S\nTV :: NP", 2, 1, "already a family"),
        (":- S\nS :: NP\\NP", 2, 6, "neither a declared atom"),
        ("A B :: NP", 1, 1, "one word"),
        (":- S, NP/N", 1, 7, "not the name of an atom"),
        (r"only := var/NP", 1, 9, r"var\var/var"),
    ],
)
def test_an_error_says_line_and_column_and_shows_a_caret(text, line, column, said):
    with pytest.raises(LexiconError) as caught:
        Lexicon.fromstring(text, "my.lex")
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert said in str(error) and str(error).startswith(f"my.lex:{line}:{column}: ")
    *_, shown, caret = str(error).split("\n")
    assert shown.strip() and caret.rstrip().endswith("^")


def test_a_file_is_read_and_named_in_errors(tmp_path):
    path = tmp_path / "greek.lex"
    path.write_text("ὁ := NP/N\n", encoding="utf-8")
    assert Lexicon.fromfile(path).categories("ὁ") == (Category.parse("NP/N"),)
    path.write_bytes(b"caf\xe9 := N")
    with pytest.raises(LexiconError, match=r"greek\.lex: not UTF-8"):
        Lexicon.fromfile(path)


def test_unknown_words_are_all_named_with_what_was_probably_meant():
    lexicon = Lexicon.fromstring("telescope := N\nthe := NP/N")
    with pytest.raises(UnknownWordError, match=r"'telescop' \(did you mean 'telescope'\?\), 'xyz'"):
        lexicon.lookup(("the", "telescop", "xyz"))
    assert lexicon.lookup(("The",)) == lexicon.lookup(("the",))


WORDS = st.text("abcdefgh", min_size=1, max_size=4)


@given(
    st.dictionaries(WORDS, st.lists(lexical_categories(4), min_size=1, max_size=3, unique=True), min_size=1)
)
def test_what_is_printed_is_read_again(entries):
    text = "\n".join(f"{word} := {' | '.join(map(str, found))}" for word, found in entries.items())
    lexicon = Lexicon.fromstring(text)
    assert {word: list(found) for word, found in lexicon.entries.items()} == entries
    assert Lexicon.fromstring(str(lexicon)) == lexicon


PIECES = st.sampled_from(
    ["likes", ":=", "=>", "::", ":-", "NP", r"(S\NP)/NP", "TV", "|", ",", "(", "\n", "#", "{x}"]
)


@given(st.lists(PIECES, max_size=12).map(" ".join) | st.text())
def test_whatever_is_written_reads_or_is_refused_with_its_place(text):
    try:
        Lexicon.fromstring(text)
    except LexiconError as error:
        assert error.line is not None and 1 <= error.column <= len(error.text) + 1
