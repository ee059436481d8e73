"""The classroom: lexica and grammars of one's own, all derivations under them, exercises checked."""

from .exercises import Mistake
from .grammar import Forest, Grammar
from .lexicon import Lexicon, LexiconError, UnknownWordError

__all__ = ["Forest", "Grammar", "Lexicon", "LexiconError", "Mistake", "UnknownWordError"]
