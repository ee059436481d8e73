"""The open corpora themselves are found and read."""

import os
from pathlib import Path

import pytest

from ccgkit.experiments.corpora import find_corpus

DATA = os.environ.get("CCGKIT_DATA")


@pytest.mark.slow
@pytest.mark.skipif(DATA is None, reason="CCGKIT_DATA does not name the folder of the corpora")
@pytest.mark.parametrize(
    ("name", "sentences"),
    [("pmb-en", 6992), ("pmb-de", 1738), ("pmb-it", 685), ("pmb-nl", 539), ("udccg-en", 10_000)],
)
def test_a_corpus_is_read_whole(name, sentences):
    corpus = find_corpus(Path(str(DATA)), name)
    assert len(corpus.examples("train")) >= sentences
    assert all(corpus.examples(name) for name in ("dev", "test"))
    assert (corpus.trees("test") is None) == (name not in ("pmb-en", "udccg-en"))
