"""Files of word vectors in every format, and their reduction."""

import numpy as np
import pytest

from ccgkit.taggers.encoders.vectors import read_vectors, reduce_vectors, write_vectors
from ccgkit.taggers.errors import ModelError

WORDS = ["the", "New York", "ß"]
MATRIX = np.array([[1, 2, 3], [0.5, -1, 0], [0, 0, 8]], np.float32)


def text(header):
    rows = [f"{word} {' '.join(map(str, row))}\n" for word, row in zip(WORDS, MATRIX.tolist(), strict=True)]
    return header + "".join(rows)


@pytest.mark.parametrize("header", ["", "3 3\n"], ids=["glove", "word2vec"])
def test_text_files(tmp_path, header):
    (tmp_path / "v.txt").write_text(text(header), encoding="utf-8")
    words, matrix = read_vectors(tmp_path / "v.txt")
    assert words == WORDS
    assert (matrix == MATRIX).all()


@pytest.mark.parametrize("name", ["v.npz", "v.safetensors"])
def test_binary_files(tmp_path, name):
    write_vectors(tmp_path / name, WORDS, MATRIX)
    words, matrix = read_vectors(tmp_path / name)
    assert words == WORDS
    assert (matrix == MATRIX).all()


def test_an_npz_may_hold_words_as_strings(tmp_path):
    np.savez(tmp_path / "v.npz", words=np.array(WORDS), vectors=MATRIX)
    assert read_vectors(tmp_path / "v.npz")[0] == WORDS


def test_the_first_of_equal_words_counts(tmp_path):
    (tmp_path / "v.txt").write_text("a 1\nb 2\na 3\n")
    words, matrix = read_vectors(tmp_path / "v.txt")
    assert (words, matrix.ravel().tolist()) == (["a", "b"], [1.0, 2.0])


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("v.txt", b"a 1 2\nb 1\n", "line 2"),
        ("v.txt", b"a 1 2\nb 1 x\n", "line 2"),
        ("v.txt", b"", "0 words"),
        ("v.txt", b"a 1\nb nan\n", "'b' is not finite"),
        ("v.npz", b"no zip", "cannot read"),
        ("v.safetensors", b"nothing", "cannot read"),
    ],
)
def test_damaged_files_are_refused(tmp_path, name, content, told):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ModelError, match=told):
        read_vectors(tmp_path / name)
    with pytest.raises(ModelError, match="cannot read"):
        read_vectors(tmp_path / "missing.txt")


def test_reduction_keeps_what_varies_most():
    chance = np.random.default_rng(1)
    plane = chance.normal(size=(200, 2)) @ chance.normal(size=(2, 6))
    matrix = (plane + 1e-3 * chance.normal(size=(200, 6)) + 5).astype(np.float32)
    reduced = reduce_vectors(matrix, 2)
    centred = matrix - matrix.mean(0)
    distances = np.linalg.norm(centred[:, None] - centred[None], axis=2)
    kept = np.linalg.norm(reduced[:, None] - reduced[None], axis=2)
    assert np.allclose(distances, kept, atol=0.05)
    with pytest.raises(ModelError):
        reduce_vectors(matrix, 7)
