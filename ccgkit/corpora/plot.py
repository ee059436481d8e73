"""A picture of a corpus's statistics; needs matplotlib, the extra "plot"."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from .codec import replacing
from .errors import FormatError
from .statistics import Statistics

__all__ = ["plot"]


def plot(statistics: Statistics, path: str | Path) -> None:
    """Draw lengths, depths, categories by rank and rules into a `.png` or `.svg` file."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise FormatError("plots need matplotlib: pip install matplotlib") from error
    figure = Figure(figsize=(10, 7), layout="constrained")
    axes = figure.subplots(2, 2)
    _histogram(axes[0][0], statistics.lengths, "sentence length", "words")
    _histogram(axes[0][1], statistics.depths, "derivation depth", "steps")
    _ranks(axes[1][0], statistics.categories)
    _bars(axes[1][1], statistics.rules, statistics.unlicensed.total())
    path = Path(path)
    with replacing(path) as stream:
        figure.savefig(stream, dpi=150, format=path.suffix.lower().removeprefix("."))


def _histogram(axis: Any, counts: Counter[int], title: str, unit: str) -> None:
    axis.set_title(title)
    if not counts:
        return _nothing(axis)
    axis.bar(list(counts), list(counts.values()), width=1.0)
    axis.set_xlabel(unit)
    axis.set_ylabel("sentences")


def _ranks(axis: Any, categories: Counter[Any]) -> None:
    axis.set_title("categories by rank")
    if not categories:
        return _nothing(axis)
    ordered = [count for _, count in categories.most_common()]
    axis.loglog(range(1, len(ordered) + 1), ordered, marker=".", linestyle="none")
    axis.set_xlabel("rank")
    axis.set_ylabel("tokens")


def _bars(axis: Any, rules: Counter[str], unlicensed: int) -> None:
    axis.set_title("rules")
    if not rules and not unlicensed:
        return _nothing(axis)
    bars = [*rules.most_common(), *([("unlicensed", unlicensed)] if unlicensed else [])]
    axis.barh([name for name, _ in reversed(bars)], [count for _, count in reversed(bars)], log=True)
    axis.set_xlabel("nodes")


def _nothing(axis: Any) -> None:
    axis.set_axis_off()
    axis.text(0.5, 0.5, "none in these files", ha="center", va="center")
