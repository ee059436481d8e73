"""What every tagger offers, and what it answers. Imports no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self

from ccgkit.grammar import Category
from ccgkit.sentence import Supertag

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Reading", "TaggerLike"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a tagger says of a sentence: for each word its categories, best first, and its POS tag.

    `pos` is None if the tagger does not know POS tags, `head_words` if it does not score head words: as
    `Sentence.head_words` has them.
    """

    tags: list[tuple[Supertag, ...]]
    pos: list[str] | None = None
    head_words: np.ndarray | None = field(default=None, compare=False)

    @property
    def categories(self) -> list[Category]:
        """The best category of each word."""
        return [word[0].category for word in self.tags]


class TaggerLike(Protocol):
    """A supertagger, whatever it is made of."""

    @property
    def scheme(self) -> str:
        """The scheme its categories follow, `ccgbank`, `rebank` or `udccg`; empty if nobody knows."""

    def kbest(
        self, sentences: Sequence[Sequence[str]], k: int = 4, beta: float = 0.0, batch_size: int = 32
    ) -> list[Reading]:
        """For each sentence up to `k` categories a word, at least `beta` times as probable as its best."""

    def twin(self) -> Self:
        """A tagger for another thread, which shares the weights."""
