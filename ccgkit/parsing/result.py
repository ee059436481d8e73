"""What a parser gives back for a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from html import escape
from typing import Any

from ..grammar import Dependency, Derivation
from ..grammar.dependencies import dependencies
from ..grammar.heads import Coindexation
from ..grammar.notations import NotationError, category_in_notation, check_notation
from ..sentence import Sentence, Supertag, clipped, tags_in_notation

__all__ = ["Parse", "ParseResult", "Status"]


class Status(StrEnum):
    """How parsing a sentence went."""

    PARSED = "parsed"  # a derivation spans the sentence
    DOUBTFUL = "doubtful"  # one does, but it is probably wrong
    FRAGMENTS = "fragments"  # only parts of it could be derived
    FAILED = "failed"  # nothing could be derived, as of an empty sentence


@dataclass(frozen=True)
class Parse:
    """One derivation of a sentence, or one row of fragments, with its log-probability.

    `id` is the sentence's id and the rank, from 1: the same for the same input.
    """

    id: str
    score: float
    derivations: tuple[Derivation, ...]
    coindexation: Coindexation = field(default_factory=Coindexation, repr=False)

    @property
    def derivation(self) -> Derivation:
        """The derivation; of fragments, the first."""
        return self.derivations[0]

    @cached_property
    def dependencies(self) -> tuple[Dependency, ...]:
        """Who fills which slot of whom."""
        return dependencies(self.derivations, self.coindexation)


@dataclass(frozen=True, slots=True, repr=False)
class ParseResult:
    """The n best parses of a sentence, best first, and what there is to say of them.

    `reason` says why there is no spanning derivation, or fewer than were asked for, or why the best one is
    doubtful; `confidence` how probable it is that the best one's dependencies are right; `beta` is the level
    of adaptive supertagging that was reached, `items` the size of the last chart.
    """

    sentence: Sentence
    status: Status
    parses: tuple[Parse, ...] = ()
    reason: str = ""
    beta: float | None = None
    items: int = 0
    parser: str = "ccgkit"  #: which parser it was, as files name it
    confidence: float | None = None

    @property
    def spans(self) -> bool:
        """Whether a derivation spans the sentence."""
        return self.status in (Status.PARSED, Status.DOUBTFUL)

    @property
    def best(self) -> Parse | None:
        """The first of the parses, or `None` where there is none."""
        return self.parses[0] if self.parses else None

    @property
    def derivation(self) -> Derivation | None:
        """The best derivation that spans the sentence."""
        return self.parses[0].derivation if self.spans else None

    @property
    def derivations(self) -> tuple[Derivation, ...]:
        """The n best derivations that span the sentence."""
        return tuple(parse.derivation for parse in self.parses) if self.spans else ()

    @property
    def dependencies(self) -> tuple[Dependency, ...]:
        """The dependencies of the best parse, or of its fragments."""
        return self.parses[0].dependencies if self.parses else ()

    def in_notation(self, notation: str) -> ParseResult:
        """The parses that can be put into the notation `ccgbank` or `rebank`, from the other one.

        If none can, the result is `failed` and says why; its tags are put into the notation word by word.

        Raises `NotationError` where there is no such notation.
        """
        check_notation(notation)
        parses: list[tuple[Parse, Parse]] = []
        reasons: list[str] = []
        for parse in self.parses:
            try:
                trees = tuple(tree.in_notation(notation) for tree in parse.derivations)
                parses.append((parse, replace(parse, derivations=trees)))
            except NotationError as error:
                reasons.append(str(error))
        if not parses:
            return self._word_by_word(notation, next(iter(reasons), self.reason))
        before, after = parses[0]
        known = self.sentence.tags or ((),) * len(self.sentence.tokens)
        tags = tags_in_notation(known, before.derivations, after.derivations)
        return replace(
            self, sentence=replace(self.sentence, tags=tags), parses=tuple(after for _, after in parses)
        )

    def _word_by_word(self, notation: str, reason: str) -> ParseResult:
        """The result without a parse, its tags as far in the notation as they can be without one."""
        if self.sentence.tags is None:
            return self
        tags = tuple(
            (Supertag(category_in_notation(best[0].category, token, notation), best[0].logprob),)
            for token, best in zip(self.sentence.tokens, self.sentence.tags, strict=True)
        )
        if self.parses:
            reason = f"no derivation can be put into the notation {notation}: {reason}"
        sentence = replace(self.sentence, tags=tags)
        return replace(self, sentence=sentence, status=Status.FAILED, parses=(), reason=reason)

    def to_sentence(self) -> Sentence:
        """The sentence with its derivations and dependencies, as the corpora's formats write them.

        Its tags are those of the best parse. Parser, status, reason and scores are in its `meta`.
        """
        meta = {**self.sentence.meta, "parser": self.parser, "status": self.status.value}
        if self.reason:
            meta["reason"] = self.reason
        if self.parses:
            meta["scores"] = " ".join(f"{parse.score:.4f}" for parse in self.parses)
        if self.confidence is not None:
            meta["confidence"] = f"{self.confidence:.3f}"
        trees, links = self.derivations, self.dependencies if self.parses else None
        tags = self._chosen() or self.sentence.tags
        return replace(self.sentence, tags=tags, derivations=trees, dependencies=links, meta=meta)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return self.to_sentence().to_dict()

    def to_json(self) -> str:
        """The same as JSON, on one line."""
        return self.to_sentence().to_json()

    def __repr__(self) -> str:
        root = self.derivation.category if self.derivation else self.reason
        words = clipped(" ".join(self.sentence.words))
        return f"<ParseResult {self.status.value}{f', {root}' if root else ''}: {words!r}>"

    def _repr_html_(self) -> str:
        """The best derivation, or the fragments with the reason for them, as Jupyter shows them."""
        trees = self.best.derivations if self.best else ()
        reason = f"<p>{escape(self.reason)}</p>" if self.reason else ""
        return reason + ("".join(tree._repr_html_() for tree in trees) or self.to_sentence()._repr_html_())

    def _chosen(self) -> tuple[tuple[Supertag, ...], ...]:
        """The supertag of each word in the best parse."""
        leaves = [
            leaf for tree in (self.parses[0].derivations if self.parses else ()) for leaf in tree.leaves()
        ]
        if not leaves:
            return ()
        known = self.sentence.tags or ((),) * len(leaves)
        return tuple(
            tuple(tag for tag in k_best if tag.category is leaf.category)[:1] or (Supertag(leaf.category),)
            for leaf, k_best in zip(leaves, known, strict=True)
        )
