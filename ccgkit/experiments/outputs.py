"""The experiments on what taggers write, legal or not, and how fast they are."""

from __future__ import annotations

from functools import partial
from operator import itemgetter

from . import paper
from .accuracy import SYSTEMS, WITH_BERT
from .experiment import Experiment, Setup
from .measuring import OUTPUTS, illegal, speed
from .report import Measured, Report, Row, Table, Value
from .results import Content
from .runner import Task, of_tagger
from .systems import label

__all__ = ["LEGALITY", "SPEED"]

_GENERATORS = ("cg", "cgng2")


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
    make = of_tagger(speed)
    return [Task(setup.corpus, setup.name(one), "dev", "speed", make) for one in (*SYSTEMS, *WITH_BERT)]


def _speed_report(setup: Setup) -> Report:
    rows, first = [], None
    for system, task in zip((*SYSTEMS, *WITH_BERT), _speed_tasks(setup), strict=True):
        one, four = (setup.runner.figures(task, itemgetter(name), 0) for name in ("1-best", "4-best"))
        first = one if first is None else first
        ours: dict[str, Value] = {"Sentences/s": one, "Sentences/s, 4-best": four}
        if isinstance(one, Measured) and isinstance(first, Measured):
            ours["Ratio to CC"] = one.mean / first.mean
        text = setup.label(system)
        rows.append(Row(text, ours, paper.SPEED.get(system, {}), task.system))
    columns = ("Sentences/s", "Ratio to CC", "Sentences/s, 4-best")
    table = Table("", columns, rows, digits={"Sentences/s": 0})
    words = sum(map(len, setup.runner.corpora.words(setup.corpus, "dev")))
    sentences = len(setup.runner.corpora.words(setup.corpus, "dev"))
    notes = [
        f"Tagging dev ({words / sentences:.1f} words a sentence) in batches, the best of three runs for each "
        "seed, on a CPU; the paper's are of a GPU.",
        *_threads(setup),
    ]
    return Report("Speed of the taggers", [table], notes)


def _threads(setup: Setup) -> list[str]:
    counts = {
        int(value)
        for task in _speed_tasks(setup)
        if isinstance(found := setup.runner.figures(task, itemgetter("threads")), Measured)
        for value in found.values.values()
    }
    return [f"CPU threads: {', '.join(map(str, sorted(counts)))}."] if counts else []


LEGALITY = Experiment(_legality_tasks, _legality_report)
SPEED = Experiment(_speed_tasks, _speed_report)
