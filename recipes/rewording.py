"""Sentences with other words in the places of theirs, for a teacher to label: more text of the same kinds.

A student has seen most of the treebank's words in a few sentences only, and its teacher has something to say
of any sentence, sense or not (Jiao et al. 2020 make text for TinyBERT in a like way).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import torch
from torch.nn.functional import normalize

from ccgkit.grammar import Token
from ccgkit.taggers.encoders.vectors import read_vectors

__all__ = ["neighbours", "reworded"]

_OPEN = frozenset(("NN", "NNS", "NNP", "JJ", "RB", "VB", "VBD", "VBG", "VBN", "VBZ", "VBP"))
_COMMON = 350  # words that are never exchanged: the commonest ones have uses that no other word shares
_KNOWN = 120_000  # of the vectors, which begin with the commonest words
_NEAREST = 16  # words looked at, of which those with the same ending remain
_ENDINGS = ("ing", "ed", "ly", "est", "ness", "tion", "s")
_SHARE = 0.35  # of the words that have neighbours
_LENGTHS = range(8, 46)
_ROWS = 512


def reworded(sentences: Sequence[Sequence[Token]], vectors: Path, seed: int = 7) -> list[list[str]]:
    """Each sentence in which two words or more were exchanged for neighbours of theirs, in a random order."""
    near = neighbours(sentences, vectors)
    chance = random.Random(seed)
    made = [
        words
        for tokens in sentences
        if len(tokens) in _LENGTHS and (words := _exchanged(tokens, near, chance)) is not None
    ]
    chance.shuffle(made)
    return made


def neighbours(sentences: Sequence[Sequence[Token]], vectors: Path) -> dict[str, list[str]]:
    """Of each word of an open class that the vectors have, the nearest words with its ending."""
    counts = Counter(token.word.lower() for tokens in sentences for token in tokens)
    common = {word for word, _ in counts.most_common(_COMMON)}
    names, numbers = read_vectors(vectors)
    matrix = normalize(torch.as_tensor(numbers[:_KNOWN]).float())
    place = {name: row for row, name in enumerate(names[:_KNOWN]) if _usable(name, common)}
    known, others = list(place), matrix[list(place.values())]
    wanted = sorted(
        {token.word.lower() for tokens in sentences for token in tokens if token.pos in _OPEN} & place.keys()
    )
    near = {}
    for start in range(0, len(wanted), _ROWS):
        rows = wanted[start : start + _ROWS]
        found = (matrix[[place[word] for word in rows]] @ others.T).topk(min(_NEAREST, len(known))).indices
        for word, row in zip(rows, found.tolist(), strict=True):
            alike = [
                other
                for other in (known[n] for n in row)
                if other != word and _ending(other) == _ending(word)
            ]
            if len(alike) > 1:
                near[word] = alike[: _NEAREST // 2]
    return near


def _usable(word: str, common: set[str]) -> bool:
    return word.isalpha() and len(word) > 2 and word not in common


def _ending(word: str) -> str:
    return next((end for end in _ENDINGS if word.endswith(end) and len(word) > len(end) + 2), "")


def _exchanged(
    tokens: Sequence[Token], near: Mapping[str, Sequence[str]], chance: random.Random
) -> list[str] | None:
    """The words with some exchanged; None if that would be fewer than two."""
    words = [token.word for token in tokens]
    made = list(_drawn(tokens, near, chance))
    return made if sum(one != other for one, other in zip(words, made, strict=True)) > 1 else None


def _drawn(
    tokens: Sequence[Token], near: Mapping[str, Sequence[str]], chance: random.Random
) -> Iterator[str]:
    for token in tokens:
        word = token.word
        others = near.get(word.lower(), ()) if token.pos in _OPEN else ()
        if others and chance.random() < _SHARE:
            yield _cased(chance.choice(others), word)
        else:
            yield word


def _cased(word: str, like: str) -> str:
    return word.title() if like.istitle() else word.upper() if like.isupper() else word
