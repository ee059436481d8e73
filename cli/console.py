"""What the library logs, on stderr; at a terminal, a line below it that follows a training."""

from __future__ import annotations

import logging
import sys
import time
from datetime import timedelta
from shutil import get_terminal_size
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ccgkit.training.report import Step

__all__ = ["Console"]

_CLEAR = "\r\x1b[K"


class Console(logging.Handler):
    """Writes messages as they come, one a line."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._started = time.monotonic()
        self._steps = 0
        self._drawn = 0.0

    @classmethod
    def attached(cls) -> Console:
        """A console that shows what ccgkit's loggers say."""
        logger, console = logging.getLogger("ccgkit"), cls()
        for other in [handler for handler in logger.handlers if isinstance(handler, cls)]:
            logger.removeHandler(other)
        logger.addHandler(console)
        logger.setLevel(logging.INFO)
        return console

    def emit(self, record: logging.LogRecord) -> None:
        self._write(f"{_CLEAR if sys.stderr.isatty() else ''}{record.getMessage()}\n")

    def watch(self, step: Step) -> None:
        """Draw where a training stands, not too often, and only at a terminal."""
        self._steps += 1
        now = time.monotonic()
        if not sys.stderr.isatty() or now - self._drawn < 0.2:
            return
        self._drawn = now
        left = (step.epochs - step.epoch + 1) * step.steps - step.step
        seconds = left * (now - self._started) / self._steps
        line = (
            f"epoch {step.epoch}/{step.epochs} [{'#' * (20 * step.step // step.steps):.<20}] "
            f"loss {step.loss:.4f}  {step.words_per_second:,.0f} words/s  "
            f"at most {timedelta(seconds=int(seconds))} left"
        )
        self._write(f"{_CLEAR}{line[: get_terminal_size().columns - 1]}")

    def _write(self, text: str) -> None:
        sys.stderr.write(text)  # whatever it is by now: a command that ran before may have closed its own
        sys.stderr.flush()
