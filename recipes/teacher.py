"""A large teacher for running text: MPNet, its upper layers fine-tuned on PMB's gold and the treebank.

    python -m recipes.teacher --data DIR --treebank DIR --transformer DIR --output DIR [--threads N]

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
from ccgkit.taggers.head_words import HeadWords
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import Example, count_categories, fingerprint
from ccgkit.training.lessons import Lesson
from ccgkit.training.report import Step
from ccgkit.training.trainer import learn

from .augmentation import split_names
from .corpora import Corpora, batches, category_lesson, hand_checked, read_derived, with_head_words
from .questions import Questions
from .treebank import TRAINING

__all__ = ["command", "teach"]

_log = logging.getLogger("ccgkit.recipes")

_EPOCHS = 1
_GOLD = 3  # how often each gold sentence is among the lessons: they are short, and few beside the treebank's
_HEAD_WORDS = 256
_TOLD = 50  # steps between two lines of the log
_FROZEN = 6  # of the twelve layers


def _config(transformer: Path) -> Config:
    return Config(
        TransformerConfig(
            bert=str(transformer), bert_tuned=True, bert_frozen=_FROZEN, bert_width=0, bert_pooling="mean",
            word_width=0, char_filters=0, lstm_layers=0, dropout=0.1,
        ),
        DecoderConfig(kind="cc", threshold=2, dropout=0.2),
        TrainingConfig(
            learning_rate=1e-3, bert_learning_rate=1e-4, beta2=0.999, weight_decay=0.01, schedule="linear",
            warmup=0.1, clip=1.0, average=0.998, batch=32, epochs=_EPOCHS, checkpoint_minutes=15,
        ),
    )  # fmt: skip


class Lessons:
    """The same sentences in every epoch, for what is below the tuned layers is computed only once."""

    def __init__(self, sentences: Sequence[Example], batch: int) -> None:
        self.identity = fingerprint(sentences)
        self._sentences, self._batch = sentences, batch

    def epoch(self, number: int) -> list[Lesson]:
        chance = random.Random(number)
        lessons = [category_lesson(batch) for batch in batches(self._sentences, self._batch, chance)]
        chance.shuffle(lessons)
        return lessons


def sentences_for(corpora: Corpora, treebank: Path) -> list[Example]:
    """Gold with names joined and apart, questions made of it, and the treebank."""
    gold = with_head_words(corpora.gold)
    apart = [made for one in corpora.gold if (made := split_names(one)).words != one.words]
    questions = Questions(corpora.gold).lesson(random.Random(0))
    derived = read_derived([treebank / f"{name}.auto" for name in TRAINING])
    return [*gold * _GOLD, *apart, *questions, *derived]


def teach(
    transformer: Path, treebank: Path, corpora: Corpora, dev: Sequence[Example], output: Path
) -> Tagger:
    """The teacher, trained if it is not there yet."""
    sentences = sentences_for(corpora, treebank)
    config = _config(transformer)
    torch.manual_seed(config.training.seed)
    tagger = Tagger.build(config, [], count_categories(sentences), scheme="rebank")
    tagger.head_words = HeadWords(tagger.encoder.width, _HEAD_WORDS)
    return learn(tagger, Lessons(sentences, config.training.batch), dev, output, resume=True, watch=_told)


def _told(step: Step) -> None:
    if step.step % _TOLD == 0:
        _log.info("%s", step)


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--treebank", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--transformer", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
def command(data: Path, treebank: Path, transformer: Path, output: Path, threads: int) -> None:
    """Fine-tune the transformer in --transformer to a tagger of running text in --output."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    use_threads(threads)
    corpora = Corpora.read(data)
    teach(transformer, treebank, corpora, [*corpora.dev, *hand_checked(data, "dev")], output)


if __name__ == "__main__":
    command()
