"""Text at a terminal: what is safe to show, and how many columns it takes."""

from __future__ import annotations

from unicodedata import category as general_category
from unicodedata import east_asian_width

__all__ = ["columns", "visible"]

_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"
_SHOWN_AS_THEY_ARE = frozenset({"\u200c", _JOINER})  # Persian, Indic scripts and emoji need them


def visible(text: str) -> str:
    """`text` with control and formatting characters as escapes, so that they can do a terminal no harm.

    >>> visible("a\\tb")
    'a\\\\tb'
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in _SHOWN_AS_THEY_ARE else c.encode("unicode_escape").decode() for c in text
    )


def columns(text: str) -> int:
    """How many columns of a terminal `text` takes.

    >>> columns("però"), columns("però"), columns("日本語")
    (4, 4, 6)
    """
    if text.isascii():
        return len(text)
    total = last = 0
    joined = False
    for character in text:
        width = 0 if joined else _character_columns(character)
        if character == _EMOJI_STYLE and last == 1:
            width = 1  # the sign before it becomes a picture, which is wide
        joined = character == _JOINER
        last = width or last
        total += width
    return total


def _character_columns(character: str) -> int:
    if general_category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0  # the range: Hangul vowels and finals, which join the initial before them
    return 2 if east_asian_width(character) in "WF" else 1
