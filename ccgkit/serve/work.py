"""What is done with sentences: tagging and parsing, a batch at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..grammar import load_scheme
from ..parsing import Limits as ParserLimits
from ..parsing import Parser
from ..pipeline import Pipeline
from ..sentence import Sentence
from .settings import Limits

__all__ = ["Outcome", "Parsing", "Tagging", "Work", "Workshop"]

_UNTOLD = "rebank"  # the scheme of a model that does not say its own


@dataclass(frozen=True, slots=True)
class Tagging:
    """The k best categories of each word, of which those are kept that are beta times as probable."""

    k: int = 4
    beta: float = 0.075


@dataclass(frozen=True, slots=True)
class Parsing:
    """The n best readings; `notation` is another than the model's, if one is wanted."""

    nbest: int = 1
    notation: str | None = None


Work = Tagging | Parsing
Outcome = dict[str, Any] | Exception

_FOR_PARSING = Tagging(10, 1e-4)  # as the pipeline does it


class Workshop:
    """A pipeline and the parsers that belong to it, for one thread."""

    def __init__(self, nlp: Pipeline, limits: Limits) -> None:
        self._nlp = nlp
        self._limits = ParserLimits(limits.words, limits.items, limits.parse_seconds)
        self._scheme = load_scheme((nlp.info.scheme if nlp.info else "") or _UNTOLD)
        self._parsers: dict[int, Parser] = {}  # by the number of readings

    def outcomes(self, tasks: Sequence[tuple[Sentence, Work]]) -> list[Outcome]:
        """What becomes of each sentence: plain values, or what went wrong with it."""
        try:
            tagged = self._tagged(tasks)
        except Exception as error:
            return [error] * len(tasks)
        return [self._outcome(one, work) for one, (_, work) in zip(tagged, tasks, strict=True)]

    def _tagged(self, tasks: Sequence[tuple[Sentence, Work]]) -> list[Sentence]:
        """The sentences with tags, those with the same wishes together."""
        groups: defaultdict[Tagging, list[int]] = defaultdict(list)
        found = [sentence for sentence, _ in tasks]
        for place, (sentence, work) in enumerate(tasks):
            if isinstance(work, Tagging):
                groups[work].append(place)
            elif sentence.tags is None and not sentence.derivations:
                groups[_FOR_PARSING].append(place)
        for wish, places in groups.items():
            bare = [found[place] for place in places]
            tagged = self._nlp.pipe_sentences(bare, k=wish.k, beta=wish.beta)
            for place, sentence in zip(places, tagged, strict=True):
                found[place] = sentence
        return found

    def _outcome(self, sentence: Sentence, work: Work) -> Outcome:
        try:
            if isinstance(work, Tagging):
                return replace(sentence, derivations=None, dependencies=None).to_dict()
            result = self._parser(work.nbest).parse(sentence)
            return (result.in_notation(work.notation) if work.notation else result).to_dict()
        except Exception as error:  # is for whoever asked, not for the others of the batch
            return error

    def _parser(self, nbest: int) -> Parser:
        if nbest not in self._parsers:
            self._parsers[nbest] = Parser(self._scheme, nbest, limits=self._limits)
        return self._parsers[nbest]
