"""How long a run will still take, by the trainings and measurements that are done."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from statistics import mean
from time import perf_counter

from .models import is_finished
from .results import Trial
from .systems import parts

__all__ = ["Estimate"]

Work = tuple[Trial, str]  #: a model and what is measured of it
_Alike = Callable[[Trial, Trial], bool]

#: from the closest to the loosest
_ALIKE: Sequence[_Alike] = (
    lambda one, other: (one.corpus, one.system) == (other.corpus, other.system),
    lambda one, other: one.system == other.system,
    lambda one, other: (_kind(one), _scale(one)) == (_kind(other), _scale(other)),
    lambda one, other: (len(_kind(one)), _scale(one)) == (len(_kind(other)), _scale(other)),
    lambda one, other: _scale(one) == _scale(other),
)
_SLOW = ("bert", "tuned")


class Estimate:
    """What trainings under a folder and measurements of this run took, and what follows for others."""

    def __init__(self, models: Path, sizes: Mapping[str, float]) -> None:
        self.models = models
        self.sizes = sizes  #: of the corpora, to which the time of a training is proportional
        self._measured: dict[Work, float] = {}

    @contextmanager
    def watch(self, work: Work) -> Iterator[None]:
        """Take the time of a piece of work; what of it went into training is not measuring."""
        trained, started = self._trained(work[0]), perf_counter()
        yield
        seconds = perf_counter() - started - (self._trained(work[0]) - trained)
        self._measured[work] = max(0.0, seconds)

    def left(self, works: Iterable[Work]) -> str:
        """In words, how long these pieces of work may take; empty where nothing is known."""
        wanted = list(works)
        training, measuring = self._training(trial for trial, _ in wanted), self._measuring(wanted)
        if training is None or not training + (measuring or 0.0):
            return ""
        left = timedelta(seconds=round(training + (measuring or 0.0)))
        return f"; about {left} left" if measuring is not None else f"; about {left} of training left"

    def _training(self, trials: Iterable[Trial]) -> float | None:
        known, seconds = self._known(), 0.0
        for trial in {single for one in trials for single in one.singles}:
            if is_finished(self.models / trial.folder):
                continue
            size = self.sizes[trial.corpus]
            others = {one: s / self.sizes[one.corpus] * size for one, s in known.items() if one != trial}
            likely = _likely(trial, others) or known.get(trial)
            if likely is None:
                return None
            seconds += max(0.0, likely - known.get(trial, 0.0))
        return seconds

    def _measuring(self, works: Iterable[Work]) -> float | None:
        seconds = 0.0
        for trial, what in works:
            same = {one: s for (one, measured), s in self._measured.items() if measured == what}
            likely = _likely(trial, same or self._by_trial())
            if likely is None:
                return None
            seconds += likely
        return seconds

    def _by_trial(self) -> dict[Trial, float]:
        return {trial: seconds for (trial, _), seconds in self._measured.items()}

    def _trained(self, trial: Trial) -> float:
        known = self._known()
        return sum(known.get(single, 0.0) for single in trial.singles)

    def _known(self) -> dict[Trial, float]:
        found = {}
        for path in self.models.glob("*/*/seed-*/training/metrics.jsonl"):
            corpus, system, seed = path.parts[-5:-2]
            lines = path.read_text(encoding="utf-8").splitlines()
            if lines and corpus in self.sizes:
                seconds = float(json.loads(lines[-1])["seconds"])
                found[Trial(corpus, system, int(seed.removeprefix("seed-")))] = seconds
        return found


def _kind(trial: Trial) -> list[tuple[str, list[str]]]:
    """Decoders of one kind, alone or re-ranked, with a frozen transformer, a tuned one or none, are alike."""
    return [(part[:2], [one for one in _SLOW if one in part]) for part in parts(trial.system)]


def _scale(trial: Trial) -> str:
    """`small`, `low`, or none: what models of one scale take tells nothing of another."""
    last = parts(trial.system)[-1].rpartition("-")[2]
    return last if last in ("small", "low") else ""


def _likely(trial: Trial, known: Mapping[Trial, float]) -> float | None:
    """The mean of what took those that are most like it."""
    for alike in _ALIKE:
        found = [seconds for one, seconds in known.items() if alike(trial, one)]
        if found:
            return mean(found)
    return None
