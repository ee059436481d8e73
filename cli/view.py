"""`ccgkit view`: derivations on the terminal, as a page, as pictures, as LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from ccgkit import Derivation

from .drawing import FORMATS, VIEWS, DrawingError, Shown, browsed, draw, draw_page, open_option
from .sources import FILES, Command, corpus, input_format_option
from .targets import check_output, format_option, output_format, output_option

if TYPE_CHECKING:
    from ccgkit.sentence import Sentence

__all__ = ["command"]

_NO_TREES = "{} has no derivations, only words, tags or dependencies: view needs trees, as in .auto files"


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

    def check(self, files: str, count: int, ids: list[str]) -> None:
        """Say what has not been found among the `count` sentences of the files."""
        if self.numbers:
            has = "1 sentence" if count == 1 else f"{count} sentences"
            raise DrawingError(f"{files} has {has}, none with the number {min(self.numbers)}")
        if self.ids:
            wrong = min(self.ids)
            close = get_close_matches(wrong, ids, 3, 0.5)
            hint = f"; the nearest are {', '.join(close)}" if close else "" if ids else ": it has no ids"
            raise DrawingError(f"{files} has no sentence with the id {wrong}{hint}")


@click.command("view", cls=Command, short_help="Draw derivations.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILES)
@input_format_option
@format_option(f"pretty; also {', '.join(FORMATS[1:])}")
@output_option
@click.option("--id", "ids", multiple=True, metavar="ID", help="Only the sentence with this id (repeatable).")
@click.option(
    "--number", "numbers", multiple=True, type=click.IntRange(1), metavar="N",
    help="Only the Nth sentence, from 1, counted through all files (repeatable).",
)  # fmt: skip
@click.option(
    "--diff", "other", type=FILES, metavar="OTHER",
    help="Show FILE's and OTHER's derivations side by side, differing constituents marked (HTML).",
)  # fmt: skip
@click.option(
    "--scheme",
    metavar="NAME",
    help="Whose rules they follow, such as ccgbank. Default: by the categories, otherwise ccgbank.",
)
@open_option
@click.option(
    "--width", type=click.IntRange(1), metavar="N", help="Columns for pretty. Default: the terminal's."
)
@click.option(
    "--on-error", type=click.Choice(("raise", "skip")), default="raise",
    help="What to do at a damaged sentence. Default: raise.",
)  # fmt: skip
def command(
    files: tuple[str, ...],
    input_format: str | None,
    form: str | None,
    output: Path | None,
    ids: tuple[str, ...],
    numbers: tuple[int, ...],
    other: str | None,
    scheme: str | None,
    open_: bool | None,
    width: int | None,
    on_error: Literal["raise", "skip"],
) -> None:
    """Draw the derivations of the FILEs (- is the standard input).

    \b
    ccgkit view wsj_0001.auto --number 3         on the terminal
    ccgkit view wsj_0001.auto -o page.html       all on one page
    ccgkit view wsj_0001.auto -o tree.svg        tree-1.svg, tree-2.svg …
    ccgkit view gold.auto --diff parsed.auto     what differs, in the browser
    """
    form = _format(form, output, other, open_)
    show = browsed(form, output, open_)
    check_output(output, [*files, *([other] if other else [])])

    def shown(paths: Sequence[str]) -> Iterator[Shown]:
        choice = _Choice(set(numbers), set(ids))
        return _with_rules(_shown(paths, input_format, choice, on_error), scheme)

    if other is None:
        title = "Derivations" if files[0] == "-" else Path(files[0]).name
        draw(shown(files), form, output, open_=show, title=title, width=width)
        return
    if len(files) > 1 or files == ("-",) == (other,):
        raise click.UsageError("--diff compares two files, of which one can be the standard input")
    draw_page(_difference(shown(files), shown([other]), (files[0], other)), output, show)


def _format(form: str | None, output: Path | None, other: str | None, open_: bool | None) -> str:
    from ccgkit.corpora import Part

    default = "html" if other is not None or open_ else "pretty"
    chosen = output_format(form, output, default, VIEWS, Part(0), "a drawing")
    if other is not None and chosen != "html":
        raise click.UsageError(f"--diff makes HTML, not {chosen}")
    return chosen


def _shown(
    files: Sequence[str], form: str | None, choice: _Choice, on_error: Literal["raise", "skip"]
) -> Iterator[Shown]:
    """The chosen derivations of the files, one after the other; an error where there is none."""
    count = bare = drawn = 0
    ids: list[str] = []
    name = ", ".join("the standard input" if file == "-" else file for file in files)
    for count, sentence in enumerate(_sentences(files, form, on_error), 1):
        ids += [sentence.id] if sentence.id is not None else []
        if not choice.takes(count, sentence.id):
            continue
        trees = sentence.derivations or ()
        if not trees and not choice.everything:
            raise DrawingError(f"{name}: sentence {sentence.id or count} has no derivation")
        bare += not trees
        drawn += len(trees)
        title = sentence.id or f"sentence {count}"
        for rank, tree in enumerate(trees, 1):
            nth = "" if len(trees) == 1 else f"-{rank}"
            yield Shown(f"{count}{nth}", title + (f" ({rank})" if nth else ""), tree)
        if choice.done:
            break
    choice.check(name, count, ids)
    if not drawn:
        raise DrawingError(_NO_TREES.format(name) if count else f"{name} has no sentences")
    if bare:
        click.echo(f"{name}: {bare} of {count} sentences have no derivation", err=True)


def _sentences(
    files: Sequence[str], form: str | None, on_error: Literal["raise", "skip"]
) -> Iterator[Sentence]:
    from ccgkit.corpora import Part, load

    for file in files:
        name = "the standard input" if file == "-" else file
        reader = load(corpus(file), form, on_error)
        if Part.TREES not in reader.codec.holds:  # no need to read on
            raise DrawingError(_NO_TREES.format(name))
        yield from reader
        if reader.skipped:
            click.echo(f"{name}: {reader.skipped} unreadable sentences left out", err=True)


def _with_rules(shown: Iterator[Shown], scheme: str | None) -> Iterator[Shown]:
    """The same with the rules' names, which most files leave out."""
    from ccgkit.render import with_rules

    waiting: list[Shown] = []

    def derivations() -> Iterator[Derivation]:
        for one in shown:
            if one.derivation is not None:
                waiting.append(one)
                yield one.derivation

    for derivation in with_rules(derivations(), scheme):
        yield replace(waiting.pop(0), derivation=derivation)


def _difference(left: Iterable[Shown], right: Iterable[Shown], files: tuple[str, str]) -> Iterator[str]:
    from ccgkit.render import difference_page

    def pairs() -> Iterator[tuple[str, Derivation, Derivation]]:
        for one, other in zip_longest(left, right):
            if one is None or other is None:
                shorter, longer = files if one is None else files[::-1]
                raise DrawingError(
                    f"{shorter} has fewer derivations than {longer}: choose with --number or --id"
                )
            if one.derivation is not None and other.derivation is not None:
                yield one.name, one.derivation, other.derivation

    names = (Path(files[0]).name, Path(files[1]).name)
    return difference_page(pairs(), files if names[0] == names[1] else names)
