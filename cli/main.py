"""`ccgkit`: the group of commands. Each command is a module of this package, imported on demand."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from contextlib import suppress
from importlib import import_module
from typing import Any, cast

import click

from ccgkit import CCGKitError, __version__

__all__ = ["main"]

COMMANDS = (
    "tag",
    "parse",
    "annotate",
    "serve",
    "models",
    "convert",
    "stats",
    "view",
    "evaluate",
    "validate-category",
    "oracle",
    "train",
    "tune-reranker",
    "experiment",
    "export-candc-grammar",
    "export-huggingface",
    "doctor",
)
_INTERRUPTED, _TERMINATED = 130, 143  # as shells have it: 128 and the number of the signal


class Commands(click.Group):
    """Commands found by name in this package: `validate-category` is `validate_category.command`.

    Whatever a command raises on purpose, and a disk that is full, ends in one message on stderr and exit code
    1. SIGTERM is as Ctrl-C.
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
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, _terminated)
        _replace_closed_streams()
        try:
            found = super().invoke(ctx)
            sys.stdout.flush()  # what cannot be written must be told now
            return found
        except CCGKitError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(1)
        except ModuleNotFoundError as error:
            if error.name != "torch":
                raise
            click.echo("Error: models need PyTorch, which is not installed: pip install torch", err=True)
            ctx.exit(1)
        except KeyboardInterrupt as stopped:
            ctx.exit(_TERMINATED if isinstance(stopped, _Terminated) else _INTERRUPTED)
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # nobody reads on, which click knows
            where = error.filename or "the output"
            click.echo(f"Error: {where}: {error.strerror or error}", err=True)
            _forget_output()
            ctx.exit(1)


class _Terminated(KeyboardInterrupt):
    """The process was asked to end."""


def _terminated(*_: object) -> None:
    raise _Terminated


def _replace_closed_streams() -> None:
    """Where a standard stream is closed: nothing to read, no output that succeeds, messages that get lost."""
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _forget_output() -> None:
    """Have Python not try once more to write what could not be written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from ccgkit._version import commit
    from ccgkit.parsing import is_compiled

    search = "compiled search" if is_compiled() else "search in Python: the compiled one is not installed"
    click.echo(f"ccgkit {__version__} (commit {commit() or 'unknown'}), {search}")
    ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_version,
    help="Say which version and commit this is and how it searches, and exit.",
)
def main() -> None:
    """A toolkit for Combinatory Categorial Grammar."""
