"""ERG derivations in a profile of `[incr tsdb()]`: a folder of tables, as PyDelphin writes it.

Of each item the preferred result counts (`preference`), the first where none is preferred.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..corpora.blocks import Source
from ..corpora.errors import CorpusError
from .erg import Item, Node, Report

__all__ = ["load"]

_PIECE = re.compile(r'\s*(?:(?P<mark>[()])|"(?P<text>(?:[^"\\]|\\.)*)"|(?P<atom>[^\s()"]+))', re.DOTALL)
_OFFSET = re.compile(r'\+(FROM|TO)\s+\\?"(\d+)\\?"')
_ESCAPES = {"\\s": "@", "\\n": "\n", "\\\\": "\\"}
_NODE = 5  # id, name, score, start and end come before the daughters

Row = Mapping[str, str]


def load(folder: Path, report: Report | None = None) -> Iterator[Item]:
    """The items of a profile that have a derivation, in the order of their results.

    A derivation that does not read raises `CorpusError`; with `report`, that is called, and the rest goes on.
    """
    fields = _fields(folder)
    texts = {row["i-id"]: row["i-input"] for _, row in _rows(folder, "item", fields)}
    items = {row["parse-id"]: row["i-id"] for _, row in _rows(folder, "parse", fields)}
    preferred: dict[str, str] = {}
    if "preference" in fields and _path(folder, "preference") is not None:
        preferred = {row["parse-id"]: row["result-id"] for _, row in _rows(folder, "preference", fields)}
    done: set[str] = set()
    for source, row in _rows(folder, "result", fields):
        name = row["parse-id"]
        if name in done or preferred.get(name, row["result-id"]) != row["result-id"]:
            continue
        done.add(name)
        try:
            yield _item(row, items, texts)
        except ValueError as error:
            problem = CorpusError(str(error), source.name, source.number)
            if report is None:
                raise problem from error
            report(problem)


def _item(row: Row, items: Mapping[str, str], texts: Mapping[str, str]) -> Item:
    name = items.get(row["parse-id"], "")
    if name not in texts:
        raise ValueError(f"parse {row['parse-id']} belongs to no item")
    root, tree = _read(row["derivation"], len(texts[name]))
    return Item(name, texts[name], tree, root)


def _fields(folder: Path) -> dict[str, list[str]]:
    """The columns of each table, from the file `relations`."""
    found: dict[str, list[str]] = {}
    table = ""
    for line in Source.open(folder / "relations"):
        word = line.split("#")[0].split()
        if word and word[0].endswith(":") and len(word) == 1:
            table = word[0][:-1]
            found[table] = []
        elif word and table:
            found[table].append(word[0])
    return found


def _path(folder: Path, table: str) -> Path | None:
    return next((path for path in (folder / table, folder / f"{table}.gz") if path.is_file()), None)


def _rows(folder: Path, table: str, fields: Mapping[str, list[str]]) -> Iterator[tuple[Source, Row]]:
    path = _path(folder, table)
    if path is None or table not in fields:
        raise CorpusError(f"a profile needs the table {table}, in a file and in `relations`", str(folder))
    source = Source.open(path)
    for line in source:
        cells = [re.sub(r"\\[sn\\]", lambda found: _ESCAPES[found[0]], cell) for cell in line.split("@")]
        if len(cells) != len(fields[table]):
            reason = f"{len(cells)} fields, but a row of {table} has {len(fields[table])}"
            raise CorpusError(reason, source.name, source.number)
        yield source, dict(zip(fields[table], cells, strict=True))


def _read(text: str, length: int) -> tuple[str, Node]:
    """The root and the tree of a derivation in the unified derivation format."""
    nested = _nested(text)
    root = ""
    if len(nested) == 2 and isinstance(nested[0], str):
        root, nested = nested[0], nested[1]
    return root, _node(nested, length)


def _nested(text: str) -> list[Any]:
    """Parentheses as lists; strings keep a quotation mark at their start."""
    stack: list[list[Any]] = [[]]
    place = 0
    while found := _PIECE.match(text, place):
        place = found.end()
        if found["mark"] == "(":
            stack.append([])
        elif found["mark"] == ")" and len(stack) > 1:
            closed = stack.pop()
            stack[-1].append(closed)
        elif found["mark"]:
            place = found.start()
            break
        else:
            stack[-1].append(found["atom"] if found["atom"] is not None else f'"{found["text"]}')
    if len(stack) != 1 or len(stack[0]) != 1 or text[place:].strip():
        raise ValueError(f"a derivation has one parenthesis too many or too few at character {place + 1}")
    (tree,) = stack[0]
    return tree if isinstance(tree, list) else []


def _node(nested: list[Any], length: int) -> Node:
    """A node and all below it, built from its leaves."""
    order = [nested]
    for part in order:
        if not isinstance(part, list) or len(part) <= _NODE or not isinstance(part[1], str):
            raise ValueError("a node that is not (id name score start end daughter …)")
        order += [] if _is_leaf(part) else part[_NODE:]
    done: dict[int, Node] = {}
    for part in reversed(order):
        if _is_leaf(part):
            done[id(part)] = _leaf(part, length)
        else:
            done[id(part)] = Node(str(part[1]), tuple(done[id(daughter)] for daughter in part[_NODE:]))
    return done[id(nested)]


def _is_leaf(part: list[Any]) -> bool:
    first = part[_NODE]
    return isinstance(first, list) and bool(first) and isinstance(first[0], str) and first[0].startswith('"')


def _leaf(part: list[Any], length: int) -> Node:
    offsets: dict[str, list[int]] = {"FROM": [], "TO": []}
    for token in part[_NODE]:
        for side, number in _OFFSET.findall(str(token)):
            offsets[side].append(int(number))
    if not offsets["FROM"] or not offsets["TO"]:
        raise ValueError(f"{part[1]} does not say where it stands in the text")
    start, end = min(offsets["FROM"]), max(offsets["TO"])
    if not 0 <= start <= end <= length:
        raise ValueError(f"{part[1]} stands at {start} to {end} in a text of {length} characters")
    return Node(str(part[1]), (), start, end)
