"""What a training learns from: lessons of a step each, from gold categories or whatever gives labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from torch import Tensor

from ccgkit.grammar import Category
from ccgkit.taggers.tagger import Label, Tagger

from .data import Example, batches, count_categories
from .distributed import World

__all__ = ["Gold", "Lesson", "Source"]

_HEAD_WORDS = 0.5  # what their loss counts beside that of the categories


@dataclass(frozen=True, slots=True)
class Lesson:
    """Sentences to learn from in one step; None among categories, labels and heads carries no loss."""

    sentences: Sequence[Sequence[str]]
    categories: Sequence[Sequence[Category | None]] = ()
    labels: Mapping[str, Sequence[Sequence[Label | None]]] = field(default_factory=dict)  #: by label head
    head_words: Sequence[Sequence[int | None]] = ()  #: places of words, `ROOT` for the sentence's head

    @property
    def words(self) -> int:
        """All words."""
        return sum(map(len, self.sentences))

    @property
    def taught(self) -> int:
        """Words that have a category; where none has, those that have a label."""
        return _known(self.categories) or max(map(_known, self.labels.values()), default=0)

    def loss(self, tagger: Tagger, processes: World | None = None) -> Tensor | None:
        """This process's part of the mean loss a word, summed over the decoder and what else is learnt.

        None where it has nothing to learn.
        """
        mine = (processes or World()).share(range(len(self.sentences)))
        if not mine or not self.taught:
            return None
        encoded = tagger.encode([self.sentences[place] for place in mine])
        losses = [
            tagger.heads[name].loss(encoded, [labels[place] for place in mine]) / known
            for name, labels in self.labels.items()
            if (known := _known(labels))
        ]
        if tagger.head_words is not None and (known := _known(self.head_words)):
            heads = [self.head_words[place] for place in mine]
            losses.append(_HEAD_WORDS * tagger.head_words.loss(encoded, heads) / known)
        if known := _known(self.categories):
            gold = [self.categories[place] for place in mine]
            losses.append(tagger.decoder.loss(encoded, gold) / known)
        return sum(losses[1:], losses[0])


class Source(Protocol):
    """Where lessons come from."""

    @property
    def identity(self) -> Sequence[Example] | str:
        """What a resumed training must share."""

    def epoch(self, number: int) -> Sequence[Lesson]:
        """The lessons of an epoch, from 1 on: the same ones whenever they are asked for."""


class Gold:
    """The categories of annotated sentences; those seen fewer than `threshold` times are unknown."""

    def __init__(self, examples: Sequence[Example], threshold: int, batch: int, seed: int) -> None:
        self.identity = examples
        self.counts: Counter[Category] = count_categories(examples)
        self._gold = [example.gold(self.counts, threshold) for example in examples]
        self._batch, self._seed = batch, seed

    def epoch(self, number: int) -> list[Lesson]:
        """The batches of an epoch in an order of its own, each a lesson."""
        return [
            Lesson([self.identity[place].words for place in batch], [self._gold[place] for place in batch])
            for batch in batches(self.identity, self._batch, self._seed, number)
        ]


def _known(rows: Sequence[Sequence[object]]) -> int:
    return sum(item is not None for row in rows for item in row)
