"""A corpus annotated from end to end: planned, resumed, on one of the engines."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from .annotator import Annotator
from .errors import BatchError
from .events import Event
from .manifest import Form, Manifest, Plan, Shard
from .places import Place

__all__ = ["ENGINES", "SHARD_ROWS", "Engine", "Run", "prepare"]

Engine = Literal["local", "ray"]
ENGINES: tuple[Engine, ...] = ("local", "ray")
SHARD_ROWS = 10_000  #: rows of input in a shard


@dataclass(frozen=True, slots=True)
class Run:
    """A planned run: all its shards, and those that are left to do."""

    plan: Plan
    folder: Place
    shards: Sequence[Shard]
    left: Sequence[Shard]

    def work(
        self, engine: Engine = "local", workers: int | None = None, address: str | None = None
    ) -> Iterator[Event]:
        """Do what is left; tell of every finished or failed shard, and of rows as they are read.

        The `engine` is "local", processes of this machine, or "ray". `workers` are as many as there are cores
        if they are not given; `address` is that of a Ray cluster.

        Raises `BatchError` where there are no workers, or where the cluster cannot be used.
        """
        if workers is not None and workers < 1:
            raise BatchError(f"there must be 1 worker or more, not {workers}")
        if not self.left:
            return
        Manifest(self.folder).clear([shard.file for shard in self.left])
        if engine == "ray":
            from .on_ray import run_on_ray

            yield from run_on_ray(self.plan, self.left, self.folder, workers, address)
        else:
            from .local import run_locally

            yield from run_locally(self.plan, self.left, self.folder, workers or _cores())
        Manifest(self.folder).clear([shard.file for shard in self.shards])


def prepare(
    inputs: Sequence[str],
    output: str | os.PathLike[str],
    annotator: Annotator,
    *,
    resume: bool = False,
    form: Form = "parquet",
    shard_rows: int = SHARD_ROWS,
    part: tuple[int, int] = (1, 1),
) -> Run:
    """Plan a run of an `annotator`, or with `resume` take up the one in the folder `output`.

    `inputs` are files, folders and patterns, here or at an address that pyarrow knows. They become shards in
    the format `form` of up to `shard_rows` rows each; the run does those of a `part`, of so many parts.

    Raises `BatchError` where there is nothing to annotate, an input cannot be read, the part does not exist,
    or the folder holds something else.
    """
    number, parts = part
    if not 1 <= number <= parts:
        raise BatchError(f"a part is 1 to {parts} of {parts}, not {number}")
    folder = Place.of(output)
    manifest = Manifest(folder)
    plan = manifest.begin(Plan.make(annotator, inputs, folder, form, shard_rows), resume)
    finished = {record.file for record in manifest.records()}
    shards = plan.shards()[number - 1 :: parts]
    return Run(plan, folder, shards, [shard for shard in shards if shard.file not in finished])


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
