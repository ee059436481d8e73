"""The small transformer, its pieces of words, and the tagger that is shipped on it."""

from collections import Counter

import pytest
import torch

from ccgkit import Category
from ccgkit.models.compact import CompactTagger, build
from ccgkit.models.transformer import ByteLinear, Shape, SmallBert
from ccgkit.models.wordpiece import WordPiece
from ccgkit.taggers.config import DecoderConfig
from ccgkit.taggers.interface import ModelError

PIECES = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "un",
    "##likely",
    "##s",
    "the",
    "dog",
    "brad",
    "pitt",
    "!",
    "'",
    "cafe",
]
INFO = {"name": "toy", "notation": "rebank/PMB", "language": "en"}


def small(pos=("NN", "DT")):
    torch.manual_seed(1)
    shape = Shape(pieces=len(PIECES), width=24, inner=32, heads=2, layers=2, positions=512)
    bert = SmallBert(shape)
    counts = Counter(map(Category.parse, ["NP/N", "N", "N", r"S[dcl]\NP", r"(S[dcl]\NP)/NP"]))
    config = DecoderConfig(kind="cg", threshold=1, lstm_width=16, tag_width=8)
    return build(WordPiece(PIECES), bert, config, counts, pos).eval()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("toy")
    small().save(path, "# Toy\n", INFO)
    return path


def test_pieces_are_the_longest_known_in_lower_case_without_accents():
    pieces = WordPiece(PIECES)
    assert pieces("Unlikely") == (4, 5)
    assert pieces("DOGS!") == (8, 6, 11)
    assert pieces("Café") == (13,)
    assert pieces("Brad Pitt") == (9, 10)
    assert pieces("xyz") == pieces("\u200b") == pieces("") == (1,)


def test_int8_weights_give_nearly_the_same():
    linear = torch.nn.Linear(64, 32)
    vectors = torch.randn(10, 64)
    exact, rounded = linear(vectors), ByteLinear.of(linear)(vectors)
    assert (exact - rounded).abs().max() < 0.05


def test_a_saved_tagger_says_the_same_when_loaded(folder):
    tagger = small()
    tagger.encoder.bert.compress()
    sentences = [["the", "dog"], ["Brad~Pitt", "!"], []]
    again = CompactTagger.load(folder)
    for one, two in zip(tagger.read(sentences, 2), again.read(sentences, 2), strict=True):
        assert one.pos == two.pos
        assert [[t.category for t in word] for word in one.tags] == [
            [t.category for t in word] for word in two.tags
        ]


def test_a_word_gets_the_same_alone_and_in_a_batch(folder):
    tagger = CompactTagger.load(folder)
    tagger.encoder.bert.float()
    long = ["the", "dog", "unlikely", "!"] * 5
    (alone,) = tagger.tag([["the", "dog"]], 2)
    together = tagger.tag([long, ["the", "dog"]], 2)[1]
    assert [[t.category for t in word] for word in alone] == [[t.category for t in word] for word in together]


def test_a_sentence_longer_than_the_transformer_is_read_in_parts(folder):
    (reading,) = CompactTagger.load(folder).read([["the", "dog", "unlikely"] * 600])
    assert len(reading.tags) == len(reading.pos) == 1800


def test_what_beta_rules_out_is_not_searched_for_and_nothing_else_changes(folder):
    tagger = CompactTagger.load(folder)
    sentences = [["the", "dog", "unlikely", "!"], ["Brad~Pitt"]]
    full, kept = tagger.read(sentences, 4), tagger.read(sentences, 4, beta=0.3)
    for one, two in zip(full, kept, strict=True):
        for every, some in zip(one.tags, two.tags, strict=True):
            probable = [t.category for t in every if t.logprob >= every[0].logprob - 1.2039]
            assert [t.category for t in some][: len(probable)] == probable


def test_a_damaged_or_newer_model_is_refused(folder, tmp_path):
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    index = copy / "model.json"
    index.write_text(index.read_text().replace('"version": 1', '"version": 99'))
    with pytest.raises(ModelError, match="version 99"):
        CompactTagger.load(copy)
    shutil.copytree(folder, copy, dirs_exist_ok=True)
    (copy / "pieces.txt").write_text("[PAD]\n")
    with pytest.raises(ModelError, match="damaged"):
        CompactTagger.load(copy)
