"""Category trees, their legality, the combinatory rules, derivations. Imports nothing of ours."""

from .category import Atom, Category, Functor, Slash
from .combination import Combination, change, combine
from .dependencies import Dependency
from .derivation import Derivation, Step, Token, annotate, in_normal_form, unlicensed
from .errors import CategorySyntaxError, CCGKitError, NotationError
from .features import Unification, unify
from .heads import Coindexation, coindex
from .legality import IllegalTagError, Phase, Prefix, is_legal, legal_next
from .markup import Entry, Head
from .rules import Kind, Rule, is_normal
from .schemes import BinaryChange, Scheme, SchemeError, UnaryChange, load_scheme, scheme_names

__all__ = [
    "Atom",
    "BinaryChange",
    "CCGKitError",
    "Category",
    "CategorySyntaxError",
    "Coindexation",
    "Combination",
    "Dependency",
    "Derivation",
    "Entry",
    "Functor",
    "Head",
    "IllegalTagError",
    "Kind",
    "NotationError",
    "Phase",
    "Prefix",
    "Rule",
    "Scheme",
    "SchemeError",
    "Slash",
    "Step",
    "Token",
    "UnaryChange",
    "Unification",
    "annotate",
    "change",
    "coindex",
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
