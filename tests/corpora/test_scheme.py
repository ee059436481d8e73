"""Which scheme of annotation a corpus follows."""

import pytest

from ccgkit import Category, Sentence, Supertag, Token
from ccgkit.corpora import load
from ccgkit.corpora.scheme import corpus_scheme, probable_scheme
from ccgkit.grammar import load_scheme
from ccgkit.grammar.schemes import SchemeError


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pattern", "name"),
    [("pmb[45]/*.*", "rebank"), ("udccg/*.auto", "udccg"), ("ccgbank_notation/*.*", "ccgbank")],
)
def test_every_corpus_tells_its_scheme(pattern, name, corpus_folder):
    for path in corpus_folder.glob(pattern):
        assert corpus_scheme(load(path, on_error="skip")).name == name, path


def test_a_corpus_that_does_not_tell_its_scheme_needs_a_name():
    sentence = Sentence((Token("You"),), tags=((Supertag(Category.parse("NP")),),))
    with pytest.raises(
        SchemeError, match=r"a\.auto do not show .* name ccgbank, rebank or udccg with --scheme"
    ):
        corpus_scheme([sentence], None, "a.auto")
    assert corpus_scheme([sentence], "udccg") is load_scheme("udccg")


def tagged(category):
    return Sentence((Token("You"),), tags=((Supertag(Category.parse(category)),),))


def test_the_probable_scheme_is_one_that_fits_and_a_warning_says_so(caplog):
    assert probable_scheme([tagged("NP[nb]/N")]) is load_scheme("ccgbank") and not caplog.text
    assert probable_scheme([tagged("NP")], None, "a.auto") is load_scheme("rebank")
    assert "a.auto fit ccgbank and rebank" in caplog.text and "the rules are those of rebank" in caplog.text
    assert probable_scheme([tagged("NP")], "udccg") is load_scheme("udccg")
    with pytest.raises(SchemeError, match="do not show"):
        probable_scheme([])
