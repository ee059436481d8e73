"""What the English model is made from, and lessons of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from ccgkit.corpora import load
from ccgkit.grammar import Token
from ccgkit.parsing import Parser
from ccgkit.sentence import Sentence, Supertag
from ccgkit.taggers.tagger import POS
from ccgkit.text.penn import PENN_TAGS, penn_tag
from ccgkit.training.data import Example, read_examples
from ccgkit.training.lessons import Lesson
from ccgkit.treebanks import running_text

__all__ = [
    "UDCCG",
    "Corpora",
    "TaggedWords",
    "auxiliary_lesson",
    "batches",
    "category_lesson",
    "hand_checked",
    "label_sets",
    "part",
    "read_derived",
    "read_udccg",
    "with_head_words",
]

UDCCG = "ud-ccg"  #: the head of an auxiliary task
_SEEN = 5  # times a UD-CCG category must be seen to be learnt


@dataclass(frozen=True, slots=True)
class TaggedWords:
    """A sentence with its POS tags and, where it is known, UD-CCG categories; None is not learnt."""

    words: tuple[str, ...]
    pos: tuple[str | None, ...]
    categories: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Corpora:
    """Everything the model is made from; dev data is only measured."""

    gold: list[Example]
    dev: list[Example]
    auxiliary: list[TaggedWords]
    text: list[str]

    @classmethod
    def read(cls, data: Path) -> Corpora:
        return cls(
            read_examples([data / "pmb4/en.train.stagged"]),
            read_examples([data / "pmb4/en.dev.stagged"]),
            read_tagged_words(data / "ud/en_ewt.train.pos", data / "udccg/en_ewt.train.auto"),
            (data / "text/tatoeba.en.txt").read_text(encoding="utf-8").splitlines(),
        )

    @property
    def heads(self) -> dict[str, Sequence[str]]:
        """The labels of the auxiliary tasks."""
        return {**label_sets(self.auxiliary), POS: PENN_TAGS}


def read_tagged_words(tagged: Path, trees: Path) -> list[TaggedWords]:
    """The sentences of a POS-tagged file, UD-CCG categories looked up by their words."""
    known = {one.words: one.categories for one in read_udccg(trees)}
    sentences = []
    for sentence in load(tagged):
        words = sentence.words
        tags = (penn_tag(token.pos or "") for token in sentence.tokens)
        pos = tuple(tag if tag in PENN_TAGS else None for tag in tags)
        sentences.append(TaggedWords(words, pos, known.get(words, (None,) * len(words))))
    return sentences


def read_udccg(trees: Path) -> list[TaggedWords]:
    """The sentences of a file of UD-CCG derivations with the POS tags that it has."""
    sentences = [sentence for sentence in load(trees, None, "skip") if sentence.categories]
    counts = Counter(str(category) for sentence in sentences for category in sentence.categories or ())
    return [
        TaggedWords(
            sentence.words,
            tuple(token.pos for token in sentence.tokens),
            tuple(
                name if counts[name := str(category)] >= _SEEN else None
                for category in sentence.categories or ()
            ),
        )
        for sentence in sentences
    ]


def label_sets(sentences: Sequence[TaggedWords]) -> dict[str, Sequence[str]]:
    """The labels of the auxiliary tasks, by the names of their heads."""
    pos = {tag for sentence in sentences for tag in sentence.pos if tag is not None}
    categories = {kind for sentence in sentences for kind in sentence.categories if kind is not None}
    return {POS: sorted(pos), UDCCG: sorted(categories)}


def hand_checked(data: Path, split: str) -> list[Example]:
    """The running text that was checked by hand."""
    sentences = running_text.join(running_text.load(split), data)
    return [Example(sentence.words, sentence.categories or ()) for sentence in sentences]


def with_head_words(examples: Sequence[Example]) -> list[Example]:
    """The sentences with their words' heads in the derivations that their categories have, if any."""
    parser = Parser()
    return [_headed(example, parser) for example in examples]


def _headed(example: Example, parser: Parser) -> Example:
    tags = tuple((Supertag(category),) for category in example.categories)
    result = parser.parse(Sentence(tuple(map(Token, example.words)), tags))
    if not result.spans or result.derivation is None:
        return example
    return replace(example, head_words=result.derivation.head_words())


def read_derived(paths: Sequence[Path]) -> list[Example]:
    """The sentences of the files with the categories and head words of their derivations."""
    sentences = (sentence for path in paths for sentence in load(path))
    return [
        Example(sentence.words, sentence.categories or (), sentence.derivations[0].head_words())
        for sentence in sentences
        if sentence.derivations
    ]


_T = TypeVar("_T")


class _HasWords(Protocol):
    @property
    def words(self) -> Sequence[str]: ...


_Words = TypeVar("_Words", bound=_HasWords)


def part(items: Sequence[_T], share: float, chance: random.Random) -> list[_T]:
    return chance.sample(items, int(share * len(items)))


def batches(items: Sequence[_Words], size: int, chance: random.Random) -> list[list[_Words]]:
    """Items of like length together."""
    order = sorted(items, key=lambda item: len(item.words) + 2 * chance.random())
    return [order[start : start + size] for start in range(0, len(order), size)]


def category_lesson(batch: Sequence[Example]) -> Lesson:
    return Lesson(
        [example.words for example in batch],
        [example.categories for example in batch],
        head_words=[example.head_words or (None,) * len(example.words) for example in batch],
    )


def auxiliary_lesson(batch: Sequence[TaggedWords]) -> Lesson:
    labels = {POS: [one.pos for one in batch], UDCCG: [one.categories for one in batch]}
    return Lesson([one.words for one in batch], labels=labels)
