"""`ccgkit tag`: text in, categories out."""

from __future__ import annotations

import io
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import click
from click.core import ParameterSource

from .memory import keep_freed_memory, look_less_for_garbage

if TYPE_CHECKING:
    from ccgkit.models.registry import ModelInfo
    from ccgkit.pipeline import Pipeline
    from ccgkit.sentence import Sentence
    from ccgkit.text.inputs import InputFormat

__all__ = ["command"]

_FORMATS = ("table", "stagged", "candc", "jsonl", "conll", "easyccg")
_INPUTS = ("text", "lines", "tokenized", "tagged", "stagged", "jsonl")
_SUFFIXES = {
    ".stagged": "stagged", ".multitag": "candc", ".mtagged": "candc", ".jsonl": "jsonl", ".conll": "conll",
    ".tsv": "conll", ".easyccg": "easyccg",
}  # fmt: skip
_LONG = 1000  # words of a sentence that is probably none
_HEAD = 4096  # bytes that tell the format
_CANDC_K = 10


@click.command("tag")
@click.argument("inputs", metavar="[TEXT | FILE... | -]", nargs=-1)
@click.option("--text", "as_text", is_flag=True, help="The argument is text, whatever it is called.")
@click.option("--file", "as_file", is_flag=True, help="The arguments are files.")
@click.option("--input-format", type=click.Choice(_INPUTS),
              help="text: sentences are found; lines: a sentence a line; tokenized: the same, tokens "
              "between spaces; tagged: word|POS. Told from the file where that is safe.")  # fmt: skip
@click.option("--k", type=click.IntRange(1), default=4, show_default=True, help="Categories a word, at most.")
@click.option("--beta", type=click.FloatRange(0, 1), default=0.075, show_default=True,
              help="Leave out what is less than this times as probable as the best.")  # fmt: skip
@click.option("--model", metavar="NAME|DIR", help="A model of the package, or the directory of one.")
@click.option("--lang", metavar="CODE", help="Language of the text: chooses the model (en, de, it, nl; see "
              "ccgkit models) and how text is split. [default: the model's, or en]")  # fmt: skip
@click.option(
    "--format",
    "given_format",
    type=click.Choice(_FORMATS),
    help="[default: by the name of --output, else table at a terminal, stagged in a pipe]",
)
@click.option("--cc-grammar", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="For a C&C with this grammar: write categories that it knows (candc or stagged), by "
              "default 10 a word with a beta of 0.0001.")  # fmt: skip
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write.")
@click.option("--resume", is_flag=True, help="Continue an interrupted --output.")
@click.option("--batch-size", type=click.IntRange(1), default=32, show_default=True)
@click.option("--threads", type=click.IntRange(1), help="[default: all cores]")
@click.option("--device", type=click.Choice(["cpu", "cuda", "mps"]), default="cpu", show_default=True)
def command(
    inputs: tuple[str, ...],
    as_text: bool,
    as_file: bool,
    input_format: InputFormat | None,
    k: int,
    beta: float,
    model: str | None,
    lang: str | None,
    given_format: str | None,
    cc_grammar: Path | None,
    output: Path | None,
    resume: bool,
    batch_size: int,
    threads: int | None,
    device: str,
) -> None:
    """Tag text with categories.

    An argument that is the path of a file is read, - is standard input, anything else is text.

    \b
    ccgkit tag "United serves Miami."
    ccgkit tag --input-format lines --output news.multitag news.txt
    """
    form = given_format or _format(output)
    if resume and (output is None or form == "table"):
        raise click.UsageError("--resume needs an --output file, and not a table")
    if cc_grammar is not None:
        k, beta = _for_candc(form, k, beta)
    source = _source(inputs, as_text, as_file)
    if output is not None and output.exists() and any(_same(name, output) for name in source.names):
        raise click.UsageError(f"{output} is to be read and cannot be written at the same time")
    info = _find(model, lang)
    reader = _Reader(source, input_format, info.language or "en")
    sentences = reader.sentences()
    # what cannot be read is told before a model is loaded or a file is made
    first = next((sentence for sentence in sentences if sentence is not None), None)
    if first is None:
        raise click.ClickException(f"there is no text in {', '.join(source.names)}")
    nlp = _load(info, device, threads)
    with _target(output, form, resume) as target, _bar(source, output) as bar:
        left: Iterator[Sentence | None] = chain([first], sentences)
        if resume:
            left = islice(_real(left), target.done, None)
        progress = _Progress(reader, bar)
        tagged = nlp.pipe_sentences(progress.read(left), k=k, beta=beta, batch_size=batch_size)
        if cc_grammar is not None:
            from ccgkit.parser_bridge.preparation import prepare_for

            tagged = prepare_for(cc_grammar, tagged)
        _write(progress.tagged(tagged), target, form, nlp)


