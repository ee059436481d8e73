"""Where the experiments are done: what is not there is measured, what is measured is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ccgkit.taggers.ensemble import Ensemble
from ccgkit.taggers.tagger import Tagger

from .corpora import Corpus, CorpusCache
from .measuring import predictions
from .models import ModelStore
from .progress import Estimate
from .report import Measured
from .results import Content, Missing, Predictions, ResultStore, Trial
from .settings import Settings

__all__ = ["Runner", "Task", "of_tagger"]


@dataclass(frozen=True)
class Task:
    """Something to measure of a system on a set of a corpus, once for each seed."""

    corpus: Corpus
    system: str
    name: str  #: of the set
    what: str = "predictions"
    make: Callable[[Runner, Task, int], Content | Missing] = field(
        repr=False, default=lambda runner, task, seed: runner.tagged(task, seed)
    )

    def trial(self, seed: int) -> Trial:
        """The training that the task measures, with a seed."""
        return Trial(self.corpus.name, self.system, seed)

    @property
    def file(self) -> str:
        """The name under which the measurement is kept."""
        return f"{self.what}-{self.name}"


def of_tagger(
    measure: Callable[[Tagger | Ensemble, Sequence[Sequence[str]]], Content],
) -> Callable[[Runner, Task, int], Content | Missing]:
    """How a task is done that needs no more than the tagger and the words."""

    def make(runner: Runner, task: Task, seed: int) -> Content | Missing:
        tagger = runner.models.tagger(task.corpus, task.trial(seed))
        if isinstance(tagger, Missing):
            return tagger
        return measure(tagger, runner.corpora.words(task.corpus, task.name))

    return make


class Runner:
    """Trains, measures and remembers; `say` tells a person what is going on."""

    def __init__(self, settings: Settings, say: Callable[[str], None] = lambda _: None) -> None:
        self.settings, self.say = settings, say
        self.corpora = CorpusCache()
        self.store = ResultStore(settings.output / "measurements")
        self.models = ModelStore(settings, self.corpora, self.store)
        self.changes: dict[str, tuple[str, ...]] = {}  #: of the systems met so far, how they were changed

    @property
    def seeds(self) -> range:
        """The seeds of a run, from 1 on."""
        return range(1, self.settings.seeds + 1)

    def run(self, tasks: Sequence[Task]) -> None:
        """Do all tasks that can be done and are not, the first seed of all before the second of any."""
        every = [(task, seed) for seed in self.seeds for task in tasks]
        open_ = [pair for pair in every if self._stored(*pair) is None]
        wanted = [(task, seed) for task, seed in open_ if self.models.obstacle(task.trial(seed)) is None]
        estimate = Estimate(self.models.root, self._sizes(task.corpus for task, _ in wanted))
        for number, (task, seed) in enumerate(wanted, 1):
            left = estimate.left((later.trial(s), later.file) for later, s in wanted[number - 1 :])
            self.say(f"[{number}/{len(wanted)}] {task.trial(seed)}: {task.what} of {task.name}{left}")
            with estimate.watch((task.trial(seed), task.file)):
                self.obtain(task, seed)

    def _sizes(self, corpora: Iterable[Corpus]) -> dict[str, float]:
        """How much there is to train on; a part of a corpus is seen as often as makes the whole."""
        return {one.name: len(self.corpora.examples(one, "train")) * 100 / one.percent for one in corpora}

    def obtain(self, task: Task, seed: int) -> Content | Missing:
        """What a task gives: kept, or made now."""
        trial = task.trial(seed)
        content = self._stored(task, seed) or self.models.obstacle(trial) or self._made(task, seed)
        if not isinstance(content, Missing):
            self.changes[task.system] = tuple(content["changes"])
        return content

    def _made(self, task: Task, seed: int) -> Content | Missing:
        content = task.make(self, task, seed)
        if not isinstance(content, Missing):
            trial, data = task.trial(seed), self.corpora.digest(task.corpus, task.name)
            content = {**content, "changes": self.models.changes(trial)}
            self.store.write(trial, task.file, self.models.digest(trial) or "", data, content)
        return content

    def predictions(self, task: Task, seed: int) -> Predictions | Missing:
        """The predictions that a task of tagging gives."""
        content = self.obtain(task, seed)
        return content if isinstance(content, Missing) else Predictions.from_json(content)

    def tagged(self, task: Task, seed: int) -> Content | Missing:
        """Tag the set of a task."""
        tagger = self.models.tagger(task.corpus, task.trial(seed))
        if isinstance(tagger, Missing):
            return tagger
        found = predictions(tagger, self.corpora.words(task.corpus, task.name))
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
        trial = task.trial(seed)
        if self.settings.training and not self.models.is_as_asked(trial):
            return None
        return self.store.read(
            trial, task.file, self.models.digest(trial), self.corpora.digest(task.corpus, task.name)
        )
