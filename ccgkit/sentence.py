"""A sentence and what is known of it: tokens, k-best supertags, derivations, dependencies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .grammar import Category, Dependency, Derivation, Token

__all__ = ["Sentence", "Supertag"]


@dataclass(frozen=True, slots=True)
class Supertag:
    """A category for a word, with its log-probability (0.0 where it is simply given)."""

    category: Category
    logprob: float = 0.0


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a corpus; a part that is not known is None.

    `tags` holds for each token its supertags, best first; `meta` what a format says besides.
    """

    tokens: tuple[Token, ...]
    tags: tuple[tuple[Supertag, ...], ...] | None = None
    derivations: tuple[Derivation, ...] | None = None
    dependencies: tuple[Dependency, ...] | None = None
    id: str | None = None
    text: str | None = None
    meta: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(token.word for token in self.tokens)

    @property
    def categories(self) -> tuple[Category, ...] | None:
        """The best category of each token; None where the sentence is not tagged."""
        if self.tags is not None:
            return tuple(best[0].category for best in self.tags)
        if self.derivations:
            return tuple(leaf.category for leaf in self.derivations[0].leaves())
        return None
