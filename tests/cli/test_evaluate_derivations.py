"""`ccgkit evaluate derivations`: figures that can be counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ccgkit import CCGKitError
from ccgkit.cli.evaluate import command
from ccgkit.evaluation.derivations import construction
from ccgkit.grammar import Category

FIRST = (
    "ID=a PARSER=GOLD NUMPARSE=1\n"
    r"(<T S[dcl] 1 2> (<L NP PRP PRP We NP>) (<T S[dcl]\NP 0 2> "
    r"(<L (S[dcl]\NP)/NP VBP VBP grow (S[dcl]\NP)/NP>) (<L NP NNS NNS figs NP>) ) )"
    "\n"
)
SECOND = (
    "ID=b PARSER=GOLD NUMPARSE=1\n"
    r"(<T S[dcl] 1 2> (<L NP PRP PRP It NP>) (<L S[dcl]\NP VBZ VBZ rains S[dcl]\NP>) )"
    "\n"
)
DETERMINED = (
    "ID=c PARSER=GOLD NUMPARSE=1\n"
    r"(<T S[dcl] 1 2> (<T NP[nb] 0 2> (<L NP[nb]/N DT DT The NP[nb]/N>) (<L N NN NN fig N>) ) "
    r"(<L S[dcl]\NP VBZ VBZ grows S[dcl]\NP>) )"
    "\n"
)
OTHER = FIRST.replace(r"(S[dcl]\NP)/NP", r"(S[b]\NP)/NP").replace("S[dcl]", "S[b]")


def score(tmp_path: Path, gold: str, predicted: str, *options: str) -> Result:
    (tmp_path / "gold.auto").write_text(gold, encoding="utf-8")
    (tmp_path / "test.auto").write_text(predicted, encoding="utf-8")
    files = [str(tmp_path / "gold.auto"), str(tmp_path / "test.auto")]
    return CliRunner().invoke(command, ["derivations", *files, "--scheme", "ccgbank", *options])


def figures(tmp_path: Path, gold: str, predicted: str) -> dict[str, object]:
    result = score(tmp_path, gold, predicted, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)  # type: ignore[no-any-return]


def test_gold_against_itself_is_perfect(tmp_path: Path) -> None:
    found = figures(tmp_path, FIRST + SECOND, FIRST + SECOND)
    assert found["labelled"]["f1"] == found["labelled_brackets"]["f1"] == found["supertag_accuracy"] == 1  # type: ignore[index]
    assert found["exact_derivations"] == found["covered"] == 2


def test_gold_that_does_not_tell_its_scheme_is_asked_about(tmp_path: Path) -> None:
    (tmp_path / "gold.auto").write_text(FIRST, encoding="utf-8")
    gold = str(tmp_path / "gold.auto")
    result = CliRunner().invoke(command, ["derivations", gold, gold])
    assert "--scheme" in str(result.exception)


def test_the_scheme_that_gold_tells_is_said(tmp_path: Path) -> None:
    (tmp_path / "gold.auto").write_text(DETERMINED, encoding="utf-8")
    gold = str(tmp_path / "gold.auto")
    result = CliRunner().invoke(command, ["derivations", gold, gold, "--json"])
    assert result.stderr.startswith("Rules: ccgbank, by the categories of ")
    assert json.loads(result.stdout)["scheme"] == "ccgbank"
    assert score(tmp_path, DETERMINED, DETERMINED).stderr == ""


def test_a_missing_sentence_costs_recall(tmp_path: Path) -> None:
    found = figures(tmp_path, FIRST + SECOND, SECOND)
    assert found["covered"] == 1
    assert (found["labelled"]["precision"], found["labelled"]["recall"]) == (1, 1 / 3)  # type: ignore[index]
    assert found["parsed_only"]["labelled"]["f1"] == 1  # type: ignore[index]


def test_a_wrong_category_spoils_labels_only(tmp_path: Path) -> None:
    found = figures(tmp_path, FIRST, OTHER)
    assert found["unlabelled"]["f1"] == 1  # type: ignore[index]
    assert found["labelled"]["correct"] == 0  # type: ignore[index]
    assert found["unlabelled_brackets"]["f1"] == 1  # type: ignore[index]
    assert found["exact_derivations"] == 0
    assert found["supertag_accuracy"] == pytest.approx(2 / 3)


def test_the_table_has_the_constructions(tmp_path: Path) -> None:
    shown = score(tmp_path, FIRST, FIRST, "--by-relation", "--by-category").stdout
    assert "subject" in shown
    assert "object or complement" in shown
    assert r"1 (S[dcl]\NP)/NP" in shown


def test_other_words_are_told(tmp_path: Path) -> None:
    result = score(tmp_path, FIRST, FIRST.replace("figs", "plums"))
    assert isinstance(result.exception, CCGKitError)
    assert "a has different words" in str(result.exception)


@pytest.mark.parametrize(
    ("category", "slot", "name"),
    [
        (r"(S[dcl]\NP)/NP", 1, "subject"),
        (r"(S[dcl]\NP)/NP", 2, "object or complement"),
        (r"(S[dcl]\NP)/(S[b]\NP)", 2, "control, raising, auxiliary"),
        (r"(NP\NP)/(S[dcl]\NP)", 1, "relative clause: noun"),
        (r"(NP\NP)/(S[dcl]\NP)", 2, "relative clause: verb"),
        (r"(NP\NP)/NP", 1, "modifier"),
        (r"(NP\NP)/NP", 2, "object of a preposition"),
        ("NP/N", 1, "determiner"),
    ],
)
def test_slots_belong_to_constructions(category: str, slot: int, name: str) -> None:
    assert construction(Category.parse(category), slot) == name
