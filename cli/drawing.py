"""Derivations for people: text, pages, pictures, LaTeX; into files, the browser, or onto the terminal."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import click

from ccgkit import CCGKitError, Derivation

from .targets import opened

__all__ = [
    "FORMATS",
    "VIEWS",
    "DrawingError",
    "Shown",
    "browsed",
    "draw",
    "draw_page",
    "is_terminal",
    "open_option",
]

F = TypeVar("F", bound=Callable[..., Any])

FORMATS = ("pretty", "html", "svg", "latex", "png", "nltk")
#: the formats by the ends of their files' names
VIEWS = {
    ".html": "html", ".htm": "html", ".svg": "svg", ".tex": "latex", ".png": "png", ".txt": "pretty",
    ".nltk": "nltk",
}  # fmt: skip
_PICTURES = ("svg", "png")
_EXTENSIONS = {"html": ".html", "svg": ".svg", "png": ".png"}  # what a browser shows


class DrawingError(CCGKitError):
    """There is nothing to draw, or not as asked for."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A derivation of a sentence, or None, with its number, its name and what there is to say of it."""

    number: str
    name: str
    derivation: Derivation | None
    note: str = ""


def open_option(function: F) -> F:
    return click.option("--open/--no-open", "open_", default=None, help="Show it in the browser.")(function)


def is_terminal() -> bool:
    return sys.stdout.isatty()


def browsed(form: str, output: Path | None, open_: bool | None) -> bool:
    """Whether to open a browser: markup and pictures are nothing to print on a terminal."""
    if open_ and form not in _EXTENSIONS:
        raise click.UsageError(f"a browser does not show {form}: choose html, svg or png")
    return output is None and form in _EXTENSIONS and is_terminal() if open_ is None else open_


def draw(
    shown: Iterator[Shown],
    form: str,
    output: Path | None,
    *,
    open_: bool = False,
    title: str = "Derivations",
    width: int | None = None,
) -> None:
    """Write the derivations in a format of `FORMATS`; without an output to the standard one, or a browser."""
    target = _target(form, output, open_)
    if form in _PICTURES:
        paths = _pictures(shown, form, target)
    else:
        paths = _write((text.encode() for text in _texts(shown, form, title, width, target)), target)
    if open_:
        _show(paths[0])


def draw_page(pieces: Iterable[str], output: Path | None, open_: bool) -> None:
    """Write the pieces of an HTML page."""
    paths = _write((piece.encode() for piece in pieces), _target("html", output, open_))
    if open_:
        _show(paths[0])


def _target(form: str, output: Path | None, open_: bool) -> Path | None:
    """The path that is given, a temporary file for the browser, or None for the standard output."""
    if output is None and open_:
        return Path(tempfile.mkdtemp(prefix="ccgkit-")) / f"derivations{_EXTENSIONS[form]}"
    return output


def _write(pieces: Iterable[bytes], path: Path | None) -> list[Path]:
    """Write to the path, which stays as it was if an error interrupts, or to the standard output."""
    coming = iter(pieces)
    if path is None:  # a head and something under it, or the error, and nothing is written
        coming = chain(list(islice(coming, 2)), coming)
    with opened(path, None, False) as (stream, _):
        for piece in coming:
            stream.write(piece)
            if path is None:
                stream.flush()
    return [] if path is None else [path]


def _show(path: Path) -> None:
    """Open the file in the browser."""
    if not webbrowser.open(path.resolve().as_uri()):
        click.echo(f"No browser was found; it is written to {path}", err=True)


def _texts(
    shown: Iterable[Shown], form: str, title: str, width: int | None, target: Path | None
) -> Iterator[str]:
    """The pieces of a text, page or document."""
    from ccgkit.interop.nltk import bracketed
    from ccgkit.render import latex_document, page

    if form == "nltk":
        return (f"{bracketed(one.derivation) if one.derivation else ''}\n" for one in shown)
    if form == "pretty":
        return _pretty(shown, width, target is None and is_terminal())
    pairs = ((_title(one), one.derivation or one.note) for one in shown)
    return page(pairs, title) if form == "html" else latex_document(pairs)


def _title(one: Shown) -> str:
    return f"{one.name} {one.note}" if one.derivation and one.note else one.name


def _pretty(shown: Iterable[Shown], width: int | None, terminal: bool) -> Iterator[str]:
    if width is None and terminal:
        width = shutil.get_terminal_size().columns
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    between = ""
    for one in shown:
        number = "" if one.name.startswith("sentence ") else f"{one.number} "
        heading = f"# {number}{one.name}" + (f" {one.note}" if one.note else "")
        yield f"{between}{click.style(heading, dim=True) if colour else heading}\n"
        if one.derivation:
            yield f"{one.derivation.pretty(width, colour)}\n"
        between = "\n"


def _pictures(shown: Iterator[Shown], form: str, path: Path | None) -> list[Path]:
    """One picture into the path itself, several into numbered files beside it."""
    picture = _drawer(form)
    drawn = ((one.number, one.derivation) for one in shown if one.derivation)
    first, second = next(drawn, None), next(drawn, None)
    if first is None:
        raise DrawingError("there is no derivation to draw")
    if second is None:
        return _write([picture(first[1])], path)
    if path is None:
        raise DrawingError("several pictures need --output for their names")
    written: list[Path] = []
    for number, derivation in chain([first, second], drawn):
        name = path.with_name(f"{path.stem}-{number}{path.suffix}")
        written += _write([picture(derivation)], name)
    click.echo(f"{len(written)} pictures: {written[0]} … {written[-1]}", err=True)
    return written


def _drawer(form: str) -> Callable[[Derivation], bytes]:
    from ccgkit.render import png, svg

    return png if form == "png" else lambda derivation: svg(derivation).encode()
