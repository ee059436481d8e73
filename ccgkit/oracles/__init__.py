"""Decoding oracles: a category as a sequence of atomic tags, or of transitions, and back."""

from .actions import ActionSet
from .errors import IllegalActionError, IllegalSequenceError, InexpressibleError, OracleError
from .sets import AC, NG, OR, PA, TAG_SETS, make_tag_set
from .tag_set import EOS, TagSet
from .transitions import (
    REDUCE,
    STOP,
    Action,
    Gen,
    Op,
    State,
    execute,
    initial,
    legal_actions,
    oracle,
)

__all__ = [
    "AC",
    "EOS",
    "NG",
    "OR",
    "PA",
    "REDUCE",
    "STOP",
    "TAG_SETS",
    "Action",
    "ActionSet",
    "Gen",
    "IllegalActionError",
    "IllegalSequenceError",
    "InexpressibleError",
    "Op",
    "OracleError",
    "State",
    "TagSet",
    "execute",
    "initial",
    "legal_actions",
    "make_tag_set",
    "oracle",
]
