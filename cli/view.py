"""`ccgkit view`: derivations on the terminal, as a page, as pictures, as LaTeX."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Literal

import click

from ccgkit import CCGKitError, Derivation

__all__ = ["command"]

FORMATS = ("pretty", "html", "svg", "latex", "png", "nltk")
SUFFIXES = {
    ".html": "html", ".htm": "html", ".svg": "svg", ".tex": "latex", ".png": "png", ".txt": "pretty",
}  # fmt: skip
PICTURES = ("svg", "png")
_EXTENSIONS = {"html": ".html", "svg": ".svg", "png": ".png"}  # what a browser shows


_NO_TREES = "{} has no derivations, only words, tags or dependencies: view needs trees, as in .auto files"


class ViewError(CCGKitError):
    """There is nothing to show, or not what was asked for."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A derivation and the number and name of its sentence."""

    number: str
    name: str
    derivation: Derivation


@dataclass(slots=True)
class _Choice:
    """The sentences asked for, all of them where none is named; what is found is crossed out."""

    numbers: set[int]
    ids: set[str]
    everything: bool = field(init=False)

    def __post_init__(self) -> None:
        self.everything = not (self.numbers or self.ids)

    @property
    def done(self) -> bool:
        return not (self.everything or self.numbers or self.ids)

    def takes(self, number: int, id_: str | None) -> bool:
        wanted = self.everything or number in self.numbers or id_ in self.ids
        self.numbers.discard(number)
        if id_ is not None:
            self.ids.discard(id_)
        return wanted

    def check(self, file: str, count: int, ids: list[str]) -> None:
        """Say what has not been found among the `count` sentences of the file."""
        if self.numbers:
            has = "1 sentence" if count == 1 else f"{count} sentences"
            raise ViewError(f"{file} has {has}, none with the number {min(self.numbers)}")
        if self.ids:
            wrong = min(self.ids)
            close = get_close_matches(wrong, ids, 3, 0.5)
            hint = f"; the nearest are {', '.join(close)}" if close else "" if ids else ": it has no ids"
            raise ViewError(f"{file} has no sentence with the id {wrong}{hint}")


@click.command("view")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option(
    "--format", "format_", type=click.Choice(FORMATS), help="Default: by --output's name, else pretty."
)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file to write.")
@click.option("--id", "ids", multiple=True, metavar="ID", help="Only the sentence with this id (repeatable).")
@click.option(
    "--number", "numbers", multiple=True, type=click.IntRange(1), metavar="N",
    help="Only the Nth sentence, from 1 (repeatable).",
)  # fmt: skip
@click.option(
    "--diff", "other", type=click.Path(exists=True, dir_okay=False, allow_dash=True), metavar="OTHER",
    help="Show FILE's and OTHER's derivations side by side, differing constituents marked (HTML).",
)  # fmt: skip
@click.option(
    "--scheme",
    metavar="NAME",
    help="Whose rules they are, as ccgbank. Default: what the categories tell, else ccgbank.",
)
@click.option("--open/--no-open", "open_", default=None, help="Show it in the browser.")
@click.option(
    "--width", type=click.IntRange(1), metavar="N", help="Columns for pretty. Default: the terminal's."
)
@click.option(
    "--on-error", type=click.Choice(("raise", "skip")), default="raise",
    help="What to do at a damaged sentence. Default: raise.",
)  # fmt: skip
def command(
    file: str,
    format_: str | None,
    output: Path | None,
    ids: tuple[str, ...],
    numbers: tuple[int, ...],
    other: str | None,
    scheme: str | None,
    open_: bool | None,
    width: int | None,
    on_error: Literal["raise", "skip"],
) -> None:
    """Draw the derivations of FILE (- is the standard input).

    \b
    ccgkit view wsj_0001.auto --number 3         on the terminal
    ccgkit view wsj_0001.auto -o page.html       all on one page
    ccgkit view wsj_0001.auto -o tree.svg        tree-1.svg, tree-2.svg …
    ccgkit view gold.auto --diff parsed.auto     what differs, in the browser
    """
    format_ = _format(format_, output, other, open_)
    if open_ is None:  # markup and pictures are nothing to print on a terminal
        open_ = output is None and format_ in _EXTENSIONS and _is_terminal()

    def shown(path: str) -> Iterator[_Shown]:
        return _with_rules(_shown(path, _Choice(set(numbers), set(ids)), on_error), scheme)

    if other is not None:
        if file == other == "-":
            raise click.UsageError("only one of the two files can be the standard input")
        pieces = _difference(shown(file), shown(other), (file, other))
        paths = _write((piece.encode() for piece in pieces), _target(output, open_, format_))
    elif format_ in PICTURES:
        paths = _write_pictures(shown(file), format_, _target(output, open_, format_))
    else:
        plain = output is not None or not _is_terminal()
        texts = _texts(shown(file), format_, Path(file).name, width, plain)
        paths = _write((text.encode() for text in texts), _target(output, open_, format_))
    if open_:
        _open(paths[0])


