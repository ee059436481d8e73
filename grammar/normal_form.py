"""Eisner's (1996) normal form as a constraint on sequences of rules.

What composition made may not be the functor of another step to the same side, and a type-raised
category may not be applied: both would only repeat a simpler derivation.
"""

from __future__ import annotations

from .derivation import Derivation, Rule

__all__ = ["in_normal_form", "is_normal"]

_FORWARD = frozenset(rule for rule in Rule if rule.symbol.startswith(">") and "T" not in rule.symbol)
_BACKWARD = frozenset(rule for rule in Rule if rule.symbol.startswith("<") and "T" not in rule.symbol)
_FORWARD_COMPOSED = frozenset(rule for rule in _FORWARD if "B" in rule.symbol)
_BACKWARD_COMPOSED = frozenset(rule for rule in _BACKWARD if "B" in rule.symbol)


def is_normal(rule: Rule, left: Rule | None, right: Rule | None) -> bool:
    """Whether `rule` may combine constituents that the rules `left` and `right` made.

    >>> is_normal(Rule.FORWARD_APPLICATION, Rule.FORWARD_COMPOSITION, None)
    False
    """
    if rule in _FORWARD and left in _FORWARD_COMPOSED:
        return False
    if rule in _BACKWARD and right in _BACKWARD_COMPOSED:
        return False
    raised = (
        (Rule.FORWARD_APPLICATION, left, Rule.FORWARD_TYPE_RAISING),
        (Rule.BACKWARD_APPLICATION, right, Rule.BACKWARD_TYPE_RAISING),
    )
    return not any(rule is application and child is raising for application, child, raising in raised)


def in_normal_form(derivation: Derivation) -> bool:
    """Whether every step of an annotated derivation is normal."""
    return all(
        is_normal(node.rule, node.children[0].rule, node.children[1].rule)
        for node in derivation.nodes()
        if node.rule is not None and len(node.children) == 2
    )
