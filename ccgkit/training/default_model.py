"""The default English model, from the corpora to the files in the package.

    python -m ccgkit.training.default_model --data DIR --work DIR --output DIR

Teachers learn the gold categories: fine-tuned taggers of several kinds, and one with POS tags and UD-CCG
categories as auxiliary tasks. Together they label unannotated text; the student goes on from the first
teacher with their labels and with gold. What is finished in the work directory is not done again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import click
import torch
from safetensors.torch import load_file
from torch import Tensor

from ccgkit.models.compact import CompactTagger
from ccgkit.models.transformer import Shape
from ccgkit.sentence import Supertag
from ccgkit.taggers.config import load_config, override
from ccgkit.text.sentences import split_text

from .data import Example
from .distillation import LEAST, Labelled, Teacher, label, read_labels
from .learner import Corpora, Learner, Stage, learn
from .model_card import INFO, accuracy, measure, write_card
from .trainer import train

__all__ = ["command"]

_TUNED = ("cc-bert-tuned", "cc-bert-lstm")  # configurations of the other teachers
_FIRST = Stage("teacher", epochs=6, auxiliary=0.6, pieces=True)
_STUDENT = Stage("student", epochs=3, auxiliary=0.2, labelled=1, mask=0.05)
_DRAWN = 80_000  # sentences of the text, all questions among them …
_LABELLED = 34_000  # … and of these so many are labelled by the teachers
_SHARES = (0.0, 0.1, 0.2)  # of the first teacher's weights in the model that is kept
_LONGEST = 40  # words of a sentence to be labelled
_CALIBRATION = 500  # sentences of each kind that show how large activations become


@dataclass(frozen=True, slots=True)
class _Compact:
    """A compact tagger as a teacher."""

    tagger: CompactTagger

    def tag(self, sentences: Sequence[Sequence[str]], k: int) -> list[list[tuple[Supertag, ...]]]:
        return [reading.tags for reading in self.tagger.read(sentences, k, beta=LEAST)]


def teachers(
    first: Learner, corpora: Corpora, work: Path, configs: Path, vectors: Path | None
) -> list[Teacher]:
    """The first teacher and the fine-tuned ones; those that are not there yet are trained."""
    found: list[Teacher] = [_Compact(first.tagger)]
    for name in _TUNED:
        click.echo(f"teacher {name}", err=True)
        config = load_config(configs / f"{name}.toml")
        if config.encoder.word_width and vectors is not None:
            config = override(config, [f"encoder.pretrained={vectors}"])
        found.append(train(config, corpora.gold, corpora.dev, work / name, resume=True))
    return found


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


def labels(asked: Callable[[], list[Teacher]], text: Sequence[str], work: Path) -> list[Labelled]:
    """The text as the teachers see it."""
    path, done = work / "labels.jsonl", work / "labels.done"
    if not done.exists():
        wanted = sentences_to_label(text)
        label(asked(), wanted, path, lambda n: click.echo(f"labelled {n}/{len(wanted)}", err=True))
        done.touch()
    return read_labels(path)


def average(learner: Learner, teacher: Path, student: Path, dev: list[Example]) -> None:
    """Give the learner the student's weights with that share of the teacher's that dev likes best."""
    old, new = load_file(teacher), load_file(student)
    mixtures: dict[float, float] = {}
    for share in _SHARES:
        learner.load_state_dict(_mixed(old, new, share))
        mixtures[share] = accuracy(learner.tagger, dev)
        click.echo(f"{share:.2f} of the teacher  dev {mixtures[share]:.2f}", err=True)
    learner.load_state_dict(_mixed(old, new, max(_SHARES, key=lambda share: mixtures[share])))


def _mixed(old: Mapping[str, Tensor], new: Mapping[str, Tensor], share: float) -> dict[str, Tensor]:
    return {name: torch.lerp(tensor, old[name], share) for name, tensor in new.items()}


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--work", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option(
    "--configs", type=click.Path(file_okay=False, path_type=Path), default=Path("configs"), show_default=True
)
@click.option("--vectors", type=click.Path(dir_okay=False, path_type=Path), help="Word vectors of a teacher.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
def command(data: Path, output: Path, work: Path, configs: Path, vectors: Path | None, threads: int) -> None:
    """Make the default English model from the corpora in --data; intermediate results go to --work."""
    torch.set_num_threads(threads)
    work.mkdir(parents=True, exist_ok=True)
    corpora = Corpora.read(data)
    learner = Learner.build(corpora, Shape(layers=6))
    first, student = (work / f"{stage.name}.safetensors" for stage in (_FIRST, _STUDENT))
    if not first.exists():
        learn(learner, _FIRST, corpora, [], first)
    learner.load_state_dict(load_file(first))
    if not student.exists():  # it goes on from the first teacher
        asked = partial(teachers, learner, corpora, work, configs, vectors)
        learn(learner, _STUDENT, corpora, labels(asked, corpora.text, work), student)
    average(learner, first, student, corpora.dev)
    typical = [example.words for example in corpora.gold[:_CALIBRATION]]
    typical += [sentence.words for sentence in corpora.auxiliary[:_CALIBRATION]]
    learner.tagger.compress(typical)
    figures = measure(learner.tagger, data)  # of the model as it is shipped
    learner.tagger.save(output, write_card(figures), {**INFO, "figures": figures})
    for name, figure in figures.items():
        click.echo(f"{name:40}{figure:6.2f}")


if __name__ == "__main__":
    command()
