"""What goes wrong around C&C."""

from __future__ import annotations

from ccgkit.grammar import CCGKitError

__all__ = ["CandCError"]


class CandCError(CCGKitError):
    """C&C cannot be run, or its answer cannot be trusted: what was found, and what to do."""