def _for_candc(form: str, k: int, beta: float) -> tuple[int, float]:
    """Categories a word and beta, where they are not given, such that C&C finds more when it wants more."""
    from ccgkit.parser_bridge.preparation import FLOOR

    if form not in ("candc", "stagged"):
        raise click.UsageError(f"--cc-grammar is for the formats candc and stagged, not {form}")
    source = click.get_current_context().get_parameter_source
    return (
        k if source("k") is ParameterSource.COMMANDLINE else _CANDC_K,
        beta if source("beta") is ParameterSource.COMMANDLINE else FLOOR,
    )


@dataclass(frozen=True, slots=True)
class _Source:
    """What is to be tagged: named streams, opened one after the other."""

    names: Sequence[str]
    open: Callable[[str], IO[bytes]]
    size: int = 0  #: bytes, where that is known


@dataclass(frozen=True, slots=True)
class _Target:
    stream: IO[bytes]
    done: int = 0  #: sentences in it already


def _source(inputs: Sequence[str], as_text: bool, as_file: bool) -> _Source:
    if as_text and as_file:
        raise click.UsageError("either --text or --file")
    if not inputs:
        if sys.stdin.isatty():
            raise click.UsageError("nothing to tag: give a text, a file, or - for standard input")
        inputs = ("-",)
    if inputs == ("-",) and not as_text:
        return _Source(("standard input",), lambda _: cast("IO[bytes]", sys.stdin.buffer))
    there = [path for path in inputs if not as_text and _is_file(path)]
    if as_file or len(there) == len(inputs):
        for path in inputs:
            if path not in there:
                raise click.UsageError(f"there is no file {path!r}")
        return _Source(
            inputs, lambda path: Path(path).open("rb"), sum(Path(p).stat().st_size for p in inputs)
        )
    if there:
        missing = next(path for path in inputs if path not in there)
        raise click.UsageError(f"{there[0]!r} is a file and {missing!r} is not: use --text or --file")
    text = " ".join(inputs)
    if not text.strip():
        raise click.UsageError("the text is empty")
    if len(inputs) == 1 and not as_text and " " not in text and "." in text[1:-1]:
        click.echo(f"{text} is no file: tagged as text", err=True)
    return _Source(("the text",), lambda _: io.BytesIO(text.encode("utf-8", "surrogateescape")))


def _is_file(path: str) -> bool:
    """Whether there is such a file or pipe; a text can be too long for a path, or hold what none can."""
    try:
        if Path(path).is_dir() and path.strip("."):  # a full stop is a word
            raise click.UsageError(f"{path!r} is a directory: give files, or use --text")
        return Path(path).exists() and not Path(path).is_dir()
    except (OSError, ValueError):
        return False


def _same(name: str, output: Path) -> bool:
    return _is_file(name) and output.samefile(name)


class _Reader:
    """The sentences of all inputs, and how far they are read."""

    def __init__(self, source: _Source, form: InputFormat | None, language: str) -> None:
        self._source, self._form, self._language = source, form, language
        self._stream: IO[bytes] = io.BytesIO()
        self._before = 0  # bytes of the files before this one

    def place(self, sentence: Sentence | None = None) -> int:
        """Bytes that are read, up to the sentence where that can be told; a paragraph is read as a whole."""
        if sentence is not None and "offset" in sentence.meta:  # characters, which are not many more bytes
            return self._before + int(sentence.meta["offset"]) + len(sentence.text or "")
        there = self._stream.tell() if not self._stream.closed and self._stream.seekable() else 0
        return self._before + there

    def sentences(self) -> Iterator[Sentence | None]:
        from ccgkit.text.inputs import detect, read

        for name in self._source.names:
            try:
                self._stream = self._source.open(name)
            except OSError as error:
                raise click.ClickException(f"{name}: {error.strerror}") from error
            with self._stream as stream:
                form = self._form or detect(name, _head(stream))
                for sentence in read(stream, name, form, self._language):
                    if sentence is not None and len(sentence.tokens) > _LONG:
                        words = len(sentence.tokens)
                        click.echo(f"{name}: a sentence of {words} words: is it one?", err=True)
                    yield sentence
                self._before = self.place()


