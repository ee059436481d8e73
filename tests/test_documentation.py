"""The Python of the documentation runs, its data read, and its pages lead to each other."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from invocation import invoke
from pages import PAGES, ROOT, blocks, furnish, relative

from ccgkit.cli.main import main

SAW = r"I|PRP|NP saw|VBD|(S[dcl]\NP)/NP the|DT|NP/N man|NN|N with|IN|(NP\NP)/NP a|DT|NP/N telescope|NN|N"
# for each page the names that it takes for granted, then a snippet after the other up to one that fails
RUN = """
import contextlib, doctest, io, json, sys, traceback
from ccgkit import Category
from ccgkit.corpora import loads


def run(text, names, name):
    if ">>> " not in text:
        exec(compile(text, name, "exec"), names)
        return 0
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    runner.run(test, clear_globs=False)
    names.update(test.globs)
    return runner.failures


def failure(snippets):
    (sentence,) = loads(saw, "stagged")
    names = {"sentence": sentence, "atoms": (Category.parse("NP"),)}
    with contextlib.redirect_stdout(io.StringIO()) as output:
        for number, text in enumerate(snippets, 1):
            try:
                if run(text, names, f"snippet {number}"):
                    return output.getvalue()
            except Exception:
                return traceback.format_exc()
    return ""


saw, pages = json.load(sys.stdin)
json.dump({page: failure(snippets) for page, snippets in pages.items()}, sys.stdout)
"""
NEIGHBOURS = {
    "interop.lambeq": "lambeq",
    "import spacy": "spacy",
    "import pyarrow": "pyarrow",
    "encoders.bert": "transformers",
}  # what snippets say, and what they need
JAVA = {"candc.md"}  # pages whose snippets need the Java C&C parser: nothing but their imports is run


def imports(text: str) -> str:
    """The import statements of a snippet."""
    found = [one for one in ast.parse(text).body if isinstance(one, ast.Import | ast.ImportFrom)]
    return "\n".join(map(ast.unparse, found))


def snippets(page: Path) -> list[str]:
    missing = [said for said, module in NEIGHBOURS.items() if find_spec(module) is None]
    found = [text for text in blocks(page, "python") if not any(said in text for said in missing)]
    return list(map(imports, found)) if page.name in JAVA else found


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = furnish(tmp_path_factory.mktemp("desk"))
    if find_spec("pyarrow"):
        (folder / "annotated").rename(folder / "parsed")  # which a command of the page has made by then
    return folder


@pytest.fixture(scope="module")
def failures(desk: Path) -> dict[str, str]:
    """What goes wrong on each page, run in a process of their own: what pages register is nobody else's."""
    pages = {relative(page): snippets(page) for page in PAGES}
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        cwd=desk,
        input=json.dumps([SAW, pages]),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("page", [relative(page) for page in PAGES])
def test_the_snippets_of_a_page_run_one_after_the_other(page: str, failures: dict[str, str]) -> None:
    assert failures[page] == ""


@pytest.mark.parametrize(("language", "read"), [("json", json.loads), ("toml", tomllib.loads)])
def test_what_is_shown_as_data_reads(language: str, read: Callable[[str], object]) -> None:
    found = [text for page in PAGES for text in blocks(page, language)]
    assert found and all(map(read, found))


def test_the_readme_leads_to_every_page() -> None:
    links = set(re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {link for link in links if not (ROOT / link).exists()} == set()
    pages = {f"docs/{path.name}" for path in (ROOT / "docs").iterdir() if path.suffix in (".md", ".ipynb")}
    assert pages - {"docs/changelog.md", "docs/contributing.md"} <= links  # which stand for files beside it


def navigation(page: Path) -> Iterator[Path]:
    """The pages that the lists of a page name, and those that theirs name."""
    for block in re.findall(r"^```\{toctree\}\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S):
        for entry in re.findall(r"^(?!:)(\S+)$", block, re.M):
            for found in page.parent.glob(f"{entry}.*"):
                if found.suffix in (".md", ".ipynb") and found != page:
                    yield from (found, *navigation(found))


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    index = ROOT / "docs" / "index.md"
    pages = {path for path in (ROOT / "docs").rglob("*") if path.suffix in (".md", ".ipynb")}
    assert {index, *navigation(index)} == pages


def test_the_navigation_goes_by_reader_then_reference_then_reasons_then_results() -> None:
    order = [
        "start", "parsing", "candc", "teaching", "training", "corpora", "serving", "cluster", "neighbours",
        "reference/commands", "formats", "reference/configuration", "reference/models/index",
        "reference/api/index", "notations", "oracles", "dependencies", "treebank", "architecture",
        "results", "experiments/README",
    ]  # fmt: skip
    listed = [
        path.relative_to(ROOT / "docs").with_suffix("") for path in navigation(ROOT / "docs" / "index.md")
    ]
    places = [listed.index(Path(name)) for name in order]
    assert places == sorted(places)


def test_the_picture_of_the_readme_is_what_its_command_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (line,) = [text for text in blocks(ROOT / "README.md", "sh") if "--lexicon" in text]
    made = tmp_path / "picture.svg"
    monkeypatch.chdir(ROOT)
    invoke(main, *(made if word == made.name else word for word in shlex.split(line)[1:]))
    assert made.read_text() == (ROOT / "docs" / "pictures" / "right-node-raising.svg").read_text()
