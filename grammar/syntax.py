"""The syntax of categories: reading a spelling by the grammar in `category.lark`, and writing one.

The shapes of atoms and features are in that grammar alone; see `category.terminal`.
Nothing here recurses, however deep a category is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from html import escape
from typing import TYPE_CHECKING, NoReturn, cast

from .category import CONJ, GRAMMAR, Atom, Category, Functor, Slash
from .errors import CategorySyntaxError

if TYPE_CHECKING:
    from lark import Lark, Token

__all__ = ["html", "latex", "read", "tokens"]


def read(text: str, left_associative: bool = False) -> Category:
    """The category that `text` spells, or `CategorySyntaxError` with what is wrong."""
    from lark.exceptions import UnexpectedInput

    from .diagnosis import diagnose

    if not isinstance(text, str):
        raise TypeError(f"a category's spelling is a str, not {type(text).__name__}")
    spelling = text.strip()
    try:
        if not spelling.isprintable():
            raise CategorySyntaxError(spelling, 0, "not printable")
        return cast(Category, parser(left_associative).parse(spelling))
    except (UnexpectedInput, CategorySyntaxError) as error:
        raise diagnose(text, error) from None


@cache
def parser(left_associative: bool) -> Lark:
    from lark import Lark

    return Lark(GRAMMAR, parser="lalr", transformer=_Builder(left_associative))


class _Builder:
    """Lark's callbacks: one for each rule, called bottom-up while it parses."""

    def __init__(self, left_associative: bool) -> None:
        self._left_associative = left_associative

    def atom(self, children: list[Token]) -> Atom:
        base, *feature = children
        return Atom(str(base), str(feature[0])[1:-1] if feature else None)

    def marked(self, children: list[Category | Token]) -> Category:
        category, *mark = children
        return _mark(cast(Category, category), cast("list[Token]", mark))

    def functor(self, children: list[Category | Token]) -> Category:
        result, slash, argument, *mark = children
        functor = Functor(cast(Category, result), str(slash), cast(Category, argument))
        return _mark(functor, cast("list[Token]", mark))

    def chain(self, children: list[Category | Token]) -> Category:
        if not self._left_associative:
            _refuse_chain(children)
        return self.functor(children)


def _mark(category: Category, mark: list[Token]) -> Category:
    if not mark:
        return category
    if category.conj:
        raise CategorySyntaxError("", mark[0].start_pos or 0, "a second [conj] on the same category")
    return category.replace(conj=True)


def _refuse_chain(children: list[Category | Token]) -> NoReturn:
    first, last = cast(Functor, children[0]), cast(Category, children[2])
    token = cast("Token", children[1])
    left = Functor(first, str(token), last)
    right = Functor(first.result, first.slash, Functor(first.argument, str(token), last))
    raise CategorySyntaxError(
        "",
        token.start_pos or 0,
        "ambiguous without parentheses",
        suggestions=(str(left), str(right)),
    )


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
