"""Which scheme of annotation a corpus follows."""

import os
from pathlib import Path

import pytest

from ccgkit import Category, Sentence, Supertag, Token
from ccgkit.corpora import load
from ccgkit.corpora.scheme import corpus_scheme
from ccgkit.grammar import load_scheme
from ccgkit.grammar.schemes import SchemeError


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pattern", "name"),
    [("pmb[45]/*.*", "rebank"), ("udccg/*.auto", "udccg"), ("ccgbank_notation/*.*", "ccgbank")],
)
def test_every_corpus_tells_its_scheme(pattern, name):
    root = os.environ.get("CCGKIT_DATA")
    if not root:
        pytest.skip("CCGKIT_DATA does not point at the corpora")
    for path in Path(root).glob(pattern):
        assert corpus_scheme(load(path, on_error="skip")).name == name, path


def test_a_corpus_that_does_not_tell_its_scheme_needs_a_name():
    sentence = Sentence((Token("You"),), tags=((Supertag(Category.parse("NP")),),))
    with pytest.raises(
        SchemeError, match=r"a\.auto do not tell .* name ccgbank, rebank or udccg with --scheme"
    ):
        corpus_scheme([sentence], None, "a.auto")
    assert corpus_scheme([sentence], "udccg") is load_scheme("udccg")
