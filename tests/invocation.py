"""Commands called as from a shell."""

from __future__ import annotations

import click
from click.testing import CliRunner, Result


def invoke(command: click.Command, *arguments: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments], input=stdin)
