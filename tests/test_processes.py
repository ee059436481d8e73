"""One pipeline in several processes: forked ones, spawned ones, killed ones; none needs a network."""

from __future__ import annotations

import gzip
import multiprocessing
import os
import pickle
import random
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner
from invocation import run_quietly
from toy import small_config, small_tagger, toy_file, toy_sentences

from ccgkit import CCGKitError, Pipeline, load
from ccgkit.cli.main import main
from ccgkit.taggers.config import write_config

WORDS = [list(words) for words, _ in toy_sentences(12)]
KILLS = 30


@pytest.fixture
def nlp(tmp_path: Path) -> Pipeline:
    small_tagger("cg", scheme="ccgbank").save(tmp_path / "model")
    return load(tmp_path / "model", threads=2)


def found(nlp: Pipeline) -> list[str]:
    return [str(parsed.to_dict()) for document in nlp.parse(WORDS, timeout=60.0) for parsed in document]


def put(nlp: Pipeline, answers: multiprocessing.SimpleQueue[list[str]]) -> None:
    answers.put(found(nlp))


def found_elsewhere(method: str, nlp: Pipeline, processes: int) -> list[list[str]]:
    context = multiprocessing.get_context(method)
    answers = context.SimpleQueue()
    started = [context.Process(target=put, args=(nlp, answers)) for _ in range(processes)]
    for process in started:
        process.start()
    results = [answers.get() for _ in started]
    for process in started:
        process.join(60)
    assert [process.exitcode for process in started] == [0] * processes
    return results


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_pipeline_is_used_on_after_a_fork(nlp: Pipeline) -> None:
    expected = found(nlp)
    with ThreadPoolExecutor(4) as threads:  # which must have left nothing locked
        list(threads.map(lambda _: found(nlp), range(4)))
    assert found_elsewhere("fork", nlp, 3) == [expected] * 3
    assert found(nlp) == expected


def test_a_pickled_pipeline_is_the_same(nlp: Pipeline) -> None:
    expected = found(nlp)
    again = pickle.loads(pickle.dumps(nlp))
    assert found(again) == expected
    assert len(pickle.dumps(nlp)) < 10_000  # the model's place, not the model


@pytest.mark.slow
def test_a_pipeline_is_used_in_spawned_processes(nlp: Pipeline) -> None:
    assert found_elsewhere("spawn", nlp, 2) == [found(nlp)] * 2


COMMANDS = {
    "tag": "tag --model {folder}/cg --threads 1 --input-format tokenized {folder}/x.txt -o {new}.stagged",
    "tag, zipped": "tag --model {folder}/cg --threads 1 --input-format tokenized {folder}/x.txt "
    "-o {new}.jsonl.gz",
    "parse": "parse {folder}/x.stagged --scheme ccgbank -o {new}.auto",
    "parse in two processes": "parse {folder}/x.stagged --scheme ccgbank --jobs 2 -o {new}.jsonl",
    "annotate": "annotate {folder}/x.txt --task tag --model {folder}/cg --workers 1 --shard-rows 300 "
    "--output {new}",
    "train": "train {folder}/config.toml --train {folder}/t.stagged --dev {folder}/t.stagged --threads 1 "
    "--set training.checkpoint_minutes=0 --output {new}",
}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    small_tagger("cg", scheme="ccgbank").save(folder / "cg")
    (folder / "x.txt").write_text("".join(f"{' '.join(words)}\n" for words, _ in toy_sentences(2000)))
    toy_file(folder / "x.stagged", 2000)
    toy_file(folder / "t.stagged", 64)
    (folder / "config.toml").write_text(write_config(small_config("cc")))
    return folder


