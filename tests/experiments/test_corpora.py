"""Corpora are found by name or told from their tree."""

import pytest
from tiny import tiny_ccgbank

from ccgkit import CCGKitError
from ccgkit.experiments import paper
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


def test_the_treebank_of_running_text_is_split_as_it_was_made(tmp_path):
    folder = tmp_path / "treebank"
    folder.mkdir()
    for name, count in (("mail.train", 15), ("wiki.train", 7), ("wiki.train.part", 3), ("wiki.dev", 2)):
        lines = [f"ID={number} PARSER=GOLD\n(<L N N N {name}{number} N>)\n" for number in range(count)]
        (folder / f"{name}.auto").write_text("".join(lines))
    corpus = find_corpus(tmp_path, "running-text")
    found = {split: [one.words[0] for one in corpus.examples(split)] for split in ("train", "dev", "test")}
    assert found["dev"] == ["mail.train9", "wiki.train4"] and found["test"] == ["wiki.dev0", "wiki.dev1"]
    assert len(found["train"]) == 20 and not {*found["train"]} & {*found["dev"], *found["test"]}
    assert corpus.trees("test") == "test"


def test_a_treebank_of_running_text_that_was_not_made_is_told(tmp_path):
    (tmp_path / "treebank").mkdir()
    with pytest.raises(CCGKitError, match=r"no file \*\.train\.auto: `python -m recipes\.treebank`"):
        find_corpus(tmp_path, "running-text").examples("train")


def test_the_papers_other_domains_are_read_as_candc_writes_them(tmp_path):
    bank = tiny_ccgbank(tmp_path)
    (bank / "domain").mkdir()
    lines = (
        "# this file was written by a supertagger\n\nThe|DT|NP[nb]/N cell|NN|N grows|VBZ|S[dcl]\\NP .|.|.\n"
    )
    for name in ("wikipedia.gold", "genia-1000.stagged"):
        (bank / "domain" / name).write_text(lines)
    (bank / "domain" / "README.txt").write_text("whence they come")
    corpus = find_corpus(bank)
    assert corpus.domains.keys() == paper.DOMAIN["cc"].keys()
    assert [one.words for one in corpus.examples("domain-wiki")] == [("The", "cell", "grows", ".")]
    assert corpus.examples("domain-bioinfer") == corpus.examples("domain-wiki")


def test_other_sets_of_ccgbank_have_their_own_names(tmp_path):
    bank = tiny_ccgbank(tmp_path)
    (bank / "domain").mkdir()
    for name in ("bioinfer.stagged", "genia.stagged", "questions.stagged"):
        (bank / "domain" / name).write_text("Why|WRB|S[wq] ?|.|.\n")
    assert set(find_corpus(bank).domains) == {"bioinfer", "genia", "questions"}


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
