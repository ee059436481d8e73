"""The student learns from a treebank that it helps to make."""

import gzip
import json
from dataclasses import replace

import pytest
import torch

from ccgkit.grammar import Category
from ccgkit.models.registry import find
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import Example
from recipes import reading
from recipes.corpora import Corpora
from recipes.distillation import Labelled
from tests.treebanks.erg_trees import item, name, nested, past, the

GOLD = {"Ada": "NP", "fed": r"(S[dcl]\NP)/NP", "the": "NP/N", "dog": "N", ".": "."}
WORDS = [["It", "has", "two", "parts", ":", "a", "lid", "and", "a", "box", "."]]


@pytest.fixture(scope="module")
def student():
    return Tagger.load(find("en-pmb").path)


def write_source(path):
    fed = ("sb-hd_mc_c", name("Ada"), ("hd-cmp_u_c", past("fed", "feed"), the("cat")))
    one = item("Ada fed the cat", fed, "a1")
    path.parent.mkdir(parents=True)
    line = json.dumps({"id": one.id, "text": one.text, "tree": nested(one.tree)})
    path.write_bytes(gzip.compress(f"{line}\n".encode()))


def test_a_student_is_the_same_in_floating_point_and_knows_the_colon(student):
    made = reading.with_colon(student)
    assert ":" in made.decoder.tag_set.tags and not made.config.encoder.int8
    (before,), (after,) = student.kbest(WORDS, k=1), made.kbest(WORDS, k=1)
    pairs = zip(before.categories, after.categories, strict=True)
    assert [place for place, (one, other) in enumerate(pairs) if one is not other] in ([], [4])
    assert reading.with_colon(made).decoder.tag_set.tags == made.decoder.tag_set.tags


def test_treebank_and_teacher_have_the_same_weight():
    n, np = Category.parse("N"), Category.parse("NP")
    text = Example(("It", "rains"), (np, n), head_words=(1, -1))
    opinion = Labelled(text.words, (((np, 1.0),), ((np, 0.9), (n, 0.1))))
    joined = reading.weighed(text, opinion)
    assert joined.choices == (((np, 1.0),), ((n, 0.55), (np, 0.45)))


def test_the_teacher_alone_is_believed_where_the_treebank_is_in_doubt():
    n, np = Category.parse("N"), Category.parse("NP")
    text = [Example(("It",), (n,), head_words=(-1,))]
    opinion, doubted = Labelled(("It",), (((np, 1.0),),)), Labelled(("Rain",), (((np, 1.0),),))
    plan = replace(reading._ROUNDS[-1], questions=0, auxiliary=0.0, head_words=0)
    opinions = reading.Opinions([opinion], [doubted])
    lessons = reading.Lessons(plan, Corpora([], [], [], []), text, [], opinions)
    assert opinions.labels == ["NP"]
    seen = {}
    for number in range(40):
        for lesson in lessons.epoch(number):
            for words, categories in zip(lesson.sentences, lesson.categories, strict=True):
                seen.setdefault(words[0].lower(), set()).update(categories)
            assert all(shares == ({"NP": 1.0},) for shares in lesson.labels["opinions"])
    assert seen == {"it": {n, np}, "rain": {np}}


def test_opinions_stay_with_their_words_when_the_last_mark_is_dropped():
    n, stop = Category.parse("N"), Category.parse(".")
    opinion = Labelled(("Rain", "."), (((n, 1.0),), ((stop, 1.0),)))
    whole, shorter = Example(("Rain", "."), (n, stop)), Example(("Rain",), (n,))
    assert reading.Taught.drawn(whole, opinion).shares == ({"N": 1.0}, {".": 1.0})
    assert reading.Taught.drawn(shorter, opinion).shares == ({"N": 1.0},)
    assert reading.Taught.drawn(Example(("a", "b", "c"), (n, n, n)), opinion).shares == ({}, {}, {})


def read_in_rounds(student, tmp_path, monkeypatch, rounds, reads=False):
    """What has been learnt in rounds of one epoch from a treebank of one sentence."""
    write_source(tmp_path / "erg/tanaka.train.jsonl.gz")
    monkeypatch.setattr(reading.treebank, "TRAINING", ("tanaka.train",))
    monkeypatch.setattr(reading, "_ROUNDS", [replace(one, epochs=1, questions=0) for one in rounds])
    gold = [Example(tuple(GOLD), tuple(map(Category.parse, GOLD.values())))]
    monkeypatch.setattr(reading, "hand_checked", lambda data, split: gold)
    plain = reading.with_colon(student)
    plain.head_words = None
    corpora, machine = Corpora(gold * 8, gold, [], []), reading.Machine()
    return reading.read_running_text(plain, corpora, tmp_path, tmp_path / "work", machine, reads)


def test_a_round_makes_a_treebank_and_learns_from_it(student, tmp_path, monkeypatch):
    read = read_in_rounds(student, tmp_path, monkeypatch, reading._ROUNDS[:1])
    assert "(<L NP/N" in (tmp_path / "work/treebank-read/tanaka.train.auto").read_text()
    before = reading.with_colon(student).decoder.output.weight
    assert before.shape == read.decoder.output.weight.shape
    assert not torch.equal(before, read.decoder.output.weight)


def test_sentences_of_prose_are_neither_very_short_nor_very_long(tmp_path):
    path = tmp_path / "prose.txt"
    path.write_text(f'No. He said "it rains here".\n\n{"so " * 60}long.\nTwo dogs bark.\n', encoding="utf-8")
    assert reading.sentences_of(path) == [
        ["He", "said", '"', "it", "rains", "here", '"', "."],
        ["Two", "dogs", "bark", "."],
    ]


def test_teachers_are_asked_together(student, tmp_path):
    folder = tmp_path / "one"
    student.save(folder)
    words = [["Ada", "sleeps", "."]]
    (alone,) = reading.opinions_of([folder], words, tmp_path / "alone.jsonl", "float32")
    (both,) = reading.opinions_of([folder, folder], words, tmp_path / "both.jsonl", "float32")
    assert alone == both and [word[0][0] for word in both.choices] == [
        tag[0].category for tag in student.kbest(words)[0].tags
    ]


@pytest.mark.slow
def test_each_round_makes_a_treebank_and_learns_from_it(student, tmp_path, monkeypatch):
    read = read_in_rounds(student, tmp_path, monkeypatch, reading._ROUNDS)
    for plan in ("read", "read-well"):
        assert "(<L NP/N" in (tmp_path / f"work/treebank-{plan}/tanaka.train.auto").read_text()
    first = Tagger.load(tmp_path / "work/read")
    assert not torch.equal(first.decoder.output.weight, read.decoder.output.weight)
    assert first.head_words is None and read.head_words is not None


@pytest.mark.slow
def test_a_student_that_reads_already_has_the_second_round_only(student, tmp_path, monkeypatch):
    read = read_in_rounds(student, tmp_path, monkeypatch, reading._ROUNDS, reads=True)
    made = sorted(path.name for path in (tmp_path / "work").iterdir())
    assert made == ["before-reading", "read-well", "treebank-read-well"]
    assert read.head_words is not None
