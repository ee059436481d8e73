"""Hugging Face token classifiers whose labels are CCG categories, as taggers: a directory with `config.json`.

A word gets what the classifier says of its first piece. Labels that are no categories (`O`, `X` …) are never
chosen. Importing this module needs no torch.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from ccgkit.grammar import Category, CategorySyntaxError
from ccgkit.grammar.schemes import guess_name
from ccgkit.sentence import Supertag

from .directory import read_json, sound
from .errors import ModelError
from .reading import Reading

if TYPE_CHECKING:
    from .encoders.bert import Transformer

__all__ = ["TokenClassifier", "is_token_classifier", "label_categories", "label_scheme"]

_CONFIG = "config.json"
_NONE = re.compile(r"LABEL_\d+|O|X|_|UNK|PAD|\W*(?:unk|pad)\W*", re.I)  # labels that stand for no category


def is_token_classifier(folder: Path) -> bool:
    """Whether a directory holds a token classifier of Hugging Face's."""
    if not (folder / _CONFIG).is_file():
        return False
    named = read_json(folder / _CONFIG).get("architectures")
    return isinstance(named, list) and any(str(name).endswith("ForTokenClassification") for name in named)


def label_categories(folder: Path) -> dict[int, Category]:
    """The categories among the labels of the classifier in a directory, by the labels' numbers."""
    labels = read_json(folder / _CONFIG).get("id2label")
    if not isinstance(labels, dict):
        raise ModelError(f"{folder / _CONFIG} names no labels: id2label is missing")
    found = {int(number): _category(str(label)) for number, label in labels.items() if number.isdecimal()}
    kept = {number: category for number, category in found.items() if category is not None}
    if not kept:
        some = ", ".join(str(label) for label in list(labels.values())[:5])
        raise ModelError(f"no label in {folder / _CONFIG} is a category: {some} …")
    return kept


def label_scheme(folder: Path) -> str:
    """The scheme that the labels tell, empty if they do not."""
    return guess_name(label_categories(folder).values())


def _category(label: str) -> Category | None:
    if _NONE.fullmatch(label):
        return None
    try:
        return Category.parse(label)
    except CategorySyntaxError:
        return None


class TokenClassifier:
    """A tagger out of a token classifier; threads may use it together."""

    def __init__(self, words: Transformer, categories: dict[int, Category]) -> None:
        """`words` gives for each word the logits of all labels."""
        self.words = words
        self.categories = tuple(categories.values())
        self.columns = list(categories)

    @classmethod
    def load(cls, directory: str | Path, device: str = "cpu") -> Self:
        """The classifier in `directory`, ready to tag; `ModelError` if it is not sound."""
        from .encoders.bert import Transformer, token_classifier

        folder = Path(directory)
        with sound(folder):
            categories = label_categories(folder)
            model, tokenizer = token_classifier(folder)
            if max(categories) >= model.config.num_labels:
                raise ModelError(f"{folder / _CONFIG} names more labels than the classifier has")
            words = Transformer(model, tokenizer, 0, "first", "last", tuned=True)
            return cls(words.to(device).eval(), categories)

    @cached_property
    def scheme(self) -> str:
        return guess_name(self.categories)

    def kbest(
        self, sentences: Sequence[Sequence[str]], k: int = 4, beta: float = 0.0, batch_size: int = 32
    ) -> list[Reading]:
        """As a `Tagger`; it knows no POS tags."""
        readings = [Reading([]) for _ in sentences]
        places = sorted((p for p, words in enumerate(sentences) if words), key=lambda p: len(sentences[p]))
        for start in range(0, len(places), batch_size):
            batch = places[start : start + batch_size]
            tags = iter(self._tags([sentences[place] for place in batch], k, beta))
            for place in batch:
                readings[place] = Reading([next(tags) for _ in sentences[place]])
        return readings

    def _tags(self, sentences: Sequence[Sequence[str]], k: int, beta: float) -> list[tuple[Supertag, ...]]:
        """The k best categories of all words in a row; probabilities are shared among categories alone."""
        import torch

        from .tagger import pruned

        with torch.inference_mode():
            logprobs = self.words(sentences)[:, self.columns].float().log_softmax(1)
            best, numbers = logprobs.topk(min(k, len(self.columns)))
        rows = zip(best.tolist(), numbers.tolist(), strict=True)
        words = [tuple(Supertag(self.categories[i], p) for p, i in zip(*row, strict=True)) for row in rows]
        return pruned(words, beta)

    def twin(self) -> Self:
        """A tagger for another thread: this one."""
        return self
