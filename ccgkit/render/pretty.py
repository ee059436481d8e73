"""Derivations as text: CCG's classical layout, in blocks where a terminal is too narrow for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from wcwidth import wcswidth

from ..grammar import Derivation, Token
from ..grammar.errors import visible
from .layout import Place, places, slots

__all__ = ["pretty"]

_GAP = 2
_LEAST = 5  # columns of a line with its symbol
_STYLES = {
    "word": "\x1b[1m",
    "category": "\x1b[36m",
    "line": "\x1b[2m",
    "symbol": "\x1b[33m",
    "label": "\x1b[35m",
}
_RESET = "\x1b[0m"

_Part = tuple[Derivation, int]  # what is drawn, or a reference to it, and how wide that is


@dataclass(frozen=True, slots=True)
class _Piece:
    """Some text in a row; `style` is a key of `_STYLES`."""

    column: int
    text: str
    style: str


@dataclass(frozen=True, slots=True)
class _Block:
    """A part of a derivation to be drawn on its own; the others refer to it by `label`."""

    label: str
    tree: Derivation
    stacked: bool  # drawn one thing under the other: they do not fit side by side


def pretty(derivation: Derivation, width: int | None = None, colour: bool = False) -> str:
    """The drawing, lines parted by newlines, without one at the end; see `Derivation.pretty`."""
    lines: list[str] = []
    for block in _blocks(derivation, width):
        if lines:
            lines.append("")
        if block.label:
            lines.append(_paint([_Piece(0, f"{block.label} =", "label")], colour))
        rows = _stack(block.tree, width) if block.stacked and width else _rows(block.tree)
        lines.extend(_paint(row, colour) for row in rows)
    return "\n".join(lines)


def _rows(derivation: Derivation) -> list[list[_Piece]]:
    """Rows 2n and 2n + 1 hold level n: word and category, or line and category."""
    where = places(derivation)
    rows: list[list[_Piece]] = [[] for _ in range(2 * where[-1].level + 2)]
    for place, slot in zip(where, slots(where, [_own_width(p.node) for p in where], _GAP), strict=True):
        top = rows[2 * place.level]
        top.extend(_top(place, slot.left, slot.width))
        text = str(place.node.category)
        rows[2 * place.level + 1].append(_centred(text, slot.left, slot.width, "category"))
    return rows


def _top(place: Place, left: int, width: int) -> Iterator[_Piece]:
    if place.node.is_leaf:
        yield _centred(_word(place.node), left, width, "word")
    else:
        yield from _line(place.node, left, width)


def _line(node: Derivation, left: int, width: int) -> Iterator[_Piece]:
    symbol = node.rule.symbol if node.rule else ""
    dashes = width - wcswidth(symbol)
    yield _Piece(left, "-" * dashes, "line")
    yield _Piece(left + dashes, symbol, "symbol")


def _centred(text: str, left: int, width: int, style: str) -> _Piece:
    return _Piece(left + (width - wcswidth(text)) // 2, text, style)


def _word(leaf: Derivation) -> str:
    return visible(leaf.token.word) if leaf.token else ""


def _own_width(node: Derivation) -> int:
    """Columns for the node's own texts: the category, the word, or the symbol and some line."""
    line = 2 + wcswidth(node.rule.symbol) if node.rule else 2
    return max(wcswidth(str(node.category)), wcswidth(_word(node)) if node.is_leaf else line)


def _paint(row: list[_Piece], colour: bool) -> str:
    written: list[str] = []
    column = 0
    for piece in sorted(row, key=lambda piece: piece.column):
        if piece.text:
            written.append(" " * (piece.column - column))
            written.append(f"{_STYLES[piece.style]}{piece.text}{_RESET}" if colour else piece.text)
            column = piece.column + wcswidth(piece.text)
    return "".join(written)


def _blocks(derivation: Derivation, width: int | None) -> list[_Block]:
    """The derivation whole, or cut where it grows wider than `width`, parts before what refers to them."""
    if width is None:
        return [_Block("", derivation, False)]
    blocks: list[_Block] = []

    def cut(tree: Derivation, stacked: bool = False) -> _Part:
        blocks.append(_Block(f"⟨{len(blocks) + 1}⟩", tree, stacked))
        reference = Derivation(tree.category, token=Token(blocks[-1].label))
        return reference, _own_width(reference)

    def fitted(node: Derivation, children: tuple[_Part, ...]) -> _Part:
        own, parts = _own_width(node), list(children)
        while (total := _total(own, parts)) > width and (widest := _widest(parts)) is not None:
            parts[widest] = cut(parts[widest][0])
        if total > width:
            parts = [part if part[0].is_leaf else cut(part[0]) for part in parts]
        tree = replace(node, children=tuple(tree for tree, _ in parts))
        is_part = node is not derivation
        return cut(tree, stacked=True) if total > width and is_part else (tree, total)

    whole, total = derivation.fold(fitted)
    return [*blocks, _Block("", whole, total > width)]


def _total(own: int, parts: list[_Part]) -> int:
    return max(own, sum(width for _, width in parts) + _GAP * (len(parts) - 1))


def _widest(parts: list[_Part]) -> int | None:
    """The part by whose cutting most is won; None if nothing is."""
    won = [0 if tree.is_leaf else width - _own_width(tree) for tree, width in parts]
    best = max(range(len(won)), key=won.__getitem__, default=None)
    return best if best is not None and won[best] > 0 else None


def _stack(tree: Derivation, width: int) -> list[list[_Piece]]:
    """A single step with its premises one under the other, or a word; what is too long goes on below."""
    if tree.is_leaf:
        return [*_broken(_word(tree), 0, width, "word"), *_broken(str(tree.category), 0, width, "category")]
    premises = [(_word(child), str(child.category)) for child in tree.children]
    indent = max(wcswidth(word) for word, _ in premises) + _GAP
    needed = indent + max(wcswidth(category) for _, category in premises)
    rows: list[list[_Piece]] = []
    for word, category in premises:
        if needed <= width:
            rows.append([_Piece(0, word, "word"), _Piece(indent, category, "category")])
        else:
            rows += _broken(word, 0, width, "word")
            rows += _broken(category, _GAP, width - _GAP, "category")
    rows.append(list(_line(tree, 0, max(_LEAST, min(needed, width)))))
    return rows + _broken(str(tree.category), 0, width, "category")


def _broken(text: str, left: int, width: int, style: str) -> list[list[_Piece]]:
    """The text in as many rows as it needs."""
    rows, start = [], 0
    for end in range(1, len(text) + 1):
        if end == len(text) or wcswidth(text[start : end + 1]) > width:
            rows.append([_Piece(left, text[start:end], style)])
            start = end
    return rows
