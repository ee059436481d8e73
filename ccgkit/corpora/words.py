"""How words, POS tags and numbers are spelled in files whose fields end at a space or a bar."""

from __future__ import annotations

import math
import re

from .errors import FormatError

__all__ = [
    "field",
    "one_line",
    "ptb_escape",
    "ptb_unescape",
    "read_pos",
    "read_probability",
    "write_probability",
]

_PTB = {"(": "-LRB-", ")": "-RRB-", "{": "-LCB-", "}": "-RCB-", "[": "-LSB-", "]": "-RSB-"}
_PLAIN = {escape: bracket for bracket, escape in _PTB.items()}
_SPACE = re.compile(r"[ \t\n\r\v\f]")
_NUMBER = re.compile(r"[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+\.(?:[eE][+-]?[0-9]+)?")
FLOOR = 1e-10  # the smallest probability written: C&C takes the logarithm of it


def ptb_escape(word: str) -> str:
    """A bracket as the Penn Treebank writes it, slashes and asterisks protected.

    >>> ptb_escape("("), ptb_escape("and/or")
    ('-LRB-', 'and\\\\/or')
    """
    return _PTB.get(word) or re.sub(r"([/*])", r"\\\1", word)


def ptb_unescape(word: str) -> str:
    """The inverse of `ptb_escape`.

    >>> ptb_unescape("-LRB-"), ptb_unescape(r"1\\/2")
    ('(', '1/2')
    """
    return _PLAIN.get(word) or word.replace("\\/", "/").replace("\\*", "*")


def field(text: str | None, bars: bool = False) -> str:
    """A word or POS tag as a field: `_` for None, `~` for a space and, among bars, `-BAR-` for `|`.

    >>> field("New York"), field("|", bars=True), field(None)
    ('New~York', '-BAR-', '_')
    """
    if text is None:
        return "_"
    if not text:
        raise FormatError("an empty word or POS tag cannot be written")
    if bars and "|" in text:
        text = text.replace("|", "-BAR-")
    return text if text.isalnum() else _SPACE.sub("~", text)


def one_line(text: str) -> str:
    """The text without line ends, for a format that gives it one line; U+2028 and the like end none there."""
    return re.sub(r"[\r\n]+", " ", text)


def read_pos(text: str) -> str | None:
    """A POS tag, None where the file has `_`."""
    return None if text == "_" else text


def read_probability(text: str) -> float | None:
    """The logarithm of a probability as spelled in a file; None if it is no positive number."""
    probability = float(text) if _NUMBER.fullmatch(text) else 0.0
    return math.log(probability) if 0 < probability < math.inf else None


def write_probability(logprob: float) -> str:
    """A probability with a decimal point, never below C&C's floor.

    >>> write_probability(0.0), write_probability(-1e9)
    ('1.0', '1.0e-10')
    """
    mantissa, e, exponent = f"{max(math.exp(logprob), FLOOR):.12g}".partition("e")
    return (mantissa if "." in mantissa else f"{mantissa}.0") + e + exponent
