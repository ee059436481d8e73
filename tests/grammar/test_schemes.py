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
    path.write_text(OWN, encoding="utf-8")
    assert load_scheme(str(path)).coordination == "mark"


OWN = r"""
notation = "own"
rules = [">", "<"]
degree = 1
coordination = "mark"
conjunctions = ["conj"]
loose_variables = false
atoms = { S = ["dcl"], NP = [], conj = [] }
unary = [{ children = ["N"], parents = ["NP"] }]
"""


@pytest.mark.parametrize(
    ("line", "instead", "complaint"),
    [
        ('coordination = "mark"', "", '\'coordination\' is missing; it holds "mark" or "functor" or "plain"'),
        ('coordination = "mark"', 'coordination = "join"', '"functor" or "plain", not \'join\''),
        ('rules = [">", "<"]', "", "'rules' is missing; it holds a list of symbols among > < >B"),
        ('rules = [">", "<"]', 'rules = ["?"]', "'rules' holds a list of symbols"),
        ("degree = 1", 'degree = "one"', "'degree' holds the number of arguments .*, not 'one'"),
        (
            '"NP"] }]',
            '"NP/"] }]',
            "'parents' holds a list of categories, and 'NP/' is not one: nothing after the slash",
        ),
        ('children = ["N"], ', "", "'children' is missing; it holds a list of categories"),
        (
            '[{ children = ["N"], parents = ["NP"] }]',
            "3",
            "'unary' holds tables with children and parents, not 3",
        ),
        ('S = ["dcl"]', "S = 1", "'atoms' holds a table of the atoms"),
        ("degree = 1", "degree =", "Invalid value"),
    ],
)
def test_a_scheme_that_does_not_read_names_the_field_and_what_it_holds(tmp_path, line, instead, complaint):
    assert line in OWN
    path = tmp_path / "own.toml"
    path.write_text(OWN.replace(line, instead), encoding="utf-8")
    with pytest.raises(SchemeError, match=rf"own\.toml' cannot be read: .*{complaint}"):
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
