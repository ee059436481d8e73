"""Corpora: every format is a codec, a module with the functions `load loads dump dumps`.

`load` finds out the format and reads one sentence after the other:

>>> text = "We|PRP|NP agree|VBP|S[dcl]\\\\NP\\n"
>>> print(dumps(loads(text, "stagged"), "pos"), end="")
We|PRP agree|VBP
"""

from .blocks import Block, Source
from .ccgbank import CCGbankReader, load_ccgbank
from .codec import Codec, Ending, Part, Preface, Reader, Unreadable
from .errors import CorpusError, FormatError
from .registry import check_conversion, codec, detect, dump, dumps, formats, load, loads, register
from .words import ptb_escape, ptb_unescape

__all__ = [
    "Block",
    "CCGbankReader",
    "Codec",
    "CorpusError",
    "Ending",
    "FormatError",
    "Part",
    "Preface",
    "Reader",
    "Source",
    "Unreadable",
    "check_conversion",
    "codec",
    "detect",
    "dump",
    "dumps",
    "formats",
    "load",
    "load_ccgbank",
    "loads",
    "ptb_escape",
    "ptb_unescape",
    "register",
]
