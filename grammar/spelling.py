"""Ways to spell a category: CCGbank's tokens, LaTeX, HTML. None of them recurses."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from .category import CONJ, Atom, Category, Functor, Slash

__all__ = ["html", "latex", "tokens"]


def tokens(category: Category) -> list[str]:
    """The canonical spelling in pieces: atoms with their features, slashes, parentheses, marks.

    >>> tokens(Category.parse("(S[dcl]\\\\NP)/NP"))
    ['(', 'S[dcl]', '\\\\', 'NP', ')', '/', 'NP']
    """
    return _spell(category, lambda atom: str_atom(atom.base, atom.feature), str, CONJ)


def str_atom(base: str, feature: str | None) -> str:
    return base if feature is None else f"{base}[{feature}]"


def latex(category: Category) -> str:
    return "".join(_spell(category, _latex_atom, _LATEX_SLASH.__getitem__, r"{}_{\mathit{conj}}"))


def html(category: Category) -> str:
    return "".join(_spell(category, _html_atom, str, "<sub>[conj]</sub>"))


def _spell(
    category: Category, atom: Callable[[Atom], str], slash: Callable[[Slash], str], mark: str
) -> list[str]:
    """Tokens of the canonical spelling; what is still to be written lies on a stack."""
    written: list[str] = []
    agenda: list[Category | str] = [category]
    while agenda:
        part = agenda.pop()
        if isinstance(part, str):
            written.append(part)
            continue
        if part.conj:
            agenda.append(mark)
        if isinstance(part, Atom):
            written.append(atom(part))
        elif isinstance(part, Functor):
            # a marked atom needs parentheses on the right, where its mark would seem the whole's
            right = isinstance(part.argument, Functor) or part.argument.conj
            left = isinstance(part.result, Functor)
            agenda += (")", part.argument, "(") if right else (part.argument,)
            agenda.append(slash(part.slash))
            agenda += (")", part.result, "(") if left else (part.result,)
    return written


_LATEX_SLASH = {Slash.FORWARD: "/", Slash.BACKWARD: r"\backslash "}
_LATEX_ESCAPES = str.maketrans(
    {c: "\\" + c for c in "#$%&_{}"} | {"~": r"\sim ", "^": r"\wedge ", "\\": r"\backslash "}
)


def _latex_atom(atom: Atom) -> str:
    base = rf"\mathit{{{atom.base.translate(_LATEX_ESCAPES)}}}"
    if atom.feature is None:
        return base
    return rf"{base}_{{\mathit{{{atom.feature.translate(_LATEX_ESCAPES)}}}}}"


def _html_atom(atom: Atom) -> str:
    base = escape(atom.base)
    return base if atom.feature is None else f"{base}<sub>{escape(atom.feature)}</sub>"
