"""The experiments by name, and running one."""

from __future__ import annotations

from pathlib import Path

from .ablation import ABLATION, SIZE
from .accuracy import DOMAIN, LOW_RESOURCE, MAIN, ORACLES
from .categories import LENGTH, RARE, UNSEEN
from .errors import ExperimentError
from .experiment import Bench, Experiment
from .outputs import LEGALITY, SPEED
from .parsing import PARSING
from .systems import parts
from .writing import write_report

__all__ = ["EXPERIMENTS", "run_experiment"]

EXPERIMENTS: dict[str, Experiment] = {
    "main": MAIN,
    "oracles": ORACLES,
    "ablation": ABLATION,
    "rare": RARE,
    "length": LENGTH,
    "unseen": UNSEEN,
    "size": SIZE,
    "domain": DOMAIN,
    "lowresource": LOW_RESOURCE,
    "legality": LEGALITY,
    "speed": SPEED,
    "parsing": PARSING,
}


def run_experiment(bench: Bench, name: str) -> Path:
    """Do what is left to do of an experiment and write its report; the path of its Markdown."""
    experiment = EXPERIMENTS[name]
    tasks = experiment.tasks(bench)
    known = {part for task in tasks for part in parts(task.system)}
    unknown = bench.lab.settings.only - known
    if unknown:
        raise ExperimentError(
            f"the experiment {name} has no system {', '.join(sorted(unknown))}: "
            f"there are {', '.join(sorted(known))}"
        )
    bench.lab.run(tasks)
    return write_report(bench, name, experiment.report(bench))
