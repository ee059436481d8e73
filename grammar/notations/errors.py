"""What goes wrong between notations."""

from __future__ import annotations

from ..errors import CCGKitError

__all__ = ["NotationError"]


class NotationError(CCGKitError, ValueError):
    """A derivation that cannot be put into a notation, and the step that stands in the way."""
