"""`ccgkit parse`: every format, inputs of every kind, and what it says when something is wrong."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from invocation import invoke
from toy import small_tagger, toy_sentences

from ccgkit import CCGKitError
from ccgkit.cli import drawing
from ccgkit.cli.main import main
from ccgkit.cli.parse import command
from ccgkit.corpora import formats, load, loads
from ccgkit.parsing.parser import BETAS

TAGGED = r"""We|PRP|NP grow|VBP|(S[dcl]\NP)/NP figs|NNS|N .|.|.
It|PRP|NP rains|VBZ|S[dcl]\NP
The|DT|NP/N the|DT|NP/N
"""
run = partial(invoke, command)
MULTI = "# x\n\nWe PRP 1 NP 1.0\ngrow VBP 2 S[dcl]\\NP 0.6 (S[dcl]\\NP)/NP 0.4\nfigs NNS 1 NP 1.0\n\n"


@pytest.fixture
def tagged(tmp_path: Path) -> Path:
    path = tmp_path / "garden.stagged"
    path.write_text(TAGGED, encoding="utf-8")
    return path


def test_the_help_tells_the_parser_s_levels_of_beta() -> None:
    levels = " ".join(f"{beta:g}" for beta in BETAS)
    assert f"[default: {levels}]" in " ".join(run("--help").stdout.split())


def test_a_pipe_gets_auto_and_trouble_goes_to_stderr(tagged: Path) -> None:
    result = run(tagged)
    assert result.exit_code == 0
    found = list(loads(result.stdout, "auto"))
    assert [len(sentence.derivations or ()) for sentence in found] == [1, 1, 0]
    assert [sentence.words for sentence in found][1:] == [("It", "rains"), ("The", "the")]
    assert "1 of 3 sentences" in result.stderr
    assert "fragments" in result.stderr


@pytest.mark.parametrize("form", [*drawing.FORMATS, *sorted(formats())])
def test_every_format_is_written(tagged: Path, tmp_path: Path, form: str) -> None:
    """One sentence is too long and one has fragments: all others are there."""
    if form == "png":
        pytest.importorskip("cairosvg", exc_type=ImportError)
    tagged.write_text(f"{TAGGED}{TAGGED.splitlines()[0]} a|DT|NP/N a|DT|NP/N\n\n{TAGGED}", encoding="utf-8")
    result = run(tagged, "--format", form, "-o", tmp_path / "out", "--max-words", "5")
    assert result.exit_code == 0, result.output
    if form in ("svg", "png"):
        assert sorted(path.name for path in tmp_path.glob("out*")) == [
            f"out-{number}" for number in ("1", "2", "3-1", "3-2", "6", "7", "8-1", "8-2")
        ]
    else:
        text = (tmp_path / "out").read_text(encoding="utf-8")
        assert text.count("rains") >= 2
        if form in formats() and form not in ("prolog", "boxer", "pmb_xml", "candc_xml"):
            assert len(list(loads(text, form))) == 8


def test_several_pictures_need_a_name(tagged: Path, tmp_path: Path) -> None:
    one = tmp_path / "one.stagged"
    one.write_text(TAGGED.splitlines()[0] + "\n", encoding="utf-8")
    assert run(one, "--format", "svg").stdout.startswith("<svg")
    assert isinstance(run(tagged, "--format", "svg").exception, CCGKitError)


def test_at_a_terminal_markup_is_opened_and_not_printed(tagged: Path, without_browser: str) -> None:
    result = run(tagged, "--format", "html")
    assert result.stdout == "" and without_browser in result.stderr
    assert run(tagged, "--format", "html", "--no-open").stdout.startswith("<!DOCTYPE")


def test_deps_are_those_of_candc(tagged: Path, tmp_path: Path) -> None:
    assert run(tagged, "-o", tmp_path / "out.deps").exit_code == 0
    first, second, third = load(tmp_path / "out.deps")
    assert [(link.head, link.slot, link.argument) for link in first.dependencies or ()] == [
        (1, 1, 0),
        (1, 2, 2),
    ]
    assert second.dependencies is not None
    assert third.dependencies is None  # fragments are no parse


def test_what_a_tagger_has_written_is_recognised_in_a_pipe(tagged: Path) -> None:
    expected = run(tagged).stdout
    for form in ("stagged", "multitag", "jsonl", "conll", "easyccg"):
        written = invoke(main, "convert", tagged, "-", "--format", form).stdout
        assert run("-", stdin=written).stdout == expected


@pytest.mark.parametrize("form", [name for name, known in formats().items() if known.ending is not None])
def test_an_interrupted_file_is_continued(tagged: Path, tmp_path: Path, form: str) -> None:
    tagged.write_text(TAGGED * 10, encoding="utf-8")
    whole, part = tmp_path / "whole.gz", tmp_path / "part"
    assert run(tagged, "--format", form, "-o", whole).exit_code == 0
    data = gzip.decompress(whole.read_bytes())
    part.write_bytes(data[: len(data) // 2])
    assert run(tagged, "--format", form, "-o", part, "--resume").exit_code == 0
    assert part.read_bytes() == data


def test_what_is_continued_has_its_numbers(tagged: Path, tmp_path: Path) -> None:
    tagged.write_text(TAGGED * 2, encoding="utf-8")
    part = tmp_path / "part.deps"
    run(tagged, "-o", part)
    header, first, _ = part.read_text(encoding="utf-8").split("\n\n", 2)
    part.write_text(f"{header}\n\n{first}\n\n", encoding="utf-8")
    said = run(tagged, "-o", part, "--resume").stderr
    assert "2 of 5 sentences:\nsentence 3: " in said and "\nsentence 6: " in said


def test_several_files_zipped_or_not(tagged: Path, tmp_path: Path) -> None:
    zipped = tmp_path / "again.stagged.gz"
    zipped.write_bytes(gzip.compress(tagged.read_bytes()))
    assert len(list(loads(run(tagged, zipped).stdout, "auto"))) == 6


def test_what_is_read_is_not_overwritten(tagged: Path) -> None:
    assert run(tagged, "-o", tagged, "--format", "auto").exit_code == 2
    assert tagged.read_text(encoding="utf-8") == TAGGED


def test_jsonl_says_how_it_went(tagged: Path) -> None:
    lines = [
        json.loads(line) for line in run(tagged, "--format", "jsonl", "--nbest", "2").stdout.splitlines()
    ]
    assert [line["meta"]["status"] for line in lines] == ["parsed", "parsed", "fragments"]
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


def test_processes_that_tag_and_parse_write_the_same_and_go_on(tmp_path: Path) -> None:
    small_tagger("cg", scheme="ccgbank").save(tmp_path / "model")
    source = tmp_path / "x.txt"
    source.write_text("".join(f"{' '.join(words)}\n" for words, _ in toy_sentences(600)))
    given = (source, "--input-format", "tokenized", "--model", tmp_path / "model", "--timeout", "60")

    def parsed(name: str, *more: str) -> str:
        result = run(*given, "-o", tmp_path / name, *more)
        assert result.exit_code == 0
        return str(result.stderr)

    told = parsed("one.auto")
    assert parsed("two.auto", "--jobs", "2") == told
    whole = (tmp_path / "one.auto").read_bytes()
    assert (tmp_path / "two.auto").read_bytes() == whole
    lines = whole.splitlines(keepends=True)
    (tmp_path / "part.auto").write_bytes(b"".join(lines[:621]) + lines[621][:9])
    parsed("part.auto", "--jobs", "2", "--resume")
    assert (tmp_path / "part.auto").read_bytes() == whole


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
    assert len(list(loads(result.stdout, "auto"))) == 3


def test_markedup_overrides_the_rules(tagged: Path, tmp_path: Path) -> None:
    marked = tmp_path / "markedup"
    marked.write_text("# x\n\nS[dcl]\\NP\n  0 (S[dcl]{_}\\NP{Y}){_}\n", encoding="utf-8")
    assert "rains_2" not in run(tagged, "--format", "deps", "--markedup", marked).stdout


@pytest.mark.parametrize(
    ("arguments", "stdin", "word"),
    [
        (["missing.stagged"], None, "no file"),
        (["  "], None, "empty"),
        ([""], None, "the text is empty"),
        (["-", "--format", "word"], "x", "no output format"),
        (["-", "-o", "x.doc"], "x", "does not show the format"),
        (["-", "--resume"], "x", "--resume needs"),
        (["-", "--resume", "-o", "x.html"], "x", "can be continued"),
        (["-", "--k", "100"], "x", "range"),
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
    result = run(path)
    assert result.exit_code == 1 and "there is no sentence in" in result.stderr


def test_an_unknown_input_format_is_told() -> None:
    assert "no format 'sgml'" in str(run("-", "--input-format", "sgml", stdin="x").exception)


def test_text_goes_through_the_tagger() -> None:
    result = run("We sleep.", "--format", "deps")
    assert r"sleep_2 (S[dcl]{_}\NP{Y}<1>){_} 1 We_1 0" in result.stdout
    assert run("-", "--format", "deps", stdin="We sleep.\n").stdout == result.stdout


def bracketed(text: str) -> list[str]:
    """The words' categories in the derivation of a partly bracketed sentence."""
    (sentence,) = loads(run(text, "--input-format", "brackets", "--format", "jsonl").stdout, "jsonl")
    return [str(leaf.category) for leaf in (sentence.derivations or ())[0].leaves()]


