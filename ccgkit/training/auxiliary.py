"""Auxiliary tasks for the default model's transformer: POS tags and UD-CCG categories of the same words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ccgkit.text.penn import penn_tag

__all__ = ["IGNORED", "TaggedWords", "read_tagged_words"]

IGNORED = -100  # the label that carries no loss
_SEEN = 5  # times a UD-CCG category must be seen to be learnt


@dataclass(frozen=True, slots=True)
class TaggedWords:
    """A sentence with numbers of its POS tags and, where it has a derivation, of its UD-CCG categories."""

    words: tuple[str, ...]
    pos: tuple[int, ...]
    categories: tuple[int, ...]


def read_tagged_words(
    tagged: Path, trees: Path | None, pos_tags: Sequence[str]
) -> tuple[list[TaggedWords], int]:
    """The sentences of a POS-tagged file, UD-CCG categories looked up by their words, and how many kinds."""
    from ccgkit.corpora import load

    known = (
        {}
        if trees is None
        else {s.words: tuple(map(str, s.categories or ())) for s in load(trees, None, "skip")}
    )
    counts = Counter(category for categories in known.values() for category in categories)
    kinds = {category: n for n, category in enumerate(c for c, seen in counts.items() if seen >= _SEEN)}
    numbers = {tag: number for number, tag in enumerate(pos_tags)}
    sentences = []
    for sentence in load(tagged):
        words = sentence.words
        sentences.append(
            TaggedWords(
                words,
                tuple(numbers.get(penn_tag(token.pos or ""), IGNORED) for token in sentence.tokens),
                _labels(known.get(words), kinds, len(words)),
            )
        )
    return sentences, len(kinds)


def _labels(categories: Sequence[str] | None, kinds: Mapping[str, int], size: int) -> tuple[int, ...]:
    if categories is None:
        return (IGNORED,) * size
    return tuple(kinds.get(category, IGNORED) for category in categories)