class _Progress:
    """Tells how many bytes more are tagged, which is less than is read."""

    def __init__(self, reader: _Reader, tell: Callable[[int], object] | None) -> None:
        self._reader, self._tell = reader, tell
        self._places: deque[int] = deque()  # of the sentences under way

    def read(self, sentences: Iterator[Sentence | None]) -> Iterator[Sentence | None]:
        for sentence in sentences:
            if self._tell and sentence is not None:
                self._places.append(self._reader.place(sentence))
            yield sentence

    def tagged(self, sentences: Iterator[Sentence]) -> Iterator[Sentence]:
        told = 0
        for sentence in sentences:
            yield sentence
            if self._tell:
                place = self._places.popleft()
                self._tell(place - told)
                told = place
        if self._tell:
            self._tell(self._reader.place() - told)


@contextmanager
def _bar(source: _Source, output: Path | None) -> Iterator[Callable[[int], object] | None]:
    """A progress bar if files are read, somebody can see it, and nothing else is written there."""
    if not source.size or not sys.stderr.isatty() or (output is None and sys.stdout.isatty()):
        yield None
        return
    with click.progressbar(length=source.size, label="tagging", file=sys.stderr) as bar:
        yield bar.update


def _head(stream: IO[bytes]) -> bytes:
    """The beginning of a stream, which is read again."""
    if isinstance(stream, io.BufferedReader):
        return stream.peek(_HEAD)[:_HEAD]
    head = stream.read(_HEAD)
    stream.seek(0)
    return head


def _real(sentences: Iterator[Sentence | None]) -> Iterator[Sentence]:
    return (sentence for sentence in sentences if sentence is not None)


def _find(model: str | None, lang: str | None) -> ModelInfo:
    from ccgkit.models.registry import UnknownModelError, find

    try:
        return find(model, lang)
    except UnknownModelError as error:
        raise click.UsageError(str(error)) from error


def _load(info: ModelInfo, device: str, threads: int | None) -> Pipeline:
    from ccgkit.pipeline import load

    if device != "cpu":
        import torch

        there = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
        if not there[device]:
            raise click.UsageError(f"there is no {device} device on this machine")
    keep_freed_memory()
    nlp = load(info, device=device, threads=threads)
    look_less_for_garbage()
    return nlp


def _format(output: Path | None) -> str:
    if output is not None:
        return _SUFFIXES.get(output.suffix, "stagged")
    return "table" if sys.stdout.isatty() else "stagged"


@contextmanager
def _target(output: Path | None, form: str, resume: bool) -> Iterator[_Target]:
    """Where to write: standard output, a new file, or an old one without its unfinished end."""
    from ccgkit.text.outputs import completed

    if output is None:
        yield _Target(sys.stdout.buffer)
        return
    try:
        if resume and output.is_file():
            done, size = completed(output, form)
            with output.open("r+b") as stream:
                stream.truncate(size)
                stream.seek(size)
                yield _Target(stream, done)
        else:
            with output.open("wb") as stream:
                yield _Target(stream)
    except OSError as error:
        raise click.ClickException(f"{output}: {error.strerror or error}") from error


def _write(tagged: Iterator[Sentence], target: _Target, form: str, nlp: Pipeline) -> None:
    from ccgkit.text.outputs import write

    colour = form == "table" and sys.stdout.isatty()
    try:
        write(tagged, target.stream, form, str(nlp.info), done=target.done, colour=colour)
    except KeyboardInterrupt:
        target.stream.flush()
        click.echo("\nStopped. What is written is whole; --resume goes on with an --output file.", err=True)
        sys.exit(130)
