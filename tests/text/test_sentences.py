"""Sentences of running text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ccgkit.text import split_text
from ccgkit.text.patterns import WHOLE
from ccgkit.text.sentences import _MISSED, _SINGLE, _found, paragraphs, sentence_spans


def sentences(text):
    return [text[start:end] for start, end in sentence_spans(text)]


def test_abbreviations_and_addresses_do_not_end_a_sentence():
    text = "Dr. Who saw it, e.g. at http://a.org/b?c. Then she left. Really?"
    assert sentences(text) == ["Dr. Who saw it, e.g. at http://a.org/b?c.", "Then she left.", "Really?"]


@pytest.mark.parametrize(
    "text",
    [
        "He lives in the U.S.|She does not.",
        "We sell cars, etc.|They do not.",
        "He met Acme Inc.|But it was late.",
        "The U.S. Senate met at 5 p.m. on Monday.",
        "It costs $2.50.|Yesterday it was 2.|Today it is free.",
        "See Gov. Jones, Lt. Gen. Smith and Rev. Lee.|Then go.",
        "He is a Rep.|She is not.",
        "See the class collections.OrderedDict first.|It is old.",
        'The "cmd.Cmd" class is old.|“os.PathLike” is new.',
        "I left.|She stayed.",
        "It was great!!|we all stayed.|Really?!|yes.",
        "Yahoo! is big.",
    ],
)
def test_where_sentences_end(text):
    assert sentences(text.replace("|", " " if "left.|" not in text else "")) == text.split("|")


@pytest.mark.parametrize("chain", ["a.", "ab-", "a-", "U.", "!"])
def test_what_is_nearly_an_address_or_a_name_takes_no_longer(chain):
    """It is not looked at again from each of its parts, which would take this test some minutes."""
    text = chain * 20_000 + "X"
    assert "\n" not in WHOLE.sub("\n", text[:-1])
    assert not _MISSED.search(text)


def test_a_blank_line_ends_a_sentence_and_a_line_end_does_not():
    assert sentences("A heading\n\nIt rained\nall day.") == ["A heading", "It rained\nall day."]


WORDS = st.sampled_from(
    ["Dr", "no", "A", "it’s", "3", "Mai", "x_y", "50%", "etc", "U", "usw", "well-known", "I"]
)
SIGNS = st.sampled_from([" ", ", ", " - ", "  ", "'", " '", "-", "", "’ "])
ENDS = st.sampled_from(["", ".", "!", "?", " .", ".\n", "? \n\n", " \n"])


@pytest.mark.parametrize("language", ["en", "de"])
@given(parts=st.lists(st.tuples(WORDS, SIGNS), min_size=1, max_size=8), end=ENDS)
@examples(30)
def test_what_is_seen_to_be_one_sentence_is_one_for_syntok_too(language, parts, end):
    text = "".join(word + sign for word, sign in parts) + end
    assert _SINGLE.fullmatch(text)
    assert sentence_spans(text, language) == _found(text, language)


def test_there_may_be_none():
    assert sentences("") == sentences(" \n\n ") == []


def test_places_are_those_in_the_whole_text():
    text = "It rained. It’s over.\n\nGood."
    for sentence in split_text(text):
        start = int(sentence.meta["offset"])
        assert text[start : start + len(sentence.text)] == sentence.text
        assert sentence.tokens[0].start == start
    assert [text[t.start : t.end] for s in split_text(text) for t in s.tokens] == [
        "It", "rained", ".", "It", "’s", "over", ".", "Good", ".",
    ]  # fmt: skip


def test_a_file_is_read_a_paragraph_at_a_time():
    lines = ["a\n", "b\n", "\n", "c"]
    assert list(paragraphs(lines)) == [(0, "a\nb\n\n"), (5, "c")]


def test_a_paragraph_without_end_is_cut():
    pieces = list(paragraphs("word " * 20 + "\n" for _ in range(3000)))
    assert len(pieces) > 1
    assert max(len(piece) for _, piece in pieces) < 110_000
    assert pieces[1][0] == len(pieces[0][1])
