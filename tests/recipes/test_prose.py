"""Prose for the large teacher: what is taken of packages that carry text."""

import bz2
import gzip
import json

import pytest
from click.testing import CliRunner

from recipes import prose

SPEECH = "My fellow citizens, we meet tonight. The work goes on, and so do we.\nNo! It cost 1,000,000 then."


def put(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def packages(tmp_path):
    put(tmp_path, "sources/sotu/package/data/1990_x_r.txt", SPEECH)
    put(tmp_path, "sources/sotu/package/data/1800_x_f.txt", "The affairs of the nation prosper greatly.")
    put(tmp_path, "sources/moby-dick/package/data/chapter_1.txt", "He never said where he had been.")
    put(
        tmp_path,
        "sources/anarchism/usr/a.html",
        "<p>The work goes on, and so do we.</p>",
    )
    put(tmp_path, "sources/fortunes/usr/share/games/fortunes/people", "A friend is one\nwho stays late.\n%\n")
    put(tmp_path, "sources/fortunes/usr/share/games/fortunes/people.dat", "A table is no saying at all.")
    dump = b"<text>'''Ants''' are [[insect|insects]] of one family.&lt;ref&gt;A&lt;/ref&gt;</text>"
    (tmp_path / "sources/gensim").mkdir()
    (tmp_path / "sources/gensim/enwiki-x.xml.bz2").write_bytes(bz2.compress(dump))
    (tmp_path / "data/erg").mkdir(parents=True)
    known = json.dumps({"text": "My fellow citizens , we meet tonight ."}) + "\n"
    (tmp_path / "data/erg/suites.train.jsonl.gz").write_bytes(gzip.compress(known.encode()))
    return tmp_path


def run(folder):
    arguments = [
        "--sources",
        f"{folder}/sources",
        "--data",
        f"{folder}/data",
        "--output",
        f"{folder}/prose.txt",
    ]
    done = CliRunner().invoke(prose.command, arguments)
    assert done.exit_code == 0, done.output
    return (folder / "prose.txt").read_text(encoding="utf-8").splitlines()


def test_whole_sentences_of_prose_are_taken_once_and_none_of_the_treebanks(packages):
    assert sorted(run(packages)) == [
        "A friend is one who stays late.",
        "Ants are insects of one family.",
        "He never said where he had been.",
        "The work goes on, and so do we.",
    ]


def test_the_same_sentences_are_drawn_whatever_else_there_is():
    texts = [f"This is sentence number {number}." for number in range(50)]
    few = prose._drawn(texts, 10)
    assert len(few) == 10 and prose._drawn(texts[::-1], 10) == few
    assert set(few) & set(texts[:25]) <= set(prose._drawn(texts[:25], 10))


@pytest.mark.parametrize(
    "paragraph",
    [
        "Too short.",
        "no capital letter begins this sentence here.",
        "This sentence has a {brace} in it, as programs have.",
        "THIS SENTENCE IS WRITTEN IN CAPITALS ONLY, AS HEADLINES ARE.",
        "It shows the address https://example.org to everybody.",
        "Without an end this is a title or a heading",
        "Many numbers: 1234 5678 9012 are in this sentence.",
    ],
)
def test_what_is_no_prose_is_left_out(paragraph):
    assert list(prose.sentences(iter([paragraph]))) == []


def test_quotation_marks_are_plain():
    assert list(prose.sentences(iter(["“It’s really wonderful,” somebody said."]))) == [
        '"It\'s really wonderful," somebody said.'
    ]
