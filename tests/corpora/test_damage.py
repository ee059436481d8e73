"""Damaged files: an error with file, line, column and text, or the sentence left out; never half of it."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path

import pytest

from ccgkit import CCGKitError, Sentence
from ccgkit.corpora import CorpusError, FormatError, Unreadable, codec, dump, dumps, load, loads

TREE = r"(<T S[dcl] 1 2> (<L NP PRP PRP We NP>) (<L S[dcl]\NP VBP VBP agree S[dcl]\NP>) )"
AUTO = f"ID=a.1 PARSER=GOLD NUMPARSE=1\n{TREE}\n"
PREFACE = "# made by hand\n\n"


def error_of(text: str, name: str) -> CorpusError:
    with pytest.raises(CorpusError) as caught:
        list(loads(text, name))
    return caught.value


TWICE = (
    '{"tokens": [{"word": "a"}], "derivations": [{"nodes": '
    '[{"category": "N", "children": [1, 1]}, {"category": "N", "token": 0}]}]}\n'
)
CONLLU = "1\tWe\t_\t_\tPRP\t_\t{}\tdep\t_\t_\n2\tagree\t_\t_\tVBP\t_\t{}\tdep\t_\tA=b\n\n"

JIGG = (
    "<root><document><sentences><sentence><tokens><token id='s0_0' surf='We'/><token id='s0_1' surf='agree'/>"
    "</tokens><ccg id='s0_ccg0' root='s0_sp0'>"
    "<span id='s0_sp0' category='S' child='s0_sp1 s0_sp2' rule='ba'/>"
    "<span id='s0_sp1' category='NP' terminal='s0_0'/><span id='s0_sp2' category='S\\NP' terminal='s0_1'/>"
    "</ccg></sentence></sentences></document></root>\n"
)


@pytest.mark.parametrize(
    ("name", "text", "line", "column", "reason"),
    [
        ("auto", AUTO.replace(") )", ")"), 2, 1, "ends before this node is closed"),
        ("auto", AUTO.replace(") )", ") ) )"), 2, 82, "closing parenthesis too many"),
        ("auto", AUTO.replace("1 2>", "1 3>"), 2, 1, "announces 3 children but has 2"),
        ("auto", AUTO.replace("1 2>", "2 2>"), 2, 12, "no child 2"),
        ("auto", AUTO.replace("(<L NP ", "(<L NP/ "), 2, 23, "is not a category"),
        ("auto", AUTO.replace("We NP>", "We>"), 2, 17, "expected (<T"),
        ("auto", AUTO.replace(") )", ") ) (<L N NN NN more N>)"), 2, 82, "second tree"),
        ("auto", AUTO.replace(" (<L NP", "  (<L NP"), 2, 17, "expected (<T"),
        ("auto", "ID=a.1\n", 1, 7, "ends before the derivation"),
        ("auto", "ID=a.1\n" + AUTO, 1, 7, "without a derivation"),
        ("stagged", "We|PRP|NP agree|VBP\n", 1, 11, "not word|POS|category"),
        ("stagged", "We|PRP|NP  agree|VBP|N\n", 1, 11, "not word|POS|category"),
        ("stagged", "We|PRP|NP agree|VBP|S[dcl\\NP\n", 1, 22, "is not a category"),
        ("pos", "We|PRP agree\n", 1, 8, "not word|POS"),
        ("multitag", "We PRP 1 NP 1.0\n\n", 1, 1, "no preface"),
        ("multitag", "", 1, 1, "no preface"),
        ("multitag", "# a\nWe PRP 1 NP 1.0\n\n", 2, 1, "must end in an empty line"),
        ("multitag", PREFACE + "We PRP 1 NP 1.0\n", 3, 16, "no empty line after the last sentence"),
        ("multitag", PREFACE + "We PRP 1 NP 1.0\n\n\n", 5, 1, "empty sentence"),
        ("multitag", PREFACE + "We PRP 2 NP 1.0\n\n", 3, 8, "announces 2 categories but has 1"),
        ("multitag", PREFACE + "We PRP 0\n\n", 3, 8, "announces 0"),
        ("multitag", PREFACE + "We  PRP 1 NP 1.0\n\n", 3, 4, "exactly one space"),
        ("multitag", PREFACE + "We PRP 1 NP nan\n\n", 3, 13, "not a probability"),
        ("multitag", PREFACE + "We PRP 1 NP 0\n\n", 3, 13, "not a probability"),
        ("multitag", PREFACE + "We PRP 1 NP/ 1.0\n\n", 3, 12, "is not a category"),
        ("deps", PREFACE + "agree_2 S\\NP 1 We_1 0\n\n", 3, 1, "end in a <c> line"),
        ("deps", PREFACE + "agree_2 S\\NP 1 We_3 0\n<c> We|PRP|NP\n\n", 3, 1, "no 'agree_2'"),
        ("deps", PREFACE + "<c> We|PRP|NP\n", 3, 14, "no empty line after the last sentence"),
        ("gold_deps", PREFACE + "agree_2 S\\NP 1 We\n\n", 3, 16, "not a word and its number"),
        ("gold_deps", PREFACE + "agree_2 S\\NP 1 We_1\nagree_1 N 1 We_2\n\n", 4, 1, "was 'We' before"),
        ("parg", '<s id="a.1"> 1\n0\t1\tS\\NP\t1\tWe agree\n', 2, 20, "ends before <\\s>"),
        ("parg", '<s id="a.1"> 1\n0\t2\tS\\NP\t1\tWe agree\n<\\s>\n', 2, 3, "no word 2"),
        ("parg", '<s id="a.1"> 1\n0\t1\tS\\NP\n<\\s>\n', 2, 1, "expected argument"),
        ("conll", "1\tWe\tPRP\n\n", 1, 1, "expected ten columns"),
        ("conll", "2\tWe\tPRP\tNP\n\n", 1, 1, "word 1 was expected"),
        ("conll", "1\tWe\t_\t_\t_\t_\t_\tNP\t9:1\t_\n\n", 1, 1, "not a word's number and a slot"),
        ("conllu", "1\tWe\tPRP\n\n", 1, 1, "ten columns"),
        ("conllu", "x" + CONLLU.format(0, 1), 1, 1, "not the number of a word"),
        ("conllu", CONLLU.format(0, 1).replace("2\tagree", "3\tagree"), 2, 1, "word 2 was expected"),
        ("conllu", CONLLU.format(0, 3), 2, 19, "'3' is not a valid head: the words are 1 to 2"),
        ("conllu", CONLLU.format("x", 0), 1, 16, "'x' is not a valid head"),
        ("conllu", CONLLU.format(2, 1), 1, 1, "no word is the root"),
        ("conllu", CONLLU.format(0, 2), 2, 19, "a cycle of heads: 2 → 2"),
        ("conllu", CONLLU.format(0, 1).replace("A=b", "CCG=S\\"), 2, 32, "is not a category"),
        ("conllu", CONLLU.format(0, 1).replace("A=b", "CCG=NP"), 1, 1, "all words have a category or none"),
        ("easyccg", "We\tPRP\t0\tNP\n", 1, 1, "expected word"),
        ("jsonl", '{"tokens": [{"word": "We"}\n', 1, 27, "not JSON"),
        ("jsonl", '{"tokens": [{"wort": "We"}]}\n', 1, 14, "no member 'wort'"),
        ("jsonl", '{"tokens": [{"word": 1}]}\n', 1, 14, "wrong type"),
        ("jsonl", TWICE, 1, TWICE.find('"children"') + 1, "a child twice"),
        ("jsonl", '{"tokens": [{"word": "a", "tags": [{"category": "N/"}]}]}\n', 1, 51, "is not a category"),
        ("depccg", '{"1": [{"cat": "N", "word": "a"}', 1, 33, "not JSON"),
        ("depccg", '{"1": [{"cat": "N/", "word": "a"}]}', 1, 18, "is not a category"),
        ("prolog", "ccg(1,\n ba(s:dcl,\n  t(np, 'We', [pos:'PRP']),\n", 3, 28, "before the term is closed"),
        ("prolog", "ccg(1,\n ba(s:,\n  t(np, 'We', [pos:'PRP']))).\n", 2, 6, "is not a category"),
        ("prolog", "What is this?\n", 1, 14, "expected a term"),
        ("candc_xml", "<xdrs-output>\n</xdrs-output>\n", 1, 14, "is not C&C's XML"),
        ("candc_xml", "<candc>\n<ccg><rule cat='N' type='fa'>\n</rule></ccg></candc>\n", 2, None, "over 0"),
        ("candc_xml", "<candc>\n<ccg><lf cat='N/' word='a'/></ccg></candc>\n", 2, None, "is not a category"),
        ("candc_xml", "<candc>\n<ccg><lf cat='N'/></ccg></candc>\n", 2, None, "needs a word"),
        ("jigg", JIGG.replace("s0_sp1 s0_sp2'", "s0_sp1 s0_sp0'"), 1, None, "its own part"),
        ("jigg", JIGG.replace("terminal='s0_1'", "terminal='s0_7'"), 1, None, "no token as its terminal"),
        ("jigg", JIGG.replace("surf='We'", ""), 1, None, "needs an id, and its word"),
        ("jigg", JIGG.replace("category='NP'", ""), 1, None, "without 'category'"),
        ("pmb_xml", "<candc>\n</candc>\n", 1, 8, "is not PMB's XML"),
        ("pmb_xml", "<xdrs-output>\n<der id='1'>\n</xdrs-output>\n", 3, None, "not XML"),
        ("pmb_xml", "<xdrs-output>\n<der id='1'>\n</der></xdrs-output>\n", 2, None, "needs one derivation"),
    ],
)  # fmt: skip
def test_damage_is_reported_where_it_is(
    name: str, text: str, line: int, column: int | None, reason: str
) -> None:
    error = error_of(text, name)
    assert reason in error.reason
    assert (error.line, error.column) == (line, column) or (column is None and error.line == line)


def test_the_message_shows_the_place() -> None:
    message = str(error_of("We|PRP|NP agree|VBP|S[dcl\\NP\n", "stagged"))
    first, text, caret = message.splitlines()
    assert first.startswith("<text>:1:")
    assert text[caret.index("^")] == "["


@pytest.mark.parametrize("length", range(len(AUTO)))
def test_a_truncated_auto_file_never_gives_a_partial_sentence(length: int) -> None:
    try:
        read = list(loads(AUTO[:length], "auto"))
    except CorpusError:
        return
    assert [sentence.words for sentence in read] in ([], [("We", "agree")])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("stagged", "We|PRP|NP agree|VBP|S/NP\n"),
        ("pos", "We|PRP agree|VBP\n"),
        ("conll", "1\tWe\t_\tPRP\tPRP\t_\t_\tNP\t_\t_\n\n"),
        ("multitag", PREFACE + "We PRP 1 NP 1.0\nagree VBP 1 S/NP 1.0\n\n"),
        ("deps", "# a\n# b\n\nagree_2 S/NP 1 We_1 0\n<c> We|PRP|NP agree|VBP|S/NP\n\n"),
    ],
)
def test_a_truncated_file_raises(tmp_path: Path, name: str, text: str) -> None:
    whole = list(loads(text, name))
    path = tmp_path / "cut"
    for length in range(1, len(text)):
        path.write_text(text[:length], encoding="utf-8")
        try:
            read = list(load(path, name))
        except CorpusError:
            continue
        assert [s.tokens for s in read] in ([], [s.tokens for s in whole])


def test_skip_leaves_the_sentence_out_and_counts_it() -> None:
    text = AUTO + AUTO.replace("NP ", "NP/ ") + AUTO
    reader = codec("auto").loads(text, on_error="skip")
    assert [sentence.words for sentence in reader] == [("We", "agree")] * 2
    assert reader.skipped == 1
    assert reader.errors[0].line == 4


def test_keep_delivers_the_lines_and_dump_writes_them_back() -> None:
    text = PREFACE + "We|PRP|NP/\nWe|PRP|NP\nagree|\n"
    kept = list(codec("stagged").loads(text, on_error="keep"))
    assert [type(item) for item in kept] == [Unreadable, Sentence, Unreadable]
    assert dumps(kept, "stagged") == text
    with pytest.raises(FormatError, match="unreadable stagged cannot be written as pos"):
        dumps(kept, "pos")


def test_bytes_that_are_not_utf8_are_reported_and_kept(tmp_path: Path) -> None:
    path, copy = tmp_path / "latin.pos", tmp_path / "copy.pos"
    path.write_bytes(b"We|PRP\ncaf\xe9|NN\nWe|PRP\n")
    with pytest.raises(CorpusError) as caught:
        list(load(path))
    assert (caught.value.line, caught.value.column, caught.value.reason) == (2, 4, "not UTF-8")
    assert len(list(load(path, on_error="skip"))) == 2
    dump(load(path, on_error="keep"), copy)
    assert copy.read_bytes() == path.read_bytes()


def test_a_line_without_an_end_may_be_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "cut.stagged"
    path.write_text("We|PRP|NP\nThe|DT|N", encoding="utf-8")
    with pytest.raises(CorpusError, match="may be cut off"):
        list(load(path))


def test_a_gzip_file_that_is_cut_off_raises(tmp_path: Path) -> None:
    path = tmp_path / "a.auto.gz"
    path.write_bytes(gzip.compress(AUTO.encode() * 500)[:-40])
    with pytest.raises(CorpusError, match="damaged gzip"):
        list(load(path))


@pytest.mark.parametrize(
    "name", ["auto", "stagged", "pos", "tokenized", "conll", "conllu", "easyccg", "parg", "jsonl", "prolog"]
)
def test_an_empty_file_has_no_sentences(name: str) -> None:
    assert list(loads("", name)) == []


@pytest.mark.parametrize("name", ["multitag", "deps", "gold_deps", "depccg"])
def test_an_empty_file_is_an_error_where_something_must_stand_at_its_start(name: str) -> None:
    assert error_of("", name).line == 1


def test_errors_survive_a_process_boundary() -> None:
    error = error_of("We|PRP\n", "stagged")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert isinstance(error, CCGKitError)


def test_nothing_half_written_stays(tmp_path: Path) -> None:
    path = tmp_path / "out.stagged"
    path.write_text("before")
    with pytest.raises(CorpusError):
        dump(loads("We|PRP|NP\nWe|PRP\n", "stagged"), path)
    assert path.read_text() == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.stagged"]


BOMB = (
    '<?xml version="1.0"?>\n<!DOCTYPE x [\n<!ENTITY a "aaaaaaaaaa">\n'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">\n' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    + "]>\n{}\n"
)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("pmb_xml", "<xdrs-output><der><lex><token>&i;</token></lex></der></xdrs-output>"),
        ("candc_xml", "<candc><ccg><lf cat='N' word='&i;'/></ccg></candc>"),
        ("jigg", "<root><sentence><tokens><token id='a' surf='&i;'/></tokens></sentence></root>"),
    ],
)
def test_an_xml_bomb_is_refused_before_it_expands(name: str, body: str) -> None:
    error = error_of(BOMB.format(body), name)
    assert "entities that the file declares are refused" in error.reason and error.line == 3


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("jigg", "surf='We'", "surf=''"),
        ("jigg", "category='NP'", "category='NP['"),
        ("jigg", "child='s0_sp1 s0_sp2'", "child='s0_sp1 s0_sp9'"),
    ],
)
def test_a_damaged_sentence_of_jigg_does_not_take_the_others_with_it(name: str, good: str, bad: str) -> None:
    sentence = JIGG[JIGG.index("<sentence>") : JIGG.index("</sentences>")]
    text = JIGG.replace(sentence, f"{sentence}\n{sentence.replace(good, bad)}\n{sentence}\n")
    reader = codec(name).loads(text, on_error="skip")
    assert [read.words for read in reader] == [("We", "agree")] * 2
    assert reader.skipped == 1
