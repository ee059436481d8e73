"""Training data: sentences with their categories, their batches, and what identifies them."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ccgkit.grammar import Category, CCGKitError

__all__ = [
    "DataError",
    "Example",
    "batches",
    "check_pair",
    "count_categories",
    "fingerprint",
    "read_examples",
]


class DataError(CCGKitError):
    """Data that nothing can be learnt from, or that does not go together."""


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence to learn from."""

    words: tuple[str, ...]
    categories: tuple[Category, ...]
    #: the place of the word that each depends on, `taggers.head_words.ROOT` for the sentence's head
    head_words: tuple[int, ...] | None = field(default=None, repr=False)

    def gold(self, counts: Counter[Category], threshold: int) -> list[Category | None]:
        """The categories, None (UNK) where one is seen fewer than `threshold` times."""
        return [category if counts[category] >= threshold else None for category in self.categories]


def read_examples(paths: Sequence[Path]) -> list[Example]:
    """All sentences of the files, in any format of `ccgkit.corpora`, with their categories.

    Raises `DataError` where one has none, or where there are no sentences.
    """
    from ccgkit.corpora import load

    examples: list[Example] = []
    for path in paths:
        for number, sentence in enumerate(load(path), 1):
            categories = sentence.categories
            if categories is None:
                raise DataError(f"{path}: sentence {number} has no categories to learn from")
            if len(categories) != len(sentence.words):
                raise DataError(
                    f"{path}: sentence {number} has {len(sentence.words)} words, {len(categories)} categories"
                )
            if categories:
                examples.append(Example(sentence.words, categories))
    if not examples:
        raise DataError(f"there is no sentence in {', '.join(map(str, paths))}")
    return examples


def count_categories(examples: Sequence[Example]) -> Counter[Category]:
    """How often each category occurs."""
    return Counter(category for example in examples for category in example.categories)


def check_pair(counts: Counter[Category], dev: Sequence[Example], threshold: int) -> None:
    """Raise `DataError` where training could not succeed on this pair of training and dev data."""
    if not any(n >= threshold for n in counts.values()):
        commonest = max(counts.values())
        raise DataError(
            f"no category is seen {threshold} times in the training data (the commonest {commonest} times): "
            "lower decoder.threshold"
        )
    if not any(category in counts for example in dev for category in example.categories):
        raise DataError(
            "not one category of the dev data occurs in the training data: are they of the same corpus?"
        )


def batches(examples: Sequence[Example], size: int, seed: int, epoch: int) -> list[list[int]]:
    """The places of the examples in batches of like length, in an order that only seed and epoch decide."""
    chance = random.Random(f"{seed}/{epoch}")
    places = list(range(len(examples)))
    chance.shuffle(places)
    places.sort(
        key=lambda place: len(examples[place].words) + 2 * chance.random()
    )  # not quite the same neighbours
    grouped = [places[start : start + size] for start in range(0, len(places), size)]
    chance.shuffle(grouped)
    return grouped


def fingerprint(*parts: Sequence[Example] | str) -> str:
    """A digest that changes with any word, category or setting."""
    digest = hashlib.sha256()
    for part in parts:
        for line in [part] if isinstance(part, str) else _lines(part):
            digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
        digest.update(b"\0")
    return digest.hexdigest()


def _lines(examples: Sequence[Example]) -> Iterator[str]:
    for example in examples:
        yield "\t".join((*example.words, *map(str, example.categories)))
