"""What an experiment is: the tasks to be done, and the report on what they gave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .corpora import Corpus
from .report import Report, Row
from .runner import Runner, Task
from .systems import MINILM, label, transformer_label

if TYPE_CHECKING:
    from ccgkit.parser_bridge import CandC

__all__ = ["Experiment", "Setup", "earlier", "only", "tagging"]

_BERT = "encoder.bert="  # begins what tells the transformer that a model has instead of its configuration's


@dataclass(frozen=True)
class Setup:
    """What an experiment works with."""

    runner: Runner
    corpus: Corpus
    data: Path  #: where further corpora are
    candc: CandC | None = None  #: ready to parse, where there is one

    def name(self, system: str) -> str:
        """The system's name at the scale of this run."""
        return self.runner.settings.name(system)

    def label(self, system: str) -> str:
        """The system as tables call it, with the transformer that it has, if it has one."""
        if "bert" not in system:
            return label(system)
        tuned = "fine-tuned " if "bert-tuned" in system else ""
        return f"{tuned}{transformer_label(self._transformer(system))} + {label(system)}"

    def _transformer(self, system: str) -> str:
        """Of the models that were measured; of this run where there are none."""
        name = self.name(system)
        changes = self.runner.changes.get(name)
        if changes is None:
            return self.runner.settings.bert
        found = [one.removeprefix(_BERT) for one in changes if one.startswith(_BERT)]
        return found[0] if found else MINILM


@dataclass(frozen=True)
class Experiment:
    """A table or figure of the paper."""

    tasks: Callable[[Setup], Sequence[Task]]
    report: Callable[[Setup], Report]


def tagging(setup: Setup, systems: Iterable[str], sets: Iterable[str]) -> list[Task]:
    """The tasks of tagging sets of the corpus with systems; the sets of a system one after the other."""
    names = list(sets)
    return [Task(setup.corpus, setup.name(system), name) for system in systems for name in names]


def earlier(figures: Mapping[str, Mapping[str, float]]) -> list[Row]:
    """Rows of systems that the paper compares with and that are not run here."""
    return [Row(name, {}, one) for name, one in figures.items()]


def only(figures: Mapping[str, float], columns: Iterable[str]) -> dict[str, float]:
    """The paper's figures for some columns."""
    return {column: figures[column] for column in columns if column in figures}
