"""Training of the taggers. Importing its modules needs torch."""

from .data import DataError, Example, read_examples
from .distributed import World
from .lessons import Gold, Lesson, Source
from .report import EpochMetrics, Step
from .trainer import TrainingError, learn, train

__all__ = [
    "DataError",
    "EpochMetrics",
    "Example",
    "Gold",
    "Lesson",
    "Source",
    "Step",
    "TrainingError",
    "World",
    "learn",
    "read_examples",
    "train",
]
