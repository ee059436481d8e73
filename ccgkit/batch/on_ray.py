"""The engine for many machines: Ray Data's pool of actors, each with a model of its own."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any

from .errors import BatchError
from .events import Event, Failure, Rows, verdict
from .manifest import Plan, Record, Shard
from .places import Place
from .shards import annotate_shard

__all__ = ["run_on_ray"]

_PATIENCE = 30.0  # seconds


def run_on_ray(
    plan: Plan, shards: Sequence[Shard], folder: Place, workers: int | None, address: str | None
) -> Iterator[Event]:
    """Make the shards on a cluster, by default with an actor for each of its cores; tell what happens.

    Without an address Ray is started on this machine. What travels are the shards' names and records: actors
    read and write files themselves, so nothing waits in Ray's object store.
    """
    with _cluster(workers, address) as ray:
        pool = workers or int(ray.cluster_resources().get("CPU", 1))
        made = _dataset(ray, replace(plan, pieces=()), shards, folder, min(pool, len(shards)))
        left = {shard.file: shard for shard in shards}
        for row in made.iter_rows():
            what, value = json.loads(row["answer"])
            if what == "stop":
                raise BatchError(value)
            shard = left.pop(row["file"])
            yield Rows(shard.size)
            yield Record(**value) if what == "done" else Failure(shard, value)


def _dataset(ray: Any, plan: Plan, shards: Sequence[Shard], folder: Place, workers: int) -> Any:
    """The records of the shards, made as they are asked for."""
    ray.data.DataContext.get_current().enable_progress_bars = False
    items = [{"shard": number, "file": shard.file} for number, shard in enumerate(shards)]
    # a block for each shard, already here: no task needs a core that the actors hold
    return ray.data.from_items(items, override_num_blocks=len(items)).map_batches(
        _Actor,
        fn_constructor_args=(plan, tuple(shards), folder),
        batch_size=1,
        batch_format="numpy",
        zero_copy_batch=True,
        num_cpus=1,
        compute=ray.data.ActorPoolStrategy(size=workers, max_tasks_in_flight_per_actor=1),
    )


class _Actor:
    """A model on some core of the cluster."""

    def __init__(self, plan: Plan, shards: Sequence[Shard], folder: Place) -> None:
        self._shards, self._folder, self._form = shards, folder, plan.form
        self._annotator = plan.annotator()

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[str]]:
        (number,), (file,) = batch["shard"], batch["file"]
        return {"file": [str(file)], "answer": [json.dumps(self._answer(self._shards[number]))]}

    def _answer(self, shard: Shard) -> tuple[str, Any]:
        try:
            return "done", asdict(annotate_shard(shard, self._annotator, self._folder, self._form))
        except Exception as error:
            return verdict(error)


@contextmanager
def _cluster(workers: int | None, address: str | None) -> Iterator[Any]:
    """Ray, joined or started for the time of the block unless the program has done so itself."""
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise BatchError(f"Ray is not installed here: pip install 'ccgkit[ray]' ({error})") from error
    if ray.is_initialized():
        yield ray
        return
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        _reach(address)
        ray.init(
            address=address,
            num_cpus=None if address else workers,
            include_dashboard=None if address else False,
            log_to_driver=False,
            logging_level=logging.WARNING,
        )
    except (OSError, ValueError) as error:
        raise BatchError(f"there is no Ray cluster at {address}: {error}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _reach(address: str | None) -> None:
    """Fail at once where nobody listens: Ray itself would try for minutes."""
    host, colon, port = (address or "").rpartition("://")[2].rpartition(":")
    if colon:
        socket.create_connection((host, int(port)), _PATIENCE).close()
