"""`ccgkit validate-category`: is this string a category, and if not, why not?"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from ccgkit.grammar import Atom, Category, CategorySyntaxError, CCGKitError
from ccgkit.grammar.verdict import Flag, Inventory, Verdict, check, draw, scheme_inventory

__all__ = ["command"]


@click.command(
    "validate-category",
    context_settings={"ignore_unknown_options": True},
    short_help="Check whether strings are categories.",
)
@click.argument("categories", nargs=-1, type=click.UNPROCESSED, metavar="CAT...")
@click.option(
    "--file", "path", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Read categories from a file, one per line.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option("--tree", is_flag=True, help="Draw each category as a tree.")
@click.option(
    "--inventory", metavar="ccgbank|rebank|FILE|MODEL",
    help="Flag atoms and features outside a scheme, or categories outside a file's list or a model's.",
)  # fmt: skip
@click.option("--left-associative", is_flag=True, help=r"Read S\NP/NP as (S\NP)/NP.")
def command(
    categories: tuple[str, ...],
    path: Path | None,
    as_json: bool,
    tree: bool,
    inventory: str | None,
    left_associative: bool,
) -> None:
    """Check category strings: print each one's canonical spelling, or what is wrong with it.

    CAT may be - for lines on standard input. Exit code: 0 all valid, 1 some invalid, 2 wrong usage.
    """
    _refuse_unknown_options(categories)
    if not categories and path is None:
        raise click.UsageError("Give a category, - for standard input, or --file.")
    known = _inventory(inventory) if inventory else None
    out = sys.stdout
    at_terminal = out.isatty()
    valid = True
    for line, text in _inputs(categories, path):
        verdict = check(text, known, left_associative=left_associative)
        valid &= verdict.valid
        words = _in_json(verdict, line, tree) if as_json else _in_words(verdict, line, tree, at_terminal)
        out.write(words)
        if at_terminal:
            out.flush()
    out.flush()
    sys.exit(0 if valid else 1)


def _refuse_unknown_options(categories: tuple[str, ...]) -> None:
    """Categories may start with a dash (-LRB-), so click cannot tell a mistyped option from one."""
    for text in categories:
        if text.startswith("--") and len(text) > 2:
            raise click.NoSuchOption(text, possibilities=["--file", "--json", "--tree", "--inventory"])


def _inputs(categories: tuple[str, ...], path: Path | None) -> Iterator[tuple[int | None, str]]:
    """Each input with its line number, None for an argument."""
    for text in categories:
        if text == "-":
            yield from _lines(sys.stdin.buffer)
        else:
            yield None, text
    if path is not None:
        with path.open("rb") as file:
            yield from _lines(file)


def _lines(file: Any) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(file, 1):
        yield number, line.decode("utf-8", "surrogateescape").rstrip("\r\n")


def _in_words(verdict: Verdict, line: int | None, tree: bool, coloured: bool) -> str:
    place = "" if line is None else f"line {line}: "
    if verdict.error is not None:
        return _styled(f"{place}error: {verdict.error}", "red", coloured) + "\n"
    written = f"{verdict.category}"
    if (flag := verdict.flag) is not None:
        nearest = f"; nearest known: {flag.nearest}" if flag.nearest else ""
        written = _styled(f"{place}{written}  [{flag.reason}{nearest}]", "yellow", coloured)
    return "\n    ".join((written, *(_tree(verdict) if tree else ()))) + "\n"


def _in_json(verdict: Verdict, line: int | None, tree: bool) -> str:
    found = verdict.to_dict()
    if line is not None:
        found["line"] = line
    if tree and (rows := _tree(verdict)):
        found["tree"] = rows
    return json.dumps(found) + "\n"


def _tree(verdict: Verdict) -> list[str]:
    return [] if verdict.category is None else draw(verdict.category)


def _styled(text: str, colour: str, coloured: bool) -> str:
    return click.style(text, fg=colour) if coloured else text


def _inventory(name: str) -> Inventory:
    if name in ("ccgbank", "rebank"):
        return scheme_inventory(name)
    path = Path(name)
    if path.is_dir():
        return _model_inventory(path)
    if path.is_file():
        return _list_inventory(_listed_categories(path), name)
    raise click.UsageError(
        f"--inventory takes ccgbank, rebank, a file or a model directory; there is no {name!r}"
    )


def _list_inventory(known: frozenset[Category], name: str) -> Inventory:
    spellings = sorted(map(str, known))

    def flag(category: Category) -> Flag | None:
        if category in known:
            return None
        near = get_close_matches(str(category), spellings, 1, 0.0)
        return Flag(f"not in {name}", near[0] if near else None)

    return flag


def _listed_categories(path: Path) -> frozenset[Category]:
    """The first column of a file; empty lines and lines that start with # and a blank are skipped."""
    known = set()
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("# "):
                continue
            known.add(_known(line.split()[0], f"{path}, line {number}"))
    return frozenset(known)


def _known(spelling: str, place: str) -> Category:
    try:
        return Category.parse(spelling)
    except CategorySyntaxError as error:
        raise CCGKitError(f"{place}: {error}") from None


def _model_inventory(folder: Path) -> Inventory:
    """What a model can give a word: a classifier's categories, or what a generator's tags can spell."""
    from ccgkit.taggers.directory import sound

    with sound(folder):
        vocabulary = _model_vocabulary(folder)
        if "categories" in vocabulary:
            known = frozenset(_known(spelling, str(folder)) for spelling in vocabulary["categories"])
            return _list_inventory(known, str(folder))
        pieces = vocabulary.get("tags", vocabulary.get("atoms", ()))
        lexemes = {lexeme for piece in pieces for lexeme in piece.split(" ")} | {"(", ")", "/", "\\"}

    def flag(category: Category) -> Flag | None:
        unknown = [str(atom) for atom in category.atoms() if not lexemes.issuperset(lexemes_of(atom))]
        if not unknown:
            return None
        return Flag(f"not among the atoms of {folder}: {', '.join(dict.fromkeys(unknown))}", near(unknown[0]))

    def lexemes_of(atom: Atom) -> tuple[str, ...]:
        if str(atom) in lexemes or atom.feature is None:
            return (str(atom),)
        return (atom.base, f"[{atom.feature}]")

    def near(atom: str) -> str | None:
        return next(iter(get_close_matches(atom, sorted(lexemes), 1, 0.0)), None)

    return flag


def _model_vocabulary(folder: Path) -> dict[str, Any]:
    from ccgkit.taggers.directory import VOCABULARY, read_json, read_text

    parts = folder / "ensemble.toml"
    if parts.is_file():
        folder = folder / tomllib.loads(read_text(parts))["generator"]
    if not (folder / VOCABULARY).exists():
        raise CCGKitError(f"{folder} is not a model directory: it has no {VOCABULARY}")
    vocabulary: dict[str, Any] = read_json(folder / VOCABULARY)["decoder"]
    return vocabulary
