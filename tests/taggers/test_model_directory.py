"""Models on disk: what is saved is loaded, whole or not at all."""

import json
import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from safetensors.torch import load_file
from toy import DECODER, compact_tagger, small_tagger, toy_sentences

from ccgkit import Category
from ccgkit.models.registry import describe
from ccgkit.taggers.decoders.generator import Generator
from ccgkit.taggers.errors import ModelError
from ccgkit.taggers.tagger import Tagger

WORDS = [words for words, _ in toy_sentences(8)]


@pytest.fixture
def saved(tmp_path):
    tagger = small_tagger("cc")
    tagger.save(tmp_path / "model", "# My card\n")
    return tmp_path / "model"


@pytest.mark.parametrize("kind", ["cc", "cg", "ct"])
def test_a_loaded_tagger_tags_as_the_saved_one(tmp_path, kind):
    tagger = small_tagger(kind)
    tagger.save(tmp_path / "model")
    assert Tagger.load(tmp_path / "model").kbest(WORDS, k=3) == tagger.kbest(WORDS, k=3)


def test_pretrained_vectors_travel_with_the_model(tmp_path):
    vectors = tmp_path / "v.txt"
    vectors.write_text("dog 1 0 0\nqwerty 0 1 0\n")
    tagger = small_tagger("cc", pretrained=str(vectors), pretrained_width=2)
    tagger.save(tmp_path / "model")
    vectors.unlink()
    sentence = [["qwerty", "dog", "."]]
    assert Tagger.load(tmp_path / "model").kbest(sentence, k=3) == tagger.kbest(sentence, k=3)


def test_the_files_of_a_model(saved):
    names = {path.name for path in saved.iterdir()}
    assert names == {"config.toml", "vocabulary.json", "weights.safetensors", "model.json", "README.md"}
    assert (saved / "README.md").read_text() == "# My card\n"
    assert set(json.loads((saved / "model.json").read_text())["files"]) == names - {"model.json"}


