"""Models on disk: what is saved is loaded, whole or not at all."""

import json

import pytest
from toy import small_tagger, toy_sentences

from ccgkit.taggers.interface import DECODERS, ModelError
from ccgkit.taggers.tagger import Tagger

WORDS = [words for words, _ in toy_sentences(8)]


@pytest.fixture
def saved(tmp_path):
    tagger = small_tagger("cc")
    tagger.save(tmp_path / "model", "# My card\n")
    return tmp_path / "model"


@pytest.mark.parametrize("kind", sorted(DECODERS))
def test_a_loaded_tagger_tags_as_the_saved_one(tmp_path, kind):
    tagger = small_tagger(kind)
    tagger.save(tmp_path / "model")
    assert Tagger.load(tmp_path / "model").tag(WORDS, k=3) == tagger.tag(WORDS, k=3)


def test_pretrained_vectors_travel_with_the_model(tmp_path):
    vectors = tmp_path / "v.txt"
    vectors.write_text("dog 1 0 0\nqwerty 0 1 0\n")
    tagger = small_tagger("cc", pretrained=str(vectors), pretrained_width=2)
    tagger.save(tmp_path / "model")
    vectors.unlink()
    sentence = [["qwerty", "dog", "."]]
    assert Tagger.load(tmp_path / "model").tag(sentence, k=3) == tagger.tag(sentence, k=3)


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
    assert Tagger.load(saved).tag([["it", "rains"]], 1)


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
    with pytest.raises(ModelError, match="is no model"):
        Tagger.load(tmp_path)


def test_a_failed_save_leaves_the_old_model_whole(saved, monkeypatch):
    before = Tagger.load(saved).tag(WORDS)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ccgkit.taggers.tagger.save_file", full)
    with pytest.raises(OSError, match="No space"):
        small_tagger("cc", dropout=0.1).save(saved)
    assert Tagger.load(saved).tag(WORDS) == before
    assert not (saved / ".next").exists()


def test_empty_sentences_and_streams(saved):
    tagger = Tagger.load(saved)
    assert tagger.tag([]) == []
    assert tagger.tag([[], WORDS[0], []])[::2] == [[], []]
    stream = iter(WORDS * 3)
    piped = [[word[0].category for word in row] for row in tagger.pipe(stream, batch=2)]
    assert piped == [[word[0].category for word in row] for row in tagger.tag(WORDS * 3)]
