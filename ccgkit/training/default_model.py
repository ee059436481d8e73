"""The default English model, from the corpora to the files in the package.

    python -m ccgkit.training.default_model --data DIR --work DIR --output DIR

Teachers learn the gold categories: fine-tuned taggers of two kinds, and one with made questions, and with POS
tags and UD-CCG categories as auxiliary tasks. Together they label unannotated text; the student, a narrower
copy of the first teacher, learns from their labels and from gold. What is finished in the work directory is
not done again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import click
import torch
from safetensors.torch import load_file

from ccgkit.models.compact import CompactTagger
from ccgkit.models.transformer import Shape
from ccgkit.sentence import Supertag
from ccgkit.taggers.config import load_config
from ccgkit.text.sentences import split_text

from .distillation import LEAST, Labelled, Teacher, label, read_labels
from .learner import Corpora, Learner, Stage, learn
from .model_card import INFO, measure, write_card
from .trainer import train

__all__ = ["command"]

_TUNED = ("cc-bert-tuned", "cg-bert-tuned")  # configurations of the other teachers
_TEACHER = Stage("asked", epochs=6, auxiliary=0.6, questions=5, mask=0.05, pieces=True)
_STUDENT = Stage("student", epochs=3, auxiliary=0.5, labelled=1, questions=5, mask=0.03)
_AGAIN = Stage(
    "again", epochs=3, auxiliary=0.2, labelled=0.4, questions=8, mask=0.03,
    rates=replace(_STUDENT.rates, learning_rate=1e-3, bert_learning_rate=1.5e-4),
)  # fmt: skip
_INNER = 768  # units inside each layer of the student, of the teacher's 1536
_DRAWN = 88_000  # sentences of the text, all questions among them …
_LABELLED = 60_000  # … and of these so many are labelled by the teachers
_LONGEST = 40  # words of a sentence to be labelled
_CALIBRATION = 500  # sentences of each kind that show how large activations become


@dataclass(frozen=True, slots=True)
class _Compact:
    """A compact tagger as a teacher."""

    tagger: CompactTagger

    def tag(self, sentences: Sequence[Sequence[str]], k: int) -> list[list[tuple[Supertag, ...]]]:
        return [reading.tags for reading in self.tagger.read(sentences, k, beta=LEAST)]


def first_teacher(corpora: Corpora, work: Path) -> Learner:
    """The teacher with auxiliary tasks and made questions, trained if it is not there yet."""
    learner, path = Learner.build(corpora, Shape(layers=6)), work / f"{_TEACHER.name}.safetensors"
    if not path.exists():
        learn(learner, _TEACHER, corpora, [], path)
    learner.load_state_dict(load_file(path))
    return learner


def tuned_teachers(corpora: Corpora, work: Path, configs: Path) -> Iterator[Teacher]:
    """The teachers that `ccgkit train` trains."""
    for name in _TUNED:
        click.echo(f"teacher {name}", err=True)
        config = load_config(configs / f"{name}.toml")
        yield train(config, corpora.gold, corpora.dev, work / name, resume=True)


def sentences_to_label(text: Sequence[str]) -> list[list[str]]:
    """Sentences of the text in which questions, which gold has few of, are every fifth."""
    chance = random.Random(_DRAWN)
    questions = [line for line in text if line.endswith("?")]
    others = [line for line in text if not line.endswith("?")]
    lines = [*questions, *chance.sample(others, min(len(others), max(0, _DRAWN - len(questions))))]
    chance.shuffle(lines)
    return [words for line in lines if _is_teachable(words := tokenize(line))][:_LABELLED]


def _is_teachable(words: Sequence[str]) -> bool:
    """Short enough, and without a name of several words: most teachers have only seen these joined."""
    names = any(one.istitle() and other.istitle() for one, other in pairwise(words[1:]))
    return 0 < len(words) <= _LONGEST and not names


def tokenize(line: str) -> list[str]:
    """The words of a line, quotation marks as PMB has them."""
    return [
        '"' if token.word in ("``", "''") else token.word
        for sentence in split_text(line)
        for token in sentence.tokens
    ]


def labels(first: Learner, corpora: Corpora, work: Path, configs: Path) -> list[Labelled]:
    """The text as the teachers see it."""
    path, done = work / "labels.jsonl", work / "labels.done"
    if not done.exists():
        wanted = sentences_to_label(corpora.text)
        asked = [_Compact(first.tagger), *tuned_teachers(corpora, work, configs)]
        label(asked, wanted, path, lambda n: click.echo(f"labelled {n}/{len(wanted)}", err=True))
        done.touch()
    return read_labels(path)


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--work", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option(
    "--configs", type=click.Path(file_okay=False, path_type=Path), default=Path("configs"), show_default=True
)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
def command(data: Path, output: Path, work: Path, configs: Path, threads: int) -> None:
    """Make the default English model from the corpora in --data; intermediate results go to --work."""
    torch.set_num_threads(threads)
    work.mkdir(parents=True, exist_ok=True)
    corpora = Corpora.read(data)
    first = first_teacher(corpora, work)
    student = first.narrowed(corpora, _INNER)
    for stage in (_STUDENT, _AGAIN):
        path = work / f"{stage.name}.safetensors"
        if not path.exists():
            lessons = labels(first, corpora, work, configs)
            if stage is _AGAIN:  # what a question is, gold and made ones say better
                lessons = [sentence for sentence in lessons if sentence.words[-1] != "?"]
            learn(student, stage, corpora, lessons, path)
        student.load_state_dict(load_file(path))
    typical = [example.words for example in corpora.gold[:_CALIBRATION]]
    typical += [sentence.words for sentence in corpora.auxiliary[:_CALIBRATION]]
    student.tagger.compress(typical)
    figures = measure(student.tagger, data)  # of the model as it is shipped
    student.tagger.save(output, write_card(figures), {**INFO, "figures": figures})
    for name, figure in figures.items():
        click.echo(f"{name:40}{figure:6.2f}")


if __name__ == "__main__":
    command()