def written(folder: Path) -> dict[str, bytes]:
    """The files that a command has written, unzipped, but for what only a run that goes on needs."""
    own = {"training", "_manifest"}
    files = [path for path in folder.rglob("*") if path.is_file() and own.isdisjoint(path.parts)]
    return {
        str(path.relative_to(folder)): gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()
        for path in files
    }


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="processes are killed as on Unix")
@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_killed_command_goes_on_to_the_same_end(arguments: str, inputs: Path, tmp_path: Path) -> None:
    context = multiprocessing.get_context("forkserver")  # so that no time goes into importing torch
    context.set_forkserver_preload(["invocation", "ccgkit.training.trainer", "ccgkit.parsing"])

    def start(folder: str, *more: str) -> multiprocessing.Process:
        (tmp_path / folder).mkdir(exist_ok=True)
        given = arguments.format(folder=inputs, new=tmp_path / folder / "x").split()
        process = context.Process(target=run_quietly, args=([*given, *more],))
        process.start()
        return process

    def run(folder: str, *more: str) -> None:
        process = start(folder, *more)
        process.join()
        assert process.exitcode == 0

    run("warm")
    started = time.monotonic()
    run("whole")
    lasted = time.monotonic() - started
    expected, chance, hits = written(tmp_path / "whole"), random.Random(arguments), 0
    for _ in range(KILLS):
        process = start("killed")
        time.sleep(chance.uniform(0, lasted))
        process.kill()
        process.join()
        hits += process.exitcode != 0
        run("killed", "--resume")
        assert written(tmp_path / "killed") == expected
        shutil.rmtree(tmp_path / "killed")
    assert hits > KILLS / 3


NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.bind")
forbidden = False


def refuse_network(event: str, _: object) -> None:
    if forbidden and event in NETWORK:
        raise AssertionError(f"the network is used: {event}")


AUTO = "ID=1 PARSER=GOLD NUMPARSE=1\n(<L NP PRP PRP We NP>)\n"
OFFLINE = {
    "tag": ["tag", "United serves Miami."],
    "parse": ["parse", "United serves Miami."],
    "parse, a page": ["parse", "United serves Miami.", "--format", "html"],
    "validate-category": ["validate-category", "NP"],
    "convert": ["convert", "x.auto", "-", "--format", "jsonl"],
    "view": ["view", "x.auto", "--format", "svg"],
    "models": ["models"],
}


@pytest.mark.parametrize("arguments", OFFLINE.values(), ids=OFFLINE)
def test_no_command_asks_for_a_network(arguments: list[str], tmp_path: Path, monkeypatch) -> None:
    global forbidden
    (tmp_path / "x.auto").write_text(AUTO)
    monkeypatch.chdir(tmp_path)
    sys.addaudithook(refuse_network)
    forbidden = True
    try:
        result = CliRunner().invoke(main, arguments)
    finally:
        forbidden = False
    assert result.exit_code == 0 and result.stdout, result.output


def test_a_transformer_that_is_not_there_is_not_looked_for_elsewhere(tmp_path: Path) -> None:
    global forbidden
    config = small_config("cc", bert="no-such-transformer-anywhere")
    (tmp_path / "config.toml").write_text(write_config(config))
    given = [str(toy_file(tmp_path / "t.stagged", 20)), "--output", str(tmp_path / "model")]
    sys.addaudithook(refuse_network)
    forbidden = True
    try:
        result = CliRunner().invoke(
            main, ["train", str(tmp_path / "config.toml"), "--dev", given[0], "--train", *given]
        )
    finally:
        forbidden = False
    assert result.exit_code == 1 and "no transformer" in result.output


@pytest.mark.slow
@pytest.mark.parametrize("arguments", OFFLINE.values(), ids=OFFLINE)
def test_every_command_works_where_there_is_no_network(arguments: list[str], tmp_path: Path) -> None:
    apart = shutil.which("unshare")
    if apart is None or subprocess.run([apart, "-rn", "true"], capture_output=True).returncode:
        pytest.skip("this system lets nobody do without a network")
    (tmp_path / "x.auto").write_text(AUTO)
    code = "from ccgkit.cli.main import main; main()"
    ended = subprocess.run(
        [apart, "-rn", sys.executable, "-c", code, *arguments], cwd=tmp_path, capture_output=True, text=True
    )
    assert ended.returncode == 0 and ended.stdout, ended.stderr


def test_a_model_that_nobody_has_is_not_looked_for_elsewhere() -> None:
    with pytest.raises(CCGKitError):
        load("somebody/some-model")