@pytest.mark.parametrize("name", ["config.toml", "vocabulary.json", "weights.safetensors"])
def test_an_altered_or_missing_file_is_told(saved, name):
    content = bytearray((saved / name).read_bytes())
    content[len(content) // 2] ^= 1
    (saved / name).write_bytes(content)
    with pytest.raises(ModelError, match=f"{name} was altered"):
        Tagger.load(saved)
    (saved / name).unlink()
    with pytest.raises(ModelError, match=f"{name} is missing"):
        Tagger.load(saved)


def test_a_card_may_be_edited(saved):
    (saved / "README.md").write_text("# Better words\n")
    assert Tagger.load(saved).kbest([["it", "rains"]])


@pytest.mark.parametrize(
    ("index", "told"),
    [
        ('{"format": "ccgkit model", "version": 99, "files": {}}', "version 99; this ccgkit reads version 1"),
        ('{"format": "ccgkit model", "version": 1}', "does not list"),
        ('{"format": "else"}', "does not describe a model"),
        ("[", "cannot read"),
    ],
)
def test_a_wrong_index_is_told(saved, index, told):
    (saved / "model.json").write_text(index)
    with pytest.raises(ModelError, match=told):
        Tagger.load(saved)


def test_what_is_no_model_is_told(tmp_path):
    with pytest.raises(ModelError, match="no model directory"):
        Tagger.load(tmp_path / "nothing")
    with pytest.raises(ModelError, match="is not a model"):
        Tagger.load(tmp_path)


def test_a_failed_save_leaves_the_old_model_whole(saved, monkeypatch):
    before = Tagger.load(saved).kbest(WORDS)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ccgkit.taggers.tagger.save_file", full)
    with pytest.raises(OSError, match="No space"):
        small_tagger("cc", dropout=0.1).save(saved)
    assert Tagger.load(saved).kbest(WORDS) == before
    assert not (saved / ".next").exists()


def test_empty_sentences_have_no_tags(saved):
    tagger = Tagger.load(saved)
    assert tagger.kbest([]) == []
    assert [reading.tags for reading in tagger.kbest([[], WORDS[0], []])[::2]] == [[], []]


def test_beta_leaves_out_what_is_less_probable(saved):
    tagger = Tagger.load(saved)
    for every, some in zip(tagger.kbest(WORDS, 4), tagger.kbest(WORDS, 4, 0.9), strict=True):
        for word, kept in zip(every.tags, some.tags, strict=True):
            assert kept == tuple(tag for tag in word if tag.logprob >= word[0].logprob + math.log(0.9))


def test_a_model_says_its_scheme(saved, tmp_path):
    assert json.loads((saved / "model.json").read_text())["scheme"] == "rebank" == Tagger.load(saved).scheme
    small_tagger("cg", scheme="ccgbank").save(tmp_path / "other")
    assert Tagger.load(tmp_path / "other").scheme == "ccgbank"


def test_an_older_model_that_does_not_say_its_scheme_is_asked_for_its_atoms(tmp_path):
    for name, atom in (("told", "PR"), ("untold", "NP")):
        small_tagger("cc", more=[atom]).save(tmp_path / name)
        index = json.loads((tmp_path / name / "model.json").read_text())
        del index["scheme"]
        (tmp_path / name / "model.json").write_text(json.dumps(index))
    assert Tagger.load(tmp_path / "told").scheme == "rebank"
    assert Tagger.load(tmp_path / "untold").scheme == ""  # its few atoms are of every scheme


def test_a_tagger_for_categories_of_no_scheme_is_built_saved_and_loaded(tmp_path):
    tagger = small_tagger("cc", more=["Q/R"] * 2000)
    tagger.save(tmp_path / "model")
    assert tagger.scheme == Tagger.load(tmp_path / "model").scheme == ""


def test_label_heads_travel_with_the_model(tmp_path):
    torch.manual_seed(1)
    tagger = small_tagger("cc")
    tagger = Tagger(
        tagger.config, tagger.encoder, tagger.decoder, "rebank", {"pos": ["NN", "VB"], "other": ["x"]}
    )
    tagger.eval().save(tmp_path / "model")
    again = Tagger.load(tmp_path / "model")
    assert again.kbest(WORDS) == tagger.kbest(WORDS)
    assert {tag for reading in again.kbest(WORDS) for tag in reading.pos} <= {"NN", "VB"}
    assert again.heads.keys() == {"pos", "other"}


@pytest.mark.parametrize("kind", ["cc", "cg", "ct"])
def test_eight_threads_may_use_a_freshly_loaded_tagger(tmp_path, kind):
    small_tagger(kind).save(tmp_path / "model")
    alone = Tagger.load(tmp_path / "model").kbest(WORDS * 4, k=6)
    for _ in range(3):
        tagger = Tagger.load(tmp_path / "model")
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda _, tagger=tagger: tagger.kbest(WORDS * 4, k=6), range(8)))
        for readings in found:
            for one, other in zip(readings, alone, strict=True):
                assert one.categories == other.categories


@pytest.fixture
def lending(tmp_path):
    """A model, and another beside it that has a decoder only."""
    lender = compact_tagger()
    lender.save(tmp_path / "lender")
    counts = Counter(map(Category.parse, ["NP[nb]/N", "N", r"S[dcl]\NP"]))
    decoder = Generator.build(lender.encoder.width, DECODER, counts)
    borrower = Tagger.over(tmp_path / "lender", decoder, DECODER, "ccgbank")
    borrower.save(tmp_path / "borrower", info={"name": "borrower", "language": "en"})
    return tmp_path, borrower


def test_a_model_may_use_the_encoder_and_the_heads_of_another_beside_it(lending):
    folder, borrower = lending
    sentences = [["the", "dog", "!"], ["dog"]]
    again = Tagger.load(folder / "borrower")
    assert again.kbest(sentences, k=3) == borrower.kbest(sentences, k=3)
    assert [one.pos for one in again.kbest(sentences)] == [
        one.pos for one in Tagger.load(folder / "lender").kbest(sentences)
    ]
    assert again.scheme == "ccgbank"
    stored = load_file(folder / "borrower" / "weights.safetensors")
    assert stored.keys() == again.decoder.state_dict().keys()
    assert not (folder / "borrower" / "pieces.txt").exists()
    assert describe(folder / "borrower").encoder == "lender"
    again.save(folder / "another")
    assert Tagger.load(folder / "another").kbest(sentences) == again.kbest(sentences)


def test_a_borrowed_encoder_must_be_beside_the_model_and_the_one_it_was_made_for(lending, tmp_path_factory):
    folder, borrower = lending
    with pytest.raises(ModelError, match="there is no model directory"):
        borrower.save(tmp_path_factory.mktemp("elsewhere") / "model")
    small_tagger("cc").save(folder / "lender")
    with pytest.raises(ModelError, match="has other weights than the ones it was made for"):
        Tagger.load(folder / "borrower")
