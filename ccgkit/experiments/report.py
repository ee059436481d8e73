"""Results as tables: Markdown for people, with the paper's figures beside ours, and JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import mean, stdev
from typing import Any

from .results import Missing
from .significance import LEVEL, Significance, corrected

__all__ = ["Curve", "Measured", "Plot", "Report", "Row", "Table", "Value"]


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure of each seed.

    >>> print(Measured({1: 91.0, 2: 92.0}))
    91.50 ± 0.71
    """

    values: Mapping[int, float]
    significance: Significance | None = None  #: against the system that others are compared with
    better: bool = False  #: than that system
    digits: int = 2
    signed: bool = False  #: written with a sign, as differences are

    @property
    def mean(self) -> float:
        """The mean over seeds."""
        return mean(self.values.values())

    @property
    def deviation(self) -> float | None:
        """The standard deviation over seeds; `None` where there is but one."""
        return stdev(self.values.values()) if len(self.values) > 1 else None

    @property
    def mark(self) -> str:
        """`*`, `†`, `‡`: better by the t-test over sentences, the bootstrap, the t-test over seeds."""
        found = self.significance
        if found is None or not self.better:
            return ""
        tests = {"*": found.sentences, "†": found.bootstrap, "‡": found.corrected_seeds}
        return "".join(mark for mark, p in tests.items() if p is not None and p < LEVEL)

    def __str__(self) -> str:
        shown = f"{self.mean:{'+' if self.signed else ''},.{self.digits}f}"
        if self.deviation is not None:
            shown += f" ± {self.deviation:.{self.digits}f}"
        return shown + self.mark

    def as_dict(self) -> dict[str, Any]:
        """The value for JSON: mean, seeds and what was tested."""
        found: dict[str, Any] = {
            "mean": round(self.mean, 4),
            "seeds": {str(seed): round(value, 4) for seed, value in self.values.items()},
        }
        if self.deviation is not None:
            found["standard_deviation"] = round(self.deviation, 4)
        if self.significance is not None:
            found["significance"] = self.significance.as_dict()
        return found


Value = Measured | Missing | float | str


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table: our figures and the paper's, by column."""

    label: str
    ours: Mapping[str, Value]
    paper: Mapping[str, float] = field(default_factory=dict)
    system: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns; a column for which the paper has a figure is followed by the paper's."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Row]
    head: str = "Model"
    digits: Mapping[str, int] = field(default_factory=dict)  #: of the paper's figures, where not two

    def corrected(self) -> Table:
        """The table with its tests of significance corrected for there being many of them."""
        tested = [
            value.significance
            for row in self.rows
            for value in row.ours.values()
            if isinstance(value, Measured) and value.significance
        ]
        found = iter(corrected(tested))

        def mended(value: Value) -> Value:
            if isinstance(value, Measured) and value.significance:
                return replace(value, significance=next(found))
            return value

        rows = [
            replace(row, ours={column: mended(value) for column, value in row.ours.items()})
            for row in self.rows
        ]
        return replace(self, rows=rows)

    def markdown(self) -> str:
        """The table as Markdown, the paper's figures beside ours."""
        heads = [self.head]
        for column in self.columns:
            heads += [column, f"{column}, paper"] if self._has_paper(column) else [column]
        seeds = self._has_seeds()
        lines = [[*heads, *(["Seeds"] if seeds else [])]]
        lines += [[*self._line(row), *([_seeds(row)] if seeds else [])] for row in self.rows]
        lines.insert(1, ["---"] * len(lines[0]))
        return "\n".join(
            f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines
        )

    def as_dict(self) -> dict[str, Any]:
        """The table for JSON."""
        rows = [
            {
                "label": row.label,
                **({"system": row.system} if row.system else {}),
                "ours": {column: _plain(row.ours[column]) for column in self.columns if column in row.ours},
                **({"paper": dict(row.paper)} if row.paper else {}),
            }
            for row in self.rows
        ]
        return {"title": self.title, "columns": list(self.columns), "rows": rows}

    def _line(self, row: Row) -> list[str]:
        line = [row.label]
        for column in self.columns:
            line.append(_shown(row.ours.get(column, "")))
            if self._has_paper(column):
                digits = self.digits.get(column, 2)
                line.append(f"{row.paper[column]:,.{digits}f}" if column in row.paper else "")
        return line

    def _has_paper(self, column: str) -> bool:
        return any(column in row.paper for row in self.rows)

    def _has_seeds(self) -> bool:
        return any(isinstance(value, Measured) for row in self.rows for value in row.ours.values())


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of a plot: a system's figures over what is varied."""

    label: str
    points: Sequence[tuple[float, float, float]]  #: x, y and the deviation of y


@dataclass(frozen=True, slots=True)
class Plot:
    """A figure like one of the paper's."""

    x: str
    y: str
    curves: Sequence[Curve]
    ticks: Sequence[str] = ()  #: names of x = 0, 1, 2 … where x is no number


@dataclass(frozen=True, slots=True)
class Report:
    """All that an experiment has found."""

    title: str
    tables: Sequence[Table]
    notes: Sequence[str] = ()
    plot: Plot | None = None
    corpus: str = ""  #: where it is not that of the run
    is_papers_corpus: bool = False  #: which is CCGbank except where this is set

    def markdown(self, plot: str | None = None, notes: Sequence[str] = ()) -> str:
        """The report as a page; `plot` is the name of the picture's file."""
        parts = [f"## {self.title}"]
        for table in self.tables:
            parts += [*([f"### {table.title}"] if table.title else []), table.markdown()]
        if plot is not None:
            parts.append(f"![{self.title}]({plot})")
        parts.append("\n".join(f"- {note}" for note in [*self.notes, *notes]))
        return "\n\n".join(part for part in parts if part) + "\n"

    def as_dict(self) -> dict[str, Any]:
        """The report for JSON."""
        found: dict[str, Any] = {"title": self.title, "tables": [table.as_dict() for table in self.tables]}
        if self.plot is not None:
            found["plot"] = [
                {"label": curve.label, "points": [list(point) for point in curve.points]}
                for curve in self.plot.curves
            ]
        return found


def _seeds(row: Row) -> str:
    counts = [len(value.values) for value in row.ours.values() if isinstance(value, Measured)]
    return str(max(counts)) if counts else ""


def _shown(value: Value) -> str:
    return f"{value:,.2f}" if isinstance(value, float) else str(value)


def _plain(value: Value) -> Any:
    if isinstance(value, Measured):
        return value.as_dict()
    if isinstance(value, Missing):
        return {"not_run": value.reason}
    return value
