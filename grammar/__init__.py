"""Category trees, their legality, the combinatory rules, derivations. Imports nothing of ours."""

from .category import Atom, Category, Functor, Slash
from .combination import Combination, change, combine
from .dependency import Dependency
from .derivation import Derivation, Rule, Token
from .errors import CategorySyntaxError, CCGKitError
from .fitting import fitting_scheme
from .legality import Prefix, is_legal, legal_next
from .licensing import annotate, unlicensed
from .normal_form import in_normal_form, is_normal
from .schemes import Scheme, load_scheme, scheme_names
from .unification import Unification, unify

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
    "Token",
    "Unification",
    "annotate",
    "change",
    "combine",
    "fitting_scheme",
    "in_normal_form",
    "is_legal",
    "is_normal",
    "legal_next",
    "load_scheme",
    "scheme_names",
    "unify",
    "unlicensed",
]
