"""What can go wrong with a whole run, rather than with one of its texts."""

from __future__ import annotations

from ..grammar import CCGKitError

__all__ = ["BatchError", "OutputError"]


class BatchError(CCGKitError):
    """Input, a folder or an engine that annotating cannot go on with."""


class OutputError(BatchError):
    """A shard that cannot be written: the next could not, either."""
