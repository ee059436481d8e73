"""The experiments on what taggers write, legal or not, and how fast they are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from statistics import median

from . import paper
from .accuracy import SYSTEMS, WITH_BERT
from .experiment import Experiment, Setup
from .measuring import OUTPUTS, illegal, speed
from .report import Measured, Report, Row, Table, Value
from .results import Content, Missing
from .runner import Task, of_tagger
from .systems import label

__all__ = ["LEGALITY", "SPEED"]

_GENERATORS = ("cg", "cgng2")
_TIMED = (*SYSTEMS, *WITH_BERT)
_ROUNDS = (1, 2, 3)


def _legality_tasks(setup: Setup) -> list[Task]:
    make = of_tagger(illegal)
    return [Task(setup.corpus, setup.name(one), "dev", "illegal", make) for one in _GENERATORS]


def _percent(output: str, found: Content) -> float:
    wrong, count = found[output]
    return 100 * float(wrong) / max(1.0, float(count))


def _legality_report(setup: Setup) -> Report:
    rows = []
    for system, task in zip(_GENERATORS, _legality_tasks(setup), strict=True):
        ours: dict[str, Value] = {
            one: setup.runner.figures(task, partial(_percent, one), 3) for one in OUTPUTS
        }
        rows.append(Row(label(system), ours, paper.LEGALITY[system], task.system))
    notes = [
        "Per cent of the outputs for dev's words that spell no category when any tag may follow any other. "
        "As taggers are used, a mask leaves legal tags only, and all outputs are categories.",
        "β = 0.075: of those at least 0.075 times as probable as the best of their word, the paper's "
        "threshold for C&C.",
    ]
    return Report("Illegal categories", [Table("", list(OUTPUTS), rows)], notes)


def _speed_tasks(setup: Setup) -> list[Task]:
    """Each system once in every round, so that what else the machine does is shared by all of them."""
    return [_speed_task(setup, one, turn) for turn in _ROUNDS for one in _TIMED]


def _speed_task(setup: Setup, system: str, turn: int) -> Task:
    return Task(setup.corpus, setup.name(system), "dev", f"speed-{turn}", of_tagger(speed))


def _rounds(setup: Setup, system: str, key: str) -> list[Measured | Missing]:
    tasks = (_speed_task(setup, system, turn) for turn in _ROUNDS)
    return [setup.runner.figures(task, itemgetter(key), 0) for task in tasks]


def _fastest(rounds: Sequence[Measured | Missing]) -> Measured | Missing:
    """The best round of each seed."""
    best: dict[int, float] = {}
    for one in rounds:
        if isinstance(one, Measured):
            best |= {seed: max(value, best.get(seed, 0.0)) for seed, value in one.values.items()}
    return Measured(best, digits=0) if best else rounds[0]


def _ratio(rounds: Sequence[Measured | Missing], base: Sequence[Measured | Missing]) -> dict[str, Value]:
    """The median, over rounds and seeds, of the ratio to another system in the same round."""
    ratios = [
        value / theirs.values[seed]
        for one, theirs in zip(rounds, base, strict=True)
        if isinstance(one, Measured) and isinstance(theirs, Measured)
        for seed, value in one.values.items()
        if seed in theirs.values
    ]
    return {"Ratio to CC": median(ratios)} if ratios else {}


def _speed_report(setup: Setup) -> Report:
    rows, base = [], _rounds(setup, _TIMED[0], "1-best")
    for system in _TIMED:
        one, four = (_rounds(setup, system, key) for key in ("1-best", "4-best"))
        ours: dict[str, Value] = {"Sentences/s": _fastest(one), "Sentences/s, 4-best": _fastest(four)}
        figures = paper.SPEED.get(system, {})
        rows.append(Row(setup.label(system), ours | _ratio(one, base), figures, setup.name(system)))
    columns = ("Sentences/s", "Ratio to CC", "Sentences/s, 4-best")
    table = Table("", columns, rows, digits={"Sentences/s": 0})
    words = sum(map(len, setup.runner.corpora.words(setup.corpus, "dev")))
    sentences = len(setup.runner.corpora.words(setup.corpus, "dev"))
    notes = [
        f"Tagging dev ({words / sentences:.1f} words a sentence) in batches, on a CPU; the paper used a GPU.",
        f"Systems take turns in {len(_ROUNDS)} rounds: a speed is that of the best round of each seed, "
        "a ratio the median of the ratios within rounds.",
        *_threads(setup),
    ]
    return Report("Speed of the taggers", [table], notes)


def _threads(setup: Setup) -> list[str]:
    counts = {
        int(value)
        for system in _TIMED
        for found in _rounds(setup, system, "threads")
        if isinstance(found, Measured)
        for value in found.values.values()
    }
    return [f"CPU threads: {', '.join(map(str, sorted(counts)))}."] if counts else []


LEGALITY = Experiment(_legality_tasks, _legality_report)
SPEED = Experiment(_speed_tasks, _speed_report)
