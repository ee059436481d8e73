"""`ccgkit annotate`: corpora of any size, in processes of this machine or on a Ray cluster."""

from __future__ import annotations

import sys
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from .tagger_options import find_model, model_options

if TYPE_CHECKING:
    from ccgkit.batch import Failure, Run
    from ccgkit.batch.annotator import Task
    from ccgkit.batch.manifest import Form
    from ccgkit.batch.run import Engine

__all__ = ["command"]

_SHOWN = 10  # failed shards that are named
_CLEAR = "\r\x1b[K"
_DRAWN, _LOGGED = 0.5, 30.0  # seconds between two looks at the progress: at a terminal, in a log


def _part(ctx: click.Context, parameter: click.Parameter, value: str) -> tuple[int, int]:
    """I/N as the two numbers."""
    number, slash, parts = value.partition("/")
    if not (slash and number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
        raise click.BadParameter(f"{value!r} is not a part: write it as in 3/100", ctx, parameter)
    return int(number), int(parts)


@click.command("annotate")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@click.option(
    "-o", "--output", metavar="DIR", required=True, help="Folder for the shards and their manifest."
)
@click.option("--task", type=click.Choice(["tag", "parse"]), default="parse", show_default=True,
              help="What to do with each sentence.")  # fmt: skip
@model_options
@click.option("--format", "form", type=click.Choice(["parquet", "jsonl"]), default="parquet",
              show_default=True, help="Format of the shards. The fields are the same.")  # fmt: skip
@click.option("--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True,
              help="Processes of this machine, or a Ray cluster (pip install 'ccgkit[ray]').")  # fmt: skip
@click.option(
    "--address", metavar="auto|HOST:PORT", help="Address of the Ray cluster. [default: one is started here]"
)
@click.option("--workers", type=click.IntRange(1), help="Models at work. [default: one for each core]")
@click.option("--shard-rows", type=click.IntRange(1), default=10_000, show_default=True,
              help="Rows of input in a shard, the unit of work.")  # fmt: skip
@click.option(
    "--part", callback=_part, metavar="I/N", default="1/1", help="Do only the I-th of N parts of the shards."
)
@click.option("--plan", "plan_only", is_flag=True, help="Count the rows, write the manifest and stop.")
@click.option("--resume", is_flag=True, help="Continue an interrupted run: finished shards stay as they are.")
def command(
    inputs: tuple[str, ...],
    output: str,
    task: Task,
    model: str | None,
    lang: str | None,
    form: Form,
    engine: Engine,
    address: str | None,
    workers: int | None,
    shard_rows: int,
    part: tuple[int, int],
    plan_only: bool,
    resume: bool,
) -> None:
    """Tag or parse a corpus of any size.

    INPUT is Parquet or JSONL with a column text, or words, and perhaps id; or text, in which each line is
    one. JSONL and text may be zipped (.gz, .zst). Folders and patterns name what is in them, and addresses
    such as s3://bucket/folder are read where pyarrow knows the filesystem.

    \b
    ccgkit annotate news.jsonl.gz --output parsed
    ccgkit annotate "corpus/*.parquet" --output tagged --task tag --engine ray --address auto
    """
    from ccgkit.batch import Annotator, prepare

    if address and engine != "ray":
        raise click.UsageError("--address names a Ray cluster: use --engine ray with it")
    _need_arrow()
    find_model(model, lang)  # a wrong name is a usage error, as in the other commands
    annotator = Annotator(model, task, language=lang)
    run = prepare(
        inputs, output, annotator, resume=resume or plan_only, form=form, shard_rows=shard_rows, part=part
    )
    total = sum(shard.size for shard in run.shards)
    click.echo(f"{len(run.left):,} of {len(run.shards):,} shards to do, {total:,} rows in all.", err=True)
    if not plan_only:
        _work(run, engine, workers, address)


def _need_arrow() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise click.ClickException("pyarrow is not installed: pip install 'ccgkit[parquet]'") from error


def _work(run: Run, engine: Engine, workers: int | None, address: str | None) -> None:
    from ccgkit.batch import Failure, Rows

    progress = _Progress(sum(shard.size for shard in run.left))
    failures: list[Failure] = []
    sentences = failed = 0
    try:
        for event in run.work(engine, workers, address):
            if isinstance(event, Rows):
                progress.add(event.count)
            elif isinstance(event, Failure):
                failures.append(event)
            else:
                sentences, failed = sentences + event.rows, failed + event.failed
    except KeyboardInterrupt:
        click.echo("\nStopped. Finished shards are complete; --resume continues.", err=True)
        raise
    finally:
        progress.end()
    bad = f", {failed:,} of them without an annotation, with the reason" if failed else ""
    click.echo(f"{sentences:,} sentences{bad}.", err=True)
    if failures:
        shown = "\n".join(one.reason for one in failures[:_SHOWN])
        more = f"\nand {len(failures) - _SHOWN} more" if len(failures) > _SHOWN else ""
        raise click.ClickException(
            f"{len(failures)} shards failed; --resume tries them again:\n{shown}{more}"
        )


class _Progress:
    """Rows a second and the time left: a line at a terminal, now and then one in a log.

    Time counts from the first rows on: before that, models are loaded.
    """

    def __init__(self, total: int) -> None:
        self._total, self._done, self._before = total, 0, 0
        self._started = self._shown = 0.0
        self._drawn = sys.stderr.isatty()

    def add(self, rows: int) -> None:
        self._done += rows
        now = time.monotonic()
        if not self._started:
            self._started = self._shown = now
            self._before = rows
        elif rows > 0 and now - self._shown >= (_DRAWN if self._drawn else _LOGGED):
            self._shown = now
            self._show(now - self._started)

    def end(self) -> None:
        if self._done > self._before:
            self._show(time.monotonic() - self._started)
        if self._drawn:
            click.echo(err=True)

    def _show(self, took: float) -> None:
        rate = (self._done - self._before) / took
        left = timedelta(seconds=round((self._total - self._done) / rate)) if rate > 0 else "unknown"
        line = f"{self._done:,} of {self._total:,} rows ({self._done / self._total:.0%}), {rate:,.1f} rows/s"
        shown = f"{line}, {left} left"
        click.echo(f"{_CLEAR}{shown}" if self._drawn else shown, err=True, nl=not self._drawn)
