"""Numbers about a corpus: how much of it there is, how long, how deep, which categories and rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..grammar import Category, Derivation
from ..grammar.derivation import annotate
from ..grammar.schemes import Scheme
from ..sentence import Sentence

__all__ = ["FREQUENT", "Statistics", "depth"]

FREQUENT = 10  # a category seen so often is usually kept for a tagger's closed list


@dataclass(slots=True)
class Statistics:
    """Counts that grow with every sentence; memory is that of the distinct values, not of the corpus.

    Rules are those of the scheme, if one is given, otherwise those the derivations name themselves.
    """

    scheme: Scheme | None = None
    sentences: int = 0
    tokens: int = 0
    trees: int = 0
    words: Counter[str] = field(default_factory=Counter)
    categories: Counter[Category] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    depths: Counter[int] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    unlicensed: Counter[str] = field(default_factory=Counter)

    def update(self, sentences: Iterable[Sentence]) -> None:
        """Count these sentences in."""
        for sentence in sentences:
            self.sentences += 1
            self.tokens += len(sentence.tokens)
            self.lengths[len(sentence.tokens)] += 1
            self.words.update(sentence.words)
            self.categories.update(sentence.categories or ())
            for tree in sentence.derivations or ():
                self._count_tree(tree)

    def _count_tree(self, tree: Derivation) -> None:
        self.trees += 1
        self.depths[depth(tree)] += 1
        if self.scheme is not None:
            tree = annotate(tree, self.scheme)
        for node in tree.nodes():
            if not node.children:
                continue
            if node.rule is not None:
                self.rules[node.rule.symbol] += 1
            else:
                parts = " ".join(str(child.category) for child in node.children)
                self.unlicensed[f"{parts} → {node.category}"] += 1

    @property
    def frequent(self) -> int:
        """How many categories were seen ten times or more."""
        return sum(count >= FREQUENT for count in self.categories.values())

    @property
    def once(self) -> int:
        """How many categories were seen once."""
        return sum(count == 1 for count in self.categories.values())

    def as_dict(self) -> dict[str, Any]:
        """All figures as plain values, for JSON."""
        return {
            "sentences": self.sentences,
            "tokens": self.tokens,
            "words": len(self.words),
            "categories": {
                "distinct": len(self.categories),
                f"seen_{FREQUENT}_times": self.frequent,
                "seen_once": self.once,
                "counts": {str(category): count for category, count in self.categories.most_common()},
            },
            "length": distribution(self.lengths),
            "trees": self.trees,
            "depth": distribution(self.depths),
            "scheme": self.scheme.name if self.scheme else None,
            "rules": dict(self.rules.most_common()),
            "unlicensed": {"nodes": self.unlicensed.total(), "counts": dict(self.unlicensed.most_common())},
        }


def depth(tree: Derivation) -> int:
    """Steps on the longest path from the root to a leaf."""
    deepest, level = 0, [tree]
    while level := [child for node in level for child in node.children]:
        deepest += 1
    return deepest


def distribution(counts: Counter[int]) -> Mapping[str, Any]:
    """Least, mean, median and greatest value, and the counts of all."""
    if not counts:
        return {}
    total = counts.total()
    return {
        "min": min(counts),
        "mean": round(sum(value * count for value, count in counts.items()) / total, 2),
        "median": (_at(counts, (total - 1) // 2) + _at(counts, total // 2)) / 2,
        "max": max(counts),
        "counts": {str(value): counts[value] for value in sorted(counts)},
    }


def _at(counts: Counter[int], place: int) -> int:
    """The value at a place (from 0) among all values in order."""
    for value in sorted(counts):
        place -= counts[value]
        if place < 0:
            return value
    raise IndexError(place)
