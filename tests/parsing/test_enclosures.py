"""What brackets and quotation marks enclose is a constituent wherever the supertags allow it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgkit.corpora import loads
from ccgkit.grammar import Derivation
from ccgkit.parsing import Parser, is_compiled
from ccgkit.parsing.costs import load_costs
from ccgkit.parsing.enclosures import enclosed, enclosures

MARKS = ["(", ")", "[", "]", "``", "''", '"', "word"]
BRACKETED = r"Bo|_|N (|_|LRB Al|_|NP\NP )|_|RRB sang|_|S[dcl]\NP .|_|."
QUOTED = (
    r'She|_|NP said|_|(S[dcl]\NP)/S[dcl] "|_|LRB Bo|_|N sang|_|S[dcl]\NP "|_|RRB '
    r"yesterday|_|(S\NP)\(S\NP) .|_|."
)


def words_of(derivation: Derivation) -> set[str]:
    parts = [" ".join(token.word for token in derivation.tokens)]
    return set(parts).union(*(words_of(child) for child in derivation.children))


@pytest.mark.parametrize("compiled", [False, *([True] if is_compiled() else [])])
@pytest.mark.parametrize(
    ("text", "parts"), [(BRACKETED, {"( Al )", "Al )"}), (QUOTED, {'" Bo sang "', 'Bo sang "'})]
)
def test_marks_belong_to_what_they_enclose(text: str, parts: set[str], compiled: bool) -> None:
    (sentence,) = loads(text, "stagged")
    found = {}
    for cost in (0.0, 2.0):
        result = Parser(costs=replace(load_costs("rebank"), enclosed=cost), compiled=compiled).parse(sentence)
        assert result.derivation is not None
        found[cost] = parts <= words_of(result.derivation)
    assert found == {0.0: False, 2.0: True}


def test_a_scheme_of_running_text_has_its_price() -> None:
    assert enclosed(["(", "a", ")"], 0.0) == ()
    assert [(span.start, span.end, span.cost) for span in enclosed(["(", "a", ")"], 2.0)] == [
        (0, 3, 2.0),
        (1, 3, 2.0),
    ]


def test_a_mark_closes_the_last_that_was_opened() -> None:
    assert list(enclosures(["(", "a", "(", "b", ")", "c", ")"])) == [(2, 4), (0, 6)]


@given(st.lists(st.sampled_from(MARKS), max_size=12))
def test_enclosures_are_pairs_of_marks_that_do_not_cross(words: list[str]) -> None:
    found = list(enclosures(words))
    places = [place for pair in found for place in pair]
    assert len(places) == len(set(places))
    for start, end in found:
        assert start < end
        assert (words[start], words[end]) in {("(", ")"), ("[", "]"), ("``", "''"), ('"', '"')}
        for other, its_end in found:
            assert not start < other < end < its_end
