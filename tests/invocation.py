"""Commands called as from a shell."""

from __future__ import annotations

import os
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import click
from click.testing import CliRunner, Result


def invoke(command: click.Command, *arguments: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments], input=stdin)


def run_quietly(arguments: list[str]) -> None:
    """The whole of `ccgkit` in a process of its own, which may be killed."""
    from ccgkit.cli.main import main

    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        main(arguments, "ccgkit")
