"""Derivations from CCGrebank's notation, as the Parallel Meaning Bank has it, into CCGbank's, and back.

What differs is written down in docs/notations.md. Nouns lose their arguments (`N/PP` is `N`), what modifies
a noun stands above its determiner (`NP\\NP`, not `N\\N`), particles are adverbs, marks are marks and not
modifiers, and a conjunct is `X[conj]`. Back, arguments of nouns and particles stay what CCGbank made of them.
"""

from __future__ import annotations

from ..category import Category
from ..derivation import Derivation, Token
from ..errors import NotationError

__all__ = ["NOTATIONS", "NotationError", "category_in_notation", "check_notation", "in_notation"]

#: their names; what puts a derivation into one is imported only then, since every command starts here
NOTATIONS = ("ccgbank", "rebank")


def in_notation(derivation: Derivation, notation: str) -> Derivation:
    """The derivation in the notation `ccgbank` or `rebank`; it must be in the other one.

    >>> pp, n, np = map(Category.parse, ("PP", "N", "NP"))
    >>> noun = Derivation(n / pp, token=Token("king"))
    >>> of = Derivation(pp / np, token=Token("of"))
    >>> france = Derivation(np, (Derivation(n, token=Token("France")),))
    >>> king = Derivation(np, (Derivation(n, (noun, Derivation(pp, (of, france)))),))
    >>> [str(leaf.category) for leaf in in_notation(king, "ccgbank").leaves()]
    ['N', '(NP\\\\NP)/NP', 'N']
    """
    check_notation(notation)
    if notation == "ccgbank":
        from .ccgbank import to_ccgbank

        return to_ccgbank(derivation)
    from .rebank import to_rebank

    return to_rebank(derivation)


def category_in_notation(category: Category, token: Token, notation: str) -> Category:
    """The category of a word in the notation, as far as it can be told without a derivation.

    >>> category_in_notation(Category.parse("N/PP"), Token("king"), "ccgbank")
    N
    """
    from .words import leaf_category, unmarked

    check_notation(notation)
    return unmarked(category) if notation == "rebank" else leaf_category(Derivation(category, token=token))


def check_notation(notation: str, scheme: str = "") -> None:
    """Raise `NotationError` where there is no such notation, or no way to it from the scheme's."""
    names = " and ".join(NOTATIONS)
    if notation not in NOTATIONS:
        raise NotationError(f"no notation {notation!r}: choose {names}")
    if scheme and scheme not in NOTATIONS:
        raise NotationError(
            f"derivations of the scheme {scheme!r} cannot be put into the notation {notation!r}: "
            f"there is a way between {names} only"
        )
