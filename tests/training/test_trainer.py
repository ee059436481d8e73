"""The driver: determinism, resuming, stopping, averaging, errors that keep the best model."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
import torch
from filelock import FileLock
from safetensors import SafetensorError
from safetensors.torch import load_file
from toy import small_config, small_tagger, toy_file, toy_sentences

from ccgkit.evaluation.tags import accuracy
from ccgkit.taggers import use_threads
from ccgkit.taggers.config import TrainingConfig, write_config
from ccgkit.taggers.tagger import Tagger
from ccgkit.training import trainer
from ccgkit.training.checkpoint import read_checkpoint, write_checkpoint
from ccgkit.training.data import Example
from ccgkit.training.distributed import World
from ccgkit.training.lessons import Lesson
from ccgkit.training.optimiser import Average, factor
from ccgkit.training.report import EpochMetrics, draw_curve
from ccgkit.training.trainer import TrainingError, learn, train

TRAIN = [Example(*sentence) for sentence in toy_sentences(64)]
DEV = [Example(*sentence) for sentence in toy_sentences(20, seed=4)]
pytestmark = pytest.mark.usefixtures("no_learning_curves")
COMMAND = [sys.executable, "-c", "from ccgkit.cli.train import command; command()"]


def config(kind="cc", dropout=0.2, **training):
    made = small_config(kind, dropout=dropout)
    return replace(made, training=replace(made.training, **training))


def weights(folder):
    return load_file(folder / "weights.safetensors")


def same(one, other):
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def test_training_learns_and_tells(tmp_path):
    tagger = train(
        config(epochs=6, learning_rate=0.02, batch=4),
        TRAIN,
        DEV,
        tmp_path,
        facts={"licence of the data": "mine"},
    )
    lines = [json.loads(line) for line in (tmp_path / "training/metrics.jsonl").read_text().splitlines()]
    best = max(line["dev_accuracy"] for line in lines)
    assert [line["epoch"] for line in lines] == [1, 2, 3, 4, 5, 6]
    found = tagger.kbest([example.words for example in DEV], k=1)
    right = accuracy([e.categories for e in DEV], [reading.categories for reading in found])
    assert right == pytest.approx(best)
    assert best > 80
    card = (tmp_path / "README.md").read_text()
    assert f"{best:.2f} %" in card and "| licence of the data | mine |" in card


@pytest.mark.parametrize("kind", ["cc", "cg", "ct"])
def test_every_tagger_learns_in_bfloat16(tmp_path, kind):
    tagger = train(
        config(kind, epochs=6, learning_rate=0.02, batch=4, precision="bfloat16"), TRAIN, DEV, tmp_path
    )
    found = tagger.kbest([example.words for example in DEV], k=1)
    assert accuracy([e.categories for e in DEV], [reading.categories for reading in found]) > 80


def test_the_learning_curve_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    history = [EpochMetrics(epoch, 9 * epoch, 1 / epoch, 50.0 + epoch, True, 100.0, 1.0) for epoch in (1, 2)]
    assert draw_curve(tmp_path / "curve.png", history)
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_a_seed_gives_the_same_model_twice(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        train(config(epochs=2, seed=seed), TRAIN, DEV, tmp_path / name)
    assert same(weights(tmp_path / "a"), weights(tmp_path / "b"))
    assert not same(weights(tmp_path / "a"), weights(tmp_path / "c"))


def test_training_stops_when_dev_accuracy_stays(tmp_path, monkeypatch):
    figures = iter([10.0, 30.0, 20.0, 30.0, 99.0])
    monkeypatch.setattr(trainer, "accuracy", lambda *_: next(figures))
    train(config(epochs=9, patience=2), TRAIN, DEV, tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "training/metrics.jsonl").read_text().splitlines()]
    assert [line["dev_accuracy"] for line in lines] == [10.0, 30.0, 20.0, 30.0]
    assert [line["best"] for line in lines] == [True, True, False, False]


class Stopped(Exception):
    pass


@pytest.mark.parametrize(("after", "average"), [(2, 0.0), (4, 0.9), (5, 0.9)])
def test_a_stopped_training_ends_as_if_it_had_not_stopped(tmp_path, monkeypatch, after, average):
    settings = config(epochs=2, checkpoint_minutes=0, average=average)
    train(settings, TRAIN, DEV, tmp_path / "whole")
    step = trainer._Run._step

    def step_or_stop(run, lesson):
        if run.state.step == after:
            raise Stopped
        step(run, lesson)

    monkeypatch.setattr(trainer._Run, "_step", step_or_stop)
    with pytest.raises(Stopped):
        train(settings, TRAIN, DEV, tmp_path / "stopped")
    monkeypatch.setattr(trainer._Run, "_step", step)
    train(settings, TRAIN, DEV, tmp_path / "stopped", resume=True)
    assert same(weights(tmp_path / "whole"), weights(tmp_path / "stopped"))


def test_a_killed_training_resumes(tmp_path):
    use_threads(1)  # as the command: sums over threads differ in the last digit
    settings = config(epochs=3, checkpoint_minutes=0)
    (tmp_path / "c.toml").write_text(write_config(settings))
    toy_file(tmp_path / "t.stagged", 64)
    toy_file(tmp_path / "d.stagged", 20, seed=4)
    train(settings, TRAIN, DEV, tmp_path / "whole")
    command = [
        *COMMAND, str(tmp_path / "c.toml"), "--train", str(tmp_path / "t.stagged"),
        "--dev", str(tmp_path / "d.stagged"), "--output", str(tmp_path / "killed"), "--threads", "1",
    ]  # fmt: skip
    checkpoint = tmp_path / "killed/training/checkpoint.safetensors"
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not checkpoint.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    time.sleep(0.03)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    _, state = read_checkpoint(checkpoint)
    assert not state["done"]
    train(settings, TRAIN, DEV, tmp_path / "killed", resume=True)
    assert same(weights(tmp_path / "whole"), weights(tmp_path / "killed"))


def test_resuming_a_finished_training_changes_nothing(tmp_path):
    train(config(epochs=1), TRAIN, DEV, tmp_path)
    before = weights(tmp_path)
    train(config(epochs=1), TRAIN, DEV, tmp_path, resume=True)
    assert same(before, weights(tmp_path))


def test_resuming_needs_the_same_data_and_settings(tmp_path):
    train(config(epochs=1), TRAIN, DEV, tmp_path)
    with pytest.raises(TrainingError, match="--resume"):
        train(config(epochs=1), TRAIN, DEV, tmp_path)
    for changed in ((config(epochs=2), TRAIN), (config(epochs=1), TRAIN[:-1])):
        with pytest.raises(TrainingError, match="other data, settings"):
            train(*changed, DEV, tmp_path, resume=True)


def test_nan_ends_training_and_keeps_the_best(tmp_path, monkeypatch):
    loss = Lesson.loss
    calls = iter(range(99))
    monkeypatch.setattr(Lesson, "loss", lambda *args: loss(*args) * (float("nan") if next(calls) == 6 else 1))
    with pytest.raises(
        TrainingError, match=r"loss became nan in epoch 2, step 7.*best model so far .*epoch 1"
    ):
        train(config(), TRAIN, DEV, tmp_path)
    Tagger.load(tmp_path).kbest([["dog"]])


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), SafetensorError("No space left")])
def test_a_full_disk_ends_training_and_keeps_the_best(tmp_path, monkeypatch, error):
    def full(*_):
        raise error

    def fill(run):
        monkeypatch.setattr("ccgkit.training.checkpoint.save_file", full)
        monkeypatch.setattr("ccgkit.taggers.tagger.save_file", full)
        monkeypatch.setattr(trainer, "accuracy", lambda *_: 100.0)
        epoch(run)

    epoch = trainer._Run._epoch
    rounds = iter([epoch, fill, epoch])
    monkeypatch.setattr(trainer._Run, "_epoch", lambda run: next(rounds)(run))
    with pytest.raises(TrainingError, match=r"No space left.*epoch 1\) is whole"):
        train(config(), TRAIN, DEV, tmp_path)
    Tagger.load(tmp_path).kbest([["dog"]])


#: two nodes with addresses of their own, joined by a cable: what is given is run on both
TWO_NODES = """
set -e
unshare --net sleep 3600 & other=$!
trap "kill $other" EXIT
until [ "$(readlink /proc/$other/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.1; done
ip link add left type veth peer name right
ip link set right netns $other
ip addr add 10.7.0.1/24 dev left && ip link set left up && ip link set lo up
there="nsenter --target $other --net"
$there sh -c "ip addr add 10.7.0.2/24 dev right && ip link set right up && ip link set lo up"
$there env GLOO_SOCKET_IFNAME=right "$0" -m torch.distributed.run --node-rank 1 "$@" & second=$!
GLOO_SOCKET_IFNAME=left "$0" -m torch.distributed.run --node-rank 0 "$@"
wait $second
"""


def as_on_two_nodes():
    if (
        not all(map(shutil.which, ("unshare", "nsenter", "ip", "bash")))
        or subprocess.run(
            ["unshare", "-rn", "ip", "link", "add", "left", "type", "veth", "peer", "name", "right"],
            capture_output=True,
        ).returncode
    ):
        pytest.skip("this system lets nobody make networks of their own")
    nodes = ["--nnodes", "2", "--nproc-per-node", "1", "--master-addr", "10.7.0.1", "--master-port", "29500"]
    return ["unshare", "-rn", "bash", "-c", TWO_NODES, sys.executable, *nodes]


def on_one_node():
    return [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]


@pytest.mark.slow
@pytest.mark.parametrize("launch", [on_one_node, as_on_two_nodes])
def test_two_processes_learn_as_one_with_the_doubled_batch(launch, tmp_path):
    settings = config(dropout=0.0, epochs=2, batch=8)
    doubled = config(dropout=0.0, epochs=2, batch=16)
    (tmp_path / "c.toml").write_text(write_config(settings))
    toy_file(tmp_path / "t.stagged", 61)  # not a multiple: the last shares are unequal
    toy_file(tmp_path / "d.stagged", 20, seed=4)
    train(doubled, TRAIN[:61], DEV, tmp_path / "one")
    subprocess.run(
        [
            *launch(), "--no-python", *COMMAND, str(tmp_path / "c.toml"), "--train",
            str(tmp_path / "t.stagged"), "--dev", str(tmp_path / "d.stagged"), "--output",
            str(tmp_path / "two"), "--threads", "1",
        ],
        check=True, capture_output=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    losses = [
        [json.loads(line)["loss"] for line in (tmp_path / name / "training/metrics.jsonl").open()]
        for name in ("one", "two")
    ]
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)
    one, two = weights(tmp_path / "one"), weights(tmp_path / "two")
    assert all(torch.allclose(one[name], two[name], atol=2e-3) for name in one)


def test_checkpoints_hold_tensors_and_state(tmp_path):
    path = tmp_path / "deep" / "c.safetensors"
    for step in (1, 2):
        write_checkpoint(path, {"a": torch.arange(3) * step}, {"step": step, "text": "é"})
    tensors, state = read_checkpoint(path)
    assert (tensors["a"].tolist(), state) == ([0, 2, 4], {"step": 2, "text": "é"})
    assert list(path.parent.iterdir()) == [path]


def test_schedules():
    decay = TrainingConfig(decay=1.0)
    assert [factor(decay, step, 10) for step in (0, 9, 10, 20)] == [1, 1, 1 / 2, 1 / 3]
    linear = TrainingConfig(schedule="linear", epochs=2, warmup=0.25)
    rates = [factor(linear, step, 10) for step in range(20)]
    assert rates[:5] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert rates[5:] == sorted(rates[5:], reverse=True)
    assert 0 < rates[-1] < 0.1


def test_an_average_follows_the_weights_and_is_swapped_in():
    module = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.constant_(module.weight, 0.0)
    average = Average(module, 0.5)
    torch.nn.init.constant_(module.weight, 8.0)
    average.update(100)
    with average.applied():
        assert module.weight.item() == 4.0
    assert module.weight.item() == 8.0


def test_a_directory_is_for_one_training_at_a_time(tmp_path):
    (tmp_path / "model/training").mkdir(parents=True)
    held = FileLock(tmp_path / "model/training/lock")
    with held, pytest.raises(TrainingError, match="another training"):
        train(config(epochs=1), TRAIN, DEV, tmp_path / "model", resume=True)
    assert train(config(epochs=1), TRAIN, DEV, tmp_path / "model", resume=True)


class Labels:
    """A source of labels for a head, and of nothing else."""

    identity = "labels"

    def epoch(self, number):
        words = [example.words for example in TRAIN[:8]]
        kinds = [["long" if len(word) > 3 else "short" for word in sentence] for sentence in words]
        return [Lesson(words, labels={"pos": kinds})] * 9


def test_any_source_of_lessons_is_learnt_from(tmp_path):
    made = small_tagger("cc")
    settings = replace(made.config, training=replace(made.config.training, epochs=4))
    tagger = Tagger(settings, made.encoder, made.decoder, made.scheme, {"pos": ["long", "short"]})
    learn(tagger, Labels(), DEV, tmp_path, resume=True)
    (reading,) = tagger.kbest([["the", "garden", "sings"]])
    assert reading.pos == ["short", "long", "long"]


def test_a_label_may_be_the_shares_of_several():
    made = small_tagger("cc")
    made.add_head("pos", ["long", "short"])
    made.eval()
    words = [TRAIN[0].words]

    def loss(label):
        rows = [[label] + [None] * (len(words[0]) - 1)]
        return made.heads["pos"].loss(made.encode(words), rows).item()

    shared = 0.25 * loss("long") + 0.75 * loss("short")
    assert loss({"long": 0.25, "short": 0.75}) == pytest.approx(shared, rel=1e-5)
    assert loss({"unknown": 1.0}) == loss(None) == 0.0
    assert loss({"short": 1.0}) == loss("short")


def test_a_lesson_is_shared_out_so_that_gradients_add_up():
    tagger = small_tagger("cg")
    lesson = Lesson([e.words for e in TRAIN[:5]], [[*e.categories[:-1], None] for e in TRAIN[:5]])
    parts = [lesson.loss(tagger, World(rank, 2)).item() for rank in range(2)]
    assert sum(parts) == pytest.approx(lesson.loss(tagger).item(), rel=1e-5)
    assert lesson.taught == lesson.words - 5
    assert Lesson([("a",)], [[None]]).loss(tagger) is None
    assert Lesson([("a",)], [[TRAIN[0].categories[0]]]).loss(tagger, World(1, 2)) is None
