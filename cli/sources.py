"""What is to be tagged, parsed or looked at: a text, files, or standard input."""

from __future__ import annotations

import io
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

import click

if TYPE_CHECKING:
    from ccgkit.corpora.codec import File
    from ccgkit.sentence import Sentence

__all__ = [
    "FILES",
    "Command",
    "Progress",
    "Source",
    "Texts",
    "corpus",
    "find_source",
    "input_format_option",
    "source_options",
]

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

#: the type of arguments that are files of a corpus
FILES = click.Path(exists=True, dir_okay=False, allow_dash=True)
_ALIASES = {"--from": "--input-format", "--to": "--format"}  # former names of options
_LONG = 1000  # words of a sentence that is probably none
_ENDINGS = (".txt", ".html", ".svg", ".tex", ".png", ".gz")  # of files, besides those of the formats


class Command(click.Command):
    """A command that also knows the former names of its options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {name for parameter in self.params for name in parameter.opts}
        return super().parse_args(ctx, [_current(argument, own) for argument in args])


def _current(argument: str, own: set[str]) -> str:
    name, equals, value = argument.partition("=")
    return _ALIASES[name] + equals + value if name in _ALIASES and name not in own else argument


def input_format_option(function: F) -> F:
    """`--input-format`, of commands that read corpora."""
    return click.option(
        "--input-format",
        metavar="FORMAT",
        help="Input format, if name and content do not show it (see ccgkit convert --formats).",
    )(function)


def source_options(function: F) -> F:
    """The arguments and options that name a text or files; the function gets a `Source`."""

    @wraps(function)
    def gather(*args: Any, inputs: tuple[str, ...], as_text: bool, as_file: bool, **given: Any) -> Any:
        return function(*args, source=find_source(inputs, as_text, as_file), **given)

    decorated: Any = gather
    for option in reversed((
        click.argument("inputs", metavar="[TEXT | FILE... | -]", nargs=-1),
        click.option("--text", "as_text", is_flag=True, help="The argument is text, whatever it looks like."),
        click.option("--file", "as_file", is_flag=True, help="The arguments are files."),
        click.option("--input-format", metavar="FORMAT",
                     help="text: sentences are found; lines: one sentence per line; tokenized: the same, "
                     "tokens between spaces; brackets: the same, with part of the structure given (parse "
                     "only); or one of ccgkit convert --formats: pos, stagged, multitag, jsonl, "
                     "auto … [default: by name or content where that is safe, otherwise text]"),
    )):  # fmt: skip
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Source:
    """Named streams, opened one after the other."""

    names: Sequence[str]
    open: Callable[[str], IO[bytes]]
    size: int = 0  #: bytes, where that is known
    typed: bool = False  #: on the command line


def find_source(inputs: Sequence[str], as_text: bool = False, as_file: bool = False) -> Source:
    """What the arguments mean: paths of files, `-` for standard input, otherwise text."""
    if as_text and as_file:
        raise click.UsageError("give either --text or --file, not both")
    if not inputs:
        if sys.stdin.isatty():
            raise click.UsageError("there is nothing to read: give a text, a file, or - for standard input")
        inputs = ("-",)
    if tuple(inputs) == ("-",) and not as_text:
        return Source(("standard input",), lambda _: cast("IO[bytes]", sys.stdin.buffer))
    if not as_text:
        there = [path for path in inputs if _is_file(path)]
        for path in inputs:
            if path not in there and (as_file or _looks_like_a_path(path)):
                hint = "" if as_file else "; if it is a text, say so with --text"
                raise click.UsageError(f"there is no file {path!r}{hint}")
        if len(there) == len(inputs):
            size = sum(Path(path).stat().st_size for path in inputs)
            return Source(inputs, lambda path: Path(path).open("rb"), size)
        if there:
            missing = next(path for path in inputs if path not in there)
            raise click.UsageError(f"{there[0]!r} is a file and {missing!r} is not: use --text or --file")
    text = " ".join(inputs)
    if not text.strip():
        raise click.UsageError("the text is empty")
    return Source(("the text",), lambda _: io.BytesIO(text.encode("utf-8", "surrogateescape")), typed=True)


def _is_file(path: str) -> bool:
    """Whether there is such a file or pipe; a text can be too long for a path, or hold what none can."""
    try:
        if Path(path).is_dir() and path.strip("."):  # a full stop is a word
            raise click.UsageError(f"{path!r} is a directory: give files, or use --text")
        return Path(path).exists() and not Path(path).is_dir()
    except (OSError, ValueError):
        return False


def _looks_like_a_path(text: str) -> bool:
    from ccgkit.corpora.registry import named

    if any(character.isspace() for character in text) or not text.strip("./\\"):
        return False
    separated = os.sep in text or (os.altsep or "/") in text
    return separated or text.lower().endswith(_ENDINGS) or named(text) is not None


class Texts:
    """The sentences of all that a source names, and how far they are read."""

    def __init__(self, source: Source, form: str | None, language: str) -> None:
        self._source, self._form, self._language = source, form, language
        self._raw: IO[bytes] = io.BytesIO()
        self._zipped = False
        self._before = 0  # bytes of the files before this one
        self._sentences = self._read()

    def begin(self) -> None:
        """Read the first sentence: what cannot be read is told before a model is loaded or a file is made."""
        first = next((sentence for sentence in self._sentences if sentence is not None), None)
        if first is None:
            raise click.ClickException(f"there is no sentence in {', '.join(self._source.names)}")
        self._sentences = chain([first], self._sentences)

    def __iter__(self) -> Iterator[Sentence | None]:
        """The sentences, None where more may come but is not there yet."""
        return self._sentences

    def place(self, sentence: Sentence | None = None) -> int:
        """Bytes that are read, up to the sentence where that can be told; a paragraph is read as a whole."""
        if sentence is not None and "offset" in sentence.meta and not self._zipped:
            # characters, which are not many fewer than bytes
            return self._before + int(sentence.meta["offset"]) + len(sentence.text or "")
        there = self._raw.tell() if not self._raw.closed and self._raw.seekable() else 0
        return self._before + there

    @contextmanager
    def watched(self, label: str, output: Path | None) -> Iterator[Progress]:
        """A progress bar if files are read, somebody can see it, and nothing else is written there."""
        size = self._source.size
        if not size or not sys.stderr.isatty() or (output is None and sys.stdout.isatty()):
            yield Progress(self)
            return
        with click.progressbar(length=size, label=label, file=sys.stderr) as bar:
            yield Progress(self, bar.update)

    def _read(self) -> Iterator[Sentence | None]:
        from ccgkit.text.inputs import Input

        for name in self._source.names:
            try:
                self._raw = self._source.open(name)
            except OSError as error:
                raise click.ClickException(f"{name}: {error.strerror}") from error
            with self._raw:
                coming = Input(self._raw, name, self._form, self._language)
                self._zipped = coming.zipped
                for sentence in coming:
                    if sentence is not None and len(sentence.tokens) > _LONG:
                        words = len(sentence.tokens)
                        click.echo(f"{name}: a sentence of {words} words: is it really one?", err=True)
                    yield sentence
                if coming.skipped and self._source.typed:
                    raise click.UsageError(str(coming.error))
                if coming.skipped:
                    left = f"{name}: {coming.skipped} unreadable sentences left out; the first:"
                    click.echo(f"{left}\n{coming.error}", err=True)
                self._before = self.place()


@dataclass(slots=True)
class Progress:
    """Tells how many bytes more are done, which is less than is read."""

    texts: Texts
    tell: Callable[[int], object] | None = None
    _places: deque[int] = field(default_factory=deque)  # of the sentences under way

    def read(self, done: int = 0) -> Iterator[Sentence | None]:
        """The sentences but for those that are done already."""
        left = iter(self.texts)
        if done:
            left = islice((sentence for sentence in left if sentence is not None), done, None)
        for sentence in left:
            if self.tell and sentence is not None:
                self._places.append(self.texts.place(sentence))
            yield sentence

    def written(self, items: Iterable[T]) -> Iterator[T]:
        """What comes out, one for each sentence that was read."""
        told = 0
        for item in items:
            yield item
            if self.tell:
                place = self._places.popleft()
                self.tell(place - told)
                told = place
        if self.tell:
            self.tell(self.texts.place() - told)


def corpus(name: str) -> File:
    """A file of a corpus as `ccgkit.corpora.load` takes it; `-` is standard input."""
    return sys.stdin.buffer if name == "-" else name
