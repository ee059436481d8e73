"""A small POS tagger beside the supertagger: an averaged perceptron over hashed features.

It tags English with Penn Treebank tags where a model has no POS tags of its own. Retrain it with

    python -m ccgkit.text.pos --train en_ewt.train.pos --output weights.safetensors
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ..grammar import CCGKitError
from .penn import PENN_TAGS, penn_tag

__all__ = ["PosTagger"]

_WEIGHTS = Path(__file__).with_name("pos.safetensors")
_BUCKETS = 1 << 16
_ROUNDS = 8
_TAGS = len(PENN_TAGS)
_NONE = "-"  # the tag before the first word


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
        before, last = _NONE, _NONE
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
        near = [_near(words, place) for place in range(len(words))]
        scores: NDArray[np.float32] = self._weights[np.array(near)].sum(1)
        return scores + np.array(own)

    def _of_word(self, word: str) -> NDArray[np.float32]:
        if word not in self._words:
            if len(self._words) > 50_000:
                self._words.clear()
            self._words[word] = self._weights[_own(word)].sum(0)
        return self._words[word]

    def _of_history(self, before: str, last: str) -> NDArray[np.float32]:
        if (before, last) not in self._history:
            self._history[before, last] = self._weights[_history(before, last)].sum(0)
        return self._history[before, last]


def _bucket(feature: str) -> int:
    return crc32(feature.encode("utf-8", "surrogatepass")) % _BUCKETS


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


def _own(word: str) -> list[int]:
    """Features of a word by itself."""
    form, shape = _form(word), _shape(word)
    features = ["bias", f"w {form}", f"W {word}", f"s {shape}", f"s1 {shape} {form[-1:]}"]
    features += [f"e{n} {form[-n:]}" for n in (1, 2, 3, 4) if len(form) > n]
    features += [f"b{n} {form[:n]}" for n in (1, 2, 3) if len(form) > n]
    if "-" in word[1:-1]:
        features.append(f"h {form.rpartition('-')[2]}")
    return [_bucket(feature) for feature in features]


def _near(words: Sequence[str], place: int) -> list[int]:
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


def _history(before: str, last: str) -> list[int]:
    """Features of the two tags before."""
    return [_bucket(f"t1 {last}"), _bucket(f"t2 {before} {last}"), _bucket(f"t3 {before}")]


class _Trainer:
    """An averaged perceptron: totals are brought up to date only where a weight changes."""

    def __init__(self) -> None:
        self.weights = np.zeros((_BUCKETS, _TAGS), np.float32)
        self._totals = np.zeros((_BUCKETS, _TAGS), np.float64)
        self._since = np.zeros((_BUCKETS, _TAGS), np.int64)
        self._now = 0

    def learn(self, words: Sequence[list[int]], gold: Sequence[int]) -> int:
        """One sentence, given the features of each word but for history; how many were tagged wrong."""
        wrong = 0
        before, last = _NONE, _NONE
        for fixed, right in zip(words, gold, strict=True):
            features = fixed + _history(before, last)
            guess = int(self.weights[features].sum(0).argmax())
            self._now += 1
            if guess != right:
                wrong += 1
                self._change(features, right, 1)
                self._change(features, guess, -1)
            before, last = last, PENN_TAGS[guess]
        return wrong

    def _change(self, features: list[int], tag: int, by: int) -> None:
        for bucket in features:
            self._totals[bucket, tag] += (self._now - self._since[bucket, tag]) * self.weights[bucket, tag]
            self._since[bucket, tag] = self._now
            self.weights[bucket, tag] += by

    def averaged(self) -> NDArray[np.float64]:
        return (self._totals + (self._now - self._since) * self.weights) / max(1, self._now)


def _read(path: Path) -> Iterator[tuple[list[str], list[str]]]:
    from ..corpora import load

    for sentence in load(path, "pos"):
        yield list(sentence.words), [penn_tag(token.pos or "") for token in sentence.tokens]


def train(path: Path, output: Path, rounds: int = _ROUNDS) -> None:
    """Learn from a file of `word|POS` and write the weights, a byte each."""
    from safetensors.numpy import save_file

    lessons = []
    for words, tags in _read(path):
        features = [_own(word) + _near(words, place) for place, word in enumerate(words)]
        lessons.append((features, [PENN_TAGS.index(tag) for tag in tags]))
    trainer, chance = _Trainer(), random.Random(1)
    for number in range(rounds):
        chance.shuffle(lessons)
        wrong = sum(trainer.learn(*lesson) for lesson in lessons)
        print(f"round {number + 1}: {wrong} words wrong", flush=True)
    mean = trainer.averaged()
    limit = float(np.quantile(np.abs(mean[mean != 0]), 0.9995))
    scale = np.float32(limit / 127)
    rounded = np.clip(np.round(mean / scale), -127, 127).astype(np.int8)
    save_file({"weights": rounded, "scale": np.array([scale], np.float32)}, output)


def accuracy(tagger: PosTagger, path: Path) -> float:
    """Per cent of the words of a file of `word|POS` that get their tag, mapped to the Penn Treebank's."""
    pairs = [pair for words, tags in _read(path) for pair in zip(tagger.tag(words), tags, strict=True)]
    return 100 * sum(found == gold for found, gold in pairs) / len(pairs)


if __name__ == "__main__":
    import argparse

    options = argparse.ArgumentParser(description="Train the small POS tagger.")
    options.add_argument("--train", type=Path, required=True)
    options.add_argument("--dev", type=Path)
    options.add_argument("--output", type=Path, default=_WEIGHTS)
    given = options.parse_args()
    train(given.train, given.output)
    if given.dev:
        print(f"dev {accuracy(PosTagger.load(given.output), given.dev):.2f}")
