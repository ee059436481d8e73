"""The treebank of running text as `recipes.treebank` makes it, of which the whole derivations are taken."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from ccgkit.corpora import load
from ccgkit.sentence import Sentence
from ccgkit.training.data import DataError

__all__ = ["load_split"]

_TENTH = 10  # of the training sentences, every one of this number is held out for dev


def load_split(folder: Path, name: str) -> Iterator[Sentence]:
    """Every tenth sentence of the training files is dev, the others train; the sources' dev files are test.

    Raises `DataError` where there are no such files.
    """
    ending = "dev" if name == "test" else "train"
    paths = sorted(folder.glob(f"*.{ending}.auto"))
    if not paths:
        raise DataError(f"{folder} has no file *.{ending}.auto: `python -m recipes.treebank` makes them")
    sentences = chain.from_iterable(map(load, paths))
    if name == "test":
        return sentences
    return (one for number, one in enumerate(sentences, 1) if (number % _TENTH == 0) == (name == "dev"))
