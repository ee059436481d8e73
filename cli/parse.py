"""`ccgkit parse`: text or supertagged sentences in, derivations and dependencies out."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import click

from ccgkit import CCGKitError

from .candc_options import candc_options, candc_parser

if TYPE_CHECKING:
    from ccgkit.grammar import Derivation, Scheme
    from ccgkit.models.registry import ModelInfo
    from ccgkit.parsing import Limits, Parser, ParseResult
    from ccgkit.pipeline import Pipeline
    from ccgkit.sentence import Sentence
    from ccgkit.text.inputs import InputFormat

__all__ = ["command"]

FORMATS = ("pretty", "auto", "deps", "jsonl", "html", "svg", "latex", "prolog", "conll")
_INPUTS = ("text", "lines", "tokenized", "tagged")  # what a tagger reads; all else is a corpus format
_SUFFIXES = {
    ".auto": "auto", ".deps": "deps", ".jsonl": "jsonl", ".html": "html", ".svg": "svg", ".tex": "latex",
    ".pl": "prolog", ".conll": "conll", ".txt": "pretty",
}  # fmt: skip
_CODECS = ("auto", "deps", "jsonl", "prolog")
_SAMPLE = 50  # sentences by which a scheme is chosen
_SHOWN = 10  # troubles that are told
_HEAD = 4096  # bytes that tell a format
_FILES = (*_SUFFIXES, ".stagged", ".multitag", ".mtagged", ".easyccg")
_TAGGED_BETA = 0.0001  # of the supertags that a tagger hands over; the parser begins with fewer


class ParseError(CCGKitError):
    """There is nothing to parse, or not as asked for."""


@click.command("parse")
@click.argument("source", metavar="[TEXT|FILE|-]", required=False)
@click.option("--input-format", metavar="FORMAT",
              help="text, lines, tokenized, tagged, or a format with supertags: stagged, multitag, easyccg, "
              "jsonl, auto. Told from the file where that is safe.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(FORMATS),
              help="[default: by --output's name, else pretty at a terminal, auto in a pipe]")  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write.")
@click.option("--nbest", type=click.IntRange(1), default=1, show_default=True, help="Derivations a sentence.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option("--model", metavar="NAME|DIR", help="The tagger for text: of the package, or a directory.")
@click.option("--lang", metavar="CODE", help="Language of the text: chooses the model (en, de, it, nl; see "
              "ccgkit models) and how text is split. [default: the model's, or en]")  # fmt: skip
@click.option(
    "--k", type=click.IntRange(1), default=10, show_default=True, help="Supertags a word of a tagger."
)
@click.option("--beta", "betas", type=click.FloatRange(0, 1), multiple=True,
              help="Take supertags this times as probable as the best; repeat it for the next tries. "
              "[default: 0.1 0.01 0.001 0]")  # fmt: skip
@click.option(
    "--scheme",
    metavar="NAME|FILE",
    help="Rules: ccgbank, rebank, udccg or a file. [default: by the supertags]",
)
@click.option("--markedup", type=click.Path(exists=True, dir_okay=False), help="C&C's co-indexed categories.")
@click.option("--max-words", type=click.IntRange(1, 1000), default=250, show_default=True)
@click.option(
    "--max-items", type=click.IntRange(1), default=1_000_000, show_default=True, help="Size of a chart."
)
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=10.0, show_default=True,
              help="Seconds a sentence.")  # fmt: skip
@candc_options
@click.option("--keep-files", type=click.Path(file_okay=False, path_type=Path), help="Keep C&C's files here.")
def command(
    source: str | None,
    input_format: str | None,
    form: str | None,
    output: Path | None,
    nbest: int,
    jobs: int,
    model: str | None,
    lang: str | None,
    k: int,
    betas: tuple[float, ...],
    scheme: str | None,
    markedup: str | None,
    max_words: int,
    max_items: int,
    timeout: float,
    candc: dict[str, str | None],
    keep_files: Path | None,
) -> None:
    """Parse text, or sentences whose words have supertags.

    An argument that is the path of a file is read, - is standard input, anything else is text. A sentence
    without a derivation is reported and does not end the run.

    \b
    ccgkit parse "United serves Miami."
    ccgkit parse tagged.multitag --format deps -o parsed.deps
    """
    from ccgkit.parsing import Limits, parse_in_parallel
    from ccgkit.parsing.parser import BETAS

    form = form or (_format(output) if output else None)
    bridge = candc_parser(
        candc, form=form, nbest=nbest, jobs=jobs, max_words=max_words, timeout=timeout, keep=keep_files
    )
    form = form or ("deps" if bridge else _format(None))
    limits = Limits(max_words, max_items, timeout)
    name, stream = _open(source)
    sentences = _supertagged(name, stream, input_format, model, lang, k)
    first = list(islice(sentences, _SAMPLE))
    if not first:
        raise ParseError(f"there is no sentence in {name}")
    report = _Report()
    if bridge:
        results = report.watch(bridge.pipe(chain(first, sentences)))
    else:
        parser = _parser(_scheme(scheme, first), nbest, betas or BETAS, limits, markedup)
        results = report.watch(parse_in_parallel(parser, chain(first, sentences), jobs))
    with _target(output) as target:
        for piece in _written(results, form, "Derivations", output is None and sys.stdout.isatty()):
            target.write(piece.encode())
            if output is None:
                target.flush()
    report.show()


def _format(output: Path | None) -> str:
    if output is None:
        return "pretty" if sys.stdout.isatty() else "auto"
    found = _SUFFIXES.get(output.suffix.lower())
    if found is None:
        raise click.UsageError(f"{output}: the name does not tell the format: give --format")
    return found


def _open(source: str | None) -> tuple[str, IO[bytes]]:
    """The name of what is to be parsed, and its bytes."""
    if source is None:
        if sys.stdin.isatty():
            raise click.UsageError("nothing to parse: give a text, a file, or - for standard input")
        source = "-"
    if source == "-":
        stream = sys.stdin.buffer
        if not isinstance(stream, io.BufferedReader):  # which lets its beginning be looked at
            stream = io.BufferedReader(cast(io.RawIOBase, stream))
        return "standard input", stream
    path = Path(source)
    if _is(path.is_file):
        return source, path.open("rb")
    if _is(path.is_dir):
        raise click.UsageError(f"{source} is a directory")
    if not source.strip():
        raise click.UsageError("the text is empty")
    if " " not in source and path.suffix.lower() in _FILES:
        raise click.UsageError(f"there is no file {source!r}")
    return "the text", io.BytesIO(source.encode("utf-8", "surrogateescape"))


def _is(asked: Callable[[], bool]) -> bool:
    try:
        return asked()
    except (OSError, ValueError):  # a text may be too long for a name, or hold a zero byte
        return False


def _supertagged(
    name: str, stream: IO[bytes], form: str | None, model: str | None, lang: str | None, k: int
) -> Iterator[Sentence]:
    """The sentences with supertags, by a tagger where they have none."""
    from ccgkit.corpora import formats, load
    from ccgkit.text.inputs import read

    form = {"candc": "multitag"}.get(form or "", form) or _detect(name, stream)
    if form in _INPUTS:
        bare = read(stream, name, cast("InputFormat", form), language=_find(model, lang).language or "en")
        yield from _load(model, lang).pipe_sentences(bare, k=k, beta=_TAGGED_BETA)
        return
    if form not in formats():
        raise click.UsageError(f"no input format {form!r}: there are {', '.join((*_INPUTS, *formats()))}")
    reader = load(stream, form, "skip")
    tagger: Pipeline | None = None
    for sentence in reader:
        if sentence.tokens and sentence.categories is None:
            tagger = tagger or _load(model, lang)
            yield from tagger.pipe_sentences([sentence], k=k, beta=_TAGGED_BETA)
        else:
            yield sentence
    if reader.skipped:
        click.echo(
            f"{name}: {reader.skipped} unreadable sentences left out; the first:\n{reader.errors[0]}",
            err=True,
        )


def _detect(name: str, stream: IO[bytes]) -> str:
    """The format of the input: a corpus with supertags, or what a tagger reads."""
    from ccgkit.corpora import formats
    from ccgkit.corpora.codec import Part
    from ccgkit.corpora.registry import named
    from ccgkit.text.inputs import detect

    tagged = [codec for codec in formats().values() if Part.TAGS in codec.holds or Part.TREES in codec.holds]
    by_name = named(name)
    if by_name in {codec.name for codec in tagged}:
        return str(by_name)
    head = stream.peek(_HEAD)[:_HEAD] if isinstance(stream, io.BufferedReader) else b""
    lines = head.decode("utf-8", "replace").splitlines()
    for codec in tagged if name != "the text" else ():
        if codec.recognise(lines):
            return codec.name
    return detect(name, head)


def _find(model: str | None, lang: str | None) -> ModelInfo:
    from ccgkit.models.registry import UnknownModelError, find

    try:
        return find(model, lang)
    except UnknownModelError as error:
        raise click.UsageError(f"text needs a tagger: {error}; or give sentences with supertags") from error


def _load(model: str | None, lang: str | None) -> Pipeline:
    from ccgkit.pipeline import load

    return load(_find(model, lang))


def _scheme(given: str | None, sentences: list[Sentence]) -> Scheme:
    from ccgkit.grammar import load_scheme
    from ccgkit.grammar.schemes import guess

    if given is not None:
        return load_scheme(given)
    told = guess(category for sentence in sentences for category in sentence.categories or ())
    return told or load_scheme("rebank")  # that of the shipped models


def _parser(
    scheme: Scheme, nbest: int, betas: tuple[float, ...], limits: Limits, markedup: str | None
) -> Parser:
    from ccgkit.grammar.heads import Lexicon, load_markedup
    from ccgkit.parsing import Parser

    lexicon = load_markedup(markedup) if markedup else Lexicon()
    return Parser(scheme, nbest, betas, limits, lexicon=lexicon)


class _Report:
    """How many sentences went how, told on standard error."""

    def __init__(self) -> None:
        self.total = 0
        self.troubles: list[str] = []

    def watch(self, results: Iterable[ParseResult]) -> Iterator[ParseResult]:
        for result in results:
            self.total += 1
            if result.reason:
                name = result.sentence.id or f"sentence {self.total}"
                self.troubles.append(f"{name}: {result.reason}")
            yield result

    def show(self) -> None:
        if self.troubles:
            shown = "\n".join(self.troubles[:_SHOWN])
            more = f"\nand {len(self.troubles) - _SHOWN} more" if len(self.troubles) > _SHOWN else ""
            click.echo(f"{len(self.troubles)} of {self.total} sentences:\n{shown}{more}", err=True)


@contextmanager
def _target(output: Path | None) -> Iterator[IO[bytes]]:
    """Standard output, or a file that takes its place when all is written."""
    if output is None:
        yield sys.stdout.buffer
        return
    part = output.with_name(f".{output.name}.part")
    try:
        with part.open("wb") as stream:
            yield stream
        part.replace(output)
    except OSError as error:
        raise ParseError(f"{output} cannot be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


def _written(results: Iterator[ParseResult], form: str, title: str, terminal: bool) -> Iterator[str]:
    """The pieces of the output, sentence by sentence."""
    from ccgkit.parsing.conll import conll
    from ccgkit.render import latex_document, page

    if form in _CODECS:
        return _encoded(results, form)
    if form == "conll":
        return map(conll, results)
    if form == "html":
        return iter(page(_named_trees(results), title))
    if form == "latex":
        return iter(latex_document(_named_trees(results)))
    if form == "svg":
        return _picture(results)
    return _pretty(results, terminal)


def _encoded(results: Iterator[ParseResult], form: str) -> Iterator[str]:
    from ccgkit.corpora import codec
    from ccgkit.parsing import Status

    wanted = codec(form)
    yield wanted.header
    for count, result in enumerate(results, 1):
        failed = form == "deps" and result.status is Status.FAILED  # an empty line, by C&C's convention
        yield "\n" if failed else wanted.encode(result.to_sentence(), count)
    yield wanted.footer


def _named_trees(results: Iterator[ParseResult]) -> Iterator[tuple[str, Derivation]]:
    for count, result in enumerate(results, 1):
        name = result.sentence.id or f"sentence {count}"
        for parse in result.parses:
            several = len(result.parses) > 1 or len(parse.derivations) > 1
            for part, tree in enumerate(parse.derivations, 1):
                kind = "fragment" if len(parse.derivations) > 1 else "parse"
                rank = part if kind == "fragment" else parse.id.rpartition("/")[2]
                yield f"{name}, {kind} {rank}" if several else name, tree


def _picture(results: Iterator[ParseResult]) -> Iterator[str]:
    from ccgkit.render import svg

    first, *more = islice(_named_trees(results), 2)
    if more:
        raise ParseError("a picture shows one derivation: choose html, or write .auto and use ccgkit view")
    yield svg(first[1])


def _pretty(results: Iterator[ParseResult], terminal: bool) -> Iterator[str]:
    width = shutil.get_terminal_size().columns if terminal else None
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    for count, result in enumerate(results, 1):
        name = result.sentence.id or f"sentence {count}"
        for parse in result.parses:
            rank = f" {parse.id.rpartition('/')[2]}" if len(result.parses) > 1 else ""
            heading = f"# {name}{rank} ({parse.score:.2f})" + (f": {result.reason}" if result.reason else "")
            yield (click.style(heading, dim=True) if colour else heading) + "\n"
            for tree in parse.derivations:
                yield f"{tree.pretty(width, colour)}\n\n"
        if not result.parses:
            yield f"# {name}: {result.reason}\n\n"
