"""What can go wrong with an experiment as a whole."""

from __future__ import annotations

from ccgkit.grammar import CCGKitError

__all__ = ["ExperimentError"]


class ExperimentError(CCGKitError):
    """An experiment that cannot be run as it was asked for."""
