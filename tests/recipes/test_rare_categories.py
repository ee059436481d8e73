"""The recipe that compares generating and choosing on rare categories."""

from dataclasses import replace

from click.testing import CliRunner
from toy import compact_tagger

from ccgkit.evaluation.tags import TagScores
from ccgkit.grammar import Category
from ccgkit.training.data import Example
from recipes import rare_categories
from recipes.corpora import Corpora
from recipes.rare_categories import command, table

N, NP, VERB = (Category.parse(text) for text in ("N", "NP", r"S[dcl]\NP"))


def test_the_table_has_a_column_for_each_bin_of_gold():
    scores = TagScores({NP: 4000, VERB: 20})
    scores.add([NP, VERB, N], [[NP], [N], [N]])
    assert table({"ours": scores}).splitlines() == [
        "| tagger | all words | seen 0 | seen 10-99 | seen 2000+ |",
        "| --- | --- | --- | --- | --- |",
        "| ours | 66.67 % (2 of 3) | 100.00 % (1 of 1) | 0.00 % (0 of 1) | 100.00 % (1 of 1) |",
    ]


def test_the_command_teaches_both_decoders_and_compares_them(tmp_path, monkeypatch):
    gold = [Example(("dogs", "sing"), (N, VERB))] * 4
    monkeypatch.setattr(Corpora, "read", classmethod(lambda cls, data: cls(gold, gold, [], [])))
    monkeypatch.setattr(rare_categories, "hand_checked", lambda data, split: gold)
    monkeypatch.setattr(rare_categories, "read_derived", lambda paths: gold)
    quick = replace(rare_categories._TRAINING, epochs=40, learning_rate=0.05, average=0.5)
    monkeypatch.setattr(rare_categories, "_TRAINING", quick)
    compact_tagger().save(tmp_path / "lender")
    options = {"data": "", "treebank": "", "model": "lender", "work": "work"}
    named = [f"--{name}={tmp_path / place}" for name, place in options.items()]
    result = CliRunner().invoke(command, named, catch_exceptions=False)
    rows = [line for line in result.output.splitlines() if line.startswith(("| classifier", "| generator"))]
    assert len(rows) == 4
    assert all("100.00 % (8 of 8)" in line for line in rows)
