"""`ccgkit evaluate tags`."""

import json

import pytest
from click.testing import CliRunner

from ccgkit import Category
from ccgkit.cli.evaluate_tags import command
from ccgkit.evaluation.tags import MismatchError, TagScores

GOLD = "We|_|NP saw|_|(S[dcl]\\NP)/NP rain|_|N\nIt|_|NP stopped|_|S[dcl]\\NP\n"
FOUND = "We|_|NP saw|_|(S[b]\\NP)/NP rain|_|N\nIt|_|NP stopped|_|S[dcl]\\NP\n"


@pytest.fixture
def run(tmp_path):
    (tmp_path / "gold.stagged").write_text(GOLD)
    (tmp_path / "found.stagged").write_text(FOUND)

    def invoke(*arguments):
        return CliRunner().invoke(command, [str(tmp_path / a) if "." in a else a for a in arguments])

    return invoke


def test_accuracy_with_and_without_features_and_by_bins(run):
    figures = json.loads(run("gold.stagged", "found.stagged", "--json", "--train", "gold.stagged").output)
    assert figures["accuracy"] == 80.0
    assert figures["accuracy_without_features"] == 100.0
    assert figures["whole_sentences"] == 50.0
    assert figures["by_length"] == {
        "1": {"accuracy": 100.0, "words": 3},
        "2-3": {"accuracy": 100.0, "words": 1},
        "4-7": {"accuracy": 0.0, "words": 1},
    }
    assert figures["by_frequency"] == {"1-9": {"accuracy": 80.0, "words": 5}}


def test_a_table_for_people(run):
    output = run("gold.stagged", "found.stagged").output
    assert "accuracy              80.00 % (4 of 5)" in output
    assert "found.stagged against gold.stagged" in output


def test_gold_among_the_k_best():
    n, np, s = (Category.parse(c) for c in ("N", "NP", "S"))
    scores = TagScores()
    scores.add([n, np, s], [[n, np], [n, np], [n, np]])
    assert [scores.at(k).right for k in (1, 2)] == [1, 2]
    assert scores.ambiguity == 2.0


def test_other_words_than_gold_are_refused(run, tmp_path):
    (tmp_path / "found.stagged").write_text("We|_|NP\n")
    result = run("gold.stagged", "found.stagged")
    assert isinstance(result.exception, MismatchError)
    assert "sentence 1 has 3 words in gold and 1 in the predictions" in str(result.exception)
    (tmp_path / "found.stagged").write_text(FOUND.splitlines(keepends=True)[0])
    assert "end before sentence 2" in str(run("gold.stagged", "found.stagged").exception)


def test_either_predictions_or_a_model(run):
    assert run("gold.stagged").exit_code == 2
    assert run("gold.stagged", "--model", "nonsense").exit_code == 2
