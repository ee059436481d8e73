"""What is missing is trained, what is there is reused, whatever happened in between."""

import json
import shutil
from datetime import timedelta

import pytest
from click.testing import CliRunner
from tiny import TINY, options

from ccgkit.cli.experiment import command
from ccgkit.cli.main import main
from ccgkit.cli.train import command as train_command
from ccgkit.experiments import models, progress, runner
from ccgkit.experiments.errors import ExperimentError
from ccgkit.experiments.progress import Estimate
from ccgkit.experiments.results import Trial
from ccgkit.taggers.config import Config


def run(name, *arguments, **more):
    return CliRunner().invoke(command, [name, *options(*arguments, **more)])


@pytest.fixture
def no_work(monkeypatch):
    """Training and tagging are forbidden."""

    def forbidden(*_, **__):
        raise AssertionError("this was done before")

    monkeypatch.setattr(models, "train", forbidden)
    monkeypatch.setattr(runner, "predictions", forbidden)


def test_finished_measurements_are_never_computed_again(data, copied, no_work):
    before = (copied / "results/pmb-en/main.md").read_text()
    result = run("main", data, copied, seeds=2)
    assert result.exit_code == 0
    assert result.stdout == before
    assert "[1/" not in result.stderr


@pytest.mark.parametrize("name", ["rare", "length", "unseen"])
def test_other_experiments_read_the_same_predictions(data, copied, no_work, name):
    assert run(name, data, copied, seeds=2).exit_code == 0
    assert json.loads((copied / f"results/pmb-en/{name}.json").read_text())["tables"]


def test_the_predictions_are_enough_for_the_tables(data, copied, no_work):
    before = (copied / "results/pmb-en/main.md").read_text()
    shutil.rmtree(copied / "models")
    assert (
        run("main", data, copied, "--no-train", seeds=2).stdout.splitlines()[:10] == before.splitlines()[:10]
    )


def test_a_lost_measurement_is_made_again_from_the_model(data, copied, monkeypatch):
    before = (copied / "results/pmb-en/rare.json").exists()
    stamp = (copied / "models/pmb-en/cc/seed-1/model.json").stat().st_mtime_ns
    (copied / "measurements/pmb-en/cc/seed-1/predictions-dev.json").unlink()
    result = run("rare", data, copied, seeds=2)
    assert not before and result.exit_code == 0
    assert "[1/1] cc on pmb-en, seed 1: predictions of dev" in result.stderr
    assert (copied / "models/pmb-en/cc/seed-1/model.json").stat().st_mtime_ns == stamp


def test_other_settings_are_an_error_that_says_what_to_do(data, copied):
    result = run("main", data, copied, "--set", "encoder.lstm_width=9", seeds=2)
    assert isinstance(result.exception, ExperimentError)
    assert "trained with other data, settings" in str(result.exception) and "--no-train" in str(
        result.exception
    )
    assert run("main", data, copied, "--set", "encoder.lstm_width=9", "--no-train", seeds=2).exit_code == 0


def test_a_model_trained_by_hand_is_taken(data, tmp_path):
    folder = tmp_path / "models/pmb-en/cc/seed-1"
    configuration = tmp_path / "cc.toml"
    configuration.write_text('[decoder]\nkind = "cc"\n')
    changes = [part for change in TINY for part in ("--set", change)]
    corpora = ["--train", str(data / "pmb4/en.train.stagged"), "--dev", str(data / "pmb4/en.dev.stagged")]
    CliRunner().invoke(
        train_command, [str(configuration), *corpora, "--output", str(folder), "--seed", "1", *changes]
    )
    stamp = (folder / "model.json").stat().st_mtime_ns
    result = run("rare", data, tmp_path, "--only", "cc")
    assert result.exit_code == 0
    assert (folder / "model.json").stat().st_mtime_ns == stamp
    rows = json.loads((tmp_path / "results/pmb-en/rare.json").read_text())["tables"][0]["rows"]
    assert "mean" in rows[0]["ours"]["10-99"] and rows[1]["ours"]["10-99"] == {"not_run": "cg: not trained"}


