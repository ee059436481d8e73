"""The optional compiled search, and a word to clones without links; all else is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import Extension, setup

if any((Path(__file__).parent / "ccgkit" / room).is_file() for room in ("grammar", "parser_bridge", "cli")):
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

setup(ext_modules=[ASTAR], options={"bdist_wheel": {"py_limited_api": "cp311"}})
