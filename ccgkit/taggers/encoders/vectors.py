"""Files of pretrained word vectors: word2vec and GloVe text, `.npz`, `.safetensors`; and their reduction.

An `.npz` holds `words` and `vectors`; a `.safetensors` holds `vectors` and, as UTF-8 bytes joined by
newlines, `words`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError

__all__ = ["read_vectors", "reduce_vectors", "write_vectors"]

Matrix = NDArray[np.float32]


def read_vectors(path: Path) -> tuple[list[str], Matrix]:
    """The words of a file and their vectors, one row a word; the first of equal words counts."""
    try:
        match path.suffix:
            case ".npz":
                words, matrix = _read_npz(path)
            case ".safetensors":
                words, matrix = _read_safetensors(path)
            case _:
                words, matrix = _read_text(path)
    except (OSError, BadZipFile, KeyError, ValueError) as error:
        raise ModelError(f"cannot read word vectors from {path}: {error}") from error
    if len(words) != len(matrix) or matrix.ndim != 2 or not len(words):
        raise ModelError(f"{path}: {len(words)} words do not match vectors of shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise ModelError(
            f"{path}: the vector of {words[int(np.argmin(np.isfinite(matrix).all(1)))]!r} is not finite"
        )
    return _distinct(words, matrix)


def write_vectors(path: Path, words: Sequence[str], matrix: Matrix) -> None:
    """Write words and vectors as `.npz` or `.safetensors`, in half precision."""
    arrays: dict[str, Any] = {
        "words": np.frombuffer("\n".join(words).encode(), np.uint8),
        "vectors": matrix.astype(np.float16),
    }
    if path.suffix == ".npz":
        np.savez(path, allow_pickle=False, **arrays)
    elif path.suffix == ".safetensors":
        from safetensors.numpy import save_file

        save_file(arrays, path)
    else:
        raise ModelError(f"{path}: word vectors are written as .npz or .safetensors")


def reduce_vectors(matrix: Matrix, width: int) -> Matrix:
    """The vectors on their first `width` principal components (PCA).

    >>> reduce_vectors(np.array([[0, 0, 1], [0, 0, 3], [0, 0, 5]], np.float32), 1).ravel().tolist()
    [-2.0, 0.0, 2.0]
    """
    if not 1 <= width <= matrix.shape[1]:
        raise ModelError(f"vectors of width {matrix.shape[1]} cannot be reduced to {width}")
    centred = matrix.astype(np.float64) - matrix.mean(0, dtype=np.float64)
    _, components = np.linalg.eigh(centred.T @ centred)
    axes = components[:, ::-1][:, :width]
    axes *= np.where(axes[np.abs(axes).argmax(0), np.arange(width)] < 0, -1, 1)  # a sign of our own choosing
    reduced: Matrix = (centred @ axes).astype(np.float32)
    return reduced


def _read_npz(path: Path) -> tuple[list[str], Matrix]:
    with np.load(path, allow_pickle=False) as arrays:
        return _words(arrays["words"]), arrays["vectors"].astype(np.float32)


def _read_safetensors(path: Path) -> tuple[list[str], Matrix]:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        arrays = load_file(path)
    except SafetensorError as error:
        raise ValueError(error) from error
    return _words(arrays["words"]), arrays["vectors"].astype(np.float32)


def _words(array: NDArray[Any]) -> list[str]:
    if array.dtype == np.uint8:
        return array.tobytes().decode().split("\n")
    return [str(word) for word in array.tolist()]


def _read_text(path: Path) -> tuple[list[str], Matrix]:
    """GloVe's lines `word number …`; word2vec puts a line `count width` before them."""
    words: list[str] = []
    rows: list[Matrix] = []
    with path.open(encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(lines, 1):
            parts = line.rstrip().split(" ")
            if number == 1 and len(parts) == 2 and all(part.isdigit() for part in parts):
                continue
            width = len(rows[0]) if rows else len(parts) - 1
            try:
                rows.append(np.array(parts[-width:], np.float32))
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from error
            if len(parts) <= width or width < 1:
                raise ValueError(f"line {number} has {len(parts) - 1} numbers instead of {width}")
            words.append(" ".join(parts[:-width]))
    return words, np.stack(rows) if rows else np.zeros((0, 0), np.float32)


def _distinct(words: list[str], matrix: Matrix) -> tuple[list[str], Matrix]:
    first: dict[str, int] = {}
    for row, word in enumerate(words):
        first.setdefault(word, row)
    return list(first), matrix if len(first) == len(words) else matrix[list(first.values())]
