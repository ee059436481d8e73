"""The optional compiled search, the commit, a word to clones without links; all else is in pyproject.toml."""

import os
import runpy
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

PACKAGE = Path(__file__).parent / "ccgkit"
PURE = bool(os.environ.get("CCGKIT_PURE"))  # one wheel for every system, whose parser searches in Python

if any((PACKAGE / room).is_file() for room in ("grammar", "parser_bridge", "cli")):
    raise SystemExit(
        "This clone of ccgkit was made without symbolic links, which its folders need.\n"
        "Clone again with 'git clone -c core.symlinks=true …' (on Windows with developer mode on), "
        "or install a wheel."
    )

ASTAR = Extension(
    "ccgkit.parsing._astar",
    ["ccgkit/parsing/_astar.cpp"],
    depends=["ccgkit/parsing/_grammar.hpp"],
    language="c++",
    extra_compile_args=["/std:c++17", "/O2"] if sys.platform == "win32" else ["-std=c++17", "-O2"],
    py_limited_api=True,
    optional=True,  # without a compiler the parser searches in Python
)


def write_commit(folder: Path) -> None:
    """Have a distribution know its commit, which `ccgkit --version` tells."""
    commit = runpy.run_path(str(PACKAGE / "_version.py"))["commit"]()
    if commit:
        (folder / "ccgkit" / "commit.txt").write_text(f"{commit}\n", encoding="utf-8")


class BuildWithCommit(build_py):
    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            write_commit(Path(self.build_lib))


class SourceWithCommit(sdist):
    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        write_commit(Path(base_dir))


setup(
    ext_modules=[] if PURE else [ASTAR],
    options={} if PURE else {"bdist_wheel": {"py_limited_api": "cp311"}},
    cmdclass={"build_py": BuildWithCommit, "sdist": SourceWithCommit},
)
