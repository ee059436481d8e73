"""`ccgkit view`: what it draws, where it writes, and what it says when it cannot."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from click.testing import Result
from invocation import invoke

from ccgkit import CCGKitError
from ccgkit.cli import drawing
from ccgkit.cli.view import command

run = partial(invoke, command)
AUTO = (
    "ID=garden.1 PARSER=GOLD NUMPARSE=1\n"
    r"(<T S[dcl] 1 2> (<L NP PRP PRP We NP>) (<T S[dcl]\NP 0 2> "
    r"(<L (S[dcl]\NP)/NP VBP VBP grow (S[dcl]\NP)/NP>) (<T NP 0 1> (<L N NNS NNS figs N>) ) ) )"
    "\nID=garden.2 PARSER=GOLD NUMPARSE=1\n"
    r"(<T S[dcl] 1 2> (<L NP PRP PRP It NP>) (<L S[dcl]\NP VBZ VBZ rains S[dcl]\NP>) )"
    "\nID=shed.1 PARSER=GOLD NUMPARSE=1\n"
    r"(<T S[b]\NP 0 2> (<L S[b]\NP VB VB Però S[b]\NP>) (<L . . . ! .>) )"
    "\n"
)
OTHER = AUTO.replace(r"It NP>) (<L S[dcl]\NP", r"It NP>) (<L S\NP")


def message(result: Result) -> str:
    """What the toolkit's error says, which the group of commands prints."""
    assert isinstance(result.exception, CCGKitError), result.output
    assert result.stdout == ""
    return str(result.exception)


def test_in_a_pipe_it_is_text_without_colour(auto: Path) -> None:
    result = run(auto, "--number", "1")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "# 1 garden.1",
        "We       grow       figs",
        "NP  (S[dcl]\\NP)/NP   N",
        "                    ---*",
        "                     NP",
        "    ------------------->",
        "         S[dcl]\\NP",
        "-----------------------<",
        "         S[dcl]",
    ]


def test_all_sentences_follow_each_other(auto: Path) -> None:
    result = run(auto)
    assert [line for line in result.stdout.splitlines() if line.startswith("#")] == [
        "# 1 garden.1",
        "# 2 garden.2",
        "# 3 shed.1",
    ]


def test_the_standard_input_is_read(auto: Path) -> None:
    assert run("-", stdin=AUTO).stdout == run(auto).stdout


def test_a_width_makes_blocks(auto: Path) -> None:
    result = run(auto, "--number", "1", "--width", "22")
    assert "⟨1⟩ =" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 22


def test_a_terminal_gives_width_and_colour(auto: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "22")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = run(auto, "--number", "1").stdout
    assert "\x1b[" in coloured and "⟨1⟩" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run(auto, "--number", "1").stdout


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("x.html", "<!DOCTYPE html>"),
        ("x.tex", "%"),
        ("x.txt", "# 1"),
    ],
)
def test_the_name_of_the_output_decides_the_format(auto: Path, name: str, start: str) -> None:
    result = run(auto, "--output", auto.with_name(name))
    assert (result.exit_code, result.output) == (0, "")
    text = auto.with_name(name).read_text(encoding="utf-8")
    assert text.startswith(start)
    assert all(word in text for word in ("figs", "rains", "Però"))


def test_a_page_has_all_sentences_by_their_ids(auto: Path) -> None:
    html = run(auto, "--format", "html").stdout
    assert [f'<section id="{id_}">' in html for id_ in ("garden.1", "garden.2", "shed.1")] == [True] * 3


def test_several_pictures_are_numbered_and_one_is_not(auto: Path) -> None:
    assert run(auto, "-o", auto.with_name("tree.svg")).exit_code == 0
    assert run(auto, "-o", auto.with_name("one.svg"), "--number", "2").exit_code == 0
    assert sorted(path.name for path in auto.parent.glob("*.svg")) == [
        "one.svg",
        "tree-1.svg",
        "tree-2.svg",
        "tree-3.svg",
    ]


def test_several_pictures_need_a_name(auto: Path) -> None:
    assert "--output" in message(run(auto, "--format", "svg"))
    assert run(auto, "--format", "svg", "--id", "shed.1").stdout.startswith("<svg")


def test_png(auto: Path) -> None:
    pytest.importorskip("cairosvg", exc_type=ImportError)
    assert run(auto, "-o", auto.with_name("x.png"), "--number", "3").exit_code == 0
    assert auto.with_name("x.png").read_bytes().startswith(b"\x89PNG")


def test_nltk_trees_one_a_line(auto: Path) -> None:
    lines = run(auto, "--format", "nltk").stdout.splitlines()
    assert lines[1] == r"{S[dcl] {NP It} {S[dcl]\NP rains}}"
    assert len(lines) == 3


