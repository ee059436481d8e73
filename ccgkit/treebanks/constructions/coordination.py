"""Coordination, its markers, and arguments that conjuncts share."""

from __future__ import annotations

from collections.abc import Iterator

from ..inventory import CONJ, S
from .arguments import argument
from .task import Construction, Task

__all__ = ["CONSTRUCTIONS"]


def _coordination(task: Task) -> Iterator[Task]:
    first = task.phrase.children[0]
    if first.construction == "marker" and task.category is not None:  # both, either
        yield Task(first.children[0], task.category / task.category)
        yield Task(first.children[1], task.category, task.gap)
    else:
        yield task.child(0, task.category)
    yield task.child(1, task.category)


def _marker(task: Task) -> Iterator[Task]:
    yield task.child(0, CONJ if task.phrase.start else S / S)
    yield task.child(1, task.category)


def _shared(task: Task) -> Iterator[Task]:
    shared = argument(task.phrase.children[0], task.phrase.children[1])
    yield Task(task.phrase.children[0], task.category, shared)
    yield task.child(1, shared)


CONSTRUCTIONS: dict[str, Construction] = {"coordination": _coordination, "marker": _marker, "shared": _shared}
