"""Derivations as SVG, without a library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from wcwidth import wcwidth

from ..grammar import Category, Derivation
from ..grammar.errors import visible
from .layout import Place, Slot, places, slots

__all__ = ["FAMILY", "Measure", "estimate", "svg"]

FAMILY = "DejaVu Sans"
_FALLBACKS = "Verdana, Noto Sans, Helvetica, Arial, sans-serif"
_SIZE, _SMALL = 16, 11  # of letters; of features and symbols
_DROP = 4  # of features below the line
_GAP, _MARGIN = 14, 12
_WORD, _CATEGORY, _LEVEL = 16, 40, 38  # baselines of words and of their categories; height of a level
_RULE = 19  # the line's distance from the baseline of the category under it

Measure = Callable[[str, int], float]  #: the width of a text in letters of a size
_Run = tuple[str, int]  # a text and the size of its letters


def svg(derivation: Derivation, family: str = FAMILY, measure: Measure | None = None) -> str:
    """The picture as an SVG document, features as subscripts.

    Widths are estimated, unless `measure` knows those of the font `family`; then every text is placed
    exactly, also for programs that cannot centre a text of several sizes.
    """
    widths = measure or estimate
    where = places(derivation)
    room = slots(where, [_own_width(place.node, widths) for place in where], _GAP)
    width = room[-1].width + 2 * _MARGIN
    height = _CATEGORY + _LEVEL * where[-1].level + 8 + 2 * _MARGIN
    body = "\n".join(
        line for place, slot in zip(where, room, strict=True) for line in _node(place, slot, measure)
    )
    fonts = f"{family}, {_FALLBACKS}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{-_MARGIN} {-_MARGIN} {width} {height}" '
        f'font-family="{escape(fonts)}" font-size="{_SIZE}">\n'
        f"<title>{escape(visible(' '.join(derivation.words)))}</title>\n"
        f'<rect x="{-_MARGIN}" y="{-_MARGIN}" width="{width}" height="{height}" fill="white"/>\n'
        f"{body}\n</svg>\n"
    )


def estimate(text: str, size: int) -> float:
    """The width of `text` in a sans-serif font, rather too much than too little."""
    return size * sum(_em(character) for character in text)


def _em(character: str) -> float:
    if wcwidth(character) != 1:
        return wcwidth(character) / 2
    if character in "ijlI.,:;'|!()[]/\\ `":
        return 0.4
    if character in "mwMW@%&":
        return 0.98
    return 0.75 if character.isupper() or not character.isalnum() else 0.63


def _node(place: Place, slot: Slot, measure: Measure | None) -> Iterator[str]:
    node, middle = place.node, slot.left + slot.width / 2
    baseline = _CATEGORY + _LEVEL * place.level
    if node.is_leaf:
        yield from _text([(_word(node), _SIZE)], middle, _WORD, measure)
    else:
        y = baseline - _RULE
        symbol = node.rule.symbol if node.rule else ""
        taken = round((measure or estimate)(symbol, _SMALL)) + 3 if symbol else 0
        end = slot.left + slot.width - taken
        yield f'<path d="M{slot.left} {y - 0.5}H{end}" stroke="black" stroke-width="1"/>'
        if symbol:
            yield f'<text x="{end + 3}" y="{y + 3.5}" font-size="{_SMALL}">{escape(symbol)}</text>'
    yield from _text(_runs(node.category), middle, baseline, measure)


def _text(runs: list[_Run], middle: float, baseline: int, measure: Measure | None) -> Iterator[str]:
    """The runs as one centred text; as texts of their own where their widths are known."""
    if measure is None:
        yield f'<text x="{middle:g}" y="{baseline}" text-anchor="middle">{_spans(runs)}</text>'
        return
    x = middle - sum(measure(*run) for run in runs) / 2
    for text, size in runs:
        y = baseline + (_DROP if size == _SMALL else 0)
        yield f'<text x="{x:.2f}" y="{y}" font-size="{size}">{escape(text)}</text>'
        x += measure(text, size)


def _spans(runs: list[_Run]) -> str:
    written, lowered = "", False
    for text, size in runs:
        small = size == _SMALL
        shift = f' dy="{_DROP if small else -_DROP}"' if small is not lowered else ""
        attributes = shift + (f' font-size="{_SMALL}"' if small else "")
        written += f"<tspan{attributes}>{escape(text)}</tspan>" if attributes else escape(text)
        lowered = small
    return written


def _runs(category: Category) -> list[_Run]:
    """The spelling in pieces of one size: `S`, and small `dcl`."""
    runs: list[_Run] = []
    for piece in category.tokens():
        text, bracket, feature = piece.partition("[")
        if text:
            joined = runs.pop()[0] if runs and runs[-1][1] == _SIZE else ""
            runs.append((joined + text, _SIZE))
        if bracket:
            before = runs.pop()[0] + "," if runs[-1][1] == _SMALL else ""  # S[dcl][conj]
            runs.append((before + feature.removesuffix("]"), _SMALL))
    return runs


def _own_width(node: Derivation, measure: Measure) -> int:
    category = sum(measure(*run) for run in _runs(node.category))
    if node.is_leaf:
        top = measure(_word(node), _SIZE)
    else:
        top = 20 + (measure(node.rule.symbol, _SMALL) if node.rule else 0)
    return round(max(category, top)) + 1


def _word(leaf: Derivation) -> str:
    return visible(leaf.token.word) if leaf.token else ""  # XML forbids most control characters
