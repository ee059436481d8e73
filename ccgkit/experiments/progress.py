"""How long a run will still take, by the trainings that are done."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from statistics import mean

from .cells import Cell
from .models import is_finished
from .systems import parts

__all__ = ["Estimate"]


class Estimate:
    """Seconds that trainings under a folder took, and what follows for those to come."""

    def __init__(self, models: Path) -> None:
        self.models = models

    def left(self, cells: Iterable[Cell]) -> str:
        """In words, how long the trainings of these cells may take; empty where nothing is known."""
        known = self._known()
        seconds = 0.0
        for cell in {Cell(one.corpus, part, one.seed) for one in cells for part in parts(one.system)}:
            if is_finished(self.models / cell.folder):
                continue
            done = known.get(cell, 0.0)
            likely = _likely(cell, known)
            if likely is None:
                return ""
            seconds += max(0.0, likely - done)
        return f"; about {timedelta(seconds=round(seconds))} of training left" if seconds else ""

    def _known(self) -> dict[Cell, float]:
        found = {}
        for path in self.models.glob("*/*/seed-*/training/metrics.jsonl"):
            corpus, system, seed = path.parts[-5:-2]
            lines = path.read_text(encoding="utf-8").splitlines()
            if lines:
                seconds = float(json.loads(lines[-1])["seconds"])
                found[Cell(corpus, system, int(seed.removeprefix("seed-")))] = seconds
        return found


def _likely(cell: Cell, known: dict[Cell, float]) -> float | None:
    """Of the same system with another seed, else of its kind, else of any on the same corpus."""
    kind = cell.system.split("-")[0][:2]
    for alike in (
        [
            s
            for one, s in known.items()
            if one != cell and (one.corpus, one.system) == (cell.corpus, cell.system)
        ],
        [
            s
            for one, s in known.items()
            if one != cell and one.corpus == cell.corpus and one.system[:2] == kind
        ],
        [s for one, s in known.items() if one != cell and one.corpus == cell.corpus],
    ):
        if alike:
            return mean(alike)
    return known.get(cell)
