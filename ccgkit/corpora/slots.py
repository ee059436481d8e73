"""What C&C, depccg and Jigg say of a word besides its category, and of a derivation besides its nodes."""

from __future__ import annotations

from collections.abc import Mapping

from ..grammar import Category, CategorySyntaxError, Token
from ..sentence import Sentence
from .blocks import Block

__all__ = ["OUTSIDE", "UNKNOWN", "category_of", "known", "scores", "slots"]

UNKNOWN = "XX"  # what depccg writes where it does not know
OUTSIDE = "O"  # what C&C writes where there is no chunk, and no entity


def slots(token: Token) -> dict[str, str]:
    """Word, lemma, POS tag, chunk and entity as C&C prints them; chunks are not known.

    A lemma that is not known is the word: programs that read this reason with lemmas.
    """
    return {
        "word": token.word,
        "lemma": token.word if token.lemma is None else token.lemma,
        "pos": UNKNOWN if token.pos is None else token.pos,
        "chunk": OUTSIDE,
        "entity": OUTSIDE if token.entity is None else token.entity,
    }


def known(attributes: Mapping[str, str], name: str) -> str | None:
    """The value of a slot, None where the file does not know it."""
    value = attributes.get(name)
    return None if value in (UNKNOWN, "*", "") or (name == "entity" and value == OUTSIDE) else value


def category_of(block: Block, attributes: Mapping[str, str], name: str) -> Category:
    """The category in an attribute of an element."""
    spelled = attributes.get(name)
    if spelled is None:
        raise block.error(f"a constituent without {name!r}, its category")
    try:
        return Category.parse(spelled.replace("=true", ""))  # Jigg's S[dcl=true]
    except CategorySyntaxError as error:
        raise block.error(f"{spelled[:60]!r} is not a category: {error.reason}") from error


def scores(sentence: Sentence) -> list[float]:
    """The log-probabilities of the derivations, best first; none where they are not known."""
    told = sentence.meta.get("log_prob") or sentence.meta.get("scores") or ""
    found = [float(score) for score in told.split()]
    return found if len(found) == len(sentence.derivations or ()) else []
