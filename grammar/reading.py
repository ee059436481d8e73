"""Reading a category from its spelling, through the Lark grammar in `category.lark`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NoReturn, cast

from .category import Atom, Category, Functor
from .errors import CategorySyntaxError

if TYPE_CHECKING:
    from lark import Lark, Token

__all__ = ["read"]


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
        return cast(Category, _parser(left_associative).parse(spelling))
    except (UnexpectedInput, CategorySyntaxError) as error:
        raise diagnose(text, error) from None


@cache
def _parser(left_associative: bool) -> Lark:
    from lark import Lark

    grammar = (files(__package__) / "category.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", transformer=_Builder(left_associative))


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
    return cast(Atom | Functor, category).replace(conj=True)


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
