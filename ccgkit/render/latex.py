r"""Derivations as LaTeX: a plain `tabular` and two macros, which the preamble defines.

`\ccgcat{n}{X}` writes a category over n columns, `\ccgline{n}{s}` a line with the symbol s at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..grammar import Derivation, Rule
from ..grammar.errors import visible
from .layout import Place, places

__all__ = ["PREAMBLE", "latex", "latex_document"]

PREAMBLE = r"""% Derivations: copy these lines into your own preamble (graphicx shrinks what is too wide).
\usepackage{graphicx}
\newcommand{\ccgcat}[2]{\multicolumn{#1}{c}{$#2$}}
\newcommand{\ccgline}[2]{\multicolumn{#1}{c}{\hrulefill\raisebox{-.4ex}{\,\scriptsize$#2$}}}
\newsavebox{\ccgbox}
\newenvironment{ccgderivation}[1]%
  {\begin{lrbox}{\ccgbox}\setlength{\tabcolsep}{.4em}\begin{tabular}[t]{@{}*{#1}{c}@{}}}%
  {\end{tabular}\end{lrbox}\noindent
   \ifdim\wd\ccgbox>\linewidth\resizebox{\linewidth}{!}{\usebox{\ccgbox}}\else\usebox{\ccgbox}\fi}
"""

_START = r"""% pdflatex does for Latin scripts; for others use lualatex or xelatex and choose a font for them:
% \setmainfont{Noto Serif CJK JP}
\documentclass{article}
\usepackage[a4paper,landscape,margin=15mm]{geometry}
\usepackage{iftex}
\iftutex\usepackage{fontspec}\else\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\fi
"""

_ESCAPES = str.maketrans(
    {c: "\\" + c for c in "#$%&_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}"}
    | {"[": "{[}", "]": "{]}", "*": "{*}"}  # after \\ these would be its option
)


def latex(derivation: Derivation) -> str:
    """A `ccgderivation` environment; a document needs `PREAMBLE` for it."""
    where = places(derivation)
    levels: list[list[Place]] = [[] for _ in range(where[-1].level + 1)]
    for place in where:
        levels[place.level].append(place)
    lines = [_row(levels[0], _word), _row(levels[0], _category)]
    for level in levels[1:]:
        lines += (_row(level, _line), _row(level, _category))
    body = "\\\\\n".join(lines)
    return f"\\begin{{ccgderivation}}{{{where[-1].end}}}\n{body}\n\\end{{ccgderivation}}\n"


def latex_document(derivations: Iterable[tuple[str, Derivation | str]]) -> Iterator[str]:
    """The pieces of a document that compiles, with all (name, derivation) pairs; or a text instead of one."""
    yield f"{_START}{PREAMBLE}\\begin{{document}}\n"
    for name, derivation in derivations:
        yield f"\\paragraph{{{_escaped(name)}}}\\mbox{{}}\\par\\nobreak\\smallskip\\nobreak\n"
        yield f"{_escaped(derivation) if isinstance(derivation, str) else latex(derivation)}\n"
    yield "\\end{document}\n"


def _row(level: list[Place], cell: Callable[[Place], str]) -> str:
    """The cells of a row at their columns; what lies between them stays empty."""
    written, column = "", 0
    for place in level:
        written += " & " * (place.start - column) + cell(place)
        column = place.end - 1  # the last column of the cell, to which no & belongs
    return written


def _word(place: Place) -> str:
    return _escaped(place.node.token.word) if place.node.token else ""


def _category(place: Place) -> str:
    return f"\\ccgcat{{{place.end - place.start}}}{{{place.node.category.to_latex()}}}"


def _line(place: Place) -> str:
    return f"\\ccgline{{{place.end - place.start}}}{{{_symbol(place.node.rule)}}}"


def _symbol(rule: Rule | None) -> str:
    r"""The symbol for math mode: `>Bx` is `{>}\mathbf{B}_{\times}`."""
    return "" if rule is None else "".join(_SYMBOLS.get(c, rf"\mathrm{{{c}}}") for c in rule.symbol)


_SYMBOLS = {
    ">": "{>}", "<": "{<}", "B": r"\mathbf{B}", "S": r"\mathbf{S}", "T": r"\mathbf{T}",
    "x": r"_{\times}", "n": "^{n}", "&": r"\&", "Φ": r"\Phi ", "*": "*",
}  # fmt: skip


def _escaped(text: str) -> str:
    return visible(" ".join(text.split())).translate(_ESCAPES)
