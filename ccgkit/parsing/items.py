"""What the search in Python has in its chart, and the rules that it tells from others."""

from __future__ import annotations

from ..grammar import Rule
from .rulebook import RULES

__all__ = [
    "BACKWARD", "CHANGE", "COORDINATIONS", "FORWARD", "GOAL", "LEAF", "LEFT_MARK", "MAX_CHAIN", "RIGHT_MARK",
    "Item",
]  # fmt: skip

FORWARD, BACKWARD = RULES.index(Rule.FORWARD_APPLICATION), RULES.index(Rule.BACKWARD_APPLICATION)
RIGHT_MARK, LEFT_MARK = RULES.index(Rule.RIGHT_PUNCTUATION), RULES.index(Rule.LEFT_PUNCTUATION)
COORDINATIONS = RULES.index(Rule.CONJUNCTION), RULES.index(Rule.COORDINATION)
CHANGE = RULES.index(Rule.TYPE_CHANGE)
LEAF, GOAL = -1, -2  # in place of a rule
MAX_CHAIN = 3  # unary steps over one another

# category, rule, head's side, left, right, start, end, head word, class, conjunct?, chain, cost
Item = tuple[int, int, int, int, int, int, int, int, int, bool, int, float]
