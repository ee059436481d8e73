"""The experiments on what a model is made of and learns from: parts left out or added, less training data."""

from __future__ import annotations

from . import paper
from .comparison import outcome, outcomes
from .experiment import Experiment, Setup
from .report import Curve, Measured, Plot, Report, Row, Table
from .runner import Task
from .systems import label

__all__ = ["ABLATION", "SIZE"]

_VARIANTS: dict[str, dict[str, str]] = {
    "cg-300": {"cg-300-eq3": "attention (eq. 3)", "cg-300-eq2": "attention (eq. 2)"},
    "cc": {"cc-nocnn": "w/o cnn", "cc-nodropout": "w/o dropout", "cc-all": "whole tag set"},
    "cg": {
        "cg-nocnn": "w/o cnn",
        "cg-nodropout": "w/o dropout",
        "cg-notag": "w/o tag embedding",
        "cg-all": "whole tag set",
    },
    "cgpa": {"cgpa-k50": "k = 50"},
    "cgng2": {"cgng2-k50": "k = 50"},
    "ct": {
        "ct-softmax": "softmax over all actions",
        "ct-hidden": "hidden layer",
        "ct-softmax-hidden": "both",
    },
}
_LABELS = {"cg-300": "CG, smaller"}
_SMALLER = "The smaller CG is the CG of these sizes, small enough for attention."
_AS_IN_THE_PAPER = (
    "For attention CG is smaller, as in the paper: LSTMs of 300 and 200, batches of 128 if not changed."
)
_PERCENTS = (10, 25, 50, 75, 100)
_SIZE_SYSTEMS = ("cc", "cg", "cgng2")


def _name(setup: Setup, system: str) -> str:
    """The small scale is as small as attention needs it."""
    return setup.name(system.replace("-300", "") if setup.runner.settings.small else system)


def _ablation_tasks(setup: Setup) -> list[Task]:
    names = [_name(setup, one) for base, variants in _VARIANTS.items() for one in (base, *variants)]
    return [Task(setup.corpus, name, "dev") for name in dict.fromkeys(names)]


def _ablation_report(setup: Setup) -> Report:
    rows = []
    for base, variants in _VARIANTS.items():
        names = {system: _name(setup, system) for system in (base, *variants)}
        found = outcomes(setup.runner, setup.corpus, list(names.values()), "dev")
        first = found[names[base]]
        text = _LABELS.get(base, label(base))
        rows.append(Row(text, {"Dev": first.accuracy()}, paper.ABLATION.get(base, {}), names[base]))
        for system, what in variants.items():
            one = found[names[system]]
            ours = {"Dev": one.accuracy(base=first), "Difference": one.difference(first)}
            rows.append(Row(f"{text}: {what}", ours, paper.ABLATION.get(system, {}), names[system]))
    notes = [
        _SMALLER if setup.runner.settings.small else _AS_IN_THE_PAPER,
        "The paper tells of a larger k and of the whole tag set in words only: about the same.",
        "CT's softmax is over the legal actions of its state, in the paper over all actions. A hidden layer, "
        "in which state and word meet, is not in the paper.",
    ]
    return Report("Ablation", [Table("", ("Dev", "Difference"), rows)], notes)


def _size_tasks(setup: Setup) -> list[Task]:
    return [
        Task(setup.corpus.part(percent), setup.name(system), "test")
        for system in _SIZE_SYSTEMS
        for percent in reversed(_PERCENTS)
    ]


def _size_report(setup: Setup) -> Report:
    parts = {percent: setup.corpus.part(percent) for percent in _PERCENTS}
    sizes = {p: len(setup.runner.corpora.examples(part, "train")) for p, part in parts.items()}
    columns = {percent: f"{sizes[percent]:,}" for percent in _PERCENTS}
    found = {
        (system, percent): outcome(setup.runner, Task(parts[percent], setup.name(system), "test"))
        for system in _SIZE_SYSTEMS
        for percent in _PERCENTS
    }
    rows, curves = [], []
    for system in _SIZE_SYSTEMS:
        values = {p: found[system, p].accuracy(base=found["cc", p]) for p in _PERCENTS}
        rows.append(Row(label(system), {columns[p]: values[p] for p in _PERCENTS}, system=setup.name(system)))
        points = [
            (float(sizes[p]), value.mean, value.deviation or 0.0)
            for p, value in values.items()
            if isinstance(value, Measured)
        ]
        if points:
            curves.append(Curve(label(system), points))
    notes = [
        "Columns: sentences to train on. Figures are of test, as in the paper, whose plot has no numbers.",
        "Epochs are those of the whole set; a part is seen more often, for the same number of steps.",
    ]
    plot = Plot("training sentences", "accuracy on test, %", curves) if curves else None
    title = "Accuracy against the size of the training set"
    return Report(title, [Table("", list(columns.values()), rows)], notes, plot)


ABLATION = Experiment(_ablation_tasks, _ablation_report)
SIZE = Experiment(_size_tasks, _size_report)
