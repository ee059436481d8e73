"""What holds for a whole run of an experiment."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .systems import BERT, scaled

__all__ = ["Settings"]


@dataclass(frozen=True)
class Settings:
    """Where the results go, how many seeds there are, and what is changed in every configuration."""

    output: Path
    seeds: int = 3
    small: bool = False
    changes: tuple[str, ...] = ()  #: as `training.epochs=3`
    bert: str = BERT
    training: bool = True  #: whether missing models are trained
    only: frozenset[str] = frozenset()  #: systems that may be trained; all if there are none

    def name(self, system: str) -> str:
        """The system at the scale of this run."""
        return scaled(system, "small" if self.small else "")
