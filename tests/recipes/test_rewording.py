"""Sentences with other words in the places of theirs."""

import numpy as np

from ccgkit.grammar import Token
from ccgkit.taggers.encoders.vectors import write_vectors
from recipes import rewording
from recipes.rewording import neighbours, reworded

VECTORS = {
    "dog": (1, 0),
    "cat": (1, 0.1),
    "horse": (1, 0.2),
    "dogs": (1, 0),
    "singing": (0, 1),
    "humming": (0.1, 1),
    "barking": (0.2, 1),
    "the": (1, 1),
    "very": (1, 0.05),
}
TAGS = {
    "The": "DT",
    "Dog": "NN",
    "is": "VBZ",
    "singing": "VBG",
    "to": "TO",
    "the": "DT",
    "CAT": "NN",
    ".": ".",
}
SENTENCE = [Token(*pair) for pair in TAGS.items()]


def vectors(tmp_path, monkeypatch, common=2):
    monkeypatch.setattr(rewording, "_COMMON", common)
    path = tmp_path / "vectors.safetensors"
    write_vectors(path, list(VECTORS), np.array(list(VECTORS.values()), np.float32))
    return path


def test_neighbours_have_the_same_ending_and_are_no_common_words(tmp_path, monkeypatch):
    text = [SENTENCE, [Token("the", "DT")] * 9, [Token("very", "RB")] * 5]
    near = neighbours(text, vectors(tmp_path, monkeypatch))
    assert near == {
        "dog": ["cat", "horse"], "cat": ["horse", "dog"], "singing": ["humming", "barking"],
    }  # fmt: skip


def test_words_of_open_classes_are_exchanged_and_keep_their_case(tmp_path, monkeypatch):
    path = vectors(tmp_path, monkeypatch, common=1)
    monkeypatch.setattr(rewording, "_SHARE", 1.0)
    ((one,),) = ([words] for words in reworded([SENTENCE], path))
    assert [one[0], one[2], *one[4:6], one[7]] == ["The", "is", "to", "the", "."]
    assert one[1] in ("Cat", "Horse", "Very") and one[3] in ("humming", "barking")
    assert one[6] in ("HORSE", "DOG", "VERY")
    assert reworded([SENTENCE], path) == reworded([SENTENCE], path)


def test_short_sentences_and_those_that_hardly_change_are_left_out(tmp_path, monkeypatch):
    path = vectors(tmp_path, monkeypatch)
    monkeypatch.setattr(rewording, "_SHARE", 0.0)
    assert reworded([SENTENCE], path) == []
    monkeypatch.setattr(rewording, "_SHARE", 1.0)
    assert reworded([SENTENCE[:7]], path) == []
