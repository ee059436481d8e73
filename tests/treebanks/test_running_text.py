"""The hand-checked running text: lines without words, joined with their corpora, and what the set holds."""

import gzip
import json
from collections import Counter

import pytest

from ccgkit.corpora import CorpusError, auto
from ccgkit.corpora.blocks import Source
from ccgkit.grammar import load_scheme, unlicensed
from ccgkit.treebanks.running_text import SPLITS, join, load, parse_line, stand_off
from recipes import running_text as recipe
from tests.trees import leaf, step

SWIMS = step("S[dcl]", None, leaf("Ada", "NP"), leaf("swims", r"S[dcl]\NP"))
SINGS = step("S[dcl]", None, leaf("Bo", "NP"), leaf("sings", r"S[dcl]\NP"))
ANNOTATIONS = [stand_off("wescience.dev", "w1", SWIMS), stand_off("en_ewt.dev", "e1", SINGS)]


@pytest.fixture
def data(tmp_path):
    """A folder of corpora with a sentence each."""
    (tmp_path / "erg").mkdir()
    (tmp_path / "ud").mkdir()
    write(tmp_path / "erg" / "wescience.dev.jsonl.gz", item("w1", "Ada swims"))
    rows = [row("1", "Bo"), row("1.1", "hums"), row("2-3", "sings"), row("2", "sings")]
    write(tmp_path / "ud" / "en_ewt.dev.conllu.gz", "# sent_id = e1\n" + "".join(rows) + "\n")
    return tmp_path


def write(path, text):
    path.write_bytes(gzip.compress(text.encode()))


def item(name, text):
    """A line of the ERG's treebank, with a tree of one leaf."""
    return json.dumps({"id": name, "text": text, "tree": ["word", 0, len(text), "n"]}) + "\n"


def row(number, word):
    """A line of CoNLL-U."""
    return "\t".join([str(number), word, *"________"]) + "\n"


def test_an_annotation_has_no_words():
    assert "Ada" not in ANNOTATIONS[0].line
    assert ANNOTATIONS[0].length == 2


def test_a_line_reads_as_it_was_written():
    for annotation in ANNOTATIONS:
        assert parse_line(annotation.line, Source.of_text("")) == annotation


def test_joining_gives_the_words_back(data):
    assert [sentence.words for sentence in join(ANNOTATIONS, data)] == [("Ada", "swims"), ("Bo", "sings")]
    assert [sentence.derivations[0] for sentence in join(ANNOTATIONS, data)] == [SWIMS, SINGS]
    assert [sentence.id for sentence in join(ANNOTATIONS, data)] == ["wescience.dev/w1", "en_ewt.dev/e1"]


def test_a_corpus_that_has_changed_is_noticed(data):
    write(data / "erg" / "wescience.dev.jsonl.gz", item("w1", "Ada swam"))
    with pytest.raises(CorpusError, match="w1 has other words than were annotated: Ada swam"):
        list(join(ANNOTATIONS, data))


def test_a_sentence_that_is_not_there_is_named(data):
    with pytest.raises(CorpusError, match="no sentence w2"):
        list(join([stand_off("wescience.dev", "w2", SWIMS)], data))


def test_a_corpus_that_is_not_known_is_named(data):
    with pytest.raises(CorpusError, match="wsj: no corpus of the running text"):
        list(join([stand_off("wsj", "w1", SWIMS)], data))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("wescience.dev\tw1", "5 fields, not 2"),
        ("wescience.dev\tw1\t2\tabc\t(<L NP", "the last field is not a derivation"),
        ("wescience.dev\tw1\t3\tabc\t(<L NP _ _ _ NP>)", "the derivation has 1 words, not 3"),
    ],
)
def test_a_damaged_line_is_named(line, reason):
    source = Source.of_text(line)
    with pytest.raises(CorpusError, match=f"<text>:1: {reason}"):
        [parse_line(line, source) for line in source]


def test_a_damaged_item_is_named(data):
    write(data / "erg" / "wescience.dev.jsonl.gz", item("w0", "Ada") + '{"id": "w1"}\n')
    with pytest.raises(CorpusError, match=r"jsonl\.gz:2: expected a JSON object with id, text and tree"):
        list(join(ANNOTATIONS, data))


def test_sentences_are_chosen_in_turns_without_markup_repetition_or_extreme_lengths(data):
    good = ["Ada swims and Bo sings and Cy hums .", "Ada swam and Bo sang and Cy hummed ."]
    texts = [good[0], "Ada ⌊swims¦en⌋ and Bo sings and Cy hums .", good[1], good[0], "Ada swims ."]
    items = [item(f"w{number}", text) for number, text in enumerate(texts)]
    write(data / "erg" / "wescience.dev.jsonl.gz", "".join(items))
    rows = [
        f"# sent_id = e{number}\n" + "".join(row(place, word) for place, word in enumerate(text.split(), 1))
        for number, text in enumerate(good)
    ]
    write(data / "ud" / "en_ewt.dev.conllu.gz", "\n".join(rows))
    chosen = recipe.choose(data)
    assert [corpus for corpus, _, _ in chosen] == ["wescience.dev", "en_ewt.dev"] * 2
    for corpus in ("wescience.dev", "en_ewt.dev"):
        assert sorted(" ".join(words) for name, _, words in chosen if name == corpus) == sorted(good)
    assert chosen == recipe.choose(data)


def test_what_is_stored_can_be_joined_again(data, tmp_path):
    auto.dump(join(ANNOTATIONS, data), tmp_path / "dev.auto")
    recipe.store([tmp_path / "dev.auto"], tmp_path)
    source = Source.open(tmp_path / "running-text.dev.tsv")
    assert [parse_line(line, source) for line in source] == ANNOTATIONS


@pytest.mark.parametrize("split", SPLITS)
class TestTheSet:
    def test_each_corpus_has_one_half(self, split):
        corpora = Counter(annotation.corpus for annotation in load(split))
        assert corpora == {"wescience.dev": 75, "en_ewt.dev": 75}

    def test_sentences_have_8_to_40_words(self, split):
        assert all(8 <= annotation.length <= 40 for annotation in load(split))

    def test_no_word_is_in_it(self, split):
        leaves = {token.word for annotation in load(split) for token in annotation.derivation.tokens}
        assert leaves == {"_"}

    def test_every_derivation_is_one_under_the_scheme(self, split):
        scheme = load_scheme("rebank")
        assert not [a.id for a in load(split) if unlicensed(a.derivation, scheme)]

    @pytest.mark.slow
    def test_it_joins_with_the_corpora(self, split, corpus_folder):
        assert len(list(join(load(split), corpus_folder))) == 150


def test_no_sentence_is_in_both_splits():
    dev, test = ({annotation.id for annotation in load(split)} for split in SPLITS)
    assert not dev & test
