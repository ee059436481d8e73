"""What people want tagged, in all the ways they write it."""

import gzip
import io
import os
import threading

import pytest

from ccgkit import CCGKitError
from ccgkit.corpora import FormatError
from ccgkit.text.inputs import Input, InputError, detect


def sentences(data, form, name="x"):
    return [s and list(s.words) for s in Input(io.BytesIO(data), name, form)]


def test_each_format():
    assert sentences(b"It rained. It stopped.\n", "text") == [["It", "rained", "."], ["It", "stopped", "."]]
    assert sentences(b"It rained. It\n\nOh!\n", "lines") == [["It", "rained", ".", "It"], ["Oh", "!"]]
    assert sentences(b"It can't\nOh!\n", "tokenized") == [["It", "can't"], ["Oh!"]]
    assert sentences(b"It|PRP rained|VBD\n", "pos") == [["It", "rained"]]
    assert sentences(b"It|PRP|NP rained|VBD|S[dcl]\\NP\n", "stagged") == [["It", "rained"]]
    assert sentences(b'{"tokens": [{"word": "Oh"}]}\n', "jsonl") == [["Oh"]]


def test_tokenized_text_has_a_sentence_for_every_line():
    assert sentences(b"a b\n\nc", "tokenized") == [["a", "b"], [], ["c"]]


def test_given_pos_tags_are_kept():
    (sentence,) = Input(io.BytesIO(b"It|PRP rained|VBD\n"), "x", "pos")
    assert [token.pos for token in sentence.tokens] == ["PRP", "VBD"]


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.jsonl", b"", "jsonl"),
        ("a.pos", b"", "pos"),
        ("a.auto.gz", b"", "auto"),
        ("-", b"# tags\n\nIt PRP 1 NP 1.0\n\n", "multitag"),
        ("-", b'{"tokens": []}\n', "jsonl"),
        ("-", b"It|PRP rained|VBD\n", "pos"),
        ("-", b"It|_|NP rained|_|S[dcl]\\NP\n", "stagged"),
        ("-", b"a|b is not tagged\n", "text"),
        ("a.txt", b"It rained.\n", "text"),
    ],
)
def test_formats_are_told_where_that_is_safe(name, head, expected):
    assert detect(name, head) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I have 3 dogs .",
        "I have 0 dogs and 1.5 cats .",
        "# A heading\n\nThe year 1999 was 1 of many .",
        "yes|no",
        "{curly}",
        "1\ta\tb\tc",
        "(<never> closed",
    ],
)
def test_prose_is_taken_for_no_corpus(text):
    assert detect("-", text.encode()) == "text"


def test_gzip_is_read_and_damage_to_it_is_told():
    data = gzip.compress(b"It rained.\n" * 2000)
    assert len(sentences(data, "text")) == 2000
    for form in ("text", "lines", "pos"):
        with pytest.raises(CCGKitError, match="damaged gzip"):
            sentences(data[:-20], form)


def test_what_holds_no_words_and_what_is_no_format_is_refused_by_name():
    with pytest.raises(InputError, match="parg files do not hold all the words"):
        Input(io.BytesIO(b""), "x.parg")
    with pytest.raises(FormatError, match="no format 'sgml'"):
        Input(io.BytesIO(b""), "x", "sgml")


def test_damaged_sentences_are_left_out_and_counted():
    source = Input(io.BytesIO(b"It|PRP rained\nIt|PRP rained|VBD\n"), "x", "pos")
    assert [sentence.words for sentence in source] == [("It", "rained")]
    assert source.skipped == 1 and source.error.line == 1


def test_binary_data_and_other_encodings_are_refused_with_the_place():
    with pytest.raises(InputError, match="line 2 holds a zero byte"):
        sentences(b"fine\nnot\x00fine\n", "lines")
    with pytest.raises(InputError, match=r"x, line 1, byte 4: 0xe9 is not UTF-8"):
        sentences(b"caf\xe9\n", "lines")


def test_a_byte_order_mark_is_no_word():
    assert sentences("\ufeffOh!\n".encode(), "lines") == [["Oh", "!"]]


def test_a_pipe_says_when_it_waits():
    reader, writer = os.pipe()
    got, ready = [], threading.Event()

    def consume():
        with os.fdopen(reader, "rb") as stream:
            for sentence in Input(stream, "pipe", "lines"):
                got.append(sentence)
                if sentence is None:
                    ready.set()

    thread = threading.Thread(target=consume)
    thread.start()
    os.write(writer, b"Oh!\n")
    assert ready.wait(20)
    assert got[0].words == ("Oh", "!") and got[1] is None
    os.close(writer)
    thread.join(20)


def test_text_and_lines_are_split_as_their_language_is():
    for format in ("text", "lines"):
        (sentence,) = Input(io.BytesIO(b"Vedo l'amico.\n"), "x", format, "it")
        assert sentence.words == ("Vedo", "l'", "amico", ".")


TAGGED = r"""# ccgkit tag, model en (rebank)

word   POS  category      p  else
We     PRP  NP         1.00
"""
DRAWN = r"""# 1 wsj_0001.1
We    agree
NP  S[dcl]\NP
------------<
   S[dcl]
"""


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (TAGGED, "a table of ccgkit tag"),
        (TAGGED.replace("word   POS", "word   lemma  POS"), "a table of ccgkit tag"),
        (DRAWN, "a drawing of derivations"),
        ("<!DOCTYPE html>\n<html lang='und'>\n", "HTML"),
        ("<svg xmlns='http://www.w3.org/2000/svg'>\n", "SVG"),
        ("% a comment\n\\documentclass{article}\n", "LaTeX"),
        (r"{S[dcl] {NP We} {S[dcl]\NP agree}}", "trees for NLTK"),
    ],
)
def test_drawings_are_refused_by_name(text, what):
    with pytest.raises(InputError, match=f"x is {what}, not text"):
        detect("x", text.encode())


@pytest.mark.parametrize(
    "text",
    ["# A heading\n\nSome text.\n", "<p>is a tag.\n", "{braces} in text\n", "# one\ntwo\nthree\n-----\n"],
)
def test_what_only_looks_a_little_like_a_drawing_is_text(text):
    assert detect("x", text.encode()) == "text"
