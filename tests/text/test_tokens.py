"""Tokens: the Penn Treebank's, each with its place in the text."""

import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgkit.text import nltk_words, split_text, tokenize
from ccgkit.text.tokens import _simple, _thorough

SIGNS = "abZ .,'\"’‘“”…!?()[]{}-@#&/:;%$<>`*\n\t0\u00a0—\x00é"
texts = st.one_of(st.text(st.sampled_from(SIGNS), max_size=40), st.text(max_size=30))


def words(text):
    return [token.word for token in tokenize(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She can't swim.", "She ca n't swim ."),
        ("They cannot, gonna or not.", "They can not , gon na or not ."),
        ("He'd've gone; I’m John’s.", "He 'd 've gone ; I 'm John 's ."),
        ('"Why?" she asked.', "`` Why ? '' she asked ."),
        ("“Why?” she asked.", "`` Why ? '' she asked ."),
        ("It costs $3.50 (or 4%).", "It costs $ 3.50 ( or 4 % ) ."),
        ("Mr. O'Neil left at 5:30 p.m. on 1,234 boats.", "Mr. O'Neil left at 5:30 p.m. on 1,234 boats ."),
        ("See http://example.org/a?b=1, please.", "See http://example.org/a?b=1 , please ."),
        ("Write to a.b@example.org.", "Write to a.b@example.org ."),
        ("Wait… what", "Wait ... what"),
        ("See `os.path.Path`, foo_bar.Baz and a.List.", "See ` os.path.Path ` , foo_bar.Baz and a.List ."),
        ("AT&T and R&D", "AT&T and R&D"),
        ("He lives in the U.S.", "He lives in the U.S."),
        ('He said "I love the U.S."', "He said `` I love the U.S. ''"),
        ('He said "I am tired." and left (it was late.) early.',
         "He said `` I am tired . '' and left ( it was late . ) early ."),
        ("She left. “Stay,” he said. They sold it to Acme co. Ltd. in vol. II etc. Fine",
         "She left . `` Stay , '' he said . They sold it to Acme co. Ltd. in vol. II etc. Fine"),
        ("See example.org. Then go", "See example.org . Then go"),
        ("", ""),
    ],
)  # fmt: skip
def test_words_are_those_of_the_penn_treebank(text, expected):
    assert words(text) == expected.split()


def test_offsets_give_the_surface_where_the_word_is_spelled_otherwise():
    text = "“Don’t” (she said)…"
    assert [text[t.start : t.end] for t in tokenize(text)] == [
        "“", "Do", "n’t", "”", "(", "she", "said", ")", "…",
    ]  # fmt: skip


@given(texts)
def test_tokens_cover_the_text_in_order(text):
    tokens = [token for sentence in split_text(text) for token in sentence.tokens]
    assert all(before.end <= after.start for before, after in pairwise(tokens))
    covered = "".join(text[token.start : token.end] for token in tokens)
    assert "".join(covered.split()) == "".join(text.split())


@given(texts)
def test_no_word_is_empty_or_holds_a_space(text):
    for sentence in split_text(text):
        assert all(word and not any(map(str.isspace, word)) for word in sentence.words)


@given(texts)
def test_an_offset_only_moves_the_places(text):
    moved = [(t.word, t.start - 7, t.end - 7) for t in tokenize(text, 7)]
    assert moved == [(t.word, t.start, t.end) for t in tokenize(text)]


@given(st.text(st.sampled_from("abZ .,'!?-/:;%$0"), max_size=40))
def test_the_quick_way_gives_what_the_thorough_way_gives(text):
    quick = _simple(text)
    assert quick is None or quick == _thorough(text)


def test_of_nltk_nothing_but_the_tokenizer_is_imported_and_nothing_of_it_stays_in_the_way():
    code = (
        "import sys; from ccgkit.text import tokenize\n"
        "assert [token.word for token in tokenize(\"Don't.\")] == ['Do', \"n't\", '.']\n"
        "assert not {'nltk', 'scipy', 'sklearn'} & {name.partition('.')[0] for name in sys.modules}"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_nltk_whose_tokenizer_needs_more_is_imported_whole(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "nltk"]:
        monkeypatch.delitem(sys.modules, name)

    def imported():
        if "nltk" in sys.modules:
            raise ImportError("cannot import name 'more' from 'nltk'")
        return "the tokenizer of all of NLTK"

    monkeypatch.setattr(nltk_words, "_imported", imported)
    assert nltk_words._tokenizer.__wrapped__() == "the tokenizer of all of NLTK"
