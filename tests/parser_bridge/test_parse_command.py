"""`ccgkit parse --cc-jar`: the same command, with C&C for a parser."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from bridge_sentences import FAST, hear_ctrl_c, wait_until
from click.testing import CliRunner

from ccgkit.cli.parse import command
from ccgkit.corpora import deps
from ccgkit.parser_bridge import CandCError

TAGGED = "# tags\n\nbig JJ 2 N/N 0.9 N 0.1\ndogs NNS 1 N 1.0\n\nNOPARSE NN 1 N 1.0\n\nup RP 1 PR 1.0\n\n"


@pytest.fixture
def parse(classes, home, tmp_path, monkeypatch):
    """Parse a file with the stand-in for C&C."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", " ".join(FAST))
    source = tmp_path / "tags of mine.multitag"
    source.write_text(TAGGED, encoding="utf-8")

    def run(*options, jar=classes, home=home):
        named = ["--cc-jar", str(jar), "--cc-home", str(home)] if jar else []
        return CliRunner().invoke(command, [str(source), *named, *options])

    return run


def test_dependencies_come_out_in_cands_format(parse):
    result = parse()
    assert result.exit_code == 0, result.output
    first, failed, particle = deps.loads(result.stdout)
    assert [(link.head, link.argument) for link in first.dependencies] == [(1, 0)]
    assert failed.tokens == ()
    assert [str(category) for category in particle.categories] == [r"(S\NP)\(S\NP)"]
    assert "sentence 2: no category spans the sentence" in result.stderr


def test_json_says_more(parse):
    lines = [json.loads(line) for line in parse("--format", "jsonl").stdout.splitlines()]
    assert [line["meta"]["status"] for line in lines] == ["parsed", "failed", "parsed"]
    assert "dependencies" not in lines[1] and lines[1]["meta"]["reason"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--format", "auto"], "no derivation, so the format auto"),
        (["--output", "trees.html"], "no derivation, so the format html"),
        (["--nbest", "2"], "one parse per sentence"),
        (["--beta", "0.1"], "--beta is for the embedded parser"),
    ],
)
def test_what_cand_cannot_do_is_refused(parse, options, reason):
    result = parse(*options)
    assert result.exit_code == 2
    assert reason in " ".join(result.stderr.split())


def test_what_is_missing_is_named_before_anything_is_read(parse, tmp_path):
    error = parse(home=tmp_path / "nowhere").exception
    assert isinstance(error, CandCError)
    assert "nowhere" in str(error) and "weights" in str(error)


def test_options_without_a_jar_are_wrong_usage(parse):
    result = parse("--xmx", "1g", jar=None)
    assert result.exit_code == 2 and "--cc-jar" in result.stderr


def test_variables_say_the_same_as_flags(parse, classes, home, monkeypatch):
    expected = parse().stdout
    monkeypatch.setitem(os.environ, "CCGKIT_CC_JAR", str(classes))
    monkeypatch.setitem(os.environ, "CCGKIT_CC_HOME", str(home))
    assert parse(jar=None).stdout == expected


def test_files_are_kept_on_demand(parse, tmp_path):
    parse("--keep-files", str(tmp_path / "kept"), "--betas", "0.01,0.02,0.05")
    log = (tmp_path / "kept" / "run-0001" / "log").read_text()
    assert "beta value 0.05" in log


def test_where_candc_is_gone_the_file_ends_and_resume_goes_on(parse, tmp_path, monkeypatch):
    (tmp_path / "tags of mine.multitag").write_text(TAGGED.replace("NOPARSE", "GONE"), encoding="utf-8")
    output = tmp_path / "parsed.deps"
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", " ".join([*FAST, f"-Dgone={tmp_path / 'gone'}"]))
    error = parse("-o", str(output)).exception
    assert isinstance(error, CandCError)
    assert "gone on purpose" in str(error) and "--resume continues it" in str(error)
    assert [sentence.words for sentence in deps.load(output)] == [("big", "dogs")]
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", " ".join(FAST))
    assert parse("-o", str(output), "--resume").exit_code == 0
    assert [sentence.words for sentence in deps.load(output)] == [("big", "dogs"), ("GONE",), ("up",)]


def test_unknown_categories_are_told(parse, home):
    markedup = home / "grammar" / "markedup"
    markedup.write_text(markedup.read_text().replace("N/N\n", "N\\N\n"))
    result = parse()
    assert "C&C does not know 1 categories, left out: N/N (1)" in result.stderr


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_is_ended_leaves_nothing_behind(classes, home, tmp_path, sent):
    source, temporary = tmp_path / "hanging.multitag", tmp_path / "temporary"
    source.write_text(TAGGED.replace("NOPARSE", "HANG"), encoding="utf-8")
    temporary.mkdir()
    java = tmp_path / "java"  # a script that waits for Java, and does not pass signals on
    java.write_text('#!/bin/sh\njava "$@"\nexit $?\n')
    java.chmod(0o755)
    child = subprocess.Popen(
        [sys.executable, "-c", "from ccgkit.cli.parse import command; command()", str(source),
         "--cc-jar", str(classes), "--cc-home", str(home), "--java", str(java)],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=hear_ctrl_c,
    )  # fmt: skip
    try:
        wait_until(lambda: any(temporary.rglob("log")))
        (script,) = children(child.pid)
        (program,) = children(script)
        child.send_signal(sent)
        assert child.wait(20) != 0
    finally:
        child.kill()
    wait_until(lambda: not Path(f"/proc/{script}").exists() and not Path(f"/proc/{program}").exists())
    assert [path for path in temporary.iterdir() if path.name.startswith("ccgkit")] == []


def children(pid):
    """The processes that a process has started."""
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for path in found for child in path.read_text().split()]


def test_files_may_be_kept_in_a_folder_next_to_here(parse, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert parse("--keep-files", "kept").exit_code == 0
    assert {path.name for path in (tmp_path / "kept" / "run-0001").iterdir()} >= {"input.multitag", "log"}


def test_a_place_that_cannot_be_written_is_an_error_not_a_traceback(parse, tmp_path):
    (tmp_path / "file").touch()
    error = parse("--keep-files", str(tmp_path / "file" / "kept")).exception
    assert isinstance(error, CandCError) and "C&C's files cannot be written" in str(error)
