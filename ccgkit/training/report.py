"""What a training tells: metrics as JSON lines, the learning curve, the model card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path

from ccgkit._version import __version__
from ccgkit.taggers.directory import replacing

__all__ = ["EpochMetrics", "Step", "draw_curve", "model_card", "write_metrics"]


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

    def line(self, epochs: int, best: float) -> str:
        """The epoch in a line, of so many epochs; `best` is the best dev accuracy so far."""
        return (
            f"epoch {self.epoch}/{epochs}  loss {self.loss:.4f}  "
            f"dev {self.dev_accuracy:.2f} (best {best:.2f})  "
            f"{self.words_per_second:,.0f} words/s  {timedelta(seconds=int(self.seconds))}"
        )


@dataclass(frozen=True, slots=True)
class Step:
    """Where a training stands after a step."""

    epoch: int
    epochs: int
    step: int  #: of this epoch, from 1
    steps: int  #: of an epoch
    loss: float  #: per word, over this epoch so far
    words_per_second: float


def write_metrics(path: Path, history: Sequence[EpochMetrics]) -> None:
    """One JSON object a line, one line an epoch; the file is replaced at once."""
    with replacing(path) as new:
        new.write_text("".join(json.dumps(asdict(metrics)) + "\n" for metrics in history), encoding="utf-8")


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

Made by ccgkit {__version__}. Load it with `ccgkit.load(directory)`.

| | |
|---|---|
{rows}
| dev accuracy | {best.dev_accuracy:.2f} % of all words, after epoch {best.epoch} |

Accuracies on different corpora cannot be compared: the figure above is of the dev data named above only.
The weights are derived from the training data (and the pretrained weights, where some were used): their
licences and attribution duties apply.
"""