def test_brackets_say_what_is_known() -> None:
    assert bracketed("I [saw the man] with a telescope .")[4].startswith("((S")
    assert bracketed("I saw [the man with a telescope] .")[4].startswith("(N")
    assert bracketed(r"Time|NP flies|S[dcl]\NP") == ["NP", r"S[dcl]\NP"]


def test_brackets_that_do_not_match_are_wrong_use_when_typed_and_left_out_of_a_file(tmp_path: Path) -> None:
    typed = run("[I saw her", "--input-format", "brackets")
    assert typed.exit_code == 2 and typed.stderr.endswith("    [I saw her\n    ^\n")
    path = tmp_path / "some"
    path.write_text("[She] left\nShe] left\n[She left]\n")
    result = run(path, "--input-format", "brackets", "--format", "jsonl")
    assert result.exit_code == 0 and len(result.stdout.splitlines()) == 2
    assert (
        "1 unreadable sentences left out" in result.stderr
        and "line 2: a bracket that was not opened" in result.stderr
    )


@pytest.mark.parametrize("other", [("--lexicon", "docs/pictures/likes.lex"), ("--parser", "mine")])
def test_brackets_are_for_the_embedded_parser(
    other: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    result = run("John likes Mary", "--input-format", "brackets", *other)
    assert result.exit_code == 2 and "is for the embedded parser" in result.stderr


def test_text_without_a_model_is_told() -> None:
    result = run("We grow figs.", "--lang", "xx")
    assert result.exit_code == 2 and "no model for the language 'xx'" in result.stderr


def test_a_failed_run_leaves_the_old_file(tagged: Path, tmp_path: Path) -> None:
    old = tmp_path / "tree.json"
    old.write_text("old")
    run(tagged, "-o", old, "--scheme", "nonsense")
    assert old.read_text() == "old"
    assert not list(tmp_path.glob(".*"))


@pytest.mark.slow
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_stopping_leaves_whole_sentences_and_nothing_else(
    tmp_path: Path, sent: signal.Signals, code: int, jobs: str
) -> None:
    source, output = tmp_path / "in.stagged", tmp_path / "out.auto"
    source.write_text(TAGGED * 100_000, encoding="utf-8")
    start = "from ccgkit.cli.main import main; main()"
    command = [sys.executable, "-c", start, "parse", str(source), "-o", str(output), "--jobs", jobs]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not output.exists() or output.stat().st_size < 100_000:
        time.sleep(0.1)
    os.killpg(process.pid, sent) if sent is signal.SIGINT else process.send_signal(sent)
    assert process.wait(60) == code
    assert process.stderr is not None
    assert process.stderr.read().strip() == "Stopped. What is written is complete; --resume continues it."
    assert len(list(load(output))) > 100
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.stagged", "out.auto"]


def test_what_killed_runs_have_left_is_cleared(tagged: Path, tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    left = tmp_path / f".out.html.{process.pid}.part"
    others = [tmp_path / f".out.html.{os.getpid()}.part", tmp_path / f".other.html.{process.pid}.part"]
    for path in (left, *others):
        path.touch()
    assert run(tagged, "-o", tmp_path / "out.html").exit_code == 0
    assert not left.exists() and others[1].exists()


NOTATION = "The|DT|NP/N king|NN|N/PP of|IN|PP/NP Spain|NNP|N sings|VBZ|S[dcl]\\NP\n"


def test_derivations_come_in_the_notation_that_is_asked_for() -> None:
    asked = ("-", "--input-format", "stagged", "--format", "stagged", "--notation")
    there = run(*asked, "ccgbank", stdin=NOTATION)
    assert there.stdout == NOTATION.replace("NP/N ", "NP[nb]/N ").replace("N/PP", "N").replace(
        "PP/NP", "(NP\\NP)/NP"
    )
    assert run(*asked, "rebank", stdin=NOTATION).stdout == NOTATION
