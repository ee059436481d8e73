"""Annotators that kill the process they are in, without a model, so that another one starts soon."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ccgkit.batch import Annotator


class Deadly(Annotator):
    """Dies over the text "kill me", and over "kill once" if the file it has is not there yet."""

    def __init__(self, model: str, once: Path) -> None:
        super().__init__(model, "tag")
        self._once = once

    def __reduce__(self) -> tuple[type[Deadly], tuple[str, Path]]:
        return Deadly, (str(self.info.path), self._once)

    def load(self) -> Deadly:
        return self

    def rows(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        texts = [row["text"] for row in rows]
        if "kill me" in texts or ("kill once" in texts and not self._once.exists()):
            self._once.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return ({"id": str(row["id"]), "text": row["text"], "status": "tagged"} for row in rows)


class Stillborn(Deadly):
    """Dies before it is ready."""

    def __reduce__(self) -> tuple[type[Stillborn], tuple[str, Path]]:
        return Stillborn, (str(self.info.path), self._once)

    def load(self) -> Stillborn:
        os._exit(3)
