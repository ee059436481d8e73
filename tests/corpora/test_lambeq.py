"""lambeq's trees in JSON: its closed set of atoms and rules, and what becomes of the rest."""

from __future__ import annotations

import json
import logging

import pytest
from hypothesis import given
from strategies import derivations
from trees import COMPOSED, leaf, step

from ccgkit import Derivation, Rule, Sentence
from ccgkit.corpora import CorpusError, FormatError, dumps, loads
from ccgkit.corpora.lambeq import tree_json

COORDINATED = (
    r"(<T NP 0 2> (<L NP _ _ a NP>) (<T NP[conj] 1 2> (<L conj _ _ and conj>) (<L NP _ _ b NP>) ) )" + "\n"
)


def test_categories_have_lambeqs_atoms_and_no_features() -> None:
    assert tree_json(COMPOSED) == {
        "type": "s/np", "rule": "FC", "children": [
            {"type": r"s/(s\np)", "rule": "FTR", "children": [{"type": "np", "rule": "L", "text": "Nadia"}]},
            {"type": r"(s\np)/np", "rule": "L", "text": "grows"},
        ],
    }  # fmt: skip


def test_coordination_is_a_conjunction_that_is_applied_backwards() -> None:
    (sentence,) = loads(COORDINATED, "auto")
    tree = json.loads(dumps([sentence], "lambeq"))
    assert (tree["rule"], tree["children"][1]["rule"]) == ("BA", "CONJ")
    assert tree["children"][1]["type"] == r"np\np"


def test_a_comma_that_changes_a_type_is_removed_first() -> None:
    change = step(r"(S\NP)\(S\NP)", Rule.TYPE_CHANGE, leaf(",", ","), leaf("singing", r"S[ng]\NP"))
    tree = tree_json(change)
    assert (tree["type"], tree["rule"]) == (r"(s\np)\(s\np)", "U")
    assert (tree["children"][0]["type"], tree["children"][0]["rule"]) == (r"s\np", "LP")


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (leaf("up", "PR"), "lambeq has no category PR: it has N, NP, S, PP, conj and punctuation"),
        (step("PP", None, leaf("a", "NP"), leaf("b", "NP")), "lambeq has no rule for NP NP → PP"),
        (
            step(r"S\NP", Rule.BACKWARD_SUBSTITUTION, leaf("a", r"PP\NP"), leaf("b", r"(S\PP)\NP")),
            "lambeq has no rule",
        ),
    ],
)
def test_what_lambeq_does_not_know_is_told_and_the_other_sentences_are_written(
    tree: Derivation, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(FormatError, match=reason):
        tree_json(tree)
    parsed = [Sentence(one.tokens, derivations=(one,), meta={"status": "parsed"}) for one in (tree, COMPOSED)]
    with caplog.at_level(logging.WARNING):
        first, second = dumps(parsed, "lambeq").splitlines()
    assert first == "null" and json.loads(second) == tree_json(COMPOSED)
    assert reason in caplog.text and "sentence 1" in caplog.text


@given(derivations(rules=True))
def test_what_is_written_is_read_without_features(tree: Derivation) -> None:
    try:
        text = dumps([Sentence(tree.tokens, derivations=(tree,))], "lambeq")
    except FormatError as error:
        assert "no category PR" in str(error)
        return
    (read,) = loads(text, "lambeq")
    assert read.words == tree.words
    assert dumps([read], "lambeq") == text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[]", "a node must be an object"),
        ('{"type": "s", "children": 1}', "'children', a list"),
        ('{"type": "s"}', "a leaf needs 'text'"),
        ('{"type": "s[", "text": "a"}', "is not a category"),
    ],
)
def test_damage_is_told(line: str, reason: str) -> None:
    with pytest.raises(CorpusError, match=reason):
        list(loads(line + "\n", "lambeq"))
