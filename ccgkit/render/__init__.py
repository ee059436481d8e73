"""Derivations to look at: pages, pictures, LaTeX, and the difference of two. Text: `Derivation.pretty`."""

from .annotation import with_rules
from .difference import Difference, DifferentWordsError, compare, difference_page
from .latex import latex, latex_document
from .page import page
from .png import MissingLibraryError, png
from .svg import svg

__all__ = [
    "Difference",
    "DifferentWordsError",
    "MissingLibraryError",
    "compare",
    "difference_page",
    "latex",
    "latex_document",
    "page",
    "png",
    "svg",
    "with_rules",
]
