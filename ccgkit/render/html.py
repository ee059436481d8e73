"""Derivations as HTML: one flat grid, whose cells say where they stand, however deep the tree is."""

from __future__ import annotations

from collections.abc import Collection
from html import escape

from ..grammar import Category, Derivation
from .layout import Place, places

__all__ = ["STYLE", "Constituent", "fragment", "styled"]

Constituent = tuple[int, int, Category]  #: the words from … to (exclusive), and the category over them

# sticky: the category of a wide constituent stays in view while the box is scrolled
STYLE = """
.ccg-box{overflow-x:auto;max-width:100%;padding:.25em 2px}
.ccg{display:inline-grid;column-gap:.9em;justify-items:stretch;text-align:center;white-space:nowrap;\
line-height:1.35;direction:ltr}
.ccg-word{font-weight:600}
.ccg-line{display:flex;align-items:center;height:1.1em}
.ccg-line::before{content:"";flex:1;min-width:.8em;border-top:1px solid currentColor;opacity:.55}
.ccg-symbol{font-size:.8em;padding-left:.2em}
.ccg-category{display:inline-block;position:sticky;left:.3em;right:.3em}
.ccg sub{font-size:.7em;line-height:0;vertical-align:-.3em}
.ccg-marked{background:rgba(255,150,0,.28);outline:1px solid rgba(220,110,0,.8);\
border-radius:3px;padding:0 .2em}
"""


def fragment(
    derivation: Derivation,
    marked: Collection[Constituent] = frozenset(),
    marked_rules: Collection[Constituent] = frozenset(),
) -> str:
    """A `<div>` with the classical layout, which wants `STYLE`.

    The categories of `marked` constituents and the symbols of `marked_rules` stand out.
    """
    cells: list[str] = []
    for place in places(derivation):
        constituent = (place.start, place.end, place.node.category)
        cells.append(_cell(place, _class(constituent in marked), _class(constituent in marked_rules)))
    label = escape(f"derivation of: {' '.join(derivation.words)}", quote=True)
    return (
        f'<div class="ccg-box" tabindex="0" role="group" aria-label="{label}">'
        f'<div class="ccg">{"".join(cells)}</div></div>'
    )


def styled(derivation: Derivation) -> str:
    """The fragment with its style, as Jupyter shows it."""
    return f"<style>{STYLE}</style>{fragment(derivation)}"


def _class(marked: bool) -> str:
    return " ccg-marked" if marked else ""


def _cell(place: Place, mark: str, rule_mark: str) -> str:
    """Rows 1 and 2 are the words and their categories; each level below has one row of its own."""
    node = place.node
    span = f"{place.start + 1}/{{}}/{place.end + 1}"
    category = f'<span class="ccg-category{mark}">{node.category.to_html()}</span>'
    if node.is_leaf:
        word = escape(node.token.word) if node.token else ""
        pos = f' title="{escape(node.token.pos, quote=True)}"' if node.token and node.token.pos else ""
        return (
            f'<div class="ccg-word" style="grid-area:1/{span.format(2)}"{pos}><bdi>{word}</bdi></div>'
            f'<div style="grid-area:2/{span.format(3)}">{category}</div>'
        )
    row = place.level + 2
    symbol = title = ""
    if node.rule is not None:
        symbol = f'<span class="ccg-symbol{rule_mark}">{escape(node.rule.symbol)}</span>'
        title = f' title="{escape(node.rule.name.lower().replace("_", " "))}"'
    return (
        f'<div style="grid-area:{row}/{span.format(row + 1)}"{title}>'
        f'<div class="ccg-line">{symbol}</div>{category}</div>'
    )
