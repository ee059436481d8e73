"""`ccgkit stats`."""

from __future__ import annotations

import builtins
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from invocation import invoke

from ccgkit import CCGKitError
from ccgkit.cli.main import main
from ccgkit.cli.stats import command

GOOD = r"(<T S[dcl] 1 2> (<L NP PRP PRP We NP>) (<L S[dcl]\NP VBP VBP agree S[dcl]\NP>) )"
ODD = r"(<T S[dcl] 1 2> (<L NP PRP PRP We NP>) (<T PP 0 1> (<L N NN NN men N>) ) )"
AUTO = f"ID=a.1\n{GOOD}\nID=a.2\n{ODD}\n"


run = partial(invoke, command, "--scheme", "ccgbank")  # which so few categories do not tell


def test_figures_as_json(auto: Path) -> None:
    figures = json.loads(run(auto, auto, "--json").stdout)
    assert (figures["sentences"], figures["tokens"], figures["words"]) == (4, 8, 3)
    assert figures["categories"]["distinct"] == 3
    assert figures["categories"]["counts"] == {"NP": 4, "S[dcl]\\NP": 2, "N": 2}
    assert (
        json.loads(run("-", "--json", stdin="ID=b\n(<L N NN NN a N>)\n" + AUTO).stdout)["length"]["median"]
        == 2
    )
    assert figures["length"] == {"min": 2, "mean": 2, "median": 2, "max": 2, "counts": {"2": 4}}
    assert figures["depth"]["counts"] == {"1": 2, "2": 2}
    assert figures["rules"] == {"<": 2}
    assert figures["unlicensed"] == {"nodes": 4, "counts": {"NP PP → S[dcl]": 2, "N → PP": 2}}


def test_categories_seen_ten_times(tmp_path: Path) -> None:
    path = tmp_path / "x.stagged"
    path.write_text("a|_|N\n" * 10 + "a|_|NP\n" * 9 + "a|_|PP\n")
    categories = json.loads(run(path, "--json").stdout)["categories"]
    assert (categories["seen_10_times"], categories["seen_once"]) == (1, 1)


def test_the_table(auto: Path) -> None:
    result = run(auto)
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["sentences", "2"] in lines
    assert ["unlicensed", "nodes", "2", "66.67", "%"] in lines


def test_another_scheme_and_a_wrong_one(auto: Path) -> None:
    assert "rules of udccg" in run(auto, "--scheme", "udccg").stdout
    assert isinstance(run(auto, "--scheme", "nobody").exception, CCGKitError)


def test_the_scheme_is_the_one_that_the_categories_tell(tmp_path: Path) -> None:
    path = tmp_path / "x.auto"
    path.write_text("ID=a.1\n(<T NP 1 2> (<L NP/N DT DT the NP/N>) (<L N NNS NNS men N>) )\n")
    assert "rules of rebank" in invoke(command, path).stdout
    path.write_text(AUTO)
    result = invoke(command, path)
    assert result.exit_code == 0 and "rules of rebank" in result.stdout


def test_files_without_trees_and_empty_files(tmp_path: Path) -> None:
    path = tmp_path / "x.pos"
    path.write_text("We|PRP agree|VBP\n")
    assert "derivations" not in run(path).stdout
    path.write_text("")
    assert run(path).stdout.splitlines()[0].split() == ["sentences", "0"]


def test_damaged_sentences_are_counted(auto: Path) -> None:
    auto.write_text(AUTO + "ID=a.3\n(<L N/ NN NN men N>)\n")
    assert isinstance(run(auto).exception, CCGKitError)
    result = run(auto, "--on-error", "skip")
    assert ["skipped", "1"] in [line.split() for line in result.stdout.splitlines()]
    assert f"{auto}: 1 sentences skipped" in result.stderr


def test_standard_input() -> None:
    assert run("-", stdin=AUTO).exit_code == 0


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_a_plot(auto: Path, suffix: str, start: bytes) -> None:
    pytest.importorskip("matplotlib")
    picture = auto.with_suffix(f".{suffix}")
    assert run(auto, "--plot", picture).exit_code == 0
    assert picture.read_bytes().startswith(start)
    assert run(auto, "--plot", auto.with_suffix(".gif")).exit_code == 2
    result = invoke(main, "stats", auto, "--plot", auto.parent / "none" / f"x.{suffix}")
    assert (result.exit_code, "No such file or directory" in result.stderr) == (1, True)


def test_a_plot_without_matplotlib_says_what_to_install(auto: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def absent(name: str, *rest: Any, **named: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", absent)
    result = run(auto, "--plot", auto.with_suffix(".png"))
    assert str(result.exception) == "plots need matplotlib: pip install matplotlib"
