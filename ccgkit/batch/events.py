"""What engines tell of their work."""

from __future__ import annotations

from dataclasses import dataclass

from ..grammar import CCGKitError
from .errors import BatchError, OutputError
from .manifest import Record, Shard

__all__ = ["Event", "Failure", "Rows", "verdict"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A shard that could not be made, and why; the others can."""

    shard: Shard
    reason: str


@dataclass(frozen=True, slots=True)
class Rows:
    """So many rows more have been read; fewer, if the process that had read them has died."""

    count: int


Event = Record | Failure | Rows


def verdict(error: Exception) -> tuple[str, str]:
    """What an error means for a run: its shard has failed, or nothing can go on."""
    said = str(error) if isinstance(error, CCGKitError) else f"{type(error).__name__}: {error}"
    failed = isinstance(error, BatchError) and not isinstance(error, OutputError)
    return ("failed" if failed else "stop"), said
