"""`ccgkit stats`: what is in corpus files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from .sources import FILES, Command, corpus, input_format_option
from .targets import check_output, writing

if TYPE_CHECKING:
    from ccgkit.corpora.statistics import Statistics
    from ccgkit.sentence import Sentence

__all__ = ["command"]

_SHOWN = 10  # rows of a list in the table
_SAMPLE = 1000  # sentences that are asked for their scheme


@click.command(cls=Command, short_help="Count what is in a corpus.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILES)
@input_format_option
@click.option(
    "--scheme",
    metavar="NAME|FILE",
    help="The grammar that says which rule made a node: ccgbank, rebank, udccg or a .toml file. "
    "[default: by the categories]",
)
@click.option("--on-error", type=click.Choice(["raise", "skip"]), default="raise", show_default=True,
              help="A sentence that cannot be read: stop, or leave it out and count it.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="All figures as JSON.")
@click.option("--plot", "picture", metavar="OUT", type=click.Path(dir_okay=False, path_type=Path),
              help="Also draw them into OUT, a .png or .svg file.")  # fmt: skip
def command(
    files: tuple[str, ...],
    input_format: str | None,
    scheme: str | None,
    on_error: Literal["raise", "skip"],
    as_json: bool,
    picture: Path | None,
) -> None:
    """Count sentences, words, categories, lengths, depths and rules in FILES; - is standard input."""
    if picture is not None and picture.suffix.lower() not in (".png", ".svg"):
        raise click.UsageError("--plot draws .png and .svg files")
    from ccgkit.corpora import load
    from ccgkit.corpora.scheme import probable_scheme
    from ccgkit.corpora.statistics import Statistics

    check_output(picture, files)
    skipped = 0

    def sentences() -> Iterator[Sentence]:
        nonlocal skipped
        for name in files:
            reader = load(corpus(name), input_format, on_error)
            yield from reader
            skipped += reader.skipped
            if reader.skipped:
                first = reader.errors[0]
                click.echo(f"{name}: {reader.skipped} sentences skipped; the first: {first}", err=True)

    coming = sentences()
    first = list(islice(coming, _SAMPLE))
    has_trees = any(sentence.derivations for sentence in first)
    statistics = Statistics(probable_scheme(first, scheme, " and ".join(files)) if has_trees else None)
    statistics.update(chain(first, coming))
    if as_json:
        figures = {"files": list(files), "skipped": skipped, **statistics.as_dict()}
        click.echo(json.dumps(figures, ensure_ascii=False, indent=2))
    else:
        click.echo(_table(statistics, skipped))
    if picture is not None:
        from ccgkit.corpora.plot import plot

        with writing(picture):
            plot(statistics, picture)


def _table(statistics: Statistics, skipped: int) -> str:
    lines = [_row("sentences", statistics.sentences)]
    if skipped:
        lines.append(_row("skipped", skipped))
    lines += [_row("tokens", statistics.tokens), _row("distinct words", len(statistics.words))]
    lines.append(_spread("length", statistics.lengths))
    if statistics.categories:
        lines.append(_row("categories", len(statistics.categories)))
        lines.append(_row("  seen 10+ times", statistics.frequent))
        lines.append(_row("  seen once", statistics.once))
        lines += _list(Counter({str(c): n for c, n in statistics.categories.items()}), statistics.tokens)
    if statistics.trees:
        nodes = statistics.rules.total() + statistics.unlicensed.total()
        name = statistics.scheme.name if statistics.scheme else "none"
        lines += [_row("derivations", statistics.trees), _spread("depth", statistics.depths)]
        lines += ["", f"rules of {name}", *_list(statistics.rules, nodes, len(statistics.rules))]
        lines += [_row("unlicensed nodes", statistics.unlicensed.total(), nodes)]
        lines += _list(statistics.unlicensed, nodes)
    return "\n".join(line for line in lines)


def _row(name: str, count: int, total: int = 0) -> str:
    share = f" {100 * count / total:6.2f} %" if total else ""
    return f"{name:18}{count:>12,}{share}"


def _spread(name: str, counts: Counter[int]) -> str:
    from ccgkit.corpora.statistics import distribution

    figures = distribution(counts)
    if not figures:
        return _row(name, 0)
    shown = "  ".join(f"{key} {figures[key]:g}" for key in ("min", "mean", "median", "max"))
    return f"{name:18}  {shown}  {_sparkline(counts)}"


def _sparkline(counts: Counter[int], bins: int = 24) -> str:
    """The distribution as a row of blocks, the greatest values in the last."""
    width = max(counts) // bins + 1
    heights = [0] * (max(counts) // width + 1)
    for value, count in counts.items():
        heights[value // width] += count
    top = max(heights)
    return "".join(" ▁▂▃▄▅▆▇█"[-(-height * 8 // top)] for height in heights)


def _list(counts: Counter[str], total: int, most: int = _SHOWN) -> list[str]:
    return [
        f"    {count:>10,} {100 * count / total:6.2f} %  {name}" for name, count in counts.most_common(most)
    ]
