"""Corpora of any size: one callable for batches, and runs over files in processes or on a cluster.

>>> from ccgkit.batch import Annotator
>>> annotate = Annotator(task="tag")
>>> annotate({"id": ["a"], "text": ["We agree."]})["words"]  # doctest: +SKIP
[['We', 'agree', '.']]
"""

from .annotator import Annotator, Options
from .errors import BatchError, OutputError
from .events import Failure, Rows
from .inputs import Cut
from .manifest import Input, Manifest, Plan, Record, Shard
from .places import Place
from .run import Run, prepare
from .schema import SCHEMA, arrow_schema, to_sentence

__all__ = [
    "SCHEMA",
    "Annotator",
    "BatchError",
    "Cut",
    "Failure",
    "Input",
    "Manifest",
    "Options",
    "OutputError",
    "Place",
    "Plan",
    "Record",
    "Rows",
    "Run",
    "Shard",
    "arrow_schema",
    "prepare",
    "to_sentence",
]
