"""From evidence and a tagger's k-best to a derivation that is kept whole, in part, or not.

The tagger knows the notation, the treebank the structure: constituents always hold, and categories that the
treebank proposes are preferred to others. What the tagger finds very improbable all the same is not kept:
there the treebank is wrong, or its conversion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf

from ..grammar import Category, Derivation, load_scheme, unlicensed
from ..parsing import Constraints, Limits, Parser, Span
from ..sentence import Sentence, Supertag
from .evidence import Evidence
from .inventory import Proposal
from .marks import close_brackets, propose_marks

__all__ = ["Kept", "Maker", "Outcome", "preferring"]

_UTTERANCES = tuple(map(Category.parse, ("S", "S\\NP", "NP", "N", "PP")))
_BETAS = (0.01, 0.0001, 0.0)
_PROPOSED = 3.0  # nats that a proposed category is at most below the tagger's best
_MISSING = 1.5  # and one that the tagger does not have, below the proposed ones that it has
_OTHER = 4.0  # what a category costs that is not proposed
_OTHER_TARGET = 2.0  # and if it makes something else, besides
_OTHER_MARK = 8.0  # what a category costs that a mark does not have
_CROSSING = 4.0  # what crossing a constituent costs where not all can hold
_SURPRISE = 8.0  # nats that a single word can cost a sentence
_FREE = 4  # words without doubt that a sentence has besides, so that one word is not too much for a short one


class Kept(StrEnum):
    """What becomes of a sentence."""

    WHOLE = "whole"
    PART = "part"  # some constituents are crossed, the tagger doubts it, or too little is known
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A sentence with the derivation that was found for it, and what becomes of it.

    `cost` is how much less probable the derivation's categories are than the tagger's best, in nats a word.
    """

    sentence: Sentence
    kept: Kept
    reason: str = ""
    cost: float = inf


@dataclass
class Maker:
    """Finds derivations under evidence; the costs are limits for what is kept whole and in part."""

    whole: float = 0.7
    part: float = 1.4
    crossed: float = 0.15  #: share of a sentence's constituents that may be crossed in part
    unknown: float = 0.3  #: share of a sentence's words that may be without a proposal
    seconds: float = 10.0

    def __post_init__(self) -> None:
        self._scheme = load_scheme("rebank")
        self._parser = Parser(self._scheme, betas=_BETAS, limits=Limits(timeout=self.seconds))

    def derive(self, evidence: Evidence, tagged: Sentence) -> Outcome:
        """The best derivation of a sentence with its k-best supertags under what is known of it."""
        if not tagged.tokens:
            return Outcome(tagged, Kept.DROPPED, "no words")
        sentence = replace(tagged, tags=preferring(tagged, evidence.proposals))
        crossed = 0
        found = self._parser.parse(sentence, constraints=_rooted(evidence.constraints, len(tagged.tokens)))
        if not found.spans:
            constraints = _softened(evidence.constraints)
            found = self._parser.parse(sentence, constraints=_rooted(constraints, len(tagged.tokens)))
            if found.derivation is None:
                return Outcome(tagged, Kept.DROPPED, _cause(found.reason))
            broken = constraints.violations(found.derivation)
            crossed = sum(violation.constraint in constraints.spans for violation in broken)
        if found.derivation is None:
            return Outcome(tagged, Kept.DROPPED, _cause(found.reason))
        return self._judged(evidence, tagged, self._closed(found.derivation, sentence, evidence), crossed)

    def _closed(self, derivation: Derivation, sentence: Sentence, evidence: Evidence) -> Derivation:
        """The derivation with closing brackets as the opening ones want them, if it is one then."""
        categories = [leaf.category for leaf in derivation.leaves()]
        closed = close_brackets(sentence.words, categories)
        if closed == categories:
            return derivation
        tags = tuple((Supertag(category),) for category in closed)
        constraints = _rooted(_softened(evidence.constraints), len(closed))
        found = self._parser.parse(replace(sentence, tags=tags), constraints=constraints)
        return found.derivation if found.spans and found.derivation is not None else derivation

    def _judged(self, evidence: Evidence, tagged: Sentence, derivation: Derivation, crossed: int) -> Outcome:
        categories = [leaf.category for leaf in derivation.leaves()]
        cost = surprise(tagged, categories)
        tags = tuple((Supertag(category),) for category in categories)
        sentence = replace(tagged, tags=tags, derivations=(derivation,))
        if unlicensed(derivation, self._scheme):
            return Outcome(sentence, Kept.DROPPED, "does not derive under the scheme", cost)
        if cost > self.part:
            return Outcome(sentence, Kept.DROPPED, "improbable to the tagger", cost)
        if crossed > self.crossed * len(evidence.constraints.spans):
            return Outcome(sentence, Kept.DROPPED, "too many constituents crossed", cost)
        if crossed:
            return Outcome(sentence, Kept.PART, "constituents crossed", cost)
        if cost > self.whole:
            return Outcome(sentence, Kept.PART, "doubtful to the tagger", cost)
        if sum(not proposal for proposal in evidence.proposals) > self.unknown * len(tagged.tokens):
            return Outcome(sentence, Kept.PART, "too little is known", cost)
        return Outcome(sentence, Kept.WHOLE, "", cost)


