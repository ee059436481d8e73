"""What sampling a decomposition at each occurrence of a category costs a training, beside once an epoch.

    python benchmarks/sampling.py CORPUS [SYSTEM]

Trains two copies of the system (`cgng2-nd-small` unless told) by turns on the same batches, at most 100.
One samples at each occurrence, as the toolkit does; the other keeps the first sample of a category.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import torch

from ccgkit.experiments.systems import system
from ccgkit.grammar import Category
from ccgkit.taggers.decoders.generator import Generator
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import read_examples
from ccgkit.training.lessons import Gold, Lesson
from ccgkit.training.optimiser import make_optimiser

_BATCHES, _WARM_UP = 100, 5  # of which the first do not count


class OncePerCategory(Generator):
    """The generator with one sample for all occurrences of a category."""

    def _targets(self, categories: Sequence[Category]) -> list[tuple[int, ...]]:
        kept: dict[Category, tuple[int, ...]] = self.__dict__.setdefault("kept", {})
        new = [category for category in dict.fromkeys(categories) if category not in kept]
        kept.update(zip(new, super()._targets(new), strict=True))
        return [kept[category] for category in categories]


def main(path: Path, name: str = "cgng2-nd-small") -> None:
    """Print the processor time of the batches in both manners, and the ratio."""
    torch.set_num_threads(1)
    config = system(name)
    examples = read_examples([path])
    gold = Gold(examples, config.threshold, config.training.batch, 1)
    learners = {
        manner: _learner(config, examples, gold, kind)
        for manner, kind in (("each occurrence", Generator), ("once an epoch", OncePerCategory))
    }
    seconds = dict.fromkeys(learners, 0.0)
    for number, lesson in enumerate(gold.epoch(1)[:_BATCHES]):
        for manner, (tagger, optimiser) in learners.items():
            torch.manual_seed(number)
            taken = _step(tagger, optimiser, lesson)
            seconds[manner] += taken if number >= _WARM_UP else 0.0
    for manner, taken in seconds.items():
        print(f"{manner:16}{taken:8.2f} s of processor time")
    each, once = seconds.values()
    print(f"{'ratio':16}{each / once:8.3f}")


def _learner(config, examples, gold, kind):  # type: ignore[no-untyped-def]
    torch.manual_seed(1)
    tagger = Tagger.build(config, [example.words for example in examples], gold.counts)
    tagger.decoder.__class__ = kind
    return tagger.train(), make_optimiser(tagger, config.training)


def _step(tagger: Tagger, optimiser: torch.optim.Optimizer, lesson: Lesson) -> float:
    started = process_time()
    optimiser.zero_grad()
    loss = lesson.loss(tagger)
    if loss is not None:
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return process_time() - started


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), *sys.argv[2:])
