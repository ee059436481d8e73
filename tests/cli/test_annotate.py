"""`ccgkit annotate`: its messages; what it does is in tests/batch."""

from __future__ import annotations

import sys

import pytest
from invocation import invoke

from ccgkit.cli import annotate
from ccgkit.cli.annotate import command


def test_progress_tells_rows_a_second_and_the_time_left(monkeypatch, capsys) -> None:
    clock = iter([100.0, 140.0, 150.0, 180.0])  # nobody counts the seconds before the first rows
    monkeypatch.setattr(annotate.time, "monotonic", lambda: next(clock))
    progress = annotate._Progress(1000)
    for rows in (100, 200, 100):
        progress.add(rows)
    assert capsys.readouterr().err == "300 of 1,000 rows (30%), 5.0 rows/s, 0:02:20 left\n"
    progress.end()
    assert capsys.readouterr().err == "400 of 1,000 rows (40%), 3.8 rows/s, 0:02:40 left\n"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--address", "auto"], "use --engine ray"),
        (["--part", "3/2"], "is not a part"),
        (["--part", "x"], "is not a part"),
    ],
)
def test_options_that_make_no_sense_are_refused(more: list[str], said: str) -> None:
    result = invoke(command, "x.txt", "--output", "out", *more)
    assert result.exit_code == 2 and said in result.output


def test_without_pyarrow_it_is_said_how_to_install_it(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = invoke(command, "x.txt", "--output", "out")
    assert result.exit_code == 1 and "pip install 'ccgkit[parquet]'" in result.output