def preferring(sentence: Sentence, proposals: Sequence[Proposal]) -> tuple[tuple[Supertag, ...], ...]:
    """The sentence's supertags with the proposed ones among them, preferred to the others."""
    marks = propose_marks(sentence.words)
    return tuple(
        _preferring(k_best, proposal, place in marks) if proposal else k_best
        for place, (k_best, proposal) in enumerate(zip(sentence.tags or (), proposals, strict=True))
    )


def _preferring(k_best: tuple[Supertag, ...], proposal: Proposal, mark: bool) -> tuple[Supertag, ...]:
    """Among themselves, proposed categories keep the tagger's order."""
    known = {tag.category: tag.logprob for tag in k_best}
    least = k_best[0].logprob - (0.0 if mark else _PROPOSED)
    top = max((known[category] for category in proposal if category in known), default=least + _MISSING)
    lift = max(0.0, least - top)
    found = {category: known.get(category, top - _MISSING) + lift for category in proposal}
    for category, logprob in known.items():
        if category not in found:
            found[category] = logprob - (_OTHER_MARK if mark else _distance(category, proposal))
    ordered = sorted(found.items(), key=lambda pair: -pair[1])
    return tuple(Supertag(category, logprob) for category, logprob in ordered)


def _distance(category: Category, proposal: Proposal) -> float:
    """What a category costs that is not proposed."""
    return _OTHER + (0.0 if any(_alike(category, one) for one in proposal) else _OTHER_TARGET)


def _alike(one: Category, other: Category) -> bool:
    """Whether two categories make the same in the end."""
    first, second = one.target, other.target
    open_feature = None in (first.feature, second.feature)
    return first is second or (first.base == second.base and open_feature)


def surprise(tagged: Sentence, categories: Sequence[Category]) -> float:
    """How much less probable these categories are than the tagger's best, in nats a word, marks aside."""
    marks = propose_marks(tagged.words)
    costs = [
        min(_SURPRISE, k_best[0].logprob - _logprob(k_best, category))
        for place, (k_best, category) in enumerate(zip(tagged.tags or (), categories, strict=True))
        if place not in marks
    ]
    return sum(costs) / (len(costs) + _FREE)


def _logprob(k_best: tuple[Supertag, ...], category: Category) -> float:
    return next((tag.logprob for tag in k_best if tag.category is category), -inf)


def _rooted(constraints: Constraints, size: int) -> Constraints:
    """The constraints, and that the whole is a clause, with or without a subject, or a phrase."""
    return replace(constraints, spans=(*constraints.spans, Span(0, size, categories=_UTTERANCES)))


def _softened(constraints: Constraints) -> Constraints:
    return replace(constraints, spans=tuple(replace(span, cost=_CROSSING) for span in constraints.spans))


def _cause(reason: str) -> str:
    """Why there is no derivation, without the sentence's figures."""
    return "a limit of the parser" if "limit" in reason else "no derivation"
