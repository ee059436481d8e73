"""`ccgkit oracle`: a category as a generator's targets: tag sequences and transitions."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from ccgkit import Category
from ccgkit.oracles import TAG_SETS, OracleError, TagSet, make_tag_set, oracle
from ccgkit.oracles.account import count_text, exact_count, steps
from ccgkit.oracles.account import transitions as transition_table

if TYPE_CHECKING:
    from ccgkit.oracles.tag_set import CountBy

__all__ = ["command"]

_MANY = 100_000  # sequences in one JSON line
_HEADINGS = ("T", "Stack", "Buffer", "Action")
_EXAMPLE = r"ccgkit oracle '(NP/NP)\NP' --set PA --k 1 --all"


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which sequences to show: all, none, some at random, or the longest match."""

    all: bool
    count: bool
    sample: int | None
    rng: random.Random

    def sequences(self, tag_set: TagSet, category: Category) -> Iterator[tuple[str, ...]]:
        if self.count or not tag_set.can_express(category):
            return iter(())
        if self.all:
            return tag_set.decompositions(category)
        if self.sample is not None:
            return (tag_set.sample(category, self.rng) for _ in range(self.sample))
        return iter((tag_set.decompose(category),))

    @property
    def title(self) -> str:
        return "all" if self.all else "sampled" if self.sample is not None else "longest match"


def _tag_sets(context: click.Context, option: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names, of tag sets that are known by now: a program may have registered one of its own."""
    known = click.Choice(TAG_SETS.names(), case_sensitive=False)
    return tuple(known.convert(name, option, context) for name in names)


@click.command("oracle", epilog=f"Example: {_EXAMPLE}", short_help="Show how a generator writes categories.")
@click.argument("categories", metavar="CATEGORY…", nargs=-1, required=True)
@click.option(
    "--set",
    "names",
    callback=_tag_sets,
    metavar="|".join(TAG_SETS.names()),
    multiple=True,
    help="Tag set (repeatable).  [default: all]",
)
@click.option("--k", type=click.IntRange(0), default=10, show_default=True, help="Expressions to add to AC.")
@click.option("--n", type=click.IntRange(1), default=2, show_default=True, help="Length of NG's n-grams.")
@click.option(
    "--corpus",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Count expressions in this corpus.  [default: in the categories given]",
)
@click.option(
    "--by",
    type=click.Choice(["tokens", "types"]),
    default="tokens",
    show_default=True,
    help="Count a category as often as it occurs, or once.",
)
@click.option("--all", "all_", is_flag=True, help="Show every sequence.")
@click.option("--count", is_flag=True, help="Show only how many sequences there are.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Show N sequences drawn uniformly.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of --sample.")
@click.option("--transitions", is_flag=True, help="Show the transitions too, step by step.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per category.")
def command(
    categories: tuple[str, ...],
    names: tuple[str, ...],
    k: int,
    n: int,
    corpus: Path | None,
    by: str,
    all_: bool,
    count: bool,
    sample: int | None,
    seed: int,
    transitions: bool,
    as_json: bool,
) -> None:
    """Show how a generator writes each CATEGORY: as atomic tags, and as transitions."""
    if all_ + count + (sample is not None) > 1:
        raise click.UsageError("choose one of --all, --count and --sample")
    parsed = [Category.parse(text) for text in categories]
    if transitions:  # what has none is refused before anything is shown
        for category in parsed:
            oracle(category)
    counts = Counter(parsed) if corpus is None else _read(corpus)
    sets = [
        make_tag_set(name, counts, k=k, n=n, count=cast("CountBy", by)) for name in names or TAG_SETS.names()
    ]
    wanted = _Wanted(all_, count, sample, random.Random(seed))
    for category in parsed:
        if as_json:
            click.echo(json.dumps(_document(category, sets, wanted, transitions), ensure_ascii=False))
        else:
            for line in _lines(category, sets, wanted, transitions):
                click.echo(line)


def _read(corpus: Path) -> Counter[Category]:
    """The categories of a corpus; damaged sentences are left out and reported."""
    from ccgkit.corpora import load

    sentences = load(corpus, on_error="skip")
    counts = Counter(category for sentence in sentences for category in sentence.categories or ())
    if sentences.skipped:
        message = f"Warning: {sentences.skipped} damaged sentences left out; the first: {sentences.errors[0]}"
        click.echo(message, err=True)
    if not counts:
        raise OracleError(f"{corpus}: no sentence with categories in it")
    return counts


def _lines(category: Category, sets: Iterable[TagSet], wanted: _Wanted, transitions: bool) -> Iterator[str]:
    atoms = "1 atom" if category.size == 1 else f"{category.size} atoms"
    yield f"{category}  ({atoms})"
    for tag_set in sets:
        yield from _sequence_lines(category, tag_set, wanted)
    if transitions:
        yield from _transition_lines(category)


def _sequence_lines(category: Category, tag_set: TagSet, wanted: _Wanted) -> Iterator[str]:
    total = tag_set.count(category)
    head = f"  {type(tag_set).__name__} ({len(tag_set)} tags): "
    if not total:
        yield head + f"no sequence: the set lacks {', '.join(tag_set.missing(category))}"
        return
    sequences = "1 sequence" if total == 1 else f"{count_text(total)} sequences"
    yield head + sequences + ("" if wanted.count or total == 1 else f", {wanted.title}")
    for tags in wanted.sequences(tag_set, category):
        yield f"    length {len(tags) - 1:<3} {' '.join(tags)}"


def _transition_lines(category: Category) -> Iterator[str]:
    """The paper's figure. The steps are run twice, first for the widths, so that one is held at a time."""
    widths = list(map(len, _HEADINGS))
    for cells in _cells(category):
        widths = [max(width, len(cell)) for width, cell in zip(widths, cells, strict=True)]
    yield f"  transitions, {len(oracle(category))} steps"
    yield _row(_HEADINGS, widths)
    for cells in _cells(category):
        yield _row(cells, widths)


def _cells(category: Category) -> Iterator[tuple[str, ...]]:
    for state, action in steps(category):
        yield str(state.time), state.stack_text(), state.buffer_text(), str(action)


def _row(cells: tuple[str, ...], widths: list[int]) -> str:
    padded = "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
    return f"    {padded}".rstrip()


def _document(
    category: Category, sets: Iterable[TagSet], wanted: _Wanted, transitions: bool
) -> dict[str, Any]:
    document: dict[str, Any] = {
        "category": str(category),
        "atoms": category.size,
        "sets": {type(tag_set).__name__: _set_document(category, tag_set, wanted) for tag_set in sets},
    }
    if transitions:
        document["transitions"] = transition_table(category)
    return document


def _set_document(category: Category, tag_set: TagSet, wanted: _Wanted) -> dict[str, Any]:
    total = tag_set.count(category)
    if wanted.all and total > _MANY:
        raise OracleError(
            f"{category} has {count_text(total)} sequences: take --sample instead of --all, "
            "or leave out --json"
        )
    return {
        "tags": len(tag_set),
        "count": exact_count(total),
        "sequences": [list(tags) for tags in wanted.sequences(tag_set, category)],
    }
