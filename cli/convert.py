"""`ccgkit convert`: corpus files from one format into another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from .linked import linked
from .sources import Command, corpus, input_format_option
from .tagger_options import notation_option
from .targets import OUTPUT, check_output, opened

if TYPE_CHECKING:
    from ccgkit import CCGKitError
    from ccgkit.corpora import Codec
    from ccgkit.corpora.codec import OnError, Unreadable
    from ccgkit.sentence import Sentence

__all__ = ["command"]

_SAMPLE = 50  # sentences that tell the notation of a file


def _list_formats(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from ccgkit.corpora import formats

    for name, codec in formats().items():
        click.echo(f"{name:10} {', '.join(codec.suffixes):28} {codec.title}")
    ctx.exit()


@click.command(cls=Command, short_help="Convert a corpus from one format into another.")
@click.argument("paths", metavar="IN... [OUT]", nargs=-1, required=True)
@click.option("-o", "--output", type=OUTPUT, help="OUT, if all the arguments are input.")
@input_format_option
@click.option("--format", "form", metavar="FORMAT", help="Format of OUT. [default: by its name]")
@notation_option("Notation of OUT: derivations in the other one are translated. [default: that of IN]")
@click.option(
    "--split", metavar="PART", help="IN is CCGbank's folder: train, dev, test or sections such as 02-05."
)
@click.option("--scheme", metavar="NAME|FILE",
              help="Rules of trees, for their dependencies. [default: by their categories]")  # fmt: skip
@click.option(
    "--on-error",
    type=click.Choice(["raise", "skip", "keep"]),
    default="raise",
    show_default=True,
    help="A sentence that cannot be read: stop, leave it out, or keep it as it is (same format only).",
)
@click.option("--formats", is_flag=True, is_eager=True, expose_value=False, callback=_list_formats,
              help="List the formats and stop.")  # fmt: skip
def command(
    paths: tuple[str, ...],
    output: Path | None,
    input_format: str | None,
    form: str | None,
    notation: str | None,
    split: str | None,
    scheme: str | None,
    on_error: OnError,
) -> None:
    """Convert the corpus file IN to OUT; - is standard input or output.

    Names that end in .gz are zipped. OUT is replaced only when all of IN has been read. Several files become
    one. Where OUT holds dependencies and IN has trees alone, they are those of the trees.

    \b
    ccgkit convert wsj_0001.auto wsj_0001.stagged
    ccgkit convert gold.auto gold.deps
    ccgkit convert wsj_00*.auto -o dev.jsonl.gz
    ccgkit convert --notation ccgbank en.dev.auto dev.auto
    """
    from ccgkit.corpora import codec

    sources, target = _files(paths, output)
    wanted = codec(_format(form, target))
    check_output(target, sources)
    if notation and on_error == "keep":
        raise click.UsageError("--on-error keep leaves sentences as they are, and --notation does not")
    corpora = _Corpora(sources, input_format, wanted, split, scheme, on_error, notation)
    count = -2  # header and footer
    with opened(target, None, False) as (stream, _):
        for text in wanted.texts(corpora.sentences()):
            stream.write(text.encode("utf-8", "surrogateescape"))
            count += 1
        if target is None:
            stream.flush()
    corpora.report(count)


def _files(paths: tuple[str, ...], output: Path | None) -> tuple[tuple[str, ...], Path | None]:
    """What is read, and what is written: None for standard output."""
    if output is None:
        if len(paths) < 2:
            raise click.UsageError("Missing argument 'OUT': where to write, - for standard output")
        *read, last = paths
        sources, target = tuple(read), None if last == "-" else Path(last)
    else:
        sources, target = paths, None if str(output) == "-" else output
    for path in sources:
        if path != "-" and not Path(path).exists():
            raise click.UsageError(f"the file {path!r} does not exist")
    return sources, target


def _format(form: str | None, target: Path | None) -> str:
    from ccgkit.corpora.registry import named

    found = form or (None if target is None else named(target))
    if found is None:
        raise click.UsageError("the format of OUT cannot be told from its name: give it with --format")
    return found


@dataclass(slots=True)
class _Corpora:
    """The sentences of all files, and what was wrong with some."""

    sources: tuple[str, ...]
    form: str | None
    wanted: Codec
    split: str | None
    scheme: str | None
    on_error: OnError
    notation: str | None
    skipped: int = 0
    errors: list[CCGKitError] = field(default_factory=list)

    def sentences(self) -> Iterator[Sentence | Unreadable]:
        for source in self.sources:
            read = self._bank(source, self.split) if self.split is not None else self._file(source)
            yield from self._writable(read, source) if self.on_error == "skip" else read

    def _writable(
        self, sentences: Iterable[Sentence | Unreadable], source: str
    ) -> Iterator[Sentence | Unreadable]:
        """The sentences without those that the format of OUT has no way to say, which are noted."""
        from ccgkit.corpora import FormatError

        for number, sentence in enumerate(sentences, 1):
            try:
                self.wanted.check(sentence)
            except FormatError as error:
                name = getattr(sentence, "id", None) or number
                self._note(1, [FormatError(f"{source}: sentence {name}: {error}")])
            else:
                yield sentence

    def _bank(self, source: str, split: str) -> Iterator[Sentence | Unreadable]:
        """A part of CCGbank's folder."""
        from ccgkit.corpora import Part, load_ccgbank

        if self.on_error == "keep":
            raise click.UsageError("--on-error keep needs a file")
        bank = load_ccgbank(source, split, self.on_error)
        read = self._translated(bank, source)
        if Part.DEPENDENCIES in self.wanted.needs:
            yield from linked(cast("Iterable[Sentence]", read), self.scheme, source)
        else:
            yield from read
        self._note(bank.skipped, bank.errors)

    def _file(self, source: str) -> Iterator[Sentence | Unreadable]:
        from ccgkit.corpora import Part, check_conversion, load

        if Path(source).is_dir():
            raise click.UsageError(f"{source} is a folder: if it is CCGbank, name its part with --split")
        reader = load(corpus(source), self.form, self.on_error)
        if self.on_error == "keep" and reader.codec.name != self.wanted.name:
            raise click.UsageError(
                f"--on-error keep needs the same format on both sides, not {self.wanted.name}"
            )
        read = self._translated(reader, source)
        if Part.TREES in reader.codec.holds and Part.DEPENDENCIES in self.wanted.needs:
            yield from linked(cast("Iterable[Sentence]", read), self.scheme, source)
        else:
            check_conversion(reader.codec.name, self.wanted.name)
            yield from read
        self._note(reader.skipped, reader.errors)

    def _translated(
        self, sentences: Iterable[Sentence | Unreadable], source: str
    ) -> Iterator[Sentence | Unreadable]:
        """The sentences in the notation that is asked for, unless they are told to be in it."""
        if self.notation is None:
            yield from sentences
            return
        from ccgkit.corpora.codec import Unreadable
        from ccgkit.grammar.notations import NotationError, check_notation
        from ccgkit.grammar.schemes import guess

        read = (one for one in sentences if not isinstance(one, Unreadable))
        first = list(islice(read, _SAMPLE))
        told = guess(one for each in first for one in each.categories or ())
        check_notation(self.notation, told.name if told else "")
        for number, sentence in enumerate(chain(first, read), 1):
            try:
                same = told is not None and told.name == self.notation
                yield sentence if same else sentence.in_notation(self.notation)
            except NotationError as error:
                located = NotationError(f"{source}: sentence {sentence.id or number}: {error}")
                if self.on_error == "raise":
                    raise located from error
                self._note(1, [located])

    def _note(self, skipped: int, errors: Sequence[CCGKitError]) -> None:
        self.skipped += skipped
        self.errors += errors[: 1 - len(self.errors)]

    def report(self, count: int) -> None:
        """Numbers on stderr, where they do not disturb a pipe."""
        done = f"{count} sentence{'' if count == 1 else 's'}"
        if not self.skipped:
            click.echo(done, err=True)
            return
        what = "kept unread" if self.on_error == "keep" else "skipped"
        click.echo(f"{done}, {self.skipped} {what}; the first:\n{self.errors[0]}", err=True)
