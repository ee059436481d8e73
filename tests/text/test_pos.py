"""The small POS tagger, and the Penn Treebank's tags."""

import os
from pathlib import Path

import pytest

from ccgkit import CCGKitError
from ccgkit.text import PENN_TAGS, penn_tag
from ccgkit.text.pos import PosTagger, accuracy, train


@pytest.fixture(scope="module")
def tagger():
    return PosTagger.load()


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("The old man watched the boats .", "DT JJ NN VBD DT NNS ."),
        ("Mary has never been to Paris , has she ?", "NNP VBZ RB VBN IN NNP , VBZ PRP ."),
        ("I want to go .", "PRP VBP TO VB ."),
    ],
)
def test_plain_sentences(tagger, text, tags):
    assert tagger.tag(text.split()) == tags.split()


def test_no_words_no_tags(tagger):
    assert tagger.tag([]) == []


def test_tags_do_not_depend_on_what_was_tagged_before(tagger):
    words = ["She", "saw", "her", "duck", "."]
    first = tagger.tag(words)
    tagger.tag(["Colourless", "green", "ideas", "sleep"])
    assert tagger.tag(words) == first


def test_every_tag_is_one_that_candc_knows():
    for tag in ("HYPH", "NFP", "ADD", "GW", "AFX", "XX"):
        assert penn_tag(tag) in PENN_TAGS
    assert all(penn_tag(tag) == tag for tag in PENN_TAGS)


def test_it_learns_what_it_is_shown(tmp_path):
    corpus = tmp_path / "toy.pos"
    corpus.write_text("the|DT dog|NN barks|VBZ\na|DT cat|NN sleeps|VBZ\n" * 5)
    train(corpus, tmp_path / "w.safetensors", rounds=3)
    assert accuracy(PosTagger.load(tmp_path / "w.safetensors"), corpus) == 100.0


def test_a_file_that_is_none_is_told(tmp_path):
    (tmp_path / "w.safetensors").write_bytes(b"nothing")
    with pytest.raises(CCGKitError, match="cannot read the POS tagger"):
        PosTagger.load(tmp_path / "w.safetensors")


@pytest.mark.slow
@pytest.mark.skipif("CCGKIT_DATA" not in os.environ, reason="CCGKIT_DATA is not set")
def test_accuracy_on_held_out_text(tagger):
    assert accuracy(tagger, Path(os.environ["CCGKIT_DATA"]) / "ud/en_ewt.dev.pos") > 93.0
