"""A self-contained HTML page of derivations, written piece by piece so that it may be long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import islice
from urllib.parse import quote

from ..grammar import Derivation
from ..grammar.dependencies import dependencies
from .html import STYLE, fragment

__all__ = ["Anchors", "frame", "page"]

_LONG = 25  # words of a sentence whose outline is unfolded, and printed: the drawing is too small then
_SHOWN = 6  # words of a constituent that is folded
_DEEPEST = 100  # constituents inside each other

PAGE_STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;margin:0;padding:1rem;\
color:#1b1b1b;background:#fff}
h1{font-size:1.25rem;margin:.2rem 0 1rem;overflow-wrap:anywhere}
h2{font-size:1rem;margin:0;overflow-wrap:anywhere}
h2 a{color:inherit;text-decoration:none}
h2 a:hover{text-decoration:underline}
section{border-top:1px solid #8886;padding:.8rem 0;content-visibility:auto;contain-intrinsic-size:auto 20rem}
section>p{margin:.1rem 0 .5rem;opacity:.75;overflow-wrap:anywhere}
body{display:flex;flex-direction:column}
body>*{min-width:0}
h1{order:-2}
nav{order:-1;margin-bottom:1rem}
section details,nav details{margin:.2rem 0}
summary{cursor:pointer}
.ccg-outline details,.ccg-outline div{padding-left:.7em;border-left:1px solid #8886}
.ccg-outline{overflow-wrap:anywhere}
.ccg-outline details[open]>summary>bdi{display:none}
td{padding:.1em .8em .1em 0}
@media print{nav,section>details{display:none}section{break-inside:avoid;content-visibility:visible}\
section>details.ccg-long{display:block;columns:2;font-size:.75em;line-height:1.2}\
.ccg-box{overflow:visible}.ccg{font-size:min(1em,calc(165vw/var(--ccg-width)))}}
@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#16181c}}
"""


def page(derivations: Iterable[tuple[str, Derivation | str]], title: str = "Derivations") -> Iterator[str]:
    """The pieces of a page called `title` with all (name, derivation) pairs; names are anchors.

    Where there is no derivation, a text says why.

    >>> from ccgkit import Category, Derivation, Token
    >>> leaf = Derivation(Category.parse("NP"), token=Token("Ada"))
    >>> '<section id="s1">' in "".join(page([("s1", leaf)]))
    True
    """
    return frame(_sections(derivations), title)


def frame(body: Iterable[str], title: str, style: str = "") -> Iterator[str]:
    """A page around `body`, with nothing in it that has to be fetched."""
    yield (
        '<!DOCTYPE html>\n<html lang="und">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{PAGE_STYLE}{STYLE}{style}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n"
    )
    yield from body
    yield "</body>\n</html>\n"


def _sections(derivations: Iterable[tuple[str, Derivation | str]]) -> Iterator[str]:
    anchors = Anchors()
    for name, derivation in derivations:
        if isinstance(derivation, str):
            yield anchors.section(name, derivation.split()) + "</section>\n"
        else:
            yield anchors.section(name, derivation.words) + f"{_drawn(derivation)}\n</section>\n"
    if len(anchors.names) > 1:  # comes last, so that nothing waits for it, and is shown first
        rows = (f'<li><a href="#{quote(anchor)}">{escape(name)}</a></li>' for anchor, name in anchors.names)
        yield f"<nav><details><summary>Contents</summary><ol>{''.join(rows)}</ol></details></nav>\n"


def _drawn(derivation: Derivation) -> str:
    """The drawing; under it, to be unfolded, the same as an outline for narrow screens, and dependencies."""
    leaves = list(derivation.leaves())
    wide = sum(
        max(len(leaf.token.word if leaf.token else ""), len(str(leaf.category))) + 2 for leaf in leaves
    )
    parts = [f'<div style="--ccg-width:{wide}">{fragment(derivation)}</div>']
    if len(leaves) > 1 and (outline := _outline(derivation)):
        parts.append(_folded("Outline", f'<div class="ccg-outline">{outline}</div>', len(leaves) >= _LONG))
    if rows := "".join(_links(derivation)):
        parts.append(_folded("Dependencies", f"<table>{rows}</table>"))
    return "\n".join(parts)


def _word(leaf: Derivation) -> str:
    return leaf.token.word if leaf.token else ""


def _beginning(node: Derivation) -> str:
    """The first words of a constituent."""
    words = [_word(leaf) for leaf in islice(node.leaves(), _SHOWN + 1)]
    return " ".join(words if len(words) <= _SHOWN else [*words[:_SHOWN], "…"])


def _folded(title: str, body: str, unfolded: bool = False) -> str:
    how = ' open class="ccg-long"' if unfolded else ""
    return f"<details{how}><summary>{title}</summary>{body}</details>"


def _outline(derivation: Derivation) -> str:
    """Constituents inside each other, each of which folds; nothing for a tree that no browser would nest."""

    def outlined(node: Derivation, children: tuple[tuple[str, int], ...]) -> tuple[str, int]:
        category = f'<span class="ccg-category">{node.category.to_html()}</span>'
        if not children:
            return f"<div><strong><bdi>{escape(_word(node))}</bdi></strong> {category}</div>", 0
        depth = 1 + max(below for _, below in children)
        if depth > _DEEPEST:
            return "", depth
        symbol = escape(node.rule.symbol) if node.rule else ""
        inside = "".join(text for text, _ in children)
        words = f"<bdi>{escape(_beginning(node))}</bdi>"
        return f"<details open><summary>{category} {symbol} {words}</summary>{inside}</details>", depth

    return derivation.fold(outlined)[0]


def _links(derivation: Derivation) -> Iterator[str]:
    words = derivation.words
    for link in dependencies((derivation,)):
        cells = (words[link.head], str(link.category), str(link.slot), words[link.argument])
        yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


class Anchors:
    """Ids for the sections of one page: the names, made different where they repeat."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self.names: list[tuple[str, str]] = []  #: the anchors and the names they stand for

    def section(self, name: str, words: Iterable[str]) -> str:
        """The start of a section: its heading, which links to itself, and the sentence."""
        anchor = self._anchor(name)
        self.names.append((anchor, name))
        return (
            f'<section id="{escape(anchor)}">\n<h2><a href="#{quote(anchor)}">{escape(name)}</a></h2>\n'
            f'<p dir="auto">{escape(" ".join(words))}</p>\n'
        )

    def _anchor(self, name: str) -> str:
        stem = anchor = "-".join(name.split()) or "derivation"
        count = 1
        while anchor in self._taken:
            count += 1
            anchor = f"{stem}-{count}"
        self._taken.add(anchor)
        return anchor
