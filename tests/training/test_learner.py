"""Learning the default model: a narrower student goes on from a wider teacher."""

import random
from dataclasses import replace

import pytest
import torch

from ccgkit import Category
from ccgkit.models.compact import build
from ccgkit.models.transformer import Shape, SmallBert
from ccgkit.models.wordpiece import WordPiece
from ccgkit.taggers.config import DecoderConfig
from ccgkit.training import learner as module
from ccgkit.training.auxiliary import TaggedWords
from ccgkit.training.data import Example, count_categories
from ccgkit.training.learner import Corpora, Learner, Stage, learn

PIECES = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "tom",
    "sleeps",
    "sees",
    "the",
    "dog",
    ".",
    "?",
    "who",
]
GOLD = [
    Example(("Tom", "sleeps", "."), (Category.parse("N"), Category.parse(r"S[dcl]\NP"), Category.parse("."))),
    Example(
        ("The", "dog", "sees", "Tom", "."),
        tuple(map(Category.parse, ("NP/N", "N", r"(S[dcl]\NP)/NP", "N", "."))),
    ),
    Example(("Who", "sleeps", "?"), tuple(map(Category.parse, (r"S[wq]/(S[dcl]\NP)", r"S[dcl]\NP", ".")))),
] * 20

QUICK = replace(Stage("", 0, 0).rates, learning_rate=0.02, bert_learning_rate=0.005)


@pytest.fixture
def corpora():
    return Corpora(GOLD, GOLD[:3], [TaggedWords(("Tom", "sleeps"), (0, 1), (1, 0))] * 16, 2, [])


@pytest.fixture
def teacher():
    torch.manual_seed(1)
    shape = Shape(pieces=len(PIECES), width=24, inner=32, heads=2, layers=2, positions=64)
    config = DecoderConfig(kind="cg", threshold=1, lstm_width=16, tag_width=8)
    tagger = build(WordPiece(PIECES), SmallBert(shape), config, count_categories(GOLD), ("NN", "VB"))
    return Learner(tagger, 2)


def test_a_student_has_fewer_units_the_same_tags_and_heads(teacher, corpora, monkeypatch):
    monkeypatch.setattr(module, "_WATCHED", 1)
    student = teacher.narrowed(corpora, 12)
    assert student.tagger.encoder.bert.shape.inner == 12
    assert student.tagger.decoder.to_json() == teacher.tagger.decoder.to_json()
    assert student.tagger.config.decoder.lstm_width == student.tagger.decoder.recurrent.in_features
    torch.testing.assert_close(student.tagger.pos.weight, teacher.tagger.pos.weight)
    assert student.tagger.encoder.mixture.tolist() == teacher.tagger.encoder.mixture.tolist()


def test_a_stage_learns_gold_questions_and_auxiliary_tasks(teacher, corpora, tmp_path):
    stage = Stage("toy", epochs=8, auxiliary=1.0, questions=3, mask=0.0, pieces=True, batch=8, rates=QUICK)
    before = teacher.category_loss(GOLD[:3], 0.0).item()
    learn(teacher, stage, corpora, [], tmp_path / "toy.safetensors")
    assert (tmp_path / "toy.safetensors").exists()
    assert teacher.eval().category_loss(GOLD[:3], 0.0).item() < before / 2


def test_made_questions_are_among_the_steps_only_if_asked_for(teacher, corpora):
    def words(stage):
        steps = module._steps(teacher, stage, corpora, [], random.Random(1))
        return [example.words for step in steps for example in step.args[0]]

    assert not any("Does" in text or "Why" in text for text in words(Stage("a", epochs=2, auxiliary=0)))
    asked = words(Stage("b", epochs=2, auxiliary=0, questions=4))
    assert any(text[0] in ("Which", "What") for text in asked)
