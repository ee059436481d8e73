"""The rules in the compiled search are those of `ccgkit.grammar`, pair by pair."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import categories

from ccgkit.grammar import Atom, Category, Functor, Slash, load_scheme
from ccgkit.parsing.compiled import CompiledSearch, CompiledStep, is_compiled
from ccgkit.parsing.costs import load_costs
from ccgkit.parsing.rulebook import Rulebook

pytestmark = pytest.mark.skipif(not is_compiled(), reason="the compiled search was not built")

SCHEMES = ["ccgbank", "rebank", "udccg"]
SPELLED = (
    "NP", "N", "NP[nb]", "NP[nb]/N", "N[num]", "S", "S[dcl]", "S[X]", r"S[dcl]\NP", r"(S[dcl]\NP)/NP",
    r"S[X]/(S[X]\NP)", r"(S[X]\NP)\((S[X]\NP)/NP)", r"(S\NP)\(S\NP)", r"((S\NP)\(S\NP))/NP",
    r"(S[to]\NP)/(S[b]\NP)", r"S[b]\NP", "S/S", r"S\S", r"NP\NP", "N/N", "(N/N)/(N/N)", "conj", ",", ".",
    "LRB", "PP", "PP/NP", r"((S[b]\NP)/PP)/NP", r"NP[conj]", r"(S[dcl]\NP)[conj]",
    r"(S[dcl]\NP)/(S[X]\NP)", r"(S[X]\NP)/(S[X]\NP)", r"(S[dcl]\S[dcl])\NP", r"S[q]/(S[b]\NP)",
    r"(S\NP)/(S\NP)", r"S\NP", r"S/NP", r"(((S[b]\NP)/NP)/PP)/NP", r"((S[ng]\NP)\(S[ng]\NP))/(S[X]\NP)",
    "S[mod=nm,form=base]", r"S[mod=X1,form=X2]/S[mod=X1,form=X2]", r"S[form=cont]\NP[case=ga]",
    "NP[case=X1]", "NP[case=nb,mod=nm]",
)  # fmt: skip


def rulebook(scheme: str) -> Rulebook:
    return Rulebook(load_scheme(scheme), load_costs(scheme))


def plain(book: Rulebook, left: Category, right: Category, conjoined: bool) -> tuple[CompiledStep, ...]:
    steps = book.combined(book.number(left), book.number(right), conjoined)
    return tuple((book.categories[number], *step) for number, *step in steps)  # type: ignore[misc]


def compare(scheme: str, pairs: list[tuple[Category, Category]]) -> int:
    """How many of the pairs combine; all of them do so in the same way."""
    book = rulebook(scheme)
    search, found = CompiledSearch(book), 0
    for (left, right), conjoined in product(pairs, (True, False)):
        steps = plain(book, left, right, conjoined)
        assert search.combine(left, right, conjoined) == steps, (left, right, conjoined)
        found += bool(steps)
    return found


@pytest.mark.parametrize("scheme", SCHEMES)
def test_pairs_combine_as_in_the_grammar(scheme: str) -> None:
    spelled = [Category.parse(one) for one in SPELLED]
    assert compare(scheme, list(product(spelled, spelled))) > 500


@pytest.mark.parametrize("scheme", SCHEMES)
@given(data=st.data())
def test_any_categories_combine_as_in_the_grammar(scheme: str, data: st.DataObject) -> None:
    """A category, and a functor that may want it, or one that gives what the other wants."""
    one, other = data.draw(categories(6)), data.draw(categories(6))
    slash, wanted = (
        data.draw(st.sampled_from(Slash)),
        data.draw(st.sampled_from((one, one.without_features()))),
    )
    functor = Functor(data.draw(st.sampled_from((other, wanted, Atom("S", "X")))), slash, wanted)
    carried = Functor(wanted, data.draw(st.sampled_from(Slash)), other)
    parts = (one, other, functor, carried)
    compare(scheme, list(product(parts, parts)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "scheme"), [("pmb5/en.train.auto", "rebank"), ("udccg/en_ewt.dev.auto", "udccg")]
)
def test_all_pairs_of_a_corpus_combine_as_in_the_grammar(file: str, scheme: str, corpus_folder: Path) -> None:
    from ccgkit.corpora import load

    sentences = load(corpus_folder / file, on_error="skip")
    nodes = {node.category for one in sentences if one.derivations for node in one.derivations[0].nodes()}
    assert compare(scheme, list(product(sorted(nodes), sorted(nodes)))) > 5_000
