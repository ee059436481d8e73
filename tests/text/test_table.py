"""Tagged sentences as a table."""

import math
from dataclasses import replace

from ccgkit import Category, Sentence, Supertag, Token
from ccgkit.text.table import table


def tagged(*words):
    tags = tuple(
        (Supertag(Category.parse("N"), math.log(0.6)), Supertag(Category.parse("NP"), -2.0)) for _ in words
    )
    return Sentence(tuple(Token(word, "NN") for word in words), tags)


def test_a_table_is_aligned_by_what_a_terminal_shows():
    lines = table(tagged("雨", "rains")).splitlines()
    assert lines[0].startswith("word   POS  category")
    assert lines[1].startswith("雨     NN   N")  # two columns wide
    assert lines[2].startswith("rains  NN   N")
    assert lines[2].endswith("0.60  NP 0.14")


def test_colours_are_only_for_terminals():
    assert "\x1b[" not in table(tagged("rain"))
    assert "\x1b[33m0.60\x1b[0m" in table(tagged("rain"), colour=True)


def test_lemmas_have_a_column_where_there_are_any():
    sentence = tagged("rains", "often")
    first, second = sentence.tokens
    sentence = replace(sentence, tokens=(replace(first, lemma="rain"), second))
    assert [line.split()[:3] for line in table(sentence).splitlines()[:3]] == [
        ["word", "lemma", "POS"],
        ["rains", "rain", "NN"],
        ["often", "_", "NN"],
    ]
