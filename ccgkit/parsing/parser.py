"""The embedded parser: k-best supertags in, derivations and dependencies out."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, Literal, Protocol

from ..constraints import ConstraintError, Constraints
from ..grammar import Category, CCGKitError, Scheme, load_scheme
from ..grammar.dependencies import dependencies
from ..grammar.heads import Coindexation
from ..sentence import Sentence, Supertag
from .astar import PlainSearch
from .charges import Charges, Tags, charges, constrained
from .chart import Found, Limit, Query
from .compiled import CompiledSearch, is_compiled
from .costs import Costs, load_costs
from .enclosures import enclosed
from .result import Parse, ParseResult, Status
from .rulebook import Rulebook

__all__ = ["BETAS", "Limits", "Parser", "ParsingError", "Widen"]

BETAS = (0.01, 0.001, 0.0)
MAX_WORDS = 1000  # the chart has room for so many
_WORK = 600_000.0  # 30 constituents of the same words when there are 20,000 items
_SAME = 64  # derivations for each reading that is wanted, before too many of them are the same
SELDOM = 2.0  #: nats of an ending that people seldom say: modifiers alone
DOUBTFUL = 0.4  #: confidence below which a derivation is called doubtful
_NOTHING = Constraints()
_ENDS = (".", "?", "!")
_MAX_CATEGORIES = 1 << 17  # the rules are learned anew beyond that

Widen = Callable[[Sentence], Sentence]  #: the sentence with all its supertags


class ParsingError(CCGKitError, ValueError):
    """A sentence or an option that a parser cannot work with."""


class Search(Protocol):
    """A search over supertags; None where it would repeat what was tried."""

    def __call__(self, query: Query) -> Found | None: ...

    def __len__(self) -> int:
        """How many categories it knows."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a parser goes for one sentence; hitting a limit is reported in the result.

    Raises `ParsingError` where one is out of range.
    """

    max_words: int = 250
    max_items: int = 1_000_000  #: of a chart
    timeout: float = 10.0  #: seconds for a sentence, all tries together

    def __post_init__(self) -> None:
        if not 1 <= self.max_words <= MAX_WORDS:
            raise ParsingError(f"max_words must be between 1 and {MAX_WORDS}, not {self.max_words}")
        if self.max_items < 1 or not self.timeout > 0:
            raise ParsingError("max_items and timeout must be above 0")


@dataclass
class Parser:
    """An A* parser under a scheme of rules.

    `betas` are the levels of adaptive supertagging: at each, the supertags at least that probable in relation
    to the word's best one are tried, and the next is for sentences without a derivation so far.

    Raises `ParsingError` where `nbest` or `betas` are out of range, or where `compiled` asks for what was not
    built.

    >>> from ccgkit.corpora import loads
    >>> parser = Parser(load_scheme("ccgbank"))
    >>> result = parser.parse(next(iter(loads("We|PRP|NP agree|VBP|S[dcl]\\\\NP", "stagged"))))
    >>> result.status.value, result.derivation
    ('parsed', <Derivation S[dcl]: We agree>)
    """

    scheme: Scheme = field(default_factory=partial(load_scheme, "rebank"))
    nbest: int = 1
    betas: Sequence[float] = BETAS
    limits: Limits = field(default_factory=Limits)
    costs: Costs | None = None  #: by default those estimated for the scheme
    coindexation: Coindexation = field(default_factory=Coindexation)
    compiled: bool = field(default_factory=is_compiled)
    distinct: Literal["dependencies", "derivations"] = "dependencies"  #: what no two of the n best share

    def __post_init__(self) -> None:
        if self.nbest < 1:
            raise ParsingError(f"nbest must be 1 or more, not {self.nbest}")
        if not self.betas or any(not 0 <= beta <= 1 for beta in self.betas):
            raise ParsingError("betas must be between 0 and 1, and there must be at least one")
        if self.compiled and not is_compiled():
            raise ParsingError("the compiled search was not built when ccgkit was installed")
        self._learn_anew()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, one.name) for one in fields(self))  # rules are learned anew

    def parse(
        self,
        sentence: Sentence,
        name: str | None = None,
        *,
        constraints: Constraints | None = None,
        widen: Widen | None = None,
    ) -> ParseResult:
        """The n best parses of a sentence whose words have supertags; `name` is for one without an id.

        `constraints` take the place of the sentence's own. With `widen` the supertags may be those of the
        first level of beta alone: it is asked for the others where they are needed.

        Raises `ParsingError` where a word has no supertag, `ConstraintError` where the constraints are about
        other words or leave one without a supertag.
        """
        words = len(supertags(sentence))
        if not words:
            return ParseResult(sentence, Status.FAILED, reason="a sentence without words")
        if words > self.limits.max_words:
            reason = f"{words} words, more than the limit of {self.limits.max_words}"
            return ParseResult(sentence, Status.FAILED, reason=reason)
        if len(self._search) > _MAX_CATEGORIES:
            self._learn_anew()
        known = constraints or sentence.constraints or _NOTHING
        result = self._adapt(sentence, known, sentence.id or name or "sentence", widen)
        return _explained(result, known) if known and not result.spans else result

    def pipe(self, sentences: Iterable[Sentence], widen: Widen | None = None) -> Iterator[ParseResult]:
        """The parses of one sentence after the other; one that cannot be parsed at all is a result too.

        Sentences without an id are named by their numbers, from 1. `widen` is as for `parse`.
        """
        for number, sentence in enumerate(sentences, 1):
            try:
                yield self.parse(sentence, str(number), widen=widen)
            except (ConstraintError, ParsingError) as error:
                yield ParseResult(sentence, Status.FAILED, reason=str(error))

    def _learn_anew(self) -> None:
        self._costs = self.costs or load_costs(self.scheme.name)
        book = Rulebook(self.scheme, self._costs)
        self._search: Search = CompiledSearch(book) if self.compiled else PlainSearch(book)

    def _adapt(self, sentence: Sentence, known: Constraints, name: str, widen: Widen | None) -> ParseResult:
        """Search at one level of beta after the other until a finished utterance spans the sentence.

        Constraints tell that the tagger's first choice may be wrong, so they are not met at any price: under
        them, until no other supertag makes a better one.
        """
        end = time.monotonic() + self.limits.timeout
        costs = self._charges(sentence, known)
        found, reached, tried = None, 0.0, -1
        for level, beta in enumerate(self.betas):
            if widen is not None and (level or known):
                sentence, widen = widen(sentence), None
            tags = supertags(sentence)
            if known:
                tags = constrained(tags, known, sentence.words)
            left = end - time.monotonic()
            if found is not None and left <= 0:
                found = found._replace(limit=Limit.TIME)
                break
            bound = -math.log(beta) if beta else math.inf
            readings, room = self.distinct == "dependencies", self.limits.max_items
            query = Query(tags, sentence.tokens, bound, tried, left, costs, self.nbest, readings, room, _WORK)
            answer = self._readings(query)
            if answer is not None:
                tried = answer.tags
                if found is None or _is_better(answer, found):
                    found, reached = answer, beta
                settled = self._is_finished(found) and (not known or found.trees[0][0] <= bound)
                if settled or answer.limit is not Limit.NONE:
                    break
        if found is None:
            raise ParsingError("no level of beta was tried")
        return self._result(sentence, found, reached, name)

    def _charges(self, sentence: Sentence, known: Constraints) -> Charges:
        """What constituents and attachments cost by the constraints, marks that enclose, and head words."""
        enclosing = enclosed(sentence.words, self._costs.enclosed)
        charged = replace(known, spans=(*known.spans, *enclosing)) if enclosing else known
        return charges(charged, len(sentence.tokens), sentence.head_words, self._costs.head_words)

    def _is_finished(self, found: Found) -> bool:
        return found.spanning and self.scheme.is_root(found.trees[0][1].category)

    def _readings(self, query: Query) -> Found | None:
        """As many derivations as are wanted, or as there are within reach, each a reading of its own."""
        while True:
            wanted, found = query.nbest, self._search(query)
            if found is None or not found.spanning or self.nbest == 1 or self.distinct == "derivations":
                return found
            distinct = {
                frozenset(dependencies((tree,), self.coindexation)): (cost, tree)
                for cost, tree in reversed(found.trees)
            }
            trees = sorted(distinct.values(), key=lambda pair: pair[0])[: self.nbest]
            exhausted = len(found.trees) < wanted or wanted >= _SAME * self.nbest
            if len(trees) == self.nbest or exhausted:
                return found._replace(trees=trees)
            query = query._replace(nbest=4 * wanted)

    def _result(self, sentence: Sentence, found: Found, beta: float, name: str) -> ParseResult:
        if not found.spanning:
            row = tuple(tree for _, tree in found.trees)
            cost = sum(cost for cost, _ in found.trees)
            best = Parse(f"{name}/1", found.best - cost, row, self.coindexation)
            return ParseResult(sentence, Status.FRAGMENTS, (best,), self._reason(found), beta, found.items)
        parses = tuple(
            Parse(f"{name}/{rank}", found.best - cost, (tree,), self.coindexation)
            for rank, (cost, tree) in enumerate(found.trees, 1)
        )
        heads = sentence.head_words
        linked = None if heads is None else float(heads.max(1).sum())
        confidence = self._costs.confidence(found.best, found.trees[0][0], linked)
        doubt = self._strange(found.trees[0][1].category, sentence)
        if not doubt and confidence < DOUBTFUL:
            doubt = f"the confidence is {confidence:.2f}"
        reason = "; ".join(filter(None, (doubt, self._reason(found))))
        status = Status.DOUBTFUL if doubt else Status.PARSED
        return ParseResult(sentence, status, parses, reason, beta, found.items, confidence=confidence)

    def _strange(self, root: Category, sentence: Sentence) -> str:
        """Why a derivation that ends in this category may be wrong; empty if it is what people say."""
        if not any(character.isalnum() for token in sentence.tokens for character in token.word):
            return "there are marks only"
        if not self.scheme.is_root(root):
            return f"{root} is not a finished utterance"
        last = _inner_end(sentence.words)
        if last:
            return f"it goes on after {last!r}: are these several sentences?"
        return f"{root} is seldom an utterance" if self.scheme.roots.get(root, 0.0) >= SELDOM else ""

    def _reason(self, found: Found) -> str:
        """Why there is no spanning derivation, or why there are fewer than were wanted."""
        if found.spanning and found.limit is Limit.NONE:
            return ""
        ended = {
            Limit.NONE: "",
            Limit.CHART: f"the chart's limit of {self.limits.max_items} items was hit",
            Limit.TIME: f"the limit of {self.limits.timeout:g} seconds was hit",
        }[found.limit]
        if found.spanning:
            return ended
        parts = f"no derivation spans the sentence: {len(found.trees)} fragments"
        return f"{parts}; {ended}" if ended else parts


def _inner_end(words: Sequence[str]) -> str:
    """The words of a sentence up to a mark that ends it, if it goes on behind; the last two of them."""
    for before, mark, after in zip(words, words[1:], words[2:], strict=False):
        if mark in _ENDS and after[:1].isalnum():
            return f"{before} {mark}"
    return ""


def _explained(result: ParseResult, known: Constraints) -> ParseResult:
    """Fragments with what the constraints may have to do with it."""
    wrong = list(known.contradictions(result.sentence.words))
    why = "; ".join(wrong) or "none that keeps the constraints does"
    return replace(result, reason=f"{result.reason}; {why}")


def _is_better(one: Found, other: Found) -> bool:
    """Whether what a wider beta gave is better than what was found before."""
    if one.spanning and other.spanning:
        return one.trees[0][0] < other.trees[0][0]
    return one.spanning or not other.spanning


def supertags(sentence: Sentence) -> Tags:
    """The supertags of each word, taken from the derivation where there are no others."""
    if sentence.tags is None and sentence.categories is None and sentence.tokens:
        raise ParsingError("the sentence has no supertags")
    tags = sentence.tags or tuple((Supertag(category),) for category in sentence.categories or ())
    if len(tags) != len(sentence.tokens):
        raise ParsingError(f"{len(sentence.tokens)} words, but supertags for {len(tags)}")
    if not all(tags):
        bare = next(token for token, k_best in zip(sentence.tokens, tags, strict=True) if not k_best)
        raise ParsingError(f"the word {bare.word!r} has no supertag")
    return tags


def tagged(sentence: Sentence, number: int) -> Sentence:
    """A sentence with no more than its words, supertags, name and constraints, as a parser reads it."""
    tags = sentence.tags
    if tags is None and sentence.categories:
        tags = supertags(sentence)
    return Sentence(
        sentence.tokens,
        tags,
        id=sentence.id or str(number),
        constraints=sentence.constraints,
        head_words=sentence.head_words,
    )
