"""Parsers by name: ours, and those that programs register or other distributions offer.

Offered is a function that makes a parser under a scheme of rules, given the options it knows:

    def make(scheme: Scheme, *, nbest: int = 1) -> SentenceParser: ...
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypedDict, cast

from ..constraints import Constraints
from ..grammar import Scheme
from ..grammar.heads import Coindexation
from ..registry import Registry
from ..sentence import Sentence
from .parallel import parse_in_parallel
from .parser import BETAS, Limits, Parser, ParsingError
from .result import ParseResult

__all__ = [
    "PARSERS",
    "Known",
    "ParseOptions",
    "ParserOptions",
    "SentenceParser",
    "embedded_parser",
    "make_parser",
]

_LIMITS = Limits()


class SentenceParser(Protocol):
    """Whatever parses sentences whose words have supertags: the embedded parser, C&C, somebody else's."""

    def parse(self, sentence: Sentence) -> ParseResult:
        """The parses of a sentence, or why there are none."""

    def pipe(self, sentences: Iterable[Sentence]) -> Iterator[ParseResult]:
        """A result for each sentence, in order, as they come."""


Factory = Callable[..., SentenceParser]
Known = Constraints | Sequence[Constraints | None] | None  #: of a text's one sentence, or of each of several


class ParserOptions(TypedDict, total=False):
    """What may be asked of a parser; what is not given is as the parser has it."""

    nbest: int  #: derivations a sentence
    distinct: Literal["dependencies", "derivations"]  #: in what any two of them differ
    betas: Sequence[float]  #: levels of adaptive supertagging
    max_words: int  #: of a sentence
    max_items: int  #: of a chart
    timeout: float  #: seconds for a sentence
    coindexation: Coindexation  #: co-indexed categories that overrule the rules
    jobs: int  #: processes; in a pipeline these tag, too, each with the model


class ParseOptions(ParserOptions, total=False):
    """What may be asked of the pipeline when it parses."""

    k: int  #: supertags a word, of the tagger's
    scheme: Scheme | str | None  #: the rules; by default those of the tagger's scheme, or the corpus's
    constraints: Known | Iterable[Known]  #: of a text, or of each of several
    notation: str | None  #: that of the result, ccgbank or rebank; by default that of the rules


#: what makes the parsers, by their names
PARSERS: Registry[Factory] = Registry(
    "parser", "ccgkit.parsers", {"ccgkit": "ccgkit.parsing.registry:embedded_parser"}
)


def make_parser(name: str, scheme: Scheme, options: ParserOptions) -> SentenceParser:
    """The parser of a name under the scheme.

    Raises `ParsingError` where it does not know an option, `RegistryError` where there is no parser of that
    name.
    """
    factory = PARSERS[name]
    given = cast("dict[str, Any]", options)
    try:
        inspect.signature(factory).bind(scheme, **given)
    except TypeError as error:
        raise ParsingError(f"the parser {name!r} cannot be made with these options: {error}") from error
    return factory(scheme, **given)


@dataclass(frozen=True, slots=True)
class _Parallel:
    """The embedded parser in several processes."""

    parser: Parser
    jobs: int

    def parse(self, sentence: Sentence) -> ParseResult:
        return self.parser.parse(sentence)

    def pipe(self, sentences: Iterable[Sentence]) -> Iterator[ParseResult]:
        return parse_in_parallel(self.parser, sentences, self.jobs)


def embedded_parser(
    scheme: Scheme,
    *,
    nbest: int = 1,
    distinct: Literal["dependencies", "derivations"] = "dependencies",
    betas: Sequence[float] = BETAS,
    max_words: int = _LIMITS.max_words,
    max_items: int = _LIMITS.max_items,
    timeout: float = _LIMITS.timeout,
    coindexation: Coindexation | None = None,
    jobs: int = 1,
) -> SentenceParser:
    """Our own parser, in several processes if there are to be several jobs."""
    limits = Limits(max_words, max_items, timeout)
    parser = Parser(
        scheme, nbest, betas, limits, coindexation=coindexation or Coindexation(), distinct=distinct
    )
    if jobs < 1:
        raise ParsingError(f"jobs must be 1 or more, not {jobs}")
    return parser if jobs == 1 else _Parallel(parser, jobs)
