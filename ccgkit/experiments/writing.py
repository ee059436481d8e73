"""Reports as files: Markdown, JSON and a picture, with what a reader must know to read the figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ccgkit._version import __version__

from .corpora import CCGBANK
from .experiment import Setup
from .plot import draw
from .report import Measured, Report
from .results import Missing, write_whole
from .significance import LEVEL
from .systems import parts

__all__ = ["write_report"]


def write_report(setup: Setup, name: str, report: Report) -> Path:
    """Write `results/CORPUS/NAME.md`, `.json` and, where there is a plot, `.svg`; the Markdown's path."""
    settings = setup.runner.settings
    report = replace(report, tables=[table.corrected() for table in report.tables])
    corpus = f"{setup.corpus.name}-small" if settings.small else setup.corpus.name
    folder = settings.output / "results" / corpus
    folder.mkdir(parents=True, exist_ok=True)
    picture = folder / f"{name}.svg"
    drawn = report.plot is not None and draw(report.plot, picture)
    notes = list(_notes(setup, report))
    if report.plot is not None and not drawn:
        notes.append("The plot was not drawn: it needs matplotlib, `pip install matplotlib`.")
    document = {
        "experiment": name,
        "corpus": report.corpus or setup.corpus.title,
        "scale": "small" if settings.small else "paper",
        "seeds": settings.seeds,
        "ccgkit": __version__,
        **report.as_dict(),
        "changes": {system: list(changes) for system, changes in sorted(setup.runner.changes.items())},
        "notes": [*report.notes, *notes],
    }
    write_whole(folder / f"{name}.json", json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    page = folder / f"{name}.md"
    write_whole(page, report.markdown(picture.name if drawn else None, notes))
    return page


def _notes(setup: Setup, report: Report) -> Iterator[str]:
    settings, values = setup.runner.settings, _values(report)
    scale = "small sizes" if settings.small else "the paper's sizes"
    yield f"Corpus: {report.corpus or setup.corpus.title}; models at {scale}; ccgkit {__version__}."
    if setup.corpus.name != CCGBANK and not report.is_papers_corpus:
        yield "The paper's figures are for CCGbank: ours, on another corpus, cannot be compared with them."
    if any(isinstance(value, Measured) and len(value.values) > 1 for value in values):
        yield "Figures are means over the available seeds, ± their standard deviation."
    if any(isinstance(value, Measured) and value.significance for value in values):
        yield (
            f"Significantly better (p < {LEVEL}, two-sided) than the row compared with (CC, or the row that "
            "a variant belongs to): `*` by a paired t-test over sentences, `†` by a paired bootstrap over "
            "sentences, `‡` by a paired t-test over seeds with Holm's correction for all comparisons in the "
            "table. The JSON file also has the one-sided p, which is what the paper's tool gives, and the "
            "corrected p over sentences."
        )
    yield from _changes(setup)
    reasons = sorted({value.reason for value in values if isinstance(value, Missing) and value.reason})
    yield from (f"Not run: {reason}." for reason in reasons)


def _changes(setup: Setup) -> Iterator[str]:
    """What was changed in the configurations, systems with the same changes together."""
    together: dict[tuple[str, ...], list[str]] = {}
    for system, changes in setup.runner.changes.items():
        if len(parts(system)) == 1:
            together.setdefault(changes, []).append(system)
    for changes, systems in together.items():
        if changes:
            shown = ", ".join(f"`{change}`" for change in changes)
            which = "every system" if len(together) == 1 else ", ".join(systems)
            yield f"Changed from the named configuration in {which}: {shown}."


def _values(report: Report) -> list[object]:
    return [value for table in report.tables for row in table.rows for value in row.ours.values()]
