"""`ccgkit parse`: every format, inputs of every kind, and what it says when something is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ccgkit import Category, CCGKitError, Sentence, Supertag
from ccgkit.cli import parse
from ccgkit.cli.parse import FORMATS, command
from ccgkit.corpora import load, loads

TAGGED = r"""We|PRP|NP grow|VBP|(S[dcl]\NP)/NP figs|NNS|N .|.|.
It|PRP|NP rains|VBZ|S[dcl]\NP
The|DT|NP/N the|DT|NP/N
"""
MULTI = "# x\n\nWe PRP 1 NP 1.0\ngrow VBP 2 S[dcl]\\NP 0.6 (S[dcl]\\NP)/NP 0.4\nfigs NNS 1 NP 1.0\n\n"


@pytest.fixture
def tagged(tmp_path: Path) -> Path:
    path = tmp_path / "garden.stagged"
    path.write_text(TAGGED, encoding="utf-8")
    return path


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments], input=stdin)


def test_a_pipe_gets_auto_and_trouble_goes_to_stderr(tagged: Path) -> None:
    result = run(tagged)
    assert result.exit_code == 0
    found = list(loads(result.stdout, "auto"))
    assert [sentence.words for sentence in found] == [("We", "grow", "figs", "."), ("It", "rains")]
    assert "1 of 3 sentences" in result.stderr
    assert "fragments" in result.stderr


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "svg"])
def test_every_format_is_written(tagged: Path, form: str) -> None:
    result = run(tagged, "--format", form)
    assert result.exit_code == 0, result.output
    assert "rains" in result.stdout


def test_a_picture_shows_one_sentence(tagged: Path, tmp_path: Path) -> None:
    one = tmp_path / "one.stagged"
    one.write_text(TAGGED.splitlines()[0] + "\n", encoding="utf-8")
    assert run(one, "--format", "svg").stdout.startswith("<svg")
    assert isinstance(run(tagged, "--format", "svg").exception, CCGKitError)


def test_deps_are_those_of_candc(tagged: Path, tmp_path: Path) -> None:
    assert run(tagged, "-o", tmp_path / "out.deps").exit_code == 0
    first, second, third = load(tmp_path / "out.deps")
    assert [(link.head, link.slot, link.argument) for link in first.dependencies or ()] == [
        (1, 1, 0),
        (1, 2, 2),
    ]
    assert second.dependencies is not None
    assert third.dependencies == ()


def test_jsonl_says_how_it_went(tagged: Path) -> None:
    lines = [
        json.loads(line) for line in run(tagged, "--format", "jsonl", "--nbest", "2").stdout.splitlines()
    ]
    assert [line["meta"]["status"] for line in lines] == ["parsed", "parsed", "fragments"]
    assert lines[0]["meta"]["parses"].split()[0] == "1/1"
    assert len(lines[0]["meta"]["scores"].split()) == len(lines[0]["derivations"])


def test_multitag_lines_are_read_from_a_pipe() -> None:
    result = run("-", "--format", "deps", stdin=MULTI)
    assert r"grow_2 ((S[dcl]{_}\NP{Y}<1>){_}/NP{Z}<2>){_} 2 figs_3 0" in result.stdout
    assert run("-", "--input-format", "candc", "--format", "deps", stdin=MULTI).stdout == result.stdout


def test_a_narrow_beta_is_obeyed() -> None:
    result = run("-", "--format", "jsonl", "--beta", "0.9", "--scheme", "rebank", stdin=MULTI)
    assert json.loads(result.stdout)["meta"]["status"] == "fragments"


def test_processes_make_no_difference(tagged: Path) -> None:
    assert run(tagged, "--jobs", "2").stdout == run(tagged).stdout


def test_limits_are_told_and_end_nothing(tagged: Path) -> None:
    result = run(tagged, "--max-words", "2", "--format", "conll")
    assert result.exit_code == 0
    assert "4 words, more than the limit of 2" in result.stderr
    assert "# status = failed" in result.stdout


def test_damaged_sentences_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "damaged.stagged"
    path.write_text("We|PRP|(NP sleep|VBP|S\n" + TAGGED, encoding="utf-8")
    result = run(path)
    assert result.exit_code == 0
    assert "1 unreadable" in result.stderr
    assert len(list(loads(result.stdout, "auto"))) == 2


def test_markedup_overrides_the_rules(tagged: Path, tmp_path: Path) -> None:
    marked = tmp_path / "markedup"
    marked.write_text("# x\n\nS[dcl]\\NP\n  0 (S[dcl]{_}\\NP{Y}){_}\n", encoding="utf-8")
    assert "rains_2" not in run(tagged, "--format", "deps", "--markedup", marked).stdout


@pytest.mark.parametrize(
    ("arguments", "stdin", "word"),
    [
        (["missing.stagged"], None, "no file"),
        (["  "], None, "empty"),
        (["-", "--input-format", "sgml"], "x", "input format"),
        (["-", "--format", "word"], "x", "invalid"),
        (["-", "--nbest", "0"], "x", "range"),
    ],
)
def test_wrong_use_is_told(arguments: list[str], stdin: str | None, word: str) -> None:
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 2
    assert word in result.stderr.lower()


def test_an_empty_input_is_told(tmp_path: Path) -> None:
    path = tmp_path / "empty.stagged"
    path.write_text("", encoding="utf-8")
    assert "no sentence" in str(run(path).exception)


def test_text_goes_through_the_tagger(monkeypatch: pytest.MonkeyPatch) -> None:
    tags = {"We": "NP", "sleep": r"S[dcl]\NP", ".": "."}

    class Tagger:
        def pipe_sentences(self, sentences: Iterable[Sentence | None], **_: object) -> Iterator[Sentence]:
            for one in sentences:
                if one is not None:
                    found = tuple((Supertag(Category.parse(tags[word])),) for word in one.words)
                    yield replace(one, tags=found)

    monkeypatch.setattr(parse, "_load", lambda model, lang: Tagger())
    result = run("We sleep.", "--format", "deps")
    assert r"sleep_2 (S[dcl]{_}\NP{Y}<1>){_} 1 We_1 0" in result.stdout
    assert run("-", "--format", "deps", stdin="We sleep.\n").stdout == result.stdout


def test_text_without_a_model_is_told() -> None:
    result = run("We grow figs.", "--lang", "xx")
    assert result.exit_code == 2 and "text needs a tagger" in result.stderr


def test_a_failed_run_leaves_the_old_file(tagged: Path, tmp_path: Path) -> None:
    old = tmp_path / "tree.svg"
    old.write_text("old")
    run(tagged, "-o", old)
    assert old.read_text() == "old"
    assert not list(tmp_path.glob(".*"))