def _format(format_: str | None, output: Path | None, other: str | None, open_: bool | None) -> str:
    if format_ is None and output is not None:
        format_ = SUFFIXES.get(output.suffix.lower())
        if format_ is None:
            known = ", ".join(SUFFIXES)
            raise click.UsageError(f"{output}: the name does not tell the format ({known}): give --format")
    if format_ is None:
        format_ = "html" if other is not None or open_ else "pretty"
    if other is not None and format_ != "html":
        raise click.UsageError(f"--diff makes HTML, not {format_}")
    if open_ and format_ not in _EXTENSIONS:
        raise click.UsageError(f"a browser does not show {format_}: choose html, svg or png")
    return format_


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _shown(file: str, choice: _Choice, on_error: Literal["raise", "skip"]) -> Iterator[_Shown]:
    """The chosen derivations of a file, one after the other; an error where there is none."""
    from ccgkit.corpora import load

    name = "the standard input" if file == "-" else file
    reader = load(sys.stdin.buffer if file == "-" else file, on_error=on_error)
    if not reader.codec.holds & reader.codec.holds.TREES:  # no need to read on
        raise ViewError(_NO_TREES.format(name))
    count = bare = drawn = 0
    ids: list[str] = []
    for count, sentence in enumerate(reader, 1):
        ids += [sentence.id] if sentence.id is not None else []
        if not choice.takes(count, sentence.id):
            continue
        trees = sentence.derivations or ()
        if not trees and not choice.everything:
            raise ViewError(f"{name}: sentence {sentence.id or count} has no derivation")
        bare += not trees
        drawn += len(trees)
        title = sentence.id or f"sentence {count}"
        for rank, tree in enumerate(trees, 1):
            nth = "" if len(trees) == 1 else f"-{rank}"
            yield _Shown(f"{count}{nth}", title + (f" ({rank})" if nth else ""), tree)
        if choice.done:
            break
    if reader.skipped:
        click.echo(f"{name}: {reader.skipped} unreadable sentences left out", err=True)
    choice.check(name, count, ids)
    if not drawn:
        raise ViewError(_NO_TREES.format(name) if count else f"{name} has no sentences")
    if bare:
        click.echo(f"{name}: {bare} of {count} sentences have no derivation", err=True)


def _with_rules(shown: Iterator[_Shown], scheme: str | None) -> Iterator[_Shown]:
    """The same with the rules' names, which most files leave out."""
    from ccgkit.render import with_rules

    waiting: list[_Shown] = []

    def derivations() -> Iterator[Derivation]:
        for one in shown:
            waiting.append(one)
            yield one.derivation

    for derivation in with_rules(derivations(), scheme):
        yield replace(waiting.pop(0), derivation=derivation)


