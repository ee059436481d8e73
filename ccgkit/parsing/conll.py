"""Parses as ten CoNLL columns: the derivation's heads as a dependency tree, the category as the relation.

The ninth column holds the slots that the word fills, as `head:slot`. The root's head is 0; so is that of the
first word of every fragment.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ..grammar import Derivation
from .result import ParseResult

__all__ = ["conll"]


def conll(result: ParseResult) -> str:
    """The best parse of a sentence, ended by an empty line; a comment says if it is none."""
    return "".join(f"{line}\n" for line in _lines(result)) + "\n"


def _lines(result: ParseResult) -> Iterator[str]:
    if result.sentence.id:
        yield f"# id = {result.sentence.id}"
    yield f"# status = {result.status.value}"
    if result.reason:
        yield f"# reason = {result.reason}"
    fills: dict[int, list[str]] = defaultdict(list)
    for link in result.dependencies:
        fills[link.argument].append(f"{link.head + 1}:{link.slot}")
    row = result.parses[0].derivations if result.parses else ()
    leaves = [leaf for tree in row for leaf in tree.leaves()]
    heads = [head for tree, start in _starts(row) for head in _heads(tree, start)]
    for place, token in enumerate(result.sentence.tokens):
        category = str(leaves[place].category) if leaves else "_"
        head = str(heads[place] + 1) if leaves else "_"
        links = "|".join(fills[place]) or "_"
        pos = token.pos or "_"
        yield "\t".join((str(place + 1), token.word, "_", pos, pos, "_", head, category, links, "_"))


def _starts(row: tuple[Derivation, ...]) -> Iterator[tuple[Derivation, int]]:
    start = 0
    for tree in row:
        yield tree, start
        start += len(tree.tokens)


def _heads(derivation: Derivation, start: int) -> list[int]:
    """For each word the place of its head, -1 for the head of all."""
    order = list(derivation.nodes())
    heads = [-1] * len(derivation.tokens)
    word = start + len(heads)
    done: list[int] = []
    for node in reversed(order):
        if not node.children:
            word -= 1
            done.append(word)
            continue
        children = [done.pop() for _ in node.children]
        chosen = children[node.head]
        for child in children:
            if child != chosen:
                heads[child - start] = chosen
        done.append(chosen)
    return heads
