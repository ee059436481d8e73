"""What can go wrong between a category and its sequences."""

from __future__ import annotations

from ..grammar import CCGKitError

__all__ = ["IllegalActionError", "IllegalSequenceError", "InexpressibleError", "OracleError"]


class OracleError(CCGKitError, ValueError):
    """Root of the oracles' errors."""


class InexpressibleError(OracleError):
    """A category that no sequence of a tag set, or of transitions, gives."""


class IllegalSequenceError(OracleError):
    """A sequence of tags or actions that gives no category."""


class IllegalActionError(IllegalSequenceError):
    """A transition that the state does not allow."""
