"""All derivations: counted and enumerated alike, the same as the search finds one after the other."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ccgkit.grammar import Category, in_normal_form, load_scheme, unlicensed
from ccgkit.parsing import Limits, Parser, forest
from ccgkit.sentence import Sentence, Supertag, Token

LEXICON = (
    "NP",
    "N",
    "NP/N",
    "N/N",
    r"S[dcl]\NP",
    r"(S[dcl]\NP)/NP",
    r"(NP\NP)/NP",
    "conj",
    ",",
    r"(S\NP)\(S\NP)",
)


def tagged(*words: str) -> Sentence:
    """Words with the categories that bars separate."""
    tags = tuple(tuple(Supertag(Category.parse(one)) for one in word.split("|")) for word in words)
    return Sentence(tuple(Token(f"w{number}") for number in range(len(tags))), tags)


@pytest.mark.parametrize("scheme", ["ccgbank", "rebank", "udccg"])
@examples(15)
@given(words=st.lists(st.sampled_from(LEXICON), min_size=1, max_size=4))
def test_the_search_finds_as_many_as_there_are(scheme: str, words: list[str]) -> None:
    rules, sentence = load_scheme(scheme), tagged(*words)
    found = forest(sentence, rules)
    limits = Limits(timeout=60)
    parser = Parser(rules, max(1, found.count + 5), limits=limits, distinct="derivations")
    assert len(parser.parse(sentence).derivations) == found.count
    trees = list(islice(found, 300))
    assert len(trees) == len(set(trees)) == min(300, found.count)
    for tree in trees[:20]:
        assert not unlicensed(tree, rules) and in_normal_form(tree)


def test_attachments_are_counted_exactly() -> None:
    """Noun phrases that prepositional phrases may modify: Catalan numbers."""
    plain = load_scheme("rebank")
    counts = [
        sum(1 for tree in forest(tagged("NP", *[r"(NP\NP)/NP", "NP"] * n), plain) if not _raised(tree))
        for n in range(1, 5)
    ]
    assert counts == [1, 2, 5, 14]


def test_without_the_normal_form_there_are_more() -> None:
    sentence = tagged("NP", r"(S[dcl]\NP)/NP", "NP")
    assert forest(sentence, normal_form=False).count > forest(sentence).count >= 1


def test_a_sentence_that_cannot_be_derived_has_none() -> None:
    assert forest(tagged("NP", "NP")).count == 0 and list(forest(tagged("NP", "NP"))) == []


def _raised(tree) -> bool:  # type: ignore[no-untyped-def]
    return any(node.rule is not None and node.rule.symbol not in "<>" for node in tree.nodes())
