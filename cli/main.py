"""`ccgkit`: the group of commands. Each command is a module of this package, imported on demand."""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

import click

from ccgkit import CCGKitError, __version__

__all__ = ["main"]

COMMANDS = (
    "validate-category",
    "convert",
    "stats",
    "view",
    "oracle",
    "train",
    "tune-reranker",
    "experiment",
    "tag",
    "models",
    "parse",
    "evaluate",
    "export-candc-grammar",
    "doctor",
)


class Commands(click.Group):
    """Commands found by name in this package: `validate-category` is `validate_category.command`.

    Whatever a command raises on purpose ends in one message on stderr and exit code 1.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        return cast(click.Command, import_module(f"ccgkit.cli.{name.replace('-', '_')}").command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            close = get_close_matches(args[0], COMMANDS, 1)
            if not close:
                raise
            raise click.UsageError(f"{error.message} Did you mean {close[0]!r}?", ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CCGKitError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(1)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ccgkit")
def main() -> None:
    """A toolkit for Combinatory Categorial Grammar."""
