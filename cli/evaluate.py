"""`ccgkit evaluate`: the group of scorers. Each is a module `evaluate_…` of this package."""

from __future__ import annotations

from importlib import import_module
from importlib.resources import files
from typing import cast

import click

__all__ = ["command"]

_PREFIX = "evaluate_"


class _Scorers(click.Group):
    """Scorers found by name: `derivations` is `evaluate_derivations.command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        names = (entry.name for entry in files(__package__).iterdir())
        found = (
            name.removesuffix(".py") for name in names if name.startswith(_PREFIX) and name.endswith(".py")
        )
        return sorted(name.removeprefix(_PREFIX).replace("_", "-") for name in found)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(ctx):
            return None
        module = import_module(f"{__package__}.{_PREFIX}{name.replace('-', '_')}")
        return cast(click.Command, module.command)


@click.group("evaluate", cls=_Scorers, short_help="Score tags, derivations or dependencies.")
def command() -> None:
    """Compare tags, dependencies or derivations with gold ones."""
