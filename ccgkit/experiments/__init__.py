"""The paper's experiments: models trained if missing, measured once, set beside its figures."""

from .corpora import Corpus
from .errors import ExperimentError
from .experiment import Experiment, Setup
from .registry import EXPERIMENTS, run_experiment
from .report import Curve, Measured, Plot, Report, Row, Table
from .results import Missing, Predictions, Trial
from .runner import Runner, Task
from .settings import Settings
from .significance import Significance

__all__ = [
    "EXPERIMENTS",
    "Corpus",
    "Curve",
    "Experiment",
    "ExperimentError",
    "Measured",
    "Missing",
    "Plot",
    "Predictions",
    "Report",
    "Row",
    "Runner",
    "Settings",
    "Setup",
    "Significance",
    "Table",
    "Task",
    "Trial",
    "run_experiment",
]
