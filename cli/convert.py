"""`ccgkit convert`: a corpus file from one format into another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ccgkit.corpora.ccgbank import CCGbankReader
    from ccgkit.corpora.codec import File, OnError, Reader, Unreadable
    from ccgkit.sentence import Sentence

__all__ = ["command"]


def _list_formats(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from ccgkit.corpora import formats

    for name, codec in formats().items():
        click.echo(f"{name:10} {', '.join(codec.suffixes):28} {codec.title}")
    ctx.exit()


@click.command()
@click.argument("source", metavar="IN", type=click.Path(exists=True, allow_dash=True))
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--from", "origin", metavar="FORMAT", help="Format of IN; else told from its name or content.")
@click.option("--to", "to", metavar="FORMAT", help="Format of OUT; else told from its name.")
@click.option(
    "--split", metavar="PART", help="IN is CCGbank's folder: train, dev, test or sections as 02-05."
)
@click.option(
    "--on-error",
    type=click.Choice(["raise", "skip", "keep"]),
    default="raise",
    show_default=True,
    help="A sentence that does not read: stop, leave it out, or keep it as it is (same format only).",
)
@click.option("--formats", is_flag=True, is_eager=True, expose_value=False, callback=_list_formats,
              help="List the formats and stop.")  # fmt: skip
def command(
    source: str, target: str, origin: str | None, to: str | None, split: str | None, on_error: OnError
) -> None:
    """Convert the corpus file IN to OUT; - is standard input or output.

    Names that end in .gz are zipped. OUT is replaced only when all of IN has been read.
    """
    from ccgkit.corpora import codec
    from ccgkit.corpora.registry import named

    out = to or (None if target == "-" else named(target))
    if out is None:
        raise click.UsageError("the format of OUT cannot be told from its name: give it with --to")
    wanted = codec(out)
    reader = _open(source, origin, out, on_error) if split is None else _open_bank(source, split, on_error)
    try:
        count = wanted.dump(reader, sys.stdout.buffer if target == "-" else Path(target))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.ClickException(f"{target}: {error.strerror or error}") from error
    if target == "-":
        sys.stdout.buffer.flush()
    _report(reader, count, on_error)


def _open(source: str, origin: str | None, out: str, on_error: OnError) -> Reader[Sentence | Unreadable]:
    from ccgkit.corpora import check_conversion, load

    if Path(source).is_dir():
        raise click.UsageError(f"{source} is a folder: if it is CCGbank, name its part with --split")
    file: File = sys.stdin.buffer if source == "-" else source
    reader = load(file, origin, on_error)
    check_conversion(reader.codec.name, out)
    if on_error == "keep" and reader.codec.name != out:
        raise click.UsageError(f"--on-error keep needs the same format on both sides, not {out}")
    return reader


def _open_bank(source: str, split: str, on_error: OnError) -> CCGbankReader:
    from ccgkit.corpora import load_ccgbank

    if on_error == "keep":
        raise click.UsageError("--on-error keep needs a file")
    return load_ccgbank(source, split, on_error)


def _report(reader: Reader[Sentence | Unreadable] | CCGbankReader, count: int, on_error: OnError) -> None:
    """Numbers on stderr, where they do not disturb a pipe."""
    done = f"{count} sentences"
    if not reader.skipped:
        click.echo(done, err=True)
        return
    what = "kept unread" if on_error == "keep" else "skipped"
    click.echo(f"{done}, {reader.skipped} {what}; the first:\n{reader.errors[0]}", err=True)
