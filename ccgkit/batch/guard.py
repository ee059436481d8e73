"""Texts annotated in another process, once one has died over their shard: those that kill become rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from .annotator import Annotator
from .errors import BatchError
from .processes import Child, DiedError, serve
from .schema import Row

__all__ = ["Guard"]

_TRIES = 2  # processes that may die over a text: one may have been killed by somebody else


class Guard:
    """Gives the rows that an annotator gives, but its process may die.

    Texts over which it dies again are tried one by one. One that kills gets a row with the reason.
    """

    def __init__(self, annotator: Annotator) -> None:
        self._annotator = annotator
        self._child: Child | None = None

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, *_: object) -> None:
        if self._child is not None:
            self._child.end()

    def rows(self, texts: Sequence[Mapping[str, Any]]) -> list[Row]:
        """The sentences of many texts as rows, in order."""
        died = ""
        for _ in range(_TRIES):
            try:
                return self._annotated(texts)
            except DiedError as error:
                self._child, died = None, str(error)
        if len(texts) == 1:
            reason = f"{_TRIES} processes have died over this text alone ({died})"
            return [self._annotator.failed(texts[0], reason)]
        return [row for text in texts for row in self.rows([text])]

    def _annotated(self, texts: Sequence[Mapping[str, Any]]) -> list[Row]:
        child = self._child = self._child or self._started()
        child.send(texts)
        rows: list[Row] = child.receive()
        return rows

    def _started(self) -> Child:
        child = Child(__name__)
        try:
            child.send(self._annotator)
            child.receive()
        except DiedError as error:
            raise BatchError(f"a process has died before it was ready: {error}") from error
        return child


def _work(questions: Iterator[Any], answer: Callable[[object], None]) -> None:
    with suppress(OSError):  # where memory is short, Linux kills this process rather than its parent
        Path("/proc/self/oom_score_adj").write_text("1000")
    annotator: Annotator = next(questions)
    annotator.load()
    answer("ready")
    for texts in questions:
        answer(list(annotator.rows(texts)))


if __name__ == "__main__":
    serve(_work)
