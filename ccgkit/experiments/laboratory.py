"""Where the experiments are done: what is not there is measured, what is measured is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ccgkit.taggers.ensemble import Ensemble
from ccgkit.taggers.tagger import Tagger

from .cells import Cell, Content, Missing, Predictions, Shelf
from .corpora import Corpus, Library
from .measuring import predictions
from .models import Models
from .progress import Estimate
from .report import Measured
from .settings import Settings

__all__ = ["Laboratory", "Task", "of_tagger"]


@dataclass(frozen=True)
class Task:
    """Something to measure of a system on a set of a corpus, once for each seed."""

    corpus: Corpus
    system: str
    name: str  #: of the set
    what: str = "predictions"
    make: Callable[[Laboratory, Task, int], Content | Missing] = field(
        repr=False, default=lambda lab, task, seed: lab.tagged(task, seed)
    )

    def cell(self, seed: int) -> Cell:
        return Cell(self.corpus.name, self.system, seed)

    @property
    def file(self) -> str:
        return f"{self.what}-{self.name}"


def of_tagger(
    measure: Callable[[Tagger | Ensemble, Sequence[Sequence[str]]], Content],
) -> Callable[[Laboratory, Task, int], Content | Missing]:
    """How a task is done that needs no more than the tagger and the words."""

    def make(lab: Laboratory, task: Task, seed: int) -> Content | Missing:
        tagger = lab.models.tagger(task.corpus, task.cell(seed))
        if isinstance(tagger, Missing):
            return tagger
        return measure(tagger, lab.library.words(task.corpus, task.name))

    return make


class Laboratory:
    """Trains, measures and remembers; `say` tells a person what is going on."""

    def __init__(self, settings: Settings, say: Callable[[str], None] = lambda _: None) -> None:
        self.settings, self.say = settings, say
        self.library = Library()
        self.shelf = Shelf(settings.output / "cells")
        self.models = Models(settings, self.library, self.shelf)
        self.changes: dict[str, tuple[str, ...]] = {}  #: of the systems met so far, how they were changed

    @property
    def seeds(self) -> range:
        return range(1, self.settings.seeds + 1)

    def run(self, tasks: Sequence[Task]) -> None:
        """Do all tasks that can be done and are not, the first seed of all before the second of any."""
        every = [(task, seed) for seed in self.seeds for task in tasks]
        open_ = [pair for pair in every if self._stored(*pair) is None]
        wanted = [(task, seed) for task, seed in open_ if self.models.obstacle(task.cell(seed)) is None]
        estimate = Estimate(self.models.root, self._sizes(task.corpus for task, _ in wanted))
        for number, (task, seed) in enumerate(wanted, 1):
            left = estimate.left((later.cell(s), later.file) for later, s in wanted[number - 1 :])
            self.say(f"[{number}/{len(wanted)}] {task.cell(seed)}: {task.what} of {task.name}{left}")
            with estimate.watch((task.cell(seed), task.file)):
                self.obtain(task, seed)

    def _sizes(self, corpora: Iterable[Corpus]) -> dict[str, float]:
        """How much there is to train on; a part of a corpus is seen as often as makes the whole."""
        return {one.name: len(self.library.examples(one, "train")) * 100 / one.percent for one in corpora}

    def obtain(self, task: Task, seed: int) -> Content | Missing:
        """What a task gives: kept, or made now."""
        cell = task.cell(seed)
        content = self._stored(task, seed) or self.models.obstacle(cell) or self._made(task, seed)
        if not isinstance(content, Missing):
            self.changes[task.system] = tuple(content["changes"])
        return content

    def _made(self, task: Task, seed: int) -> Content | Missing:
        content = task.make(self, task, seed)
        if not isinstance(content, Missing):
            cell, data = task.cell(seed), self.library.mark(task.corpus, task.name)
            content = {**content, "changes": self.models.changes(cell)}
            self.shelf.write(cell, task.file, self.models.mark(cell) or "", data, content)
        return content

    def predictions(self, task: Task, seed: int) -> Predictions | Missing:
        """The predictions that a task of tagging gives."""
        content = self.obtain(task, seed)
        return content if isinstance(content, Missing) else Predictions.from_json(content)

    def tagged(self, task: Task, seed: int) -> Content | Missing:
        """Tag the set of a task."""
        tagger = self.models.tagger(task.corpus, task.cell(seed))
        if isinstance(tagger, Missing):
            return tagger
        found = predictions(tagger, self.library.words(task.corpus, task.name))
        content = found.to_json()
        if isinstance(tagger, Ensemble):
            content["facts"] |= {"nu": tagger.reranker.nu, "lambda": tagger.reranker.weight}
        return content

    def figures(self, task: Task, make: Callable[[Content], float], digits: int = 2) -> Measured | Missing:
        """A figure made of what a task gives, over all seeds that are there."""
        values, missing = {}, Missing()
        for seed in self.seeds:
            content = self.obtain(task, seed)
            if isinstance(content, Missing):
                missing = content
            else:
                values[seed] = make(content)
        return Measured(values, digits=digits) if values else missing

    def _stored(self, task: Task, seed: int) -> Content | None:
        """What is kept of a task, unless it is of another model, other sentences or other settings."""
        cell = task.cell(seed)
        if self.settings.training and not self.models.is_as_asked(cell):
            return None
        return self.shelf.read(
            cell, task.file, self.models.mark(cell), self.library.mark(task.corpus, task.name)
        )
