"""The small POS tagger, and the Penn Treebank's tags."""

import pytest

from ccgkit import CCGKitError
from ccgkit.text import PENN_TAGS, penn_tag
from ccgkit.text.pos import PosTagger


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


def test_a_file_that_is_none_is_told(tmp_path):
    (tmp_path / "w.safetensors").write_bytes(b"nothing")
    with pytest.raises(CCGKitError, match="cannot read the POS tagger"):
        PosTagger.load(tmp_path / "w.safetensors")