def test_a_difference_is_a_page(auto: Path, tmp_path: Path) -> None:
    other = tmp_path / "parsed.auto"
    other.write_text(OTHER, encoding="utf-8")
    html = run(auto, "--diff", other).stdout
    assert "<title>in.auto and parsed.auto</title>" in html
    assert html.count('"ccg-category ccg-marked"') == 2  # the verb's, on either side
    assert html.count("No difference.") == 2


def test_a_difference_of_other_sentences_is_refused_before_anything_is_written(
    auto: Path, tmp_path: Path
) -> None:
    other = tmp_path / "parsed.auto"
    other.write_text(AUTO.replace("rains", "snows"), encoding="utf-8")
    said = message(run(auto, "--diff", other, "--number", "2"))
    assert "garden.2" in said and "'rains'" in said and "'snows'" in said
    target = tmp_path / "d.html"
    run(auto, "--diff", other, "-o", target)
    assert not target.exists() and len(list(tmp_path.iterdir())) == 2


def test_a_difference_needs_as_many_sentences_on_both_sides(auto: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.auto"
    short.write_text("".join(AUTO.splitlines(keepends=True)[:2]), encoding="utf-8")
    result = run(auto, "--diff", short, "-o", tmp_path / "d.html")
    assert "short.auto has fewer derivations than" in message(result)


def test_a_number_too_high(auto: Path) -> None:
    assert message(run(auto, "--number", "7")).endswith("has 3 sentences, none with the number 7")


def test_a_wrong_id_names_the_nearest(auto: Path) -> None:
    said = message(run(auto, "--id", "gardn.2"))
    assert "no sentence with the id gardn.2; the nearest are garden.2, garden.1" in said


def test_a_file_without_trees(tmp_path: Path) -> None:
    path = tmp_path / "x.stagged"
    path.write_text("It|PRP|NP rains|VBZ|S[dcl]\\NP\n", encoding="utf-8")
    assert "view needs trees" in message(run(path))


def test_several_files_are_one_after_the_other(auto: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.auto"
    other.write_text(AUTO, encoding="utf-8")
    shown = run(auto, other)
    assert [line for line in shown.stdout.splitlines() if line.startswith("#")][3:] == [
        "# 4 garden.1",
        "# 5 garden.2",
        "# 6 shed.1",
    ]
    assert run(auto, other, "--number", "5").stdout.startswith("# 5 garden.2")


def test_what_is_read_is_not_overwritten(auto: Path) -> None:
    result = run(auto, "-o", auto, "--format", "html")
    assert result.exit_code == 2 and auto.read_text(encoding="utf-8") == AUTO


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "x.auto"
    path.touch()
    assert message(run(path)).endswith("has no sentences")


def test_damage_is_reported_or_skipped(auto: Path) -> None:
    auto.write_text(AUTO.replace(r"(<L S[dcl]\NP VBZ", r"(<L S[dcl\NP VBZ"), encoding="utf-8")
    result = run(auto)
    assert isinstance(result.exception, CCGKitError)
    assert f"{auto}:4" in str(result.exception)
    skipped = run(auto, "--on-error", "skip")
    assert skipped.exit_code == 0
    assert "rains" not in skipped.stdout and "Però" in skipped.stdout
    assert "1 unreadable" in skipped.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "x.doc"], "does not show the format"),
        (["--open", "--format", "latex"], "a browser does not show latex"),
        (["--diff", "-", "--format", "svg"], "--diff makes HTML"),
        (["--number", "0"], "0 is not in the range"),
    ],
)
def test_wrong_usage(auto: Path, arguments: list[str], said: str) -> None:
    result = run(auto, *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_an_output_that_cannot_be_written(auto: Path) -> None:
    said = message(run(auto, "-o", auto / "x.html"))
    assert "cannot be written" in said


def test_open_shows_the_page_in_the_browser(auto: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def browser(url: str) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr(drawing.webbrowser, "open", browser)
    page = auto.with_name("page.html")
    assert run(auto, "-o", page, "--open").exit_code == 0
    assert opened == [page.resolve().as_uri()]


def test_at_a_terminal_markup_is_opened_and_not_printed(auto: Path, without_browser: str) -> None:
    result = run(auto, "--format", "html")
    assert result.stdout == "" and without_browser in result.stderr
    assert run(auto, "--format", "html", "--no-open").stdout.startswith("<!DOCTYPE")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["udccg/en_ewt.dev.auto", "udccg/it_vit.dev.auto", "pmb5/en.dev.auto"])
@pytest.mark.parametrize("format_", ["pretty", "html", "latex", "nltk"])
def test_whole_corpora(name: str, format_: str, corpus_folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "all"
    result = run(corpus_folder / name, "--format", format_, "-o", target, "--on-error", "skip")
    assert result.exit_code == 0
    assert target.stat().st_size > 10_000
