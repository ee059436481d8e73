"""Supertags as C&C can take them: known categories, sorted, with sound probabilities."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ccgkit.corpora.words import field
from ccgkit.grammar import Category
from ccgkit.sentence import Sentence, Supertag

from .markedup import load_notation
from .notation import Notation

__all__ = ["FLOOR", "Dropped", "prepare", "prepare_for"]

FLOOR = 1e-4  #: tags down to this share of the best are for C&C, which goes back to them
_TINY = math.log(1e-4)  # a best tag below this is raised to 1: C&C's probabilities have a floor


@dataclass(slots=True)
class Dropped:
    """The categories that C&C does not know, by how often they were left out, and what replaced the last."""

    categories: Counter[Category]
    fallbacks: Counter[tuple[Category, Category]]

    @classmethod
    def none(cls) -> Dropped:
        return cls(Counter(), Counter())

    def update(self, other: Dropped) -> None:
        self.categories.update(other.categories)
        self.fallbacks.update(other.fallbacks)

    def __str__(self) -> str:
        """One line in words; empty where nothing was dropped."""
        if not self.categories:
            return ""
        few = ", ".join(f"{category} ({count})" for category, count in self.categories.most_common(5))
        said = f"C&C does not know {len(self.categories)} categories, left out: {few}"
        said += ", …" if len(self.categories) > 5 else ""
        if self.fallbacks:
            words = sum(self.fallbacks.values())
            (old, new), _ = self.fallbacks.most_common(1)[0]
            said += f"; {words} words had no other and got one alike, as {new} for {old}"
        return said


def prepare(sentence: Sentence, notation: Notation, floor: float) -> tuple[Sentence, Dropped]:
    """The sentence with the tags that C&C knows, best first, down to `floor` times the best.

    Words and POS tags are spelled as C&C's files can hold them.
    """
    dropped = Dropped.none()
    tags = tuple(_known(k_best, notation, math.log(floor), dropped) for k_best in sentence.tags or ())
    tokens = tuple(
        replace(token, word=field(_unicode(token.word)), pos=field(_unicode(token.pos or "_"), bars=True))
        for token in sentence.tokens
    )
    return replace(sentence, tokens=tokens, tags=tags), dropped


def prepare_for(grammar: Path, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Tagged sentences as a file of them is to be for the C&C that has this grammar folder."""
    notation = load_notation(grammar / "markedup")
    for sentence in sentences:
        yield prepare(sentence, notation, FLOOR)[0]


def _unicode(text: str) -> str:
    """The text with a replacement character for each half of a pair, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text


def _known(
    tags: Iterable[Supertag], notation: Notation, floor: float, dropped: Dropped
) -> tuple[Supertag, ...]:
    scores: dict[Category, float] = {}
    sound = _sound(tags)
    for tag in sound:
        translations = notation.translations(tag.category)
        if not translations:
            dropped.categories[tag.category] += 1
        for category in translations:
            scores[category] = max(scores.get(category, -math.inf), tag.logprob)
    if not scores and sound:
        best = sound[0]
        near = notation.fallbacks(best.category)
        dropped.fallbacks[best.category, near[0][0]] += 1
        scores = {category: best.logprob - distance for category, distance in near}
    return _ranked(scores, floor)


def _sound(tags: Iterable[Supertag]) -> list[Supertag]:
    """The tags best first; one without a probability counts as the least probable."""
    sound = [tag if _is_number(tag.logprob) else replace(tag, logprob=-math.inf) for tag in tags]
    return sorted(sound, key=lambda tag: -tag.logprob)


def _is_number(logprob: float) -> bool:
    return not math.isnan(logprob) and logprob != math.inf


def _ranked(scores: dict[Category, float], floor: float) -> tuple[Supertag, ...]:
    best = max(scores.values(), default=0.0)
    if best == -math.inf:  # nothing is known of any: all are as good
        scores, best = dict.fromkeys(scores, 0.0), 0.0
    shift = -best if best < _TINY or best > 0 else 0.0
    kept = {category: score for category, score in scores.items() if score >= best + floor}
    order = sorted(kept.items(), key=lambda item: -item[1])
    return tuple(Supertag(category, score + shift) for category, score in order)
