"""`ccgkit experiment` as a person meets it."""

import json
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner
from tiny import options

from ccgkit import CCGKitError
from ccgkit.cli.experiment import CORPORA, NAMES, command
from ccgkit.cli.main import main


@pytest.fixture(scope="module")
def output(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("output")
    result = CliRunner().invoke(command, ["domain", *options(data, folder, "--only", "cc", "--only", "cg")])
    assert result.exit_code == 0, result.output
    (folder / "stdout").write_text(result.stdout)
    (folder / "stderr").write_text(result.stderr)
    return folder


def test_the_table_is_printed_and_written(output):
    page = output / "results/pmb-en/domain.md"
    assert (output / "stdout").read_text() == page.read_text()
    lines = page.read_text().splitlines()
    assert lines[2].startswith("| Model | questions | bioinfer | bioinfer, paper |")
    assert lines[4].startswith("| CC | ") and "not run" not in lines[4].split("|")[2]
    assert "| CT | not run |" in page.read_text()
    assert "- Not run: ct: not trained." in lines


def test_progress_is_told_on_standard_error(output):
    told = (output / "stderr").read_text()
    assert "[1/3] cc on pmb-en, seed 1: predictions of domain-questions" in told
    assert re.search(r"\[2/3\] cg on .*; about \d+:\d\d:\d\d left\n", told)
    assert told.endswith(f"The results are in {output / 'results/pmb-en'}.\n")


def test_results_name_no_place_on_this_machine(output, data):
    stored = (output / "results/pmb-en/domain.json").read_text()
    assert json.loads(stored)["changes"]["cc"]
    for folder in (output, data):
        assert str(folder) not in stored
        assert not any(str(folder) in path.read_text() for path in (output / "measurements").rglob("*.json"))


def test_settings_are_told_under_the_table(output):
    assert "`encoder.lstm_width=8`" in (output / "results/pmb-en/domain.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--only", "cx"], "has no system cx: there are cc, cc-bert, cg, cg-bert"),
        (["--corpus", "udccg-en"], "no corpus udccg-en"),
        (["--corpus", "ccgbank"], "no folder AUTO"),
        (["--set", "training.epoch=1"], "did you mean 'epochs'?"),
        (["--set", "training.epoch=1", "--no-train"], "did you mean 'epochs'?"),
    ],
)
def test_mistakes_are_told(data, tmp_path, arguments, told):
    result = CliRunner().invoke(command, ["main", *options(data, tmp_path, *arguments)])
    assert isinstance(result.exception, CCGKitError) and told in str(result.exception)


def test_wrong_usage_is_clicks(data, tmp_path):
    invoke = CliRunner().invoke
    assert invoke(command, ["mian", *options(data, tmp_path)]).exit_code == 2
    assert invoke(command, ["main", "--output", str(tmp_path)]).exit_code == 2
    assert invoke(command, ["main", *options(data, tmp_path, seeds=0)]).exit_code == 2


def test_the_command_is_one_of_ccgkits_and_helps_without_torch():
    assert CliRunner().invoke(main, ["experiment", "--help"]).exit_code == 0
    code = (
        "import sys; from click.testing import CliRunner; from ccgkit.cli.experiment import command;"
        "assert CliRunner().invoke(command, ['--help']).exit_code == 0; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_names_are_those_of_the_package():
    from ccgkit.experiments import corpora, registry

    assert set(NAMES) == set(registry.EXPERIMENTS)
    assert set(CORPORA) == set(corpora.CORPORA)
