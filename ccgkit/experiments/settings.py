"""What holds for a whole run of an experiment."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .systems import MINILM, scaled

__all__ = ["Settings", "until_converged"]

_NO_END = 1000  # epochs that no training gets to


def until_converged(patience: int) -> list[str]:
    """The changes with which every model is trained until dev accuracy stops rising, whatever its size.

    >>> until_converged(8)
    ['training.epochs=1000', 'training.patience=8', 'training.schedule=decay']
    """
    # a rate that falls towards the last epoch would never fall
    return [f"training.epochs={_NO_END}", f"training.patience={patience}", "training.schedule=decay"]


@dataclass(frozen=True)
class Settings:
    """Where the results go, how many seeds there are, and what is changed in every configuration."""

    output: Path
    seeds: int = 3
    small: bool = False
    changes: tuple[str, ...] = ()  #: as `training.epochs=3`
    bert: str = MINILM
    training: bool = True  #: whether missing models are trained
    only: frozenset[str] = frozenset()  #: systems that may be trained; all if there are none

    def name(self, system: str) -> str:
        """The system at the scale of this run."""
        return scaled(system, "small" if self.small else "")
