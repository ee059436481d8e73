"""The small POS tagger, from the corpus to the file in the package.

python -m recipes.pos_tagger --data DATA --output ccgkit/text/pos.safetensors
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from ccgkit.corpora import load
from ccgkit.evaluation.tags import accuracy
from ccgkit.text.penn import PENN_TAGS, penn_tag
from ccgkit.text.pos import BUCKETS, NO_TAG, PosTagger, history_features, near_features, own_features

__all__ = ["command", "measure", "train"]

_log = logging.getLogger("ccgkit.recipes")
_TAGS = len(PENN_TAGS)


class _Trainer:
    """An averaged perceptron: totals are brought up to date only where a weight changes."""

    def __init__(self) -> None:
        self.weights = np.zeros((BUCKETS, _TAGS), np.float32)
        self._totals = np.zeros((BUCKETS, _TAGS), np.float64)
        self._since = np.zeros((BUCKETS, _TAGS), np.int64)
        self._now = 0

    def learn(self, words: Sequence[list[int]], gold: Sequence[int]) -> int:
        """One sentence, given the features of each word but for history; how many were tagged wrong."""
        wrong = 0
        before, last = NO_TAG, NO_TAG
        for fixed, right in zip(words, gold, strict=True):
            features = fixed + history_features(before, last)
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
    for sentence in load(path, "pos"):
        yield list(sentence.words), [penn_tag(token.pos or "") for token in sentence.tokens]


def train(path: Path, output: Path, rounds: int = 8) -> None:
    """Learn from a file of `word|POS` and write the weights, a byte each."""
    from safetensors.numpy import save_file

    lessons = []
    for words, tags in _read(path):
        features = [own_features(word) + near_features(words, place) for place, word in enumerate(words)]
        lessons.append((features, [PENN_TAGS.index(tag) for tag in tags]))
    trainer, chance = _Trainer(), random.Random(1)
    for number in range(rounds):
        chance.shuffle(lessons)
        wrong = sum(trainer.learn(*lesson) for lesson in lessons)
        _log.info("round %d: %d words wrong", number + 1, wrong)
    mean = trainer.averaged()
    limit = float(np.quantile(np.abs(mean[mean != 0]), 0.9995))
    scale = np.float32(limit / 127)
    rounded = np.clip(np.round(mean / scale), -127, 127).astype(np.int8)
    save_file({"weights": rounded, "scale": np.array([scale], np.float32)}, output)


def measure(tagger: PosTagger, path: Path) -> float:
    """Per cent of the words of a file of `word|POS` that get their tag, mapped to the Penn Treebank's."""
    sentences = list(_read(path))
    return accuracy((tags for _, tags in sentences), (tagger.tag(words) for words, _ in sentences))


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), required=True)
def command(data: Path, output: Path) -> None:
    """Train the small POS tagger on ud/en_ewt.train.pos in --data, and measure it on dev and test."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    train(data / "ud/en_ewt.train.pos", output)
    for part in ("dev", "test"):
        click.echo(f"{part} {measure(PosTagger.load(output), data / f'ud/en_ewt.{part}.pos'):.2f}")


if __name__ == "__main__":
    command()
