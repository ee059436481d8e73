"""A large teacher for running text: MPNet, fine-tuned on PMB's gold and the treebank.

    python -m recipes.teacher --data DIR --treebank DIR --transformer DIR --output DIR [--threads N]
        [--precision bfloat16]

A processor that computes in bfloat16 (AVX512-BF16, AMX) trains it in less than half the time with that.

The treebank is what `recipes.treebank` made. The transformer is too large to be shipped: whoever has room for
it tags better with it, and the student learns from what it thinks (`recipes.reading --teacher`). Stopped, it
goes on where it was.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from pathlib import Path

import click
import torch

from ccgkit.taggers import use_threads
from ccgkit.taggers.config import Config, DecoderConfig, TrainingConfig, TransformerConfig
from ccgkit.taggers.encoders.transformer import TransformerEncoder
from ccgkit.taggers.head_words import HeadWords
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import Example, count_categories, fingerprint
from ccgkit.training.lessons import Lesson
from ccgkit.training.report import Step
from ccgkit.training.trainer import learn

from .augmentation import augmented, split_names, varied
from .corpora import Corpora, batches, category_lesson, hand_checked, read_derived, with_head_words
from .precision import Precision, precision_option, use_precision
from .questions import Questions
from .treebank import TRAINING

__all__ = ["command", "teach", "tell"]

_log = logging.getLogger("ccgkit.recipes")

_EPOCHS = 2
_GOLD = 3  # how often each gold sentence is among the lessons: they are short, and few beside the treebank's
_HEAD_WORDS = 256
_TOLD = 50  # steps between two lines of the log


def _config(transformer: Path, precision: Precision) -> Config:
    return Config(
        TransformerConfig(
            bert=str(transformer), bert_tuned=True, bert_width=0, bert_pooling="mean",
            word_width=0, char_filters=32, lstm_layers=0, dropout=0.1,
        ),
        DecoderConfig(kind="cc", threshold=2, dropout=0.2),
        TrainingConfig(
            learning_rate=1e-3, bert_learning_rate=8e-5, beta2=0.999, weight_decay=0.01, schedule="linear",
            warmup=0.1, clip=1.0, average=0.998, batch=64, epochs=_EPOCHS, checkpoint_minutes=10,
            precision=precision,
        ),
    )  # fmt: skip


class Lessons:
    """PMB's gold, questions made of it and the treebank, changed a little in each epoch."""

    def __init__(self, corpora: Corpora, derived: Sequence[Example], batch: int) -> None:
        self._gold, self._derived, self._batch = with_head_words(corpora.gold), derived, batch
        self._questions = Questions(corpora.gold)
        self.identity = fingerprint(self._gold, derived, f"{_GOLD}")

    def epoch(self, number: int) -> list[Lesson]:
        chance = random.Random(f"teacher {number}")
        views = [augmented(self._gold, chance) for _ in range(_GOLD)]
        views.append(augmented(self._questions.lesson(chance), chance))
        views.append([varied(example, chance) for example in self._derived])
        lessons = [category_lesson(batch) for view in views for batch in batches(view, self._batch, chance)]
        chance.shuffle(lessons)
        return lessons


def teach(
    transformer: Path,
    treebank: Path,
    corpora: Corpora,
    dev: Sequence[Example],
    output: Path,
    precision: Precision = "float32",
) -> Tagger:
    """The teacher, trained if it is not there yet."""
    derived = read_derived([treebank / f"{name}.auto" for name in TRAINING])
    config = _config(transformer, precision)
    torch.manual_seed(config.training.seed)
    sentences = [*corpora.gold, *map(split_names, corpora.gold), *derived]
    words = [sentence.words for sentence in sentences]
    tagger = Tagger.build(config, words, count_categories(sentences), scheme="rebank")
    tagger.head_words = HeadWords(tagger.encoder.width, _HEAD_WORDS)
    if isinstance(tagger.encoder, TransformerEncoder):  # rare pieces would learn from a few sentences
        tagger.encoder.bert.model.embeddings.requires_grad_(False)
    lessons = Lessons(corpora, derived, config.training.batch)
    return learn(tagger, lessons, dev, output, resume=True, watch=tell)


def tell(step: Step) -> None:
    """A line of the log now and then."""
    if step.step % _TOLD == 0:
        _log.info("%s", step)


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--treebank", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--transformer", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
@precision_option
def command(
    data: Path, treebank: Path, transformer: Path, output: Path, threads: int, precision: Precision
) -> None:
    """Fine-tune the transformer in --transformer to a tagger of running text in --output."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    use_threads(threads)
    use_precision(precision)
    corpora = Corpora.read(data)
    teach(transformer, treebank, corpora, [*corpora.dev, *hand_checked(data, "dev")], output, precision)


if __name__ == "__main__":
    command()
