"""What can be wrong with a model. Imports no torch."""

from __future__ import annotations

from ccgkit.grammar import CCGKitError

__all__ = ["ModelError"]


class ModelError(CCGKitError):
    """A model that cannot be built, saved or loaded, and why."""
