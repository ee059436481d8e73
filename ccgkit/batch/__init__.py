"""Corpora of any size: one callable for batches, and runs over files in processes or on a cluster.

>>> from ccgkit.batch import Annotator
>>> annotate = Annotator(task="tag")
>>> annotate({"id": ["a"], "text": ["We agree."]})["words"]  # doctest: +SKIP
[['We', 'agree', '.']]
"""

from .annotator import Annotator
from .errors import BatchError
from .events import Failure, Rows
from .manifest import Manifest, Plan, Record, Shard
from .run import Run, prepare
from .schema import SCHEMA, arrow_schema, to_sentence

__all__ = [
    "SCHEMA",
    "Annotator",
    "BatchError",
    "Failure",
    "Manifest",
    "Plan",
    "Record",
    "Rows",
    "Run",
    "Shard",
    "arrow_schema",
    "prepare",
    "to_sentence",
]
