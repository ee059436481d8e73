"""The open corpora themselves are found and read."""

import pytest

from ccgkit.experiments.corpora import find_corpus


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sentences"),
    [("pmb-en", 6992), ("pmb-de", 1738), ("pmb-it", 685), ("pmb-nl", 539), ("udccg-en", 10_000)],
)
def test_a_corpus_is_read_whole(name, sentences, corpus_folder):
    corpus = find_corpus(corpus_folder, name)
    assert len(corpus.examples("train")) >= sentences
    assert all(corpus.examples(name) for name in ("dev", "test"))
    assert (corpus.trees("test") is None) == (name not in ("pmb-en", "udccg-en"))
