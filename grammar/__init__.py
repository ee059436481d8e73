"""Category trees, their legality, the combinatory rules, derivations. Imports nothing of ours."""

from .category import Atom, Category, Functor, Slash
from .dependency import Dependency
from .derivation import Derivation, Rule, Token
from .errors import CategorySyntaxError, CCGKitError

__all__ = [
    "Atom",
    "CCGKitError",
    "Category",
    "CategorySyntaxError",
    "Dependency",
    "Derivation",
    "Functor",
    "Rule",
    "Slash",
    "Token",
]