def test_trainings_are_saved_as_often_as_others(data, tmp_path, monkeypatch):
    whole, minutes = models.train, []

    def watched(config, *arguments, **more):
        minutes.append(config.training.checkpoint_minutes)
        return whole(config, *arguments, **more)

    monkeypatch.setattr(models, "train", watched)
    assert run("rare", data, tmp_path, "--only", "cc").exit_code == 0
    assert minutes == [Config().training.checkpoint_minutes]
    monkeypatch.undo()
    again = run("rare", data, tmp_path, "--only", "cc", "--set", "training.checkpoint_minutes=9")
    assert again.exit_code == 0 and "[1/" not in again.stderr  # which changes no model


def test_a_stopped_run_goes_on(data, tmp_path, monkeypatch):
    whole = models.train

    def stopped(config, *arguments, **more):
        if config.decoder.kind == "cg":
            raise KeyboardInterrupt
        return whole(config, *arguments, **more)

    monkeypatch.setattr(models, "train", stopped)
    first = CliRunner().invoke(main, ["experiment", "unseen", *options(data, tmp_path)])
    assert first.exit_code == 130 and "Run the same command again" in first.stderr
    chosen = options(data, tmp_path, "--only", "cc", "--only", "cg")
    first = CliRunner().invoke(main, ["experiment", "rare", *chosen])
    assert (
        first.exit_code == 130 and (tmp_path / "measurements/pmb-en/cc/seed-1/predictions-dev.json").exists()
    )
    monkeypatch.setattr(models, "train", whole)
    second = run("rare", data, tmp_path, "--only", "cc", "--only", "cg")
    assert second.exit_code == 0
    assert "[1/4] cg on" in second.stderr and "[4/4] cg+cc on" in second.stderr  # dev and test of each


@pytest.fixture
def trained(tmp_path):
    """Make it look as if a system was trained."""

    def trained(system, seconds, seed=1):
        folder = tmp_path / "pmb-en" / system / f"seed-{seed}" / "training"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "metrics.jsonl").write_text(json.dumps({"seconds": seconds}) + "\n")

    return trained


def tagging(*systems, seed=2):
    return [(Trial("pmb-en", system, seed), "predictions-dev") for system in systems]


def test_the_time_left_is_that_of_trainings_alike(tmp_path, trained):
    estimate = Estimate(tmp_path, {"pmb-en": 100, "pmb-de": 50})
    wanted = tagging("cg", "cg+cc", "cgng3")
    assert estimate.left(wanted) == ""
    trained("cc", 60)
    trained("cg", 3600)
    trained("cg-bert-tuned", 99999)
    assert estimate.left(wanted) == "; about 2:01:00 of training left"
    assert estimate.left([]) == ""
    assert estimate.left(tagging("cg-small")) == ""  # which takes much less
    half = (Trial("pmb-de", "cg", 1), "predictions-dev")
    assert estimate.left([half]) == "; about 0:30:00 of training left"


def test_the_time_left_counts_measuring_once_something_was_measured(tmp_path, trained, monkeypatch):
    clock = iter([0.0, 1000.0, 2000.0, 2040.0])
    monkeypatch.setattr(progress, "perf_counter", lambda: next(clock))
    estimate = Estimate(tmp_path, {"pmb-en": 100, "pmb-de": 50})
    [cc], [pair] = tagging("cc", seed=1), tagging("cg+cc", seed=1)
    with estimate.watch(cc):
        trained("cc", 990)  # ten seconds are left for measuring
    assert estimate.left(tagging("cc", "cg")) == "; about 0:33:20 left"
    trained("cg", 500)
    with estimate.watch(pair):
        pass
    assert estimate.left(tagging("cg+cgng2")) == f"; about {timedelta(seconds=2 * 500 + 40)} left"
    assert estimate.left([(Trial("pmb-en", "cc", 1), "speed-dev")]) == "; about 0:00:10 left"
