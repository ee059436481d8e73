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
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from invocation import run_quietly
from toy import small_config, small_tagger, toy_file, toy_sentences

from ccgkit import CCGKitError, Pipeline, Sentence, Token, load
from ccgkit.cli.main import main
from ccgkit.corpora import FormatError, loads
from ccgkit.grammar import load_scheme
from ccgkit.grammar.errors import OptionError
from ccgkit.parsing import Parser, ParseResult
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


def mixed() -> Iterator[Sentence | None]:
    """Two windows' worth of bare sentences, some after a pause, and between them some with categories."""
    for number, words in enumerate(WORDS * 30):
        if number == 300:
            yield None
        if number in (270, 271):
            (known,) = loads("We|PRP|NP agree|VBP|S[dcl]\\NP", "stagged")
            (tree,) = Parser(load_scheme("ccgbank")).parse(known).derivations
            yield replace(known, tags=None, derivations=(tree,), meta={"from": "a file"})
        yield Sentence(tuple(map(Token, words)))


def number_and_meta(result: ParseResult, number: int) -> tuple[int, str, dict[str, Any]]:
    return number, result.parses[0].id if result.parses else "", result.to_dict()


def failing(result: ParseResult, number: int) -> int:
    if number == 40:
        raise FormatError("40 is too many")
    return number


@pytest.mark.parametrize("notation", [None, "rebank"])
def test_several_processes_tag_and_parse_the_same_in_order(nlp: Pipeline, notation: str | None) -> None:
    alone, together = (
        list(nlp.parse_sentences(mixed(), jobs=jobs, notation=notation, timeout=60.0)) for jobs in (1, 2)
    )
    assert [one.to_dict() for one in together] == [one.to_dict() for one in alone]
    assert [[parse.id for parse in one.parses] for one in together] == [
        [parse.id for parse in one.parses] for one in alone
    ]
    assert [one.sentence for one in together] == [one.sentence for one in alone]
    assert all(
        np.array_equal(one.sentence.head_words, other.sentence.head_words)
        for one, other in zip(alone, together, strict=True)
        if one.sentence.head_words is not None
    )


def test_what_is_made_of_results_in_several_processes_is_the_same(nlp: Pipeline) -> None:
    alone, together = (
        list(nlp.parse_into(number_and_meta, mixed(), jobs=jobs, timeout=60.0)) for jobs in (1, 2)
    )
    assert together == alone and [number for number, _, _ in alone] == list(range(1, len(alone) + 1))


def test_an_error_in_a_process_comes_after_what_was_before_it(nlp: Pipeline) -> None:
    made = nlp.parse_into(failing, mixed(), jobs=2, timeout=60.0)
    assert [next(made) for _ in range(39)] == list(range(1, 40))
    with pytest.raises(FormatError, match="40 is too many"):
        next(made)
    with pytest.raises(OptionError, match="k must be"):
        next(nlp.parse_sentences(mixed(), jobs=2, k=0))


def test_what_has_come_is_parsed_when_nothing_more_may_come_for_a_while(nlp: Pipeline) -> None:
    came: list[ParseResult] = []

    def slow() -> Iterator[Sentence | None]:
        yield Sentence((Token("Ada"), Token("sings")))
        yield None
        assert len(came) == 1
        yield Sentence((Token("Bo"), Token("sings")))

    for result in nlp.parse_sentences(slow(), jobs=2):
        came.append(result)
    assert [one.sentence.words[0] for one in came] == ["Ada", "Bo"]


def test_a_tagger_that_is_in_no_files_tags_here_and_the_processes_parse() -> None:
    nlp = Pipeline(small_tagger("cg", scheme="ccgbank"))
    alone, together = (nlp.parse(WORDS, jobs=jobs, timeout=60.0) for jobs in (1, 2))
    assert [[one.to_dict() for one in text] for text in together] == [
        [one.to_dict() for one in text] for text in alone
    ]


@pytest.mark.slow
def test_a_pipeline_is_used_in_spawned_processes(nlp: Pipeline) -> None:
    assert found_elsewhere("spawn", nlp, 2) == [found(nlp)] * 2


COMMANDS = {
    "tag": "tag --model {folder}/cg --threads 1 --input-format tokenized {folder}/x.txt -o {new}.stagged",
    "tag, zipped": "tag --model {folder}/cg --threads 1 --input-format tokenized {folder}/x.txt "
    "-o {new}.jsonl.gz",
    "parse": "parse {folder}/x.stagged --scheme ccgbank -o {new}.auto",
    "parse in two processes": "parse {folder}/x.stagged --scheme ccgbank --jobs 2 -o {new}.jsonl",
    "tag and parse in two processes": "parse --model {folder}/cg --input-format tokenized {folder}/x.txt "
    "--jobs 2 --threads 2 --timeout 600 -o {new}.auto",
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


WORK = """
from itertools import repeat
from ccgkit.parsing.parallel import in_order
for _, process in in_order(eval, repeat((None, "__import__('os').getpid()", True)), 1):
    print(process, flush=True)
"""


def is_running(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up as on Linux")
def test_processes_end_when_the_one_that_has_started_them_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", WORK], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert is_running(worker)
        parent.kill()
    end = time.monotonic() + 30
    while is_running(worker) and time.monotonic() < end:
        time.sleep(0.05)
    assert not is_running(worker)


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
