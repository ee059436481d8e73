"""Where output goes and in what form: the options, the format that a name tells, the file that is written."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from ccgkit import CCGKitError

if TYPE_CHECKING:
    from ccgkit.corpora import Codec, Part

__all__ = [
    "OUTPUT",
    "OutputError",
    "check_output",
    "check_resume",
    "format_option",
    "opened",
    "output_format",
    "output_option",
    "output_options",
    "writing",
    "written",
]

F = TypeVar("F", bound=Callable[..., Any])
OUTPUT = click.Path(dir_okay=False, path_type=Path)


class OutputError(CCGKitError):
    """Output that cannot be written."""


def output_option(function: F) -> F:
    """`-o/--output`."""
    return click.option(
        "-o", "--output", type=OUTPUT, help="File to write; its name decides the format, .gz compresses it."
    )(function)


def output_options(function: F) -> F:
    """`-o/--output` and `--resume`."""
    resume = click.option("--resume", is_flag=True, help="Continue an interrupted --output.")
    return output_option(resume(function))


def format_option(default: str) -> Callable[[F], F]:
    """`--format`, of which the text says what it is by default."""
    text = f"Output format. [default: by the name of --output, else {default}]"
    return click.option("--format", "form", metavar="FORMAT", help=text)


def output_format(
    given: str | None, output: Path | None, default: str, views: Mapping[str, str], gives: Part, what: str
) -> str:
    """The format to write: the one that is named, or that of the output's name, or the default.

    `views` are the formats for people, by the ends of their files' names. All others are codecs; those that
    need more than `gives`, which is all that `what` has to say, are refused.
    """
    from ccgkit.corpora import FormatError, codec, formats
    from ccgkit.corpora.codec import describe
    from ccgkit.corpora.registry import named

    form = given or (default if output is None else None)
    if form is None and output is not None:
        suffix = Path(output.name.lower().removesuffix(".gz")).suffix
        form = views.get(suffix) or named(output)
        if form is None:
            fitting = (one for one in formats().values() if not one.needs & ~gives)
            known = sorted({*views, *(end for one in fitting for end in one.suffixes)})
            raise click.UsageError(
                f"{output}: the name does not show the format ({' '.join(known)}): give it with --format"
            )
    if form in views.values() or form == default:
        return str(form)
    try:
        wanted = codec(str(form))
    except FormatError:
        possible = [one.name for one in formats().values() if not one.needs & ~gives]
        names = ", ".join(dict.fromkeys([*views.values(), default, *possible]))
        raise click.UsageError(f"there is no output format {form!r}: choose one of {names}") from None
    if missing := wanted.needs & ~gives:
        raise click.UsageError(
            f"the format {wanted.name} needs {describe(missing)}, which {what} does not give"
        )
    return wanted.name


def check_resume(resume: bool, output: Path | None, form: Codec | None) -> None:
    """Refuse to continue what is no file, or of a format that cannot be continued."""
    from ccgkit.corpora import formats

    if resume and output is None:
        raise click.UsageError("--resume needs an --output file")
    if resume and (form is None or form.ending is None):
        names = ", ".join(one.name for one in formats().values() if one.ending is not None)
        raise click.UsageError(f"--resume needs a format that can be continued: {names}")


def check_output(output: Path | None, names: Iterable[str]) -> None:
    """Refuse to write the file or folder that is to be read; without an output it is the standard one."""
    target = _status(sys.stdout.fileno if output is None else output.stat)
    if target is None or not (stat.S_ISREG(target.st_mode) or stat.S_ISDIR(target.st_mode)):
        return
    for name in names:
        source = _status(Path(name).stat)
        if source is not None and os.path.samestat(source, target):
            raise click.UsageError(f"{name} is being read and cannot be written at the same time")


def _status(find: Callable[[], os.stat_result | int]) -> os.stat_result | None:
    try:
        found = find()
        return os.fstat(found) if isinstance(found, int) else found
    except (OSError, ValueError):  # a text may be too long for a name, or hold a zero byte
        return None


@contextmanager
def opened(output: Path | None, form: Codec | None, resume: bool) -> Iterator[tuple[IO[bytes], int]]:
    """A stream, and how many sentences are in it: standard output, or a file.

    In a format that can be continued the file grows with every sentence; otherwise it is replaced when all is
    written.
    """
    from ccgkit.corpora.codec import replacing
    from ccgkit.corpora.continuation import growing

    if output is None:
        yield sys.stdout.buffer, 0
        return
    with writing(output):
        if form is not None and form.ending is not None:
            with growing(output, form, resume) as (stream, done):
                yield stream, done
        else:
            with replacing(output) as stream:
                yield stream, 0


@contextmanager
def writing(output: Path) -> Iterator[None]:
    """Within, what the system has against writing is an error that names the output."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{output} cannot be written: {error.strerror or error}") from error


def written(
    output: Path | None, form: Codec | None, resume: bool, texts: Callable[[int], Iterable[str]]
) -> None:
    """Write the pieces, each as soon as it comes; `texts` is told how many sentences are there already.

    Ctrl-C leaves whole sentences where the format can be continued.
    """
    with opened(output, form, resume) as (stream, done):
        try:
            for text in texts(done):
                stream.write(text.encode("utf-8", "surrogateescape"))
                if output is None or output.suffix != ".gz":
                    stream.flush()  # somebody may be waiting at the other end of a pipe
        except KeyboardInterrupt:
            if output is not None and form is not None and form.ending is not None:
                click.echo("\nStopped. What is written is complete; --resume continues it.", err=True)
            raise