def _texts(
    shown: Iterable[_Shown], format_: str, title: str, width: int | None, plain: bool
) -> Iterator[str]:
    """The pieces of a text, page or document."""
    from ccgkit.interop.nltk import bracketed
    from ccgkit.render import latex_document, page

    pairs = ((one.name, one.derivation) for one in shown)
    if format_ == "html":
        return page(pairs, "Derivations" if title == "-" else title)
    if format_ == "latex":
        return latex_document(pairs)
    if format_ == "nltk":
        return (f"{bracketed(derivation)}\n" for _, derivation in pairs)
    return _pretty(shown, width, plain)


def _pretty(shown: Iterable[_Shown], width: int | None, plain: bool) -> Iterator[str]:
    if width is None and not plain:
        width = shutil.get_terminal_size().columns
    colour = not plain and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    between = ""
    for one in shown:
        number = "" if one.name.startswith("sentence ") else f"{one.number} "
        heading = f"# {number}{one.name}"
        yield f"{between}{click.style(heading, dim=True) if colour else heading}\n"
        yield f"{one.derivation.pretty(width, colour)}\n"
        between = "\n"


def _difference(left: Iterable[_Shown], right: Iterable[_Shown], files: tuple[str, str]) -> Iterator[str]:
    from ccgkit.render import difference_page

    def pairs() -> Iterator[tuple[str, Derivation, Derivation]]:
        for one, other in zip_longest(left, right):
            if one is None or other is None:
                shorter, longer = files if one is None else files[::-1]
                raise ViewError(
                    f"{shorter} has fewer derivations than {longer}: choose with --number or --id"
                )
            yield one.name, one.derivation, other.derivation

    names = (Path(files[0]).name, Path(files[1]).name)
    return difference_page(pairs(), files if names[0] == names[1] else names)


def _target(output: Path | None, open_: bool, format_: str) -> Path | None:
    """Where to write: the path given, a temporary file for the browser, or None for the standard output."""
    if output is None and open_:
        return Path(tempfile.mkdtemp(prefix="ccgkit-")) / f"derivations{_EXTENSIONS[format_]}"
    return output


def _write(pieces: Iterable[bytes], path: Path | None) -> list[Path]:
    """Write to the path, which stays as it was if an error interrupts, or to the standard output."""
    if path is None:
        out, coming = sys.stdout.buffer, iter(pieces)
        first = list(islice(coming, 2))  # a head and something under it, or the error, and nothing is written
        for piece in chain(first, coming):
            out.write(piece)
            out.flush()
        return []
    device = path.exists() and not path.is_file()  # as /dev/stdout
    part = path if device else path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as out:
            out.writelines(pieces)
        if not device:
            part.replace(path)
    except OSError as error:
        raise ViewError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        if not device:
            with suppress(OSError):
                part.unlink()
    return [path]


def _write_pictures(shown: Iterator[_Shown], format_: str, path: Path | None) -> list[Path]:
    """One picture into the path itself, several into numbered files beside it."""
    draw = _drawer(format_)
    first, second = next(shown), next(shown, None)
    if second is None:
        return _write([draw(first.derivation)], path)
    if path is None:
        raise ViewError("several pictures need --output for their names; or choose one with --number or --id")
    written: list[Path] = []
    for one in chain([first, second], shown):
        name = path.with_name(f"{path.stem}-{one.number}{path.suffix}")
        written += _write([draw(one.derivation)], name)
    click.echo(f"{len(written)} pictures: {written[0]} … {written[-1]}", err=True)
    return written


def _drawer(format_: str) -> Callable[[Derivation], bytes]:
    from ccgkit.render import png, svg

    return png if format_ == "png" else lambda derivation: svg(derivation).encode()


def _open(path: Path) -> None:
    if not webbrowser.open(path.resolve().as_uri()):
        click.echo(f"No browser was found; it is written to {path}", err=True)
