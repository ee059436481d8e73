"""Tokens of German, Italian and Dutch sentences, split as the Parallel Meaning Bank splits them.

Signs stand alone, numbers and abbreviations keep theirs, an Italian elision ends at its apostrophe, and words
are spelled as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from ..grammar import Token
from .patterns import WHOLE

__all__ = ["MEASURES", "TITLES", "tokenize"]

#: abbreviations that something follows, by language: without their stop, as a regular expression
TITLES: Mapping[str, str] = MappingProxyType(
    {
        "de": "bspw|bzgl|bzw|ca|Dr|evtl|Fr|geb|ggf|Hr|inkl|Nr|Prof|sog|St|Str|vgl|zzgl",
        "it": r"arch|avv|ca|dott(?:\.ssa)?|dr|geom|ing|on|prof(?:\.ssa)?|rag|sigg?|sig\.(?:ra|na)",
        "nl": "bijv|blz|ca|dhr|dr|drs|evt|fam|ing|ir|mevr|mr|nl|nr|prof|resp|St|vgl",
    }
)
#: abbreviations that may end a sentence, too
MEASURES: Mapping[str, str] = MappingProxyType(
    {
        "de": "etc|Jhd?|Mio|Mrd|Std|usf|usw",
        "it": "ecc|etc|min|pag|sec|tel",
        "nl": r"e\.d|enz|etc|jl|min|mln|mrd|sec",
    }
)
_APOSTROPHES = str.maketrans(dict.fromkeys("‘’‛ʼ", "'"))
_NUMBER = r"(?:(?<!\w)[+-])?\d+(?:[.,:/–-]\d+)*(?:,-)?(?!\w)|['’]\d\d(?!\w)"  # 1.000, 8:30, 30,-, '90
_WORD = r"\w+(?:(?:['’ʼ~-]|\.(?=[a-z0-9]))\w+)*(?:-(?=\s))?"  # Vor- und Nachteile
_LETTERS = r"(?<![\w.])(?:(?:[^\W\d_]\.){2,}|[^\W\d_]\.(?=\s+\w))"  # z.B., z. B., U.S.A., J. Müller
_OF_LANGUAGE = {
    "de": r"(?<![\w.,])\d{1,2}\.(?=\s+\w)",  # am 3. Mai
    "it": r"Sant['’ʼ][A-Z]\w+|(?!^)[DO]['’ʼ][A-Z]\w+|[A-Z]\w+['’ʼ]s(?!\w)"  # Sant'Elena, D'Annunzio, Levi's
    r"|(?<!\w)(?i:po|mo|be|va|fa)['’ʼ](?!\w)"  # un po' di
    r"|[^\W\d_]+['’ʼ](?=[^\W_])"  # l'amico, dell'acqua
    r"|(?<!\w)(?i:[cdlmnstv]|un|(?:a|be|co|da|de|ne|que|su)ll|mezz|quest)['’ʼ](?=\s)",  # l' amico
    "nl": r"(?<!\w)['‘’ʼ](?i:[stnkmr]|er|ie)(?!\w)",  # 's avonds, 't is
}


def tokenize(text: str, offset: int = 0, language: str = "de") -> tuple[Token, ...]:
    """The tokens of one sentence; `offset` is where it starts in the whole text.

    >>> [token.word for token in tokenize("„Am 3. Mai z.B. kam er“, sagte sie.", language="de")]
    ['„', 'Am', '3.', 'Mai', 'z.B.', 'kam', 'er', '“', ',', 'sagte', 'sie', '.']
    >>> [token.word for token in tokenize("L’amico dell'acqua.", language="it")]
    ["L'", 'amico', "dell'", 'acqua', '.']
    """
    return tuple(
        Token(_spelled(found[0]), None, offset + found.start(), offset + found.end())
        for found in _pattern(language).finditer(text)
    )


def _spelled(surface: str) -> str:
    """A typographic apostrophe in a word is the plain one; signs stay as they are."""
    return surface.translate(_APOSTROPHES) if any(map(str.isalnum, surface)) else surface


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """What a token is, the longest kinds first."""
    kinds = (
        WHOLE.pattern,
        rf"(?<!\w)(?i:{TITLES[language]})\.(?=\s+\w)" if language in TITLES else "",
        rf"(?<!\w)(?i:{MEASURES[language]})\.(?!\w)" if language in MEASURES else "",
        _LETTERS,
        _OF_LANGUAGE.get(language, ""),
        _NUMBER,
        _WORD,
        r"\.{2,}|-{2,}|'{2}|`{2}|\S",
    )
    return re.compile("|".join(f"(?:{kind})" for kind in kinds if kind), re.X)
