"""Text: sentences, tokens with their places in it, POS tags. Nothing here needs downloaded data.

>>> [sentence.words for sentence in split_text("It can't rain. Or can it?")]
[('It', 'ca', "n't", 'rain', '.'), ('Or', 'can', 'it', '?')]
"""

from .brackets import read_brackets
from .penn import PENN_TAGS, penn_tag
from .sentences import split_text
from .tokens import tokenize

__all__ = ["PENN_TAGS", "penn_tag", "read_brackets", "split_text", "tokenize"]
