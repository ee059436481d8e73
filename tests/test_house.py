"""The house: rooms import as docs/architecture.md says, start-up is light, CI does what the README says."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| .* \| (.*?) ?\|$", ARCHITECTURE.split("\n## ")[1], re.M)
ROOMS = [room for room, _ in ROWS]
MAY_IMPORT = {room: set(ROOMS if may == "everything" else re.findall(r"\w+", may)) for room, may in ROWS}


def package_of(path):
    """The package that a module belongs to, as the parts of its name."""
    parts = path.relative_to(ROOT).parts[:-1]
    return parts if parts[0] == "ccgkit" else ("ccgkit", *parts)


def imported_rooms(path):
    """The rooms that a module imports from, and the names that it imports from the package itself."""
    package = package_of(path)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            parts = [*above, *(node.module.split(".") if node.module else [])]
            if parts[0] == "ccgkit":
                yield from parts[1:2] or [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("ccgkit."))


def modules():
    """Every module of the package with its room; those of the package itself are of the room `ccgkit`."""
    links = [path.name for path in (ROOT / "ccgkit").iterdir() if path.is_symlink()]
    for top in ("ccgkit", *links):
        for path in sorted((ROOT / top).rglob("*.py")):
            name = package_of(path)[1:] or (path.stem,)
            yield ("ccgkit" if name[0].startswith("_") else name[0]), path


MODULES = list(modules())
IMPORTS = {
    (room, target): path
    for room, path in MODULES
    for target in imported_rooms(path)
    if target not in (room, "_version")
}


def test_every_room_is_in_the_table():
    assert {room for room, _ in MODULES} - {"ccgkit"} == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_may_import_only_rooms_above_its_row(room):
    if room != "cli":
        assert MAY_IMPORT[room] <= set(ROOMS[: ROOMS.index(room)])


@pytest.mark.parametrize("room", [room for room in ROOMS if room != "cli"])
def test_a_room_imports_what_its_row_names_and_nothing_else(room):
    found = {target: path for (one, target), path in IMPORTS.items() if one == room}
    assert {target: path for target, path in found.items() if target not in MAY_IMPORT[room]} == {}
    assert MAY_IMPORT[room] <= found.keys()


def test_the_package_itself_only_offers_names():
    assert {target for room, target in IMPORTS if room == "ccgkit"} == {
        "grammar",
        "sentence",
        "document",
        "pipeline",
    }


@pytest.mark.parametrize(
    "code",
    [
        "import ccgkit",
        "import ccgkit.corpora, ccgkit.oracles, ccgkit.grammar",
        "from click.testing import CliRunner; from ccgkit.cli.main import main;"
        "assert CliRunner().invoke(main, ['--help']).exit_code == 0",
        "from click.testing import CliRunner; from ccgkit.cli.main import main;"
        "assert CliRunner().invoke(main, ['validate-category', 'NP', 'S//']).exit_code == 1",
        "from click.testing import CliRunner; from ccgkit.cli.main import main;"
        "assert CliRunner().invoke(main, ['parse', '--lexicon', 'docs/pictures/likes.lex', 'the book'])"
        ".exit_code == 0",
    ],
)
def test_start_up_never_imports_torch(code):
    check = f"{code}\nimport sys\nassert not {{'torch', 'transformers', 'matplotlib'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True, cwd=ROOT)


def test_a_clone_without_links_says_what_to_do(tmp_path):
    package = tmp_path / "ccgkit"
    package.mkdir()
    (package / "__init__.py").write_bytes((ROOT / "ccgkit" / "__init__.py").read_bytes())
    (package / "grammar").write_text("../grammar")
    assert "without symbolic links" in complaint(tmp_path, "-c", "import ccgkit")
    (tmp_path / "setup.py").write_bytes((ROOT / "setup.py").read_bytes())
    assert "without symbolic links" in complaint(tmp_path, "setup.py", "--version")


def complaint(folder, *arguments):
    return subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True).stderr


def commands_of_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```[a-z]*\n(.*?)^```", text, re.M | re.S)
    return [line for block in blocks for line in block.splitlines() if "pip install" in line]


def test_ci_runs_exactly_the_test_command_of_the_readme():
    main_job, tests = commands_of_readme()[:2]
    assert "ccgkit" in main_job and "pytest" in tests
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    (extract,) = re.findall(r"^tests=\$\((.*)\)$", script, re.M)
    found = subprocess.run(["bash", "-c", extract], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == tests
    assert 'bash -c "$tests"' in script


def test_the_workflows_test_every_supported_python_on_every_system():
    tests = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    lowest = re.search(r'requires-python = ">=3\.(\d+)"', (ROOT / "pyproject.toml").read_text("utf-8"))
    versions = [
        int(minor) for minor in re.findall(r'"3\.(\d+)"', tests.split("matrix:")[1].split("\n    runs-on")[0])
    ]
    assert versions == list(range(int(lowest[1]), max(versions) + 1))
    assert all(f"{system}-latest" in tests for system in ("ubuntu", "macos", "windows"))
    assert ".ci/run" in tests and os.access(ROOT / ".ci" / "run", os.X_OK)


def test_torch_is_bounded_only_where_newer_releases_bring_cuda():
    metadata = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.findall(r'"torch(.*?); sys_platform (..) \'linux\'"', metadata) == [
        (">=2.6,<3", "!="),
        (">=2.6,<=2.13.0", "=="),
    ]
    assert "2.13.0" in (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
