"""A release: one version, and distributions that hold what they should and run in a clean environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import warnings
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from invocation import invoke

from ccgkit import __version__
from ccgkit.cli.main import main
from ccgkit.models import installed
from ccgkit.parsing import is_compiled

ROOT = Path(__file__).parent.parent
METADATA = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
LARGEST = 30_000_000  # bytes of a wheel, of which the models are most


def test_the_version_stands_in_one_place() -> None:
    assert METADATA["project"]["dynamic"] == ["version"]
    assert METADATA["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "ccgkit._version.__version__"}
    assert "\nversion:" not in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_command_tells_version_commit_and_search() -> None:
    told = invoke(main, "--version").output
    found = re.fullmatch(r"ccgkit (\S+) \(commit (\S+)\), (.+)\n", told)
    assert found and found[1] == __version__ and re.fullmatch(r"unknown|[0-9a-f]{7,}(-dirty)?", found[2])
    assert ("compiled search" in told) == is_compiled()


def test_the_metadata_are_complete() -> None:
    project = METADATA["project"]
    assert all(project[key] for key in ("authors", "classifiers", "keywords", "license", "readme", "urls"))
    assert all((ROOT / name).is_file() for name in project["license-files"])


def runs(workflow: Path) -> Iterator[str]:
    """What the steps of a workflow run; every step runs or uses something."""
    for job in yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"].values():
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step), step
            yield step.get("run", "")


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_what_there_is(workflow: Path) -> None:
    commands = "\n".join(runs(workflow))
    extras = re.findall(r"\.\[(\w+)\]", commands)
    assert set(extras) <= set(METADATA["project"]["optional-dependencies"])
    modules = set(re.findall(r"python3? -m (\w+)", commands)) - {"pip"}
    assert [name for name in modules if find_spec(name) is None and name != "sphinx"] == []
    assert all(os.access(ROOT / path, os.X_OK) for path in re.findall(r"\.ci/\w+", commands))


def test_the_pythons_that_are_promised_are_those_that_are_tested() -> None:
    tests = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))
    tested = tests["jobs"]["tests"]["strategy"]["matrix"]["python"]
    promised = re.findall(r"Python :: (3\.\d+)'", str(METADATA["project"]["classifiers"]))
    assert tested == promised and METADATA["project"]["requires-python"] == f">={tested[0]}"
    assert METADATA["tool"]["cibuildwheel"]["build"] == f"cp{tested[0].replace('.', '')}-*"


def build(folder: Path, *options: str, **environment: str) -> Path:
    """The distribution that is built, in a folder of its own."""
    command = [sys.executable, "-m", "build", "--outdir", str(folder), *options, str(ROOT)]
    subprocess.run(command, check=True, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)
    (made,) = folder.iterdir() if options else folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution beside it."""
    pytest.importorskip("build", reason="needs build: pip install build")
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def pure(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("pure"), "--wheel", CCGKIT_PURE="1")


@pytest.fixture(scope="module")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has nothing but the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("clean")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([programs / "python", "-m", "pip", "install", "-q", str(wheel)], check=True)
    return programs


def run(programs: Path, *words: str) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    command = [programs / "ccgkit", *words]
    done = subprocess.run(
        command, cwd=programs, env=environment, capture_output=True, text=True, encoding="utf-8", check=True
    )
    return done.stdout


@pytest.mark.slow
def test_a_wheel_holds_models_and_licences_and_nothing_of_the_workshop(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert wheel.stat().st_size < LARGEST
    assert {f"ccgkit/models/{model.path.name}/README.md" for model in installed()} <= set(names)
    assert {f"ccgkit/models/{model.path.name}/weights.safetensors" for model in installed()} <= set(names)
    licences = {name.partition(".dist-info/licenses/")[2] for name in names}
    assert {"LICENSE", "ccgkit/models/NOTICE.md", "ccgkit/models/LICENSE-Apache-2.0.txt"} <= licences
    assert {"ccgkit/py.typed", "ccgkit/grammar/category.lark", "ccgkit/serve/page/index.html"} <= set(names)
    assert {name.split("/")[0] for name in names} == {"ccgkit", f"ccgkit-{__version__}.dist-info"}
    assert [name for name in names if re.search(r"recipes|tests?/|\.[ch]pp$|\.pyc$", name)] == []


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        return Parser().parsestr(archive.read(f"ccgkit-{__version__}.dist-info/METADATA").decode())


@pytest.mark.slow
def test_a_wheel_tells_an_index_what_it_is(wheel: Path) -> None:
    told = metadata(wheel)
    assert (told["Name"], told["Version"], told["License-Expression"]) == ("ccgkit", __version__, "MIT")
    assert told["Requires-Python"] == METADATA["project"]["requires-python"]
    assert told["Description-Content-Type"] == "text/markdown"
    assert told.get_payload().startswith("# ccgkit\n")
    assert all(told[field] for field in ("Summary", "Author", "Keywords", "Classifier"))
    assert set(told.get_all("Provides-Extra")) == set(METADATA["project"]["optional-dependencies"])
    addresses = {line.partition(",")[0] for line in told.get_all("Project-URL")}
    assert "Paper" in addresses
    if missing := {"Repository", "Documentation"} - addresses:
        warnings.warn(
            f"before uploading, write {', '.join(sorted(missing))} into [project.urls]", stacklevel=1
        )


@pytest.mark.slow
def test_a_source_distribution_holds_what_building_takes(wheel: Path) -> None:
    with tarfile.open(next(wheel.parent.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"pyproject.toml", "setup.py", "LICENSE", "README.md", "ccgkit/commit.txt"}
    assert wanted | {"ccgkit/parsing/_astar.cpp", "ccgkit/parsing/_grammar.hpp"} <= names
    assert [name for name in names if name.startswith(("recipes", "benchmarks"))] == []


@pytest.mark.slow
def test_a_wheel_runs_in_a_clean_environment(clean: Path) -> None:
    told = run(clean, "--version")
    assert told.startswith(f"ccgkit {__version__} (commit ") and "unknown" not in told
    assert run(clean, "tag", "United serves Miami.").split()[1] == r"serves|VBZ|(S[dcl]\NP)/NP"
    assert "S[dcl]" in run(clean, "parse", "United serves Miami.")


@pytest.mark.slow
def test_the_site_needs_nothing_but_its_extra(clean: Path, wheel: Path, tmp_path: Path) -> None:
    subprocess.run([clean / "python", "-m", "pip", "install", "-q", f"{wheel}[docs]"], check=True)
    command = [clean / "python", "-m", "sphinx", "-W", "-n", "-q", str(ROOT / "docs"), str(tmp_path)]
    subprocess.run(command, check=True, cwd=tmp_path)
    assert (tmp_path / "reference" / "api" / "serve.html").is_file()


@pytest.mark.slow
def test_a_wheel_for_every_system_searches_in_python(clean: Path, pure: Path) -> None:
    assert pure.name == f"ccgkit-{__version__}-py3-none-any.whl"
    install = [clean / "python", "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", str(pure)]
    subprocess.run(install, check=True)
    assert "search in Python" in run(clean, "--version")
    assert "S[dcl]" in run(clean, "parse", "United serves Miami.")
