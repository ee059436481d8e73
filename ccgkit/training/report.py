"""What a training tells: a progress line, metrics as JSON lines, the learning curve, the model card."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from shutil import get_terminal_size
from typing import TextIO

from ccgkit._version import __version__

__all__ = ["EpochMetrics", "Progress", "draw_curve", "model_card", "write_metrics"]


@dataclass(frozen=True, slots=True)
class EpochMetrics:
    """One epoch in figures."""

    epoch: int
    step: int
    loss: float  #: per word that has a category
    dev_accuracy: float  #: per cent of all dev words, UNK ones included
    best: bool
    words_per_second: float
    seconds: float  #: of the whole training so far, without the time it was stopped


class Progress:
    """A line that follows the training: redrawn at a terminal, once an epoch elsewhere."""

    def __init__(self, epochs: int, steps_per_epoch: int, stream: TextIO | None = None) -> None:
        self.epochs = epochs
        self.steps_per_epoch = steps_per_epoch
        self.stream = stream or sys.stderr
        self.started = time.monotonic()
        self.steps_done = 0
        self.drawn = 0.0
        self.accuracy = ""

    def step(self, epoch: int, step: int, loss: float, words_per_second: float) -> None:
        """After step `step` (from 1) of `epoch`."""
        self.steps_done += 1
        now = time.monotonic()
        if not self.stream.isatty() or now - self.drawn < 0.2:
            return
        self.drawn = now
        filled = 20 * step // self.steps_per_epoch
        left = (self.epochs - epoch) * self.steps_per_epoch + self.steps_per_epoch - step
        seconds = left * (now - self.started) / self.steps_done
        line = (
            f"epoch {epoch}/{self.epochs} [{'#' * filled:.<20}] loss {loss:.4f}{self.accuracy}  "
            f"{words_per_second:,.0f} words/s  at most {timedelta(seconds=int(seconds))} left"
        )
        self.stream.write(f"\r\x1b[K{line[: get_terminal_size().columns - 1]}")
        self.stream.flush()

    def epoch(self, metrics: EpochMetrics, best: float) -> None:
        """After an epoch and its evaluation."""
        self.accuracy = f"  dev {metrics.dev_accuracy:.2f} (best {best:.2f})"
        start = "\r\x1b[K" if self.stream.isatty() else ""
        self.stream.write(
            f"{start}epoch {metrics.epoch}/{self.epochs}  loss {metrics.loss:.4f}{self.accuracy}  "
            f"{metrics.words_per_second:,.0f} words/s  {timedelta(seconds=int(metrics.seconds))}\n"
        )
        self.stream.flush()

    def say(self, text: str) -> None:
        """A line of its own."""
        self.stream.write(text + "\n")
        self.stream.flush()


def write_metrics(path: Path, history: Sequence[EpochMetrics]) -> None:
    """One JSON object a line, one line an epoch; the file is replaced at once."""
    temporary = path.with_suffix(".new")
    temporary.write_text("".join(json.dumps(asdict(metrics)) + "\n" for metrics in history), encoding="utf-8")
    temporary.replace(path)


def draw_curve(path: Path, history: Sequence[EpochMetrics]) -> bool:
    """Draw loss and dev accuracy over the epochs; False where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(7, 4), layout="constrained")
    loss = figure.add_subplot(xlabel="epoch", ylabel="training loss per word")
    accuracy = loss.twinx()
    accuracy.set_ylabel("dev accuracy, %")
    epochs = [metrics.epoch for metrics in history]
    lines = loss.plot(epochs, [metrics.loss for metrics in history], "C0.-", label="loss")
    lines += accuracy.plot(
        epochs, [metrics.dev_accuracy for metrics in history], "C1.-", label="dev accuracy"
    )
    loss.legend(handles=lines, loc="center right")
    figure.savefig(path, dpi=120, format="png")
    return True


def model_card(kind: str, facts: Mapping[str, str], history: Sequence[EpochMetrics]) -> str:
    """The README of a model directory."""
    best = max(history, key=lambda metrics: metrics.dev_accuracy)
    names = {
        "cc": "category classifier",
        "cg": "tag-wise category generator",
        "ct": "transition-based generator",
    }
    rows = "\n".join(f"| {name} | {value} |" for name, value in facts.items())
    return f"""# CCG supertagger: {names.get(kind, kind)} ({kind})

Made by ccgkit {__version__}. Load it with `ccgkit.taggers.tagger.Tagger.load(directory)`.

| | |
|---|---|
{rows}
| dev accuracy | {best.dev_accuracy:.2f} % of all words, after epoch {best.epoch} |

Accuracies on different corpora cannot be compared: the figure above is of the dev data named above only.
The weights are derived from the training data (and the pretrained weights, where some were used): their
licences and attribution duties apply.
"""
