"""The large teacher, of a transformer of a few units."""

import pytest
import torch
from toy import tiny_bert

from ccgkit.grammar import Category
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import Example
from recipes import teacher
from recipes.corpora import Corpora

pytest.importorskip("transformers")

TREE = r"(<T S[dcl] 0 2> (<L NP NNP NNP Ada NP>) (<L S[dcl]\NP VBD VBD slept S[dcl]\NP>) )"
GOLD = Example(("Bo", "slept", "."), tuple(map(Category.parse, ("NP", r"S[dcl]\NP", "."))))


def test_a_teacher_learns_from_gold_and_the_treebank_and_leaves_the_vectors_of_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(teacher, "TRAINING", ("made",))
    monkeypatch.setattr(teacher, "_EPOCHS", 1)
    (tmp_path / "made.auto").write_text(f"ID=made/1 PARSER=GOLD NUMPARSE=1\n{TREE}\n" * 8)
    transformer = tmp_path / "bert"
    tiny_bert(transformer)
    corpora = Corpora([GOLD] * 8, [], [], [])
    made = teacher.teach(transformer, tmp_path, corpora, [GOLD], tmp_path / "teacher", "bfloat16")
    again = teacher.teach(transformer, tmp_path, corpora, [GOLD], tmp_path / "teacher", "bfloat16")
    assert made.head_words is not None and made.scheme == "rebank"
    assert {str(category) for category in made.decoder.categories} >= {"NP", r"S[dcl]\NP", "."}
    fresh = Tagger.build(teacher._config(transformer, "float32"), [], {Category.parse("NP"): 9})
    pieces = "encoder.bert.model.embeddings.word_embeddings.weight"
    assert torch.equal(made.state_dict()[pieces], fresh.state_dict()[pieces])
    assert torch.equal(again.state_dict()[pieces], made.state_dict()[pieces])


def test_every_epoch_has_other_lessons_that_are_the_same_whenever_they_are_asked_for():
    lessons = teacher.Lessons(Corpora([GOLD] * 8, [], [], []), [GOLD] * 40, 4)

    def words(number):
        return [lesson.sentences for lesson in lessons.epoch(number)]

    assert words(1) == words(1) != words(2)
    assert lessons._gold[0].head_words == (1, -1, 1)
