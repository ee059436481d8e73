"""Every command that the documentation shows runs in a shell, or is listed here with the reason why not."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import shutil
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import click
import pytest
from invocation import invoke
from pages import PAGES, ROOT, blocks, furnish, relative
from tiny import NO_BERT, TINY
from warm import warm_program

from ccgkit.cli.main import main

INDEX = "asks a package index, and changes the environment; tests/test_release.py installs what is built"
SUITE = "is a run of these tests, of the linters or of the site, which CI does"
CORPORA = "reads corpora that are not in the repository, most of them for hours"
MEASURES = "measures for minutes on a quiet machine"
CLUSTER = "needs a cluster; tests/batch and tests/training start small ones of their own"
OTHERS = "is a program of somebody else's"
GPU = "needs a GPU"
ELSEWHERE = "copies models that the commands of another page make"

#: how the commands that are not run begin, and why
NOT_RUN = {
    "python3 -m pip install": INDEX,
    "pip install": INDEX,
    "pip download": INDEX,
    "npm pack": INDEX,
    "tar xzf wink": INDEX,
    "mkdir -p prose/": INDEX,
    "tar xzf stdlib": INDEX,
    "apt-get download": INDEX,
    "dpkg -x": INDEX,
    "unzip gensim": INDEX,
    "python3 -m twine": INDEX,
    "python3 -m venv": INDEX,
    ". .venv/bin/activate": INDEX,
    "pre-commit install": INDEX,
    "CCGKIT_PURE=1 python3 -m build": INDEX,
    "python3 -m pytest": SUITE,
    "python -m pytest": SUITE,
    "CCGKIT_DATA=DIR python -m pytest": SUITE,
    "python3 -m sphinx": SUITE,
    ".ci/": SUITE,
    "python -m recipes.": CORPORA,
    "python recipes/": CORPORA,
    "ccgkit convert WORK/": CORPORA,
    "python benchmarks/": MEASURES,
    "ray start": CLUSTER,
    "export AWS_": CLUSTER,
    'ccgkit annotate "corpus/**/*.parquet" --output s3://': CLUSTER,
    'ccgkit annotate "s3://': CLUSTER,
    "ccgkit annotate s3://": CLUSTER,
    "PYSPARK_PYTHON=": CLUSTER,
    "sbatch": CLUSTER,
    "torchrun --nnodes": CLUSTER,
    "head=$(scontrol": CLUSTER,
    "srun": CLUSTER,
    "python scripts/semparse.py": OTHERS,
    "cp -r exp": ELSEWHERE,
    "ccgkit tag --device cuda": GPU,
    "ccgkit train configs/cgng2.toml --train train.auto --dev dev.auto --output DIR --device cuda": GPU,
}
#: how those begin that are run with more than they show, and with what
MORE = {
    "ccgkit train": " ".join(f"--set {one}" for one in ("decoder.threshold=1", *TINY)),
    "ccgkit experiment": " ".join(["--seeds 1", f"--bert {NO_BERT}", *(f"--set {one}" for one in TINY)]),
    "torchrun": " ".join(f"--set {one}" for one in ("decoder.threshold=1", *TINY)),
    "ccgkit annotate": "--workers 1",
    "ccgkit export-candc-grammar HOME": "--force",
}
#: what stands for something that a page leaves out
LEFT_OUT = {"ccgkit train configs/cc.toml …": "--train train.stagged --dev dev.stagged --output trained"}
#: those that are shown because something is wrong
FAIL = ("ccgkit validate-category '(S[dcl]", "ccgkit doctor --cc-jar")
NEEDS = {
    "--cc-jar": "javac",
    "-o tree.png": "cairosvg",
    "ccgkit annotate": "pyarrow",
    "ccgkit serve": "uvicorn",
}

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the shell of the pages is Unix's")


@dataclass(frozen=True)
class Shown:
    """A command as a page shows it, with what it is shown to print."""

    page: str
    line: str
    output: str = ""

    def begins(self, with_one_of: tuple[str, ...]) -> bool:
        return self.line.startswith(with_one_of)


def commands(text: str) -> list[str]:
    """What a snippet has a shell do, one command after the other."""
    lines = re.sub(r"\s*\\\n\s*", " ", text).splitlines()
    bare = [re.sub(r"(^|\s+)#.*", "", line) for line in lines]
    return [piece for line in bare for piece in line.split(" && ") if piece]


def shown() -> list[Shown]:
    found = [
        Shown(relative(page), line)
        for page in PAGES
        for text in blocks(page, "sh")
        for line in commands(text)
    ]
    for page in PAGES:
        for text in blocks(page, "console"):
            line, output = text.removeprefix("$ ").split("\n", 1)
            found.append(Shown(relative(page), line, output))
    return found


FENCED = re.compile(r"^ *```.*?^ *```", re.M | re.S)
INLINE = re.compile(r"(?<!`)`((?:ccgkit|python3?|pip) [^`]+)`(?!`)")
PIECE = re.compile(r"""(?:'[^']*'|"[^"]*"|[^|&;)'"])+""")  # of a pipeline
SHOWN = shown()
RUN = [one for one in SHOWN if not one.begins(tuple(NOT_RUN))]


