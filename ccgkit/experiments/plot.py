"""Figures like the paper's; they need matplotlib, the extra "plot"."""

from __future__ import annotations

from pathlib import Path

from .report import Plot

__all__ = ["draw"]


def draw(plot: Plot, path: Path) -> bool:
    """Draw the curves into an SVG file; False where matplotlib is not installed."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        return False
    with rc_context({"svg.hashsalt": "ccgkit", "svg.fonttype": "none"}):  # the same curves, the same file
        figure = Figure(figsize=(7, 4), layout="constrained")
        axes = figure.add_subplot(xlabel=plot.x, ylabel=plot.y)
        for number, curve in enumerate(plot.curves):
            x, y, spread = zip(*curve.points, strict=True)
            axes.errorbar(x, y, spread, label=curve.label, marker="os^Dv<>p"[number % 8], capsize=2)
        if plot.ticks:
            axes.set_xticks(range(len(plot.ticks)), plot.ticks)
        axes.grid(alpha=0.3)
        axes.legend()
        figure.savefig(path, format="svg", metadata={"Date": None})
    return True
