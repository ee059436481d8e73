"""`ccgkit train` as a person meets it."""

import subprocess
import sys

import pytest
from click.testing import CliRunner
from toy import small_config, toy_file

from ccgkit import CCGKitError
from ccgkit.cli.train import command
from ccgkit.taggers.config import write_config
from ccgkit.taggers.tagger import Tagger

pytestmark = pytest.mark.usefixtures("no_learning_curves")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "c.toml").write_text(write_config(small_config("cc")))
    toy_file(tmp_path / "t.stagged", 40)
    toy_file(tmp_path / "d.stagged", 10, seed=4)
    return tmp_path


def run(folder, *options, train="t.stagged", dev="d.stagged"):
    arguments = [
        str(folder / "c.toml"), "--train", str(folder / train), "--dev", str(folder / dev),
        "--output", str(folder / "model"), "--threads", "1", *options,
    ]  # fmt: skip
    return CliRunner().invoke(command, arguments)


def test_a_model_is_trained_and_plain_lines_tell_of_it(folder):
    result = run(folder, "--set", "training.epochs=2", "--seed", "7", "--licence", "CC0")
    assert result.exit_code == 0
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert lines[0].startswith("epoch 1/2  loss ")
    assert "words/s" in lines[1] and "\r" not in result.stderr
    assert lines[-1] == f"The model is in {folder / 'model'}."
    tagger = Tagger.load(folder / "model")
    assert tagger.config.training.seed == 7
    assert len(tagger.kbest([["the", "dog", "sleeps", "."]])[0].tags) == 4
    card = (folder / "model/README.md").read_text()
    assert "CC0" in card and "t.stagged" in card and "Load it with" in card


def test_a_second_training_in_the_same_place_needs_resume(folder):
    assert run(folder, "--set", "training.epochs=1").exit_code == 0
    again = run(folder, "--set", "training.epochs=1")
    assert isinstance(again.exception, CCGKitError) and "--resume" in str(again.exception)
    assert run(folder, "--set", "training.epochs=1", "--resume").exit_code == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--set", "training.epoch=2"], "did you mean 'epochs'?"),
        (["--set", "decoder.threshold=10000"], "lower decoder.threshold"),
        (
            ["--set", "encoder.kind=transformer", "--set", "encoder.bert=no-such-transformer-anywhere"],
            "no transformer 'no-such-transformer-anywhere'",
        ),
        (["--set", "encoder.kind=transformer"], "name it as encoder.bert"),
        (["--set", "encoder.pretrained=no-such-file.txt"], "cannot read word vectors"),
    ],
)
def test_errors_are_of_the_toolkit_and_leave_no_model(folder, options, told):
    result = run(folder, *options)
    assert isinstance(result.exception, CCGKitError)
    assert told in str(result.exception)
    assert not (folder / "model").exists()


def test_empty_data_is_told(folder):
    (folder / "empty.stagged").write_text("")
    result = run(folder, train="empty.stagged")
    assert isinstance(result.exception, CCGKitError) and "empty.stagged" in str(result.exception)


def test_wrong_usage_is_clicks(folder):
    assert run(folder, train="missing.stagged").exit_code == 2
    assert run(folder, "--threads", "0").exit_code == 2
    assert run(folder, "--device", "tpu").exit_code == 2


def test_help_needs_no_torch():
    code = (
        "import sys; from click.testing import CliRunner; from ccgkit.cli.train import command;"
        "assert CliRunner().invoke(command, ['--help']).exit_code == 0; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
