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


def test_ccg_tut_is_cut_at_periods_and_split_in_order(tmp_path):
    folder = tmp_path / "ccg-tut"
    folder.mkdir()
    lines = [f"parola{number} NOU N\n. PUNCT .\n{'' if number % 2 else chr(10)}" for number in range(19)]
    (folder / "news.txt").write_text("".join([*lines, "fine NOU N\n"]))
    corpus = find_corpus(tmp_path, "ccg-tut")
    found = {split: [one.words for one in corpus.examples(split)] for split in ("train", "dev", "test")}
    assert {split: len(sentences) for split, sentences in found.items()} == {"train": 16, "dev": 2, "test": 2}
    assert found["train"][0] == ("parola0", ".") and found["test"] == [("parola18", "."), ("fine",)]


@pytest.mark.parametrize(("line", "told"), [("due colonne", "three columns"), ("a NOU (N", "unclosed")])
def test_a_bad_line_of_ccg_tut_is_named(tmp_path, line, told):
    (tmp_path / "ccg-tut").mkdir()
    (tmp_path / "ccg-tut" / "news.txt").write_text(f". PUNCT .\n{line}\n")
    with pytest.raises(CCGKitError, match=rf"news\.txt:2: .*{told}"):
        find_corpus(tmp_path, "ccg-tut").examples("train")


def test_ccg_tut_in_another_encoding_is_told(tmp_path):
    (tmp_path / "ccg-tut").mkdir()
    (tmp_path / "ccg-tut" / "news.txt").write_bytes("perché NOU N\n".encode("latin-1"))
    with pytest.raises(CCGKitError, match=r"news\.txt is not UTF-8"):
        find_corpus(tmp_path, "ccg-tut").examples("train")


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
