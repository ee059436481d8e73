"""Schemes of annotation: those that come with the toolkit, and one's own."""

import pytest

from ccgkit import Category
from ccgkit.grammar import load_scheme, scheme_names
from ccgkit.grammar.schemes import SchemeError, guess


def test_schemes_come_with_the_toolkit_or_from_a_file(tmp_path):
    assert scheme_names() == ("ccgbank", "rebank", "udccg")
    with pytest.raises(SchemeError, match="no scheme 'penn'"):
        load_scheme("penn")
    path = tmp_path / "own.toml"
    path.write_text('notation = "own"\nrules = ["?"]\ndegree = 1\ncoordination = "mark"\n', encoding="utf-8")
    with pytest.raises(SchemeError, match="does not read"):
        load_scheme(str(path))


@pytest.mark.parametrize(
    ("spelled", "name"),
    [
        (["NP[nb]/N", "N", r"S[dcl]\NP"], "ccgbank"),
        (["NP/N", "N", r"S[dcl]\NP"], "rebank"),
        (["NP", r"((S[dcl]\NP)/PR)/NP", "PR"], "rebank"),
        (["NP/NP", "NP", r"(S\NP)/NP"], "udccg"),
        (["NP", "conj", "NP[conj]"], "ccgbank"),
        (["NP[nb]/N"] * 50 + ["NP/N"], "ccgbank"),  # a slip in a corpus
        (["NP", "conj", "NP", "."], None),
        (["NP", r"S[dcl]\NP"], None),
        (["NP/NP"], None),
        (["NP[nb]/N", "NP/N", "N"], None),
        (["A", "B", "NP/N"], None),
        ([], None),
    ],
)
def test_categories_tell_their_scheme_or_nothing(spelled, name):
    found = guess(map(Category.parse, spelled))
    assert (found and found.name) == name
