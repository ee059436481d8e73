"""The experiments by name, and running one."""

from __future__ import annotations

from pathlib import Path

from .ablation import ABLATION, SIZE
from .accuracy import DOMAIN, LOW_RESOURCE, MAIN, ORACLES
from .categories import LENGTH, RARE, UNSEEN
from .errors import ExperimentError
from .experiment import Experiment, Setup
from .outputs import LEGALITY, SPEED
from .parsing import PARSING
from .significance import require_scipy
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


def run_experiment(setup: Setup, name: str) -> Path:
    """Do what is left to do of an experiment and write its report; the path of its Markdown.

    Raises `ExperimentError` where it has no such system, or where SciPy is missing.
    """
    require_scipy()  # told before the first hour of training, not after the last
    experiment = EXPERIMENTS[name]
    tasks = experiment.tasks(setup)
    known = {part for task in tasks for part in parts(task.system)}
    unknown = setup.runner.settings.only - known
    if unknown:
        raise ExperimentError(
            f"the experiment {name} has no system {', '.join(sorted(unknown))}: "
            f"there are {', '.join(sorted(known))}"
        )
    setup.runner.run(tasks)
    return write_report(setup, name, experiment.report(setup))
