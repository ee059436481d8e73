"""The house: rooms import one way, start-up stays light, the README's commands are what CI runs."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "grammar": {"grammar"},
    "parser_bridge": {"parser_bridge", "grammar", "corpora", "evaluation", "sentence", "parsing"},
}


def imported_rooms(path):
    """Names of the rooms under `ccgkit` that a module imports, absolutely or relatively."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").startswith("ccgkit"):
            parts = (node.module or "").split(".")
            yield from [parts[1]] if len(parts) > 1 else [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level >= len(path.relative_to(ROOT).parts):
            yield (node.module or "").split(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("ccgkit."))


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_lies_below_it(room):
    for path in (ROOT / room).rglob("*.py"):
        assert set(imported_rooms(path)) <= MAY_IMPORT[room], path


def test_nothing_below_imports_the_command_line():
    for room in ("grammar", "ccgkit", "parser_bridge"):
        for path in (ROOT / room).rglob("*.py"):
            if path.resolve().relative_to(ROOT.resolve()).parts[0] != "cli":
                assert "cli" not in set(imported_rooms(path)), path


@pytest.mark.parametrize(
    "code",
    [
        "import ccgkit",
        "import ccgkit.corpora, ccgkit.oracles, ccgkit.grammar",
        "from click.testing import CliRunner; from ccgkit.cli.main import main;"
        "assert CliRunner().invoke(main, ['--help']).exit_code == 0",
        "from click.testing import CliRunner; from ccgkit.cli.main import main;"
        "assert CliRunner().invoke(main, ['validate-category', 'NP', 'S//']).exit_code == 1",
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


def test_torch_is_bounded_to_releases_with_a_cpu_build():
    assert '"torch>=2.6,<=2.13.0"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
