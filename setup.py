"""Says what to do where a clone's links became plain files; everything else is in pyproject.toml."""

from pathlib import Path

from setuptools import setup

if any((Path(__file__).parent / "ccgkit" / room).is_file() for room in ("grammar", "parser_bridge", "cli")):
    raise SystemExit(
        "This clone of ccgkit was made without symbolic links, which its folders need.\n"
        "Clone again with 'git clone -c core.symlinks=true …' (on Windows with developer mode on), "
        "or install a wheel."
    )

setup()
