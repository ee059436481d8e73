"""A small POS tagger beside the supertagger: an averaged perceptron over hashed features.

It tags English with Penn Treebank tags where a model has no POS tags of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ..grammar import CCGKitError
from .penn import PENN_TAGS

__all__ = ["BUCKETS", "NO_TAG", "PosTagger", "history_features", "near_features", "own_features"]

_WEIGHTS = Path(__file__).with_name("pos.safetensors")
BUCKETS = 1 << 16
_TAGS = len(PENN_TAGS)
NO_TAG = "-"  # the tag before the first word


class PosTagger:
    """Words in, Penn Treebank tags out, from left to right.

    >>> PosTagger.load().tag(["She", "reads", "old", "books", "."])
    ['PRP', 'VBZ', 'JJ', 'NNS', '.']
    """

    def __init__(self, weights: NDArray[np.float32]) -> None:
        self._weights = weights  # (buckets, tags)
        self._history: dict[tuple[str, str], NDArray[np.float32]] = {}
        self._words: dict[str, NDArray[np.float32]] = {}

    @classmethod
    def load(cls, path: Path = _WEIGHTS) -> Self:
        """The tagger shipped with the package, or another one."""
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            stored = load_file(path)
            return cls(stored["weights"].astype(np.float32) * stored["scale"])
        except (OSError, KeyError, SafetensorError) as error:
            raise CCGKitError(f"cannot read the POS tagger {path}: {error}") from error

    def tag(self, words: Sequence[str]) -> list[str]:
        """The tag of each word of a sentence."""
        tags: list[str] = []
        before, last = NO_TAG, NO_TAG
        for scores in self._scores(words):
            best = PENN_TAGS[int((scores + self._of_history(before, last)).argmax())]
            tags.append(best)
            before, last = last, best
        return tags

    def _scores(self, words: Sequence[str]) -> NDArray[np.float32]:
        """What the words alone say, (words, tags)."""
        if not words:
            return np.zeros((0, _TAGS), np.float32)
        own = [self._of_word(word) for word in words]
        near = [near_features(words, place) for place in range(len(words))]
        scores: NDArray[np.float32] = self._weights[np.array(near)].sum(1)
        return scores + np.array(own)

    def _of_word(self, word: str) -> NDArray[np.float32]:
        known = self._words.get(word)
        if known is None:
            if len(self._words) > 50_000:
                self._words.clear()  # another thread may be just here, too
            known = self._words[word] = self._weights[own_features(word)].sum(0)
        return known

    def _of_history(self, before: str, last: str) -> NDArray[np.float32]:
        if (before, last) not in self._history:
            self._history[before, last] = self._weights[history_features(before, last)].sum(0)
        return self._history[before, last]


def _bucket(feature: str) -> int:
    return crc32(feature.encode("utf-8", "surrogatepass")) % BUCKETS


def _form(word: str) -> str:
    """A word as features know it: lower case, digits alike."""
    if any(map(str.isdigit, word)):
        return "".join("0" if c.isdigit() else c for c in word.lower())
    return word.lower()


def _shape(word: str) -> str:
    """The kinds of characters, runs of one kind written once: `Xx`, `0-x`."""
    shape: list[str] = []
    for c in word:
        kind = "X" if c.isupper() else "x" if c.isalpha() else "0" if c.isdigit() else c
        if not shape or shape[-1] != kind:
            shape.append(kind)
    return "".join(shape[:8])


def own_features(word: str) -> list[int]:
    """Features of a word by itself."""
    form, shape = _form(word), _shape(word)
    features = ["bias", f"w {form}", f"W {word}", f"s {shape}", f"s1 {shape} {form[-1:]}"]
    features += [f"e{n} {form[-n:]}" for n in (1, 2, 3, 4) if len(form) > n]
    features += [f"b{n} {form[:n]}" for n in (1, 2, 3) if len(form) > n]
    if "-" in word[1:-1]:
        features.append(f"h {form.rpartition('-')[2]}")
    return [_bucket(feature) for feature in features]


def near_features(words: Sequence[str], place: int) -> list[int]:
    """Features of the words around."""
    form = _form(words[place])
    one = _form(words[place - 1]) if place else "<"
    two = _form(words[place - 2]) if place > 1 else "<"
    next_one = _form(words[place + 1]) if place + 1 < len(words) else ">"
    next_two = _form(words[place + 2]) if place + 2 < len(words) else ">"
    title = words[place][:1].isupper()
    return [
        _bucket(feature)
        for feature in (
            f"-1 {one}", f"-2 {two}", f"+1 {next_one}", f"+2 {next_two}", f"-1w {one} {form}",
            f"+1w {form} {next_one}", f"-1e {one[-3:]}", f"+1e {next_one[-3:]}", f"-1+1 {one} {next_one}",
            f"t {title} {place == 0} {form[-3:]}",
        )
    ]  # fmt: skip


def history_features(before: str, last: str) -> list[int]:
    """Features of the two tags before."""
    return [_bucket(f"t1 {last}"), _bucket(f"t2 {before} {last}"), _bucket(f"t3 {before}")]
