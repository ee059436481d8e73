"""A phrase and the category that it is to have: what constructions hand down to their parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...grammar import Category
from ..phrases import Phrase


@dataclass(frozen=True, slots=True)
class Task:
    """A phrase that is to have a category; `gap` is what a gap below it lacks."""

    phrase: Phrase
    category: Category | None
    gap: Category | None = None

    def child(self, index: int, category: Category | None) -> Task:
        return Task(self.phrase.children[index], category, self.gap)


Construction = Callable[[Task], Iterator[Task]]  #: what the parts of a phrase are to have
