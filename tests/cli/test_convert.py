"""`ccgkit convert`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from invocation import invoke

from ccgkit import CCGKitError
from ccgkit.cli.convert import command
from ccgkit.cli.linked import linked
from ccgkit.corpora import loads

TREE = r"(<T S[dcl] 1 2> (<L NP PRP PRP We NP>) (<L S[dcl]\NP VBP VBP agree S[dcl]\NP>) )"
AUTO = f"ID=a.1 PARSER=GOLD NUMPARSE=1\n{TREE}\n"
BAD = AUTO.replace("a.1", "a.2").replace("(<L NP ", "(<L NP/ ")
STAGGED = "We|PRP|NP agree|VBP|S[dcl]\\NP\n"


run = partial(invoke, command)


def test_formats_are_told_from_the_names(auto: Path) -> None:
    out = auto.with_name("out.stagged")
    result = run(auto, out)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "1 sentence\n")
    assert out.read_text() == STAGGED


def test_a_dash_is_standard_input_and_output() -> None:
    result = run("-", "-", "--format", "stagged", stdin=AUTO)
    assert (result.exit_code, result.stdout) == (0, STAGGED)


def test_what_is_read_is_not_overwritten(auto: Path) -> None:
    result = run(auto, auto, "--format", "stagged")
    assert result.exit_code == 2 and "cannot be written at the same time" in result.stderr
    assert auto.read_text() == AUTO


def test_several_files_become_one(auto: Path) -> None:
    other = auto.with_name("other.auto")
    other.write_text(AUTO)
    for arguments in (
        (auto, other, auto.with_name("a.stagged")),
        (auto, other, "-o", auto.with_name("b.stagged")),
    ):
        assert run(*arguments).exit_code == 0
    assert auto.with_name("a.stagged").read_text() == auto.with_name("b.stagged").read_text() == STAGGED * 2


def test_former_names_of_options_are_known_and_not_shown(auto: Path) -> None:
    assert run(auto, "-", "--from", "auto", "--to=stagged").stdout == STAGGED
    assert "--from" not in run("--help").stdout


def test_what_a_format_cannot_say_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "in.stagged"
    path.write_text(STAGGED)
    result = run(path, tmp_path / "out.auto")
    assert isinstance(result.exception, CCGKitError)
    assert str(result.exception) == "stagged files do not hold trees, which auto needs"
    assert not (tmp_path / "out.auto").exists()


def test_trees_have_dependencies(auto: Path) -> None:
    """Gold ones are those of the trees, not of a parser on the same categories."""
    rules = ("--scheme", "ccgbank")
    result = run(auto, "-", "--format", "deps", *rules)
    assert "agree_2 (S[dcl]{_}\\NP{Y}<1>){_} 1 We_1 0\n<c> " + STAGGED in result.stdout
    assert "those of the trees" in result.stderr and "ccgbank" in result.stderr
    assert "agree_2 S[dcl]\\NP 1 We_1\n" in run(auto, "-", "--format", "gold_deps", *rules).stdout
    json = auto.with_name("trees.jsonl")
    run(auto, json)
    assert run(json, "-", "--format", "deps", *rules).stdout == result.stdout
    assert "with --scheme" in str(run(auto, "-", "--format", "deps").exception)


def test_a_file_of_trees_is_not_held_in_memory_for_its_dependencies() -> None:
    (tree,) = loads(AUTO, "auto")
    coming = iter([tree] * 5000)
    assert next(linked(coming, "ccgbank", "trees")).dependencies
    assert len(list(coming)) > 3000


def test_dependencies_that_are_there_stay(auto: Path) -> None:
    links = auto.with_name("links.deps")
    links.write_text(f"# x\n\nWe_1 NP 1 agree_2 0\n<c> {STAGGED}\n")
    json = auto.with_name("links.jsonl")
    run(links, json)
    assert "We_1 NP 1 agree_2 0\n" in run(json, "-", "--format", "deps").stdout


def test_a_damaged_sentence_stops_and_leaves_nothing(auto: Path) -> None:
    auto.write_text(AUTO + BAD)
    result = run(auto, auto.with_name("out.stagged"))
    assert isinstance(result.exception, CCGKitError)
    assert f"{auto}:4:" in str(result.exception)
    assert not auto.with_name("out.stagged").exists()


def test_damaged_sentences_are_skipped_and_counted(auto: Path) -> None:
    auto.write_text(AUTO + BAD + AUTO)
    result = run(auto, "-", "--format", "stagged", "--on-error", "skip")
    assert (result.exit_code, result.stdout) == (0, STAGGED * 2)
    assert result.stderr.startswith("2 sentences, 1 skipped; the first:\n")


def test_damaged_sentences_are_kept_in_the_same_format(auto: Path) -> None:
    auto.write_text(AUTO + BAD + AUTO)
    result = run(auto, "-", "--format", "auto", "--on-error", "keep")
    assert (result.exit_code, result.stdout) == (0, AUTO + BAD + AUTO)
    result = run(auto, "-", "--format", "pos", "--on-error", "keep")
    assert result.exit_code == 2
    assert "needs the same format on both sides" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("none.auto", "-"), "does not exist"),
        (("IN", "out"), "give it with --format"),
        (("IN",), "Missing argument"),
    ],
)
def test_usage_errors(auto: Path, arguments: tuple[str, ...], said: str) -> None:
    result = run(*(auto if argument == "IN" else argument for argument in arguments))
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_folder_that_is_not_there(auto: Path) -> None:
    result = run(auto, auto.parent / "none" / "out.stagged")
    assert isinstance(result.exception, CCGKitError)
    assert "cannot be written: No such file or directory" in str(result.exception)


def test_the_formats_are_listed() -> None:
    result = run("--formats")
    assert result.exit_code == 0
    assert "jsonl" in result.stdout


def test_a_part_of_ccgbank(tmp_path: Path) -> None:
    for section in ("00", "23"):
        folder = tmp_path / "AUTO" / section
        folder.mkdir(parents=True)
        (folder / f"wsj_{section}01.auto").write_text(AUTO + BAD)
    result = run(tmp_path, "-", "--split", "00,23", "--format", "stagged", "--on-error", "skip")
    assert (result.exit_code, result.stdout) == (0, STAGGED * 2)
    assert result.stderr.startswith("2 sentences, 2 skipped")
    assert "--split" in run(tmp_path, "-", "--format", "stagged").stderr
    (tmp_path / "AUTO" / "00" / "wsj_0001.auto").write_text(AUTO)
    links = run(tmp_path, "-", "--split", "00", "--format", "deps", "--scheme", "ccgbank").stdout
    assert "1 We_1 0\n<c> " in links


KING = (
    "ID=b.1\n(<T NP 1 2> (<L NP/N DT DT the NP/N>) (<T N 0 2> (<L N/PP NN NN king N/PP>) "
    "(<T PP 0 2> (<L PP/NP IN IN of PP/NP>) (<T NP 0 1> (<L N NNP NNP Spain N>) ) ) ) )\n"
)
KING_IN_CCGBANK = "the|DT|NP[nb]/N king|NN|N of|IN|(NP\\NP)/NP Spain|NNP|N\n"
NO_WAY = KING.replace("b.1", "b.2").replace("<T NP 1 2>", "<T S[dcl] 1 2>")


def test_derivations_are_put_into_another_notation() -> None:
    assert run("-", "-", "--format", "stagged", "--notation", "ccgbank", stdin=KING).stdout == KING_IN_CCGBANK
    there = run("-", "-", "--format", "auto", "--notation", "ccgbank", stdin=KING).stdout
    assert run("-", "-", "--format", "auto", "--notation", "ccgbank", stdin=there).stdout == there
    back = run("-", "-", "--format", "stagged", "--notation", "rebank", stdin=there).stdout
    assert back.startswith("the|DT|NP/N king|NN|N of|IN|(N\\N)/NP")


def test_what_cannot_be_put_into_a_notation_is_named_or_left_out() -> None:
    arguments = ("-", "-", "--format", "stagged", "--notation", "ccgbank")
    stopped = run(*arguments, stdin=KING + NO_WAY).exception
    assert isinstance(stopped, CCGKitError) and "sentence b.2: " in str(stopped)
    result = run(*arguments, "--on-error", "skip", stdin=KING + NO_WAY)
    assert result.stdout == KING_IN_CCGBANK and "1 skipped" in result.stderr
    assert run(*arguments, "--on-error", "keep", stdin=KING).exit_code == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [("the|DT|NP/N king|NN|N\n", "no derivation"), ("kings|NNS|NP sing|VBP|S\\NP\n", "scheme 'udccg'")],
)
def test_tags_alone_and_other_schemes_have_no_way(text: str, reason: str) -> None:
    result = run("-", "-", "--format", "stagged", "--notation", "ccgbank", stdin=text)
    assert isinstance(result.exception, CCGKitError) and reason in str(result.exception)


def test_sentences_that_the_other_format_cannot_say_are_left_out_and_told(tmp_path: Path) -> None:
    good = r"(<T S[dcl] 1 2> (<L NP PRP PRP We NP>) (<L S[dcl]\NP VBP VBP agree S[dcl]\NP>) )"
    lines = [good, good.replace("NP PRP PRP We NP", "PR RP RP up PR"), good]
    (tmp_path / "in.auto").write_text("".join(f"ID=s.{n}\n{tree}\n" for n, tree in enumerate(lines, 1)))
    told = run("--on-error", "skip", tmp_path / "in.auto", tmp_path / "out.lambeq").stderr
    assert "2 sentences, 1 skipped" in told and "sentence s.2: lambeq has no category PR" in told
    assert (tmp_path / "out.lambeq").read_text().count('"text": "We"') == 2
    refused = run(tmp_path / "in.auto", tmp_path / "out.lambeq").exception
    assert isinstance(refused, CCGKitError) and "lambeq has no category PR" in str(refused)
