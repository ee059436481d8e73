"""Processor time of an epoch of each system on a corpus, for planning runs: of some batches, scaled to all.

    python benchmarks/epochs.py CORPUS SYSTEM … [TABLE.FIELD=VALUE …]

as in `benchmarks/epochs.py train.stagged cc cg ct training.batch=25`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

import torch

from ccgkit.experiments.systems import system
from ccgkit.taggers.config import Config, override
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import read_examples
from ccgkit.training.lessons import Gold
from ccgkit.training.optimiser import make_optimiser

_BATCHES, _WARM_UP = 12, 2  # of which the first do not count


def minutes(config: Config, path: Path) -> float:
    """Processor minutes of an epoch."""
    torch.manual_seed(1)
    examples = read_examples([path])
    gold = Gold(examples, config.threshold, config.training.batch, 1)
    tagger = Tagger.build(config, [example.words for example in examples], gold.counts).train()
    optimiser = make_optimiser(tagger, config.training)
    lessons = gold.epoch(1)
    started, words = 0.0, 0
    for number, lesson in enumerate(lessons[:_BATCHES]):
        if number == _WARM_UP:
            started, words = process_time(), 0
        optimiser.zero_grad()
        loss = lesson.loss(tagger)
        if loss is not None:
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        words += lesson.words
    return (process_time() - started) / words * sum(lesson.words for lesson in lessons) / 60


def main(corpus: Path, arguments: list[str]) -> None:
    """Print a line for each system."""
    torch.set_num_threads(1)
    changes = [one for one in arguments if "=" in one]
    for name in arguments:
        if name not in changes:
            print(
                f"{name:20}{minutes(override(system(name), changes), corpus):8.2f} minutes an epoch",
                flush=True,
            )


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2:])
