"""Systems side by side: accuracy on all or some words, over seeds, and against the one to be beaten."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ccgkit.grammar import Category

from .corpora import Corpus
from .report import Measured, Value
from .results import Missing, Predictions
from .runner import Runner, Task
from .significance import Counts, significance
from .systems import is_tuned

__all__ = ["ALL", "Outcome", "everything", "outcome", "outcomes"]

ALL = "all"
Group = Callable[[Category], str]


def everything(category: Category) -> str:
    """All words in one group."""
    return ALL


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a task: right and all words of each sentence, by seed and by group of words."""

    counts: Mapping[int, Mapping[str, Counts]]
    facts: Mapping[int, Mapping[str, float]]
    missing: Missing | None = None
    is_tuned: bool = False  #: on the very set it is of, so that no test of significance holds

    def accuracy(self, group: str = ALL, base: Outcome | None = None) -> Value:
        """Per cent of right words in a group, compared with `base` where the same seeds are there."""
        by_seed = {seed: counts[group] for seed, counts in self.counts.items() if group in counts}
        values = {seed: _percent(counts) for seed, counts in by_seed.items()}
        if not values:
            return self.missing or ("no such words" if self.counts else Missing())
        if base is None or base is self or self.is_tuned:
            return Measured(values)
        theirs = {seed: counts[group] for seed, counts in base.counts.items() if group in counts}
        shared = sorted(theirs.keys() & by_seed.keys())
        if not shared:
            return Measured(values)
        found = significance([theirs[seed] for seed in shared], [by_seed[seed] for seed in shared])
        better = sum(values[seed] - _percent(theirs[seed]) for seed in shared) > 0
        return Measured(values, found, better)

    def difference(self, base: Outcome) -> Value:
        """How much more of all words are right than with `base`, seed by seed."""
        mine, theirs = self.accuracy(), base.accuracy()
        if not isinstance(mine, Measured):
            return mine
        if not isinstance(theirs, Measured) or not mine.values.keys() & theirs.values.keys():
            return base.missing or Missing("no seed was used to train both")
        shared = mine.values.keys() & theirs.values.keys()
        values = {seed: mine.values[seed] - theirs.values[seed] for seed in sorted(shared)}
        return Measured(values, signed=True)

    def fact(self, make: Callable[[Mapping[str, float]], float], digits: int = 2) -> Value:
        """A figure made of the facts that were kept with the predictions."""
        try:
            values = {seed: make(facts) for seed, facts in self.facts.items()}
        except KeyError:
            return Missing("some measurements are of an earlier version that did not take it")
        if len(values) > 1 and len(set(values.values())) == 1:
            return next(iter(values.values()))
        return Measured(values, digits=digits) if values else self.missing or Missing()


def outcome(runner: Runner, task: Task, group: Group = everything) -> Outcome:
    """The outcome of a task of tagging over all seeds that are there."""
    gold = runner.corpora.gold(task.corpus, task.name)
    counts, facts, missing = {}, {}, None
    for seed in runner.seeds:
        found = runner.predictions(task, seed)
        if isinstance(found, Missing):
            missing = missing or found
        else:
            counts[seed], facts[seed] = _count(gold, found, group), found.facts
    return Outcome(counts, facts, missing, task.name == "dev" and is_tuned(task.system))


def outcomes(
    runner: Runner, corpus: Corpus, systems: Sequence[str], name: str, group: Group = everything
) -> dict[str, Outcome]:
    """The outcomes of several systems on a set."""
    return {system: outcome(runner, Task(corpus, system, name), group) for system in systems}


def _count(gold: Sequence[Sequence[Category]], found: Predictions, group: Group) -> dict[str, Counts]:
    groups = {category: group(category) for sentence in gold for category in sentence}
    counts = {name: np.zeros((len(gold), 2)) for name in set(groups.values())}
    for place, (wanted, best) in enumerate(zip(gold, found.best, strict=True)):
        for right, given in zip(wanted, best, strict=True):
            counts[groups[right]][place] += (right is given, 1)
    return counts


def _percent(counts: Counts) -> float:
    right, words = counts.sum(0)
    return 100 * float(right) / max(1.0, float(words))
