"""A self-contained HTML page of derivations, written piece by piece so that it may be long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from urllib.parse import quote

from ..grammar import Derivation
from .html import STYLE, fragment

__all__ = ["Anchors", "frame", "page"]

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
@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#16181c}}
"""


def page(derivations: Iterable[tuple[str, Derivation | str]], title: str = "Derivations") -> Iterator[str]:
    """The pieces of a page with all (name, derivation) pairs; each has its name as its anchor.

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
            continue
        yield anchors.section(name, derivation.words) + f"{fragment(derivation)}\n</section>\n"


class Anchors:
    """Ids for the sections of one page: the names, made different where they repeat."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def section(self, name: str, words: Iterable[str]) -> str:
        """The start of a section: its heading, which links to itself, and the sentence."""
        anchor = self._anchor(name)
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
