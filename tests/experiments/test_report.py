"""Tables: our figures, the paper's beside them, and what was not run."""

from ccgkit.experiments.report import Measured, Report, Row, Table
from ccgkit.experiments.results import Missing
from ccgkit.experiments.significance import Significance

CLEAR, WEAK = Significance(0.001, 0.002, None), Significance(0.04, 0.2, None)


def test_a_table_in_markdown():
    rows = [
        Row("CC", {"Dev": Measured({1: 90.0, 2: 91.0}), "Test": Measured({1: 88.0})}, {"Dev": 94.89}),
        Row("A|B", {"Dev": Missing("no time"), "Test": 3.0}),
    ]
    assert Table("", ("Dev", "Test"), rows).markdown().splitlines() == [
        "| Model | Dev | Dev, paper | Test | Seeds |",
        "| --- | --- | --- | --- | --- |",
        "| CC | 90.50 ± 0.71 | 94.89 | 88.00 | 2 |",
        "| A\\|B | not run |  | 3.00 |  |",
    ]


def test_a_table_is_corrected_for_its_many_comparisons():
    values = {name: Measured({1: 90.0, 2: 91.0}, Significance(0.02, 0.02, 0.03), True) for name in "ab"}
    (row,) = Table("", ("a", "b"), [Row("CG", values)]).corrected().rows
    assert [value.significance.corrected_seeds for value in row.ours.values()] == [0.06, 0.06]
    assert str(row.ours["a"]) == "90.50 ± 0.71*†"
    (alone,) = Table("", ("a",), [Row("CG", {"a": values["a"]})]).corrected().rows
    assert str(alone.ours["a"]) == "90.50 ± 0.71*†‡"


def test_stars_are_for_what_is_significantly_better():
    assert str(Measured({1: 90.0}, CLEAR, better=True)) == "90.00*†"
    assert str(Measured({1: 90.0}, WEAK, better=True)) == "90.00*"
    assert str(Measured({1: 90.0}, CLEAR, better=False)) == "90.00"


def test_json_holds_every_seed_and_why_a_cell_is_empty():
    rows = [Row("CG", {"Dev": Measured({1: 90.0, 3: 92.0}, WEAK, True), "Test": Missing("no time")})]
    (row,) = Report("t", [Table("", ("Dev", "Test"), rows)]).as_dict()["tables"][0]["rows"]
    assert row["ours"]["Dev"]["seeds"] == {"1": 90.0, "3": 92.0}
    assert row["ours"]["Dev"]["significance"]["t_test_sentences"] == 0.04
    assert row["ours"]["Test"] == {"not_run": "no time"}
