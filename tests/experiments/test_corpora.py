"""Corpora are found by name or told from their tree."""

import pytest

from ccgkit import CCGKitError
from ccgkit.experiments.corpora import CorpusCache, find_corpus
from ccgkit.training.data import read_examples


def test_an_open_corpus_is_read_as_training_by_hand_reads_it(data):
    corpus = find_corpus(data)
    assert corpus.name == "pmb-en"
    assert corpus.examples("dev") == read_examples([data / "pmb4" / "en.dev.stagged"])
    assert corpus.domains == {"questions": "domain-questions"}
    assert corpus.trees("test") == "trees-test"
    assert find_corpus(data, "pmb-it").trees("test") is None


def test_parts_of_the_training_data_hold_the_smaller_ones(data):
    corpus = find_corpus(data, "pmb-en")
    whole, half, tenth = (corpus.part(percent).examples("train") for percent in (100, 50, 10))
    assert (len(whole), len(half), len(tenth)) == (40, 20, 4)
    assert all(one in half for one in tenth) and all(one in whole for one in half)
    assert corpus.part(50).name == "pmb-en@50" and corpus.part(100) is corpus
    assert corpus.part(50).examples("dev") == corpus.examples("dev")


def test_sets_are_told_apart(data):
    cache, corpus = CorpusCache(), find_corpus(data)
    digests = {cache.digest(one, name) for one in (corpus, corpus.part(50)) for name in ("train", "dev")}
    assert len(digests) == 3


def test_what_is_not_there_is_told(data, tmp_path):
    with pytest.raises(CCGKitError, match=r"en_ewt\.train\.auto is missing"):
        find_corpus(data, "udccg-en")
    with pytest.raises(CCGKitError, match="no folder AUTO"):
        find_corpus(data, "ccgbank")
    (tmp_path / "AUTO").mkdir()
    with pytest.raises(CCGKitError, match="is CCGbank; the corpus asked for is pmb-en"):
        find_corpus(tmp_path, "pmb-en")
