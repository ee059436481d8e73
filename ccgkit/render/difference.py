"""Two derivations of one sentence: the constituents in which they differ, and a page that marks them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape

from ..grammar import Category, CCGKitError, Derivation
from .html import Constituent, fragment
from .layout import places
from .page import Anchors, frame

__all__ = ["Difference", "DifferentWordsError", "compare", "difference_page"]

_STYLE = """
.sides{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1rem}
@media (max-width:60rem){.sides{grid-template-columns:minmax(0,1fr)}}
.sides h3{font-size:.85rem;margin:0 0 .3rem;opacity:.75;overflow-wrap:anywhere}
.table{overflow-x:auto}
.table table{border-collapse:collapse;font-size:.9rem;margin-top:.6rem}
.table th,.table td{border:1px solid #8886;padding:.15rem .5rem;text-align:left;vertical-align:top}
.table sub{font-size:.7em;line-height:0}
"""


class DifferentWordsError(CCGKitError):
    """The two derivations are not over the same words; `position` is the first that differs, from 0."""

    def __init__(self, left: tuple[str, ...], right: tuple[str, ...], name: str = "") -> None:
        pairs = zip(left, right, strict=False)
        shorter = min(len(left), len(right))
        self.position = next((i for i, (one, other) in enumerate(pairs) if one != other), shorter)
        self.left, self.right = left, right
        found = [
            repr(side[self.position]) if self.position < len(side) else "the end" for side in (left, right)
        ]
        super().__init__(
            f"only derivations of the same words can be compared{f' ({name})' if name else ''}: "
            f"word {self.position + 1} is {found[0]} in the first and {found[1]} in the second"
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """The constituents (from, to, category) that only one side has; a word is a constituent too.

    `rules` gives, for those that both have, but made by different rules, the symbols on either side.
    """

    words: tuple[str, ...]
    left: frozenset[Constituent]
    right: frozenset[Constituent]
    rules: Mapping[Constituent, tuple[str, str]]

    def __bool__(self) -> bool:
        return bool(self.left or self.right or self.rules)


def compare(left: Derivation, right: Derivation, name: str = "") -> Difference:
    """In what two derivations of the same words differ.

    Raises `DifferentWordsError`, which names `name`, where their words differ.
    """
    if left.words != right.words:
        raise DifferentWordsError(left.words, right.words, name)
    ours, theirs = _constituents(left), _constituents(right)
    both = ours.keys() & theirs.keys()
    return Difference(
        left.words,
        frozenset(ours.keys() - theirs.keys()),
        frozenset(theirs.keys() - ours.keys()),
        {one: (ours[one], theirs[one]) for one in both if ours[one] != theirs[one]},
    )


def _constituents(derivation: Derivation) -> dict[Constituent, str]:
    """Each constituent with the symbols of its nodes: a span can have a category more than once."""
    found: dict[Constituent, str] = {}
    for place in places(derivation):
        constituent = (place.start, place.end, place.node.category)
        symbol = place.node.rule.symbol if place.node.rule else ""
        found[constituent] = f"{found.get(constituent, '')} {symbol}".strip()
    return found


def difference_page(
    pairs: Iterable[tuple[str, Derivation, Derivation]], names: tuple[str, str] = ("first", "second")
) -> Iterator[str]:
    """The pieces of a page with both derivations of each (name, first, second) side by side, under `names`.

    Raises `DifferentWordsError` where two do not have the same words.
    """
    return frame(_sections(pairs, names), f"{names[0]} and {names[1]}", _STYLE)


def _sections(pairs: Iterable[tuple[str, Derivation, Derivation]], names: tuple[str, str]) -> Iterator[str]:
    anchors = Anchors()
    for name, left, right in pairs:
        found = compare(left, right, name)
        sides = "".join(
            f"<div><h3>{escape(side)}</h3>{fragment(derivation, only, found.rules)}</div>"
            for side, derivation, only in zip(names, (left, right), (found.left, found.right), strict=True)
        )
        head = anchors.section(name, left.words)
        yield f'{head}<div class="sides">{sides}</div>{_table(found, names)}\n</section>\n'


def _table(found: Difference, names: tuple[str, str]) -> str:
    """The differing constituents in words, span by span; a sentence where there are none."""
    if not found:
        return "<p>No difference.</p>"
    spans = sorted({(start, end) for start, end, _ in (*found.left, *found.right, *found.rules)})
    rows = "".join(_row(found, start, end) for start, end in spans)
    heads = "".join(f"<th>{escape(head)}</th>" for head in ("words", *names))
    return f'<div class="table"><table><tr>{heads}</tr>{rows}</table></div>'


def _row(found: Difference, start: int, end: int) -> str:
    cells = [escape(" ".join(found.words[start:end]))]
    for side, only in enumerate((found.left, found.right)):
        texts = [c.to_html() for c in sorted(_over(only, start, end))]
        for category in sorted(_over(found.rules, start, end)):
            symbols = found.rules[start, end, category][side]
            texts.append(category.to_html() + (f" by {escape(symbols)}" if symbols else ""))
        cells.append(", ".join(texts))
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _over(constituents: Iterable[Constituent], start: int, end: int) -> list[Category]:
    return [category for first, last, category in constituents if (first, last) == (start, end)]