def test_what_is_not_run_is_shown_somewhere() -> None:
    for listed in (NOT_RUN, MORE, dict.fromkeys(FAIL)):
        assert [start for start in listed if not any(one.begins((start,)) for one in SHOWN)] == []
    assert [part for part in (*NEEDS, *LEFT_OUT) if not any(part in one.line for one in SHOWN)] == []


def test_commands_are_marked_as_those_of_a_shell() -> None:
    others = [text for page in PAGES for text in blocks(page, "", "text", "bash", "shell")]
    assert [text for text in others if re.match(r"(\$ |ccgkit |python3? |pip )", text)] == []


# --- what runs


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = furnish(tmp_path_factory.mktemp("desk"))
    if shutil.which("javac"):
        install_candc(folder)
    return folder


def install_candc(desk: Path) -> None:
    """The program that stands in for C&C, with grammars of the toy language, one without features."""
    source = ROOT / "tests" / "parser_bridge" / "java" / "Parser.java"
    subprocess.run(["javac", "-encoding", "UTF-8", "-d", desk / "classes", source], check=True)
    subprocess.run(["jar", "cf", desk / "candc.jar", "-C", desk / "classes", "."], check=True)
    for name in ("candc", "HOME", "download"):
        assert (
            invoke(main, "export-candc-grammar", desk / name, desk / "train.auto", "--model").exit_code == 0
        )
    (desk / "download" / "words_feats" / "wsj02-21.feats.1-22").unlink()


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with `ccgkit`, beside the Python of the tests."""
    folder = tmp_path_factory.mktemp("programs")
    with warm_program(folder):
        yield folder


@pytest.fixture
def environment(programs: Path) -> dict[str, str]:
    here = {key: value for key, value in os.environ.items() if not key.startswith("CCGKIT_")}
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), here["PATH"]])
    return here | {"PATH": path, "BROWSER": "true", "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}


def is_missing(need: str) -> bool:
    return shutil.which(need) is None and find_spec(need) is None


def adapted(line: str) -> str:
    """A command as it is run."""
    for start, rest in LEFT_OUT.items():
        line = line.replace(start, start.replace("…", rest))
    more = [added for start, added in MORE.items() if line.startswith(start)]
    return " ".join([line, *more])


def run(one: Shown, desk: Path, environment: dict[str, str]) -> str:
    """What is wrong with a command, if anything is."""
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {adapted(one.line)}"],
        cwd=desk, env=environment, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if bool(done.returncode) != one.begins(FAIL):
        return f"{one.line}\nends with {done.returncode}:\n{done.stdout}"
    return "" if fits(one.output, done.stdout) else f"{one.line}\nprints:\n{done.stdout}"


def fits(output: str, printed: str) -> bool:
    """Whether something is printed as it is shown, in which `…` stands for anything."""
    return not output or bool(re.fullmatch(re.escape(output).replace("…", ".*"), printed, re.S))


def wanted(page: str) -> list[Shown]:
    """The commands of a page that are run and for which all is there."""
    found = [one for one in RUN if one.page == page]
    lacking = [part for part, need in NEEDS.items() if is_missing(need)]
    return [one for one in found if not any(part in one.line for part in lacking)]


def work_through(page: list[Shown], desk: Path, environment: dict[str, str]) -> list[str]:
    """What is wrong with commands, one after the other on a desk; a service runs until there is another."""
    found, port = [], 8000
    with ExitStack() as services:
        for one in page:
            if "ccgkit serve" in one.line:
                services.close()
                port = services.enter_context(served(one, desk, environment))
            else:
                found.append(run(replace(one, line=one.line.replace(":8000", f":{port}")), desk, environment))
    return [told for told in found if told]


@contextmanager
def served(one: Shown, desk: Path, environment: dict[str, str]) -> Iterator[int]:
    """The port of a service, which answers there."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = f"{one.line} --port {port} & trap 'kill $!' TERM; wait; wait"
    with subprocess.Popen(["bash", "-c", command], cwd=desk, env=environment) as process:
        try:
            wait_for(f"http://127.0.0.1:{port}/health", process)
            yield port
        finally:
            process.terminate()


def wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(1200):
        assert process.poll() is None, "the service has ended"
        with suppress(URLError, ConnectionError), urlopen(address) as answer:
            return answer.read()
        time.sleep(0.1)
    raise AssertionError("the service does not answer")


def copied(desk: Path, folder: Path) -> Path:
    return Path(shutil.copytree(desk, folder / "desk", symlinks=True))


@pytest.mark.slow  # all together take a minute or two
@pytest.mark.parametrize("page", sorted({one.page for one in RUN}))
def test_the_commands_of_a_page_run(
    page: str, desk: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    assert work_through(wanted(page), copied(desk, tmp_path), environment) == []


# --- what they name is there


def inline() -> list[Shown]:
    """Commands within sentences."""
    found = [(relative(page), FENCED.sub("", page.read_text(encoding="utf-8"))) for page in PAGES]
    return [Shown(page, " ".join(line.split())) for page, text in found for line in INLINE.findall(text)]


ALL = sorted({*SHOWN, *inline()}, key=lambda one: (one.page, one.line))


def options(words: list[str]) -> set[str]:
    return {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}


def words(line: str) -> list[str]:
    return shlex.split(line.replace("…", "").replace("[FILES]", ""))


def parts(start: str) -> list[tuple[str, list[str]]]:
    """What stands behind a beginning in every command, up to the end of its part of a pipeline."""
    found = [(one.line, re.search(rf"(?:^|[\s(])({start}.*)", one.line)) for one in ALL]
    pieces = [(line, PIECE.match(match[1])) for line, match in found if match]
    return [(line, words(piece[0].partition(" > ")[0])) for line, piece in pieces if piece]


@pytest.mark.parametrize(("line", "named"), parts("ccgkit "))
def test_a_command_has_the_options_that_are_shown(line: str, named: list[str]) -> None:
    command: click.Command = main
    rest = named[1:]
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        found = command.get_command(click.Context(command), rest.pop(0))
        assert found is not None, line
        command = found
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    assert options(rest) <= known | {"--help", "-h", "--version"}, line


def scripts() -> dict[str, tuple[str, list[str]]]:
    """The module and the arguments of every command that runs a script of the repository."""
    found = {}
    for line, named in parts(r"python3? (?:-m recipes\.|recipes/|benchmarks/)"):
        place = 2 if named[1] == "-m" else 1
        found[line] = named[place].removesuffix(".py").replace("/", "."), named[place + 1 :]
    return found


def test_scripts_that_are_shown_exist() -> None:
    modules = {module for module, _ in scripts().values()}
    assert len(modules) > 15 and [name for name in modules if not module_path(name).is_file()] == []


def module_path(name: str) -> Path:
    return ROOT / f"{name.replace('.', '/')}.py"


@pytest.mark.parametrize("line", [line for line, (_, rest) in scripts().items() if options(rest)])
def test_a_script_has_the_options_that_are_shown(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module, rest = scripts()[line]
    positional = rest[: next((place for place, word in enumerate(rest) if word.startswith("-")), len(rest))]
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.setattr(sys, "argv", [module, *positional, "--help"])
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(SystemExit):
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    told = capsys.readouterr().out
    assert all(re.search(rf"(?<![\w-]){option}(?![\w-])", told) for option in options(rest)), told


def test_pytest_has_the_options_that_are_shown(pytestconfig: pytest.Config) -> None:
    found = [named for _, named in parts(r"python3? -m pytest")]
    named = set().union(*(options(line[3:]) for line in found))
    assert {"--fuzz", "-m", "-n"} <= named
    assert [option for option in named if pytestconfig.getoption(option, "unknown") == "unknown"] == []


def test_extras_that_are_installed_exist() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    named = re.findall(r"(?:\.|ccgkit|source)\[([\w,]+)\]", "\n".join(one.line for one in ALL))
    assert named and {extra for names in named for extra in names.split(",")} <= set(extras)


def test_files_of_the_repository_that_are_named_exist() -> None:
    folders = r"(?:docs|tests|configs|recipes|benchmarks|\.ci)"
    named = {path for one in ALL for path in re.findall(rf"(?<![\w/.-]){folders}/[\w./-]*\w", one.line)}
    assert len(named) > 10 and [path for path in sorted(named) if not (ROOT / path).exists()] == []
