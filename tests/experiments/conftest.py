"""One run of the main experiment serves many tests."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from tiny import options, tiny_data

from ccgkit.cli.experiment import command


@pytest.fixture(scope="session", autouse=True)
def undrawn(no_learning_curves):
    """No learning curves."""


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    return tiny_data(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="session")
def finished(data, tmp_path_factory):
    """The output of the main experiment with two seeds, and what the command said."""
    output = tmp_path_factory.mktemp("finished")
    result = CliRunner().invoke(command, ["main", *options(data, output, seeds=2)])
    assert result.exit_code == 0, result.output
    return output, result


@pytest.fixture
def copied(finished, tmp_path):
    """A copy of that output, to be changed."""
    return Path(shutil.copytree(finished[0], tmp_path / "copy"))
