"""Derivations of the English Resource Grammar: one JSON object a line, with `id`, `text`, `root` and `tree`.

A tree is `[rule, daughter, ...]`, a leaf `[lexical entry, from, to, tag]` with offsets into the text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..corpora.blocks import Block, Source, single_lines
from ..corpora.codec import File
from ..corpora.errors import CorpusError
from ..grammar.traversal import preorder

__all__ = ["Item", "Node", "load"]

Report = Callable[[CorpusError], object]


@dataclass(frozen=True, slots=True)
class Node:
    """A rule over its children, or a lexical entry over `text[start:end]`."""

    name: str
    children: tuple[Node, ...] = ()
    start: int = 0
    end: int = 0
    tag: str = ""

    def nodes(self) -> Iterator[Node]:
        """This node and all below it, mothers first, left to right."""
        return preorder(self)


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence and the derivation that was chosen for it."""

    id: str
    text: str
    tree: Node
    root: str = ""


def load(file: File, report: Report | None = None) -> Iterator[Item]:
    """The items of a path or stream, gzipped or not, one after the other.

    An item that does not read raises `CorpusError` with file and line; with `report`, that is called with the
    error instead, and the rest goes on.
    """
    source = Source.open(file)
    blocks = single_lines(source)
    while True:
        try:
            block = next(blocks, None)
            if block is None:
                break
            item = _item(block)
        except CorpusError as error:
            if report is None:
                raise
            report(error)
        else:
            yield item
    if not source.number:
        _refuse(CorpusError("no items: the file is empty", source.name), report)


def _refuse(error: CorpusError, report: Report | None) -> None:
    if report is None:
        raise error
    report(error)


def _item(block: Block) -> Item:
    block.check()
    try:
        data = json.loads(block.lines[0])
        name, text, tree = str(data["id"]), data["text"], data["tree"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise block.error(f"expected a JSON object with id, text and tree ({error})") from error
    if not isinstance(text, str):
        raise block.error(f"item {name}: the text is not a string")
    return Item(name, text, _tree(tree, block, name, len(text)), str(data.get("root", "")))


def _tree(data: Any, block: Block, name: str, length: int) -> Node:
    """The tree that nested lists spell, built from its leaves."""
    order: list[Any] = []
    agenda = [data]
    while agenda:
        part = agenda.pop()
        order.append(part)
        if not _is_node(part):
            raise block.error(f"item {name}: {_shown(part)} is not a node of a derivation")
        if isinstance(part[1], list):
            agenda += part[1:]
    done: list[Node] = []
    for part in reversed(order):
        if isinstance(part[1], list):
            children = tuple(done.pop() for _ in part[1:])[::-1]
            done.append(Node(part[0], children))
        else:
            start, end = part[1], part[2]
            if not 0 <= start <= end <= length:
                raise block.error(
                    f"item {name}: {part[0]} stands at {start} to {end} in a text of {length} characters"
                )
            done.append(Node(part[0], (), start, end, part[3] if len(part) > 3 else ""))
    return done.pop()


def _is_node(part: Any) -> bool:
    if not isinstance(part, list) or len(part) < 2 or not isinstance(part[0], str):
        return False
    if isinstance(part[1], list):
        return True
    return len(part) in (3, 4) and all(isinstance(place, int) for place in part[1:3])


def _shown(part: Any) -> str:
    text = json.dumps(part)
    return text if len(text) < 60 else f"{text[:59]}…"
