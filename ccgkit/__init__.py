"""ccgkit: a toolkit for Combinatory Categorial Grammar."""

from pathlib import Path as _Path

if (_Path(__file__).parent / "grammar").is_file():
    raise ImportError(
        "this clone of ccgkit was made without symbolic links, which its folders need: "
        "clone again with 'git clone -c core.symlinks=true …' (on Windows with developer mode on), "
        "or install a wheel"
    )

from ._version import __version__
from .document import Document
from .grammar import (
    Atom,
    Category,
    CategorySyntaxError,
    CCGKitError,
    Dependency,
    Derivation,
    Functor,
    Rule,
    Slash,
    Token,
)
from .grammar.views import provide as _provide
from .pipeline import Pipeline, load
from .sentence import Sentence, Supertag

_provide(
    category_to_nltk="ccgkit.interop.nltk:category_to_nltk",
    category_to_nltk_tree="ccgkit.interop.nltk:category_to_tree",
    category_from_nltk_tree="ccgkit.interop.nltk:category_from_tree",
    derivation_to_nltk_tree="ccgkit.interop.nltk:derivation_to_tree",
    derivation_from_nltk_tree="ccgkit.interop.nltk:derivation_from_tree",
    derivation_pretty="ccgkit.render.pretty:pretty",
    derivation_html="ccgkit.render.html:styled",
)

__all__ = [
    "Atom",
    "CCGKitError",
    "Category",
    "CategorySyntaxError",
    "Dependency",
    "Derivation",
    "Document",
    "Functor",
    "Pipeline",
    "Rule",
    "Sentence",
    "Slash",
    "Supertag",
    "Token",
    "__version__",
    "load",
]
