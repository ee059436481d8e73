"""A process of the local engine: shards in, what becomes of them out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .annotator import Annotator
from .events import verdict
from .manifest import Plan, Shard
from .places import Place
from .processes import serve
from .shards import annotate_shard

__all__: list[str] = []


def _work(questions: Iterator[Any], answer: Callable[[object], None]) -> None:
    plan: Plan
    folder: Place
    plan, folder = next(questions)
    try:
        annotator = plan.annotator().load()
    except Exception as error:
        answer(("stop", verdict(error)[1]))
        return
    answer(("ready", None))
    for shard in questions:
        answer(_made(shard, annotator, folder, plan, lambda rows: answer(("rows", rows))))


def _made(
    shard: Shard, annotator: Annotator, folder: Place, plan: Plan, tell: Callable[[int], object]
) -> tuple[str, Any]:
    try:
        return "done", annotate_shard(shard, annotator, folder, plan.form, tell)
    except Exception as error:
        return verdict(error)


if __name__ == "__main__":
    serve(_work)
