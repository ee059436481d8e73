"""Learning from several teachers: what they think of unannotated sentences, together, as soft labels."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp
from pathlib import Path

from ccgkit.grammar import Category
from ccgkit.sentence import Supertag
from ccgkit.taggers import TaggerLike
from ccgkit.text.sentences import split_text
from ccgkit.training.data import Example

__all__ = ["Labelled", "agreed", "label", "read_labels", "sentences_to_label", "tokenize", "tokenized"]

LEAST = 0.02  # a category that the teachers together find less probable is left out
_K = 4  # categories each teacher names
_BLOCK = 1024  # sentences labelled between two writes
_DRAWN = 88_000  # sentences of the text, all questions among them …
_LABELLED = 60_000  # … and of these so many are labelled
_LONGEST = 40  # words of a sentence to be labelled


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence whose words have several categories each, with probabilities that sum to 1."""

    words: tuple[str, ...]
    choices: tuple[tuple[tuple[Category, float], ...], ...]

    def sample(self, chance: random.Random) -> Example:
        """The sentence with one category a word, drawn anew: on average as good as learning from all."""
        drawn = (
            chance.choices([category for category, _ in word], [share for _, share in word])[0]
            for word in self.choices
        )
        return Example(self.words, tuple(drawn))

    def to_json(self) -> str:
        choices = [[[str(category), round(share, 4)] for category, share in word] for word in self.choices]
        return json.dumps({"words": self.words, "choices": choices}, ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> Labelled:
        stored = json.loads(line)
        choices = tuple(
            tuple((Category.parse(text), float(share)) for text, share in word) for word in stored["choices"]
        )
        return cls(tuple(stored["words"]), choices)


def agreed(opinions: Sequence[Sequence[Supertag]]) -> tuple[tuple[Category, float], ...]:
    """What several teachers together think of a word, most probable first.

    >>> n, np = Category.parse("N"), Category.parse("NP")
    >>> agreed([[Supertag(n)], [Supertag(np, -0.69314718), Supertag(n, -0.69314718)]])
    ((N, 0.75), (NP, 0.25))
    """
    shares: defaultdict[Category, float] = defaultdict(float)
    for opinion in opinions:
        total = sum(exp(tag.logprob) for tag in opinion)
        for tag in opinion:
            shares[tag.category] += exp(tag.logprob) / total / len(opinions)
    best = max(shares.values())
    kept = {category: share for category, share in shares.items() if share >= min(LEAST, best)}
    total = sum(kept.values())
    ranked = sorted(kept.items(), key=lambda item: -item[1])
    return tuple((category, round(share / total, 6)) for category, share in ranked)


def sentences_to_label(text: Sequence[str]) -> list[list[str]]:
    """Sentences of the text in which questions, which gold has few of, are every fifth."""
    chance = random.Random(_DRAWN)
    questions = [line for line in text if line.endswith("?")]
    others = [line for line in text if not line.endswith("?")]
    lines = [*questions, *chance.sample(others, min(len(others), max(0, _DRAWN - len(questions))))]
    chance.shuffle(lines)
    return [words for line in lines if _is_teachable(words := tokenize(line))][:_LABELLED]


def _is_teachable(words: Sequence[str]) -> bool:
    """Short enough, and without a name of several words: most teachers have only seen these joined."""
    names = any(one.istitle() and other.istitle() for one, other in pairwise(words[1:]))
    return 0 < len(words) <= _LONGEST and not names


def tokenize(line: str) -> list[str]:
    """The words of a line, quotation marks as PMB has them."""
    return [word for words in tokenized(line) for word in words]


def tokenized(line: str) -> list[list[str]]:
    """The words of a line's sentences, quotation marks as PMB has them."""
    return [
        ['"' if token.word in ("``", "''") else token.word for token in sentence.tokens]
        for sentence in split_text(line)
    ]


def label(
    teachers: Sequence[TaggerLike],
    sentences: Sequence[Sequence[str]],
    path: Path,
    progress: Callable[[int], None] = lambda done: None,
) -> None:
    """Write what the teachers think of the sentences to `path`, a line each; goes on where it was stopped."""
    done = _whole_lines(path)
    with path.open("a", encoding="utf-8") as out:
        for start in range(done, len(sentences), _BLOCK):
            block = sentences[start : start + _BLOCK]
            for line in _labelled(teachers, block):
                out.write(line.to_json() + "\n")
            out.flush()
            progress(start + len(block))


def read_labels(path: Path) -> list[Labelled]:
    """What `label` wrote."""
    with path.open(encoding="utf-8") as lines:
        return [Labelled.from_json(line) for line in lines]


def _labelled(teachers: Sequence[TaggerLike], block: Sequence[Sequence[str]]) -> Iterator[Labelled]:
    answers = [[reading.tags for reading in one.kbest(block, _K, LEAST)] for one in teachers]
    for words, *tags in zip(block, *answers, strict=True):
        yield Labelled(tuple(words), tuple(agreed(opinions) for opinions in zip(*tags, strict=True)))


def _whole_lines(path: Path) -> int:
    """How many sentences are written; half a line at the end, of a stopped run, is cut off."""
    if not path.exists():
        return 0
    text = path.read_bytes()
    whole = text.rfind(b"\n") + 1
    if whole < len(text):
        with path.open("r+b") as file:
            file.truncate(whole)
    return text.count(b"\n")
