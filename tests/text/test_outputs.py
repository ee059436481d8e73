"""Tagged sentences written as they come."""

import io
import math

import pytest

from ccgkit import Category, Sentence, Supertag, Token
from ccgkit.corpora import loads
from ccgkit.text.outputs import completed, table, write


def tagged(*words):
    tags = tuple(
        (Supertag(Category.parse("N"), math.log(0.6)), Supertag(Category.parse("NP"), -2.0)) for _ in words
    )
    return Sentence(tuple(Token(word, "NN") for word in words), tags)


def written(form, *sentences, done=0):
    stream = io.BytesIO()
    write(sentences, stream, form, "toy (CCGbank notation)", done=done)
    return stream.getvalue().decode()


@pytest.mark.parametrize(
    ("form", "codec"),
    [
        ("stagged", "stagged"),
        ("candc", "multitag"),
        ("jsonl", "jsonl"),
        ("conll", "columns"),
        ("easyccg", "easyccg"),
    ],
)
def test_what_is_written_reads_back(form, codec):
    text = written(form, tagged("rain", "(", "|"), tagged("sun"))
    read = list(loads(text, codec))
    assert [len(sentence.tokens) for sentence in read] == [3, 1]
    assert all(str(category) == "N" for sentence in read for category in sentence.categories)


@pytest.mark.parametrize("form", ["table", "candc", "jsonl"])
def test_a_model_is_named_with_its_notation(form):
    assert "toy (CCGbank notation)" in written(form, tagged("rain"))


@pytest.mark.parametrize("form", ["stagged", "candc", "jsonl", "conll", "easyccg"])
@pytest.mark.parametrize("cut", [0, 1, 5, 20, 60, 100])
def test_an_interrupted_file_is_continued_to_the_same_end(form, cut, tmp_path):
    sentences = [tagged("rain"), tagged("sun", "moon"), tagged("wind")]
    whole = written(form, *sentences)
    path = tmp_path / "out"
    path.write_text(whole[: max(0, len(whole) - cut)])
    count, size = completed(path, form)
    assert whole[:size] + written(form, *sentences[count:], done=count) == whole


def test_ends_across_chunks_are_counted_once(tmp_path, monkeypatch):
    monkeypatch.setattr("ccgkit.text.outputs._CHUNK", 1)
    sentences = [tagged("rain"), tagged("sun", "moon"), tagged("wind")]
    for form in ("conll", "candc", "stagged"):
        path = tmp_path / form
        path.write_text(written(form, *sentences))
        assert completed(path, form) == (3, path.stat().st_size)


def test_a_table_is_aligned_by_what_a_terminal_shows():
    lines = table(tagged("雨", "rains")).splitlines()
    assert lines[0].startswith("word   POS  category")
    assert lines[1].startswith("雨     NN   N")  # two columns wide
    assert lines[2].startswith("rains  NN   N")
    assert lines[2].endswith("0.60  NP 0.14")


def test_colours_are_only_for_terminals():
    assert "\x1b[" not in table(tagged("rain"))
    assert "\x1b[33m0.60\x1b[0m" in table(tagged("rain"), colour=True)
