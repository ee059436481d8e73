"""Category trees, their legality, the combinatory rules, derivations. Imports nothing of ours."""

from .category import Atom, Category, Functor, Slash
from .combination import Combination, change, combine
from .dependencies import Dependency
from .derivation import Derivation, Step, Token, annotate, in_normal_form, unlicensed
from .errors import CategorySyntaxError, CCGKitError
from .features import Unification, unify
from .legality import Prefix, is_legal, legal_next
from .rules import Rule, is_normal
from .schemes import Scheme, load_scheme, scheme_names

__all__ = [
    "Atom",
    "CCGKitError",
    "Category",
    "CategorySyntaxError",
    "Combination",
    "Dependency",
    "Derivation",
    "Functor",
    "Prefix",
    "Rule",
    "Scheme",
    "Slash",
    "Step",
    "Token",
    "Unification",
    "annotate",
    "change",
    "combine",
    "in_normal_form",
    "is_legal",
    "is_normal",
    "legal_next",
    "load_scheme",
    "scheme_names",
    "unify",
    "unlicensed",
]
