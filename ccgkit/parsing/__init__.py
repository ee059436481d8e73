"""The embedded parser: A* over k-best supertags, with derivations, dependencies and n-best.

>>> from ccgkit.corpora import loads
>>> (sentence,) = loads("We|PRP|NP agree|VBP|S[dcl]\\\\NP", "stagged")
>>> [(link.slot, link.argument) for link in Parser().parse(sentence).dependencies]
[(1, 0)]
"""

from ..constraints import ConstraintError, Constraints, Filter, Pair, Span, Violation
from .compiled import is_compiled
from .costs import Costs, load_costs
from .forest import Forest, forest
from .parallel import parse_in_parallel
from .parser import Limits, Parser, ParsingError
from .registry import PARSERS, ParseOptions, ParserOptions, SentenceParser, make_parser
from .result import Parse, ParseResult, Status

__all__ = [
    "PARSERS",
    "ConstraintError",
    "Constraints",
    "Costs",
    "Filter",
    "Forest",
    "Limits",
    "Pair",
    "Parse",
    "ParseOptions",
    "ParseResult",
    "Parser",
    "ParserOptions",
    "ParsingError",
    "SentenceParser",
    "Span",
    "Status",
    "Violation",
    "forest",
    "is_compiled",
    "load_costs",
    "make_parser",
    "parse_in_parallel",
]
