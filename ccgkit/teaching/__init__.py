"""The classroom: lexica and grammars of one's own, all derivations under them, exercises checked."""

from .exercises import Mistake
from .grammar import Grammar
from .lexicon import Lexicon, LexiconError, UnknownWordError

__all__ = ["Grammar", "Lexicon", "LexiconError", "Mistake", "UnknownWordError"]
