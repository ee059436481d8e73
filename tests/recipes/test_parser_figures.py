"""What the parser is chosen by: fits and figures."""

import gzip

import numpy as np
import pytest
from click.testing import CliRunner

from ccgkit.treebanks import running_text
from recipes import parser_figures
from recipes.parser_figures import Trust, fifths, fitted

AUTO = (
    "ID=1 PARSER=GOLD NUMPARSE=1\n"
    r"(<T S[dcl] 1 2> (<L NP _ _ Ada NP>) "
    r"(<T S[dcl]\NP 0 2> (<L S[dcl]\NP _ _ sleeps S[dcl]\NP>) (<L . _ _ . .>) ) )"
    "\n"
)
CONLLU = "\n".join(
    ["# sent_id = 1", *(
        "\t".join((str(place), word, "_", pos, "_", "_", head, relation, "_", "_"))
        for place, (word, pos, head, relation) in enumerate([
            ("The", "DET", "2", "det"), ("dog", "NOUN", "3", "nsubj"), ("saw", "VERB", "0", "root"),
            ("a", "DET", "5", "det"), ("cat", "NOUN", "3", "obj"), (".", "PUNCT", "3", "punct"),
        ], 1)
    ), "", ""]
)  # fmt: skip


WEIGHTS = (1.5, 0.7, 0.2, 0.4)


def drawn(count):
    """Parses that are right as often as a logistic function says."""
    chance = np.random.default_rng(1)
    doubts = chance.normal(0, 1.5, (count, 3))
    sure = 1 / (1 + np.exp(-(WEIGHTS[0] + doubts @ WEIGHTS[1:])))
    right = chance.random(count) < sure
    return [Trust(tuple(row), int(one), 1) for row, one in zip(doubts, right, strict=True)]


def test_the_fit_finds_what_the_parses_were_drawn_by():
    assert fitted(drawn(20_000)) == pytest.approx(WEIGHTS, abs=0.1)


def test_fifths_are_in_order_and_calibrated():
    seen = drawn(20_000)
    rows = [row.strip("| ").split(" | ") for row in fifths(seen, fitted(seen))]
    means, right = ([float(row[column]) for row in rows] for column in (1, 2))
    assert means == sorted(means, reverse=True)
    assert means == pytest.approx(right, abs=0.03)


def test_the_command_tells_the_figures_of_a_model(tmp_path, monkeypatch):
    monkeypatch.setattr(running_text, "load", lambda split: [])
    (tmp_path / "pmb5").mkdir()
    (tmp_path / "pmb5/en.dev.auto").write_text(AUTO)
    (tmp_path / "ud").mkdir()
    (tmp_path / "ud/en_ewt.dev.conllu.gz").write_bytes(gzip.compress((CONLLU * 20).encode()))
    monkeypatch.setattr(parser_figures, "read_gold", only_pmb(parser_figures.read_gold))
    found = CliRunner().invoke(parser_figures.command, ["--data", str(tmp_path), "--head-words", "0.5"])
    assert found.exit_code == 0, found.output
    assert "pmb5/en.dev: LF1 100.00, UF1 100.00, coverage 100.0 % of 1" in found.output
    assert "core pairs 100.00, finished roots 100.0 % of 20" in found.output


def only_pmb(read):
    return lambda data, notation: {name: found for name, found in read(data, notation).items() if found}
