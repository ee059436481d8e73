"""Lemmas of English words by their POS tags, as Universal Dependencies has them: rules and exceptions.

>>> lemma("stopped", "VBD"), lemma("wives", "NNS"), lemma("n't", "RB"), lemma("bigger", "JJR")
('stop', 'wife', 'not', 'big')
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files

from .penn import PENN_TAGS

__all__ = ["known_lemma", "lemma"]

_PENN = frozenset(PENN_TAGS)
_CLASSES = {"MD": "modal", "VB": "verb", "NN": "noun", "JJ": "adjective", "RB": "adverb", "PRP": "pronoun"}
_VOWEL = "[aeiouy]"
_SILENT = re.compile(  # stems of -ed and -ing that have lost an e
    r"(?:[^aeiou]|[aeiou]{2})[cv]$|[aeiou][cgsuvz]$|[lnrd][cgsv]$|[iu]z$|(?:^|[^aeiou])u$|[dr]g$|[bcdfgkpstz]l$"
    r"|(?:^|[^aeiou])[aiou]k$|(?:[^aeiou]|^)[aiu][dlmnprt]$|[aeiou]{2}[svz]$|[iu]at$|[rlt]ib$"
    r"|(?:^|[^aeiou])o[dklprs]$|[ae]th$|qu[aoi][rt]$|(?:^|[^aeiou])[aiouy]p$|[^aeiou]et$|ast$|[hr]ang$|iev$"
    r"|sur$|[^aeiou]or$|[chr]om$|[^aeiou]ob$"
)
_DOUBLED = re.compile(r"([bdgklmnprtvz])\1$")
_KEPT_DOUBLE = re.compile(r"(?:[^l]ll|zz|add)$")
_UNSTRESSED = re.compile(r"(?:[aeiouy][^aeiouy]+)(?:e[nrlt]|o[nr]|it|al|om|op|up)$")


@lru_cache(maxsize=1 << 16)
def lemma(word: str, pos: str) -> str:
    """The lemma of a word with a Penn Treebank POS tag."""
    if pos == "POS":
        return "'s"
    if pos.startswith("NNP"):
        return _singular(word) if pos == "NNPS" and not word.isupper() else word
    lower = word.lower().replace("’", "'").replace("`", "'")
    known = _irregular().get((_class(pos), lower))
    if known is not None:
        return known
    if word.isupper() and len(word) > 1 and pos == "NN":
        return word  # an abbreviation
    return _ENDINGS.get(pos, str)(lower)


def known_lemma(word: str, pos: str | None) -> str | None:
    """The same, None where there is no tag, or one that is not the Penn Treebank's."""
    return lemma(word, pos) if pos in _PENN else None


def _class(pos: str) -> str:
    return _CLASSES.get(pos, _CLASSES.get(pos[:2], "")) if pos != "PRP$" else ""


@cache
def _tables() -> dict[str, dict[str, str]]:
    return tomllib.loads((files(__package__) / "lemmas.toml").read_text(encoding="utf-8"))


@cache
def _stems(kind: str) -> frozenset[str]:
    return frozenset(_tables()["stems"][kind].split())


@cache
def _irregular() -> dict[tuple[str, str], str]:
    kinds = {kind: table for kind, table in _tables().items() if kind != "stems"}
    known = {
        (kind, form): base
        for kind, table in kinds.items()
        for base, forms in table.items()
        for form in forms.split()
    }
    known["verb", "'s"], known["verb", "'d"] = "be", "have"
    return known


def _singular(word: str) -> str:
    if re.search(r"(?:[^aeiou]|qu)ies$", word) and len(word) > 4:
        return word[:-3] + "y"
    if re.search(r"(?:s|x|z|ch|sh)es$", word) and not re.search(
        r"(?:[aeiou]s|[aeiou]z|rs|ns|ps|ls)es$", word
    ):
        return word[:-2]
    if re.search(r"(?:[iu]ses|oes)$", word) and re.search(r"(?:viruses|[mnt]uses|[^aeiou]oes)$", word):
        return word[:-2]
    if re.search(r"(?:[us]s|[^aeiou]is|'s|0s)$", word):
        return word
    if word.endswith("men"):
        return word[:-2] + "an"
    return word[:-1] if word.endswith("s") else word


def _third_person(verb: str) -> str:
    if re.search(r"[^aeiou]ies$", verb) and len(verb) > 4:
        return verb[:-3] + "y"
    if re.search(r"(?:ss|x|zz|ch|sh|[^aeiou]o)es$", verb):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") else verb


def _past(verb: str) -> str:
    if re.search(r"[^aeiou]ied$", verb) and len(verb) > 4:
        return verb[:-3] + "y"
    return _stem(verb[:-2]) if verb.endswith("ed") and len(verb) > 3 else verb


def _gerund(verb: str) -> str:
    return _stem(verb[:-3]) if verb.endswith("ing") and re.search(_VOWEL, verb[:-3]) else verb


def _stem(stem: str) -> str:
    """What a verb or an adjective is before its ending: a consonant less, or an e more."""
    if stem in _stems("bare"):
        return stem
    if stem + "e" in _stems("silent"):
        return stem + "e"
    if _DOUBLED.search(stem) and stem[:-1] in _stems("bare"):
        return stem[:-1]
    if _DOUBLED.search(stem) and not _KEPT_DOUBLE.search(stem):
        return stem[:-1]
    if re.search(r"e$", stem):  # agreed, freed
        return stem + "e" if not re.search(r"[aeiou]e$", stem) and not stem.endswith("ee") else stem
    if _UNSTRESSED.search(stem):
        return stem
    return stem + "e" if _SILENT.search(stem) else stem


def _positive(ending: str) -> Callable[[str], str]:
    def positive(word: str) -> str:
        if word.endswith("i" + ending):
            return word[: -len(ending) - 1] + "y"
        return _stem(word[: -len(ending)]) if word.endswith(ending) and len(word) > 4 else word

    return positive


_ENDINGS: dict[str, Callable[[str], str]] = {
    "NNS": _singular, "VBZ": _third_person, "VBD": _past, "VBN": _past, "VBG": _gerund,
    "JJR": _positive("er"), "RBR": _positive("er"), "JJS": _positive("est"), "RBS": _positive("est"),
    "DT": lambda word: {"an": "a", "those": "that", "these": "this"}.get(word, word),
}  # fmt: skip
