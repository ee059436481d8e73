"""The English student learns to read running text, from derivations that it helps to make.

    python -m recipes.reading --data DIR --work DIR --student en-pmb|DIR --output DIR [--transformer DIR]
        [--vectors FILE] [--prose FILE] [--reads] [--precision bfloat16]

The treebank of running text (`recipes.treebank`) wants a tagger, and the tagger wants the treebank: a short
first round with the student, which learns from what comes out; and a second round with that, of everything.
With a transformer (MPNet's directory), a large teacher learns from the second treebank first
(`recipes.teacher`). Then the student learns from it, and what the teacher thinks of each word beside what the
treebank says, also of sentences that no treebank has: prose of other kinds, and, with word vectors, those of
the treebank with neighbours of some of their words. Of Tatoeba's short sentences, on which the teacher is no
better, teacher and student are asked together. The encoder learns that by a classifier over all of the
teacher's categories, which is thrown away in the end, the decoder by categories that are drawn; and what word
each word depends on is learnt from the treebank's derivations, which helps the parser. A student that reads
already (--reads) begins with the second round. What is finished in the work directory is not done again.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import log
from pathlib import Path

import click
import torch

from ccgkit.corpora import load
from ccgkit.models.registry import find
from ccgkit.sentence import Supertag
from ccgkit.taggers import use_threads
from ccgkit.taggers.decoders.generator import Generator
from ccgkit.taggers.encoders.compact import CompactEncoder, decompressed, train_rounded
from ccgkit.taggers.head_words import HeadWords
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import Example, fingerprint
from ccgkit.training.lessons import Lesson
from ccgkit.training.trainer import learn

from . import treebank
from .augmentation import augmented, varied
from .corpora import (
    Corpora,
    TaggedWords,
    auxiliary_lesson,
    batches,
    category_lesson,
    hand_checked,
    part,
    read_derived,
    with_head_words,
)
from .distillation import Labelled, agreed, label, read_labels, sentences_to_label, tokenized
from .precision import Precision, in_precision, precision_option, use_precision
from .questions import Questions
from .rewording import reworded
from .shipping import ship, typical_sentences
from .teacher import teach, tell

__all__ = ["Machine", "command", "prose_option", "read_running_text", "vectors_option"]

_log = logging.getLogger("ccgkit.recipes")

_NEW, _LIKE = ":", ";"  # a category that PMB does not have, and the one that its tag begins as
_BATCH = 32
_DOUBT = 0.7  # more than the treebank's own limit: much of what the tagger doubts, it has to learn
_TEXT = 20_000  # sentences of Tatoeba that the large teacher labels, too
_SHORTEST, _LONGEST = 4, 50  # words of a sentence of prose
_OPINIONS = "opinions"  # the head for what the teacher thinks
_BEFORE = "before-reading"


@dataclass(frozen=True, slots=True)
class Round:
    """A treebank to be made, and how to learn from it."""

    name: str
    most: int | None  #: sentences of a source; None is all
    epochs: int
    auxiliary: float  #: part of the sentences of the auxiliary tasks in each epoch
    questions: int = 2  #: passes over questions made from gold sentences
    gold: int = 1  #: passes over gold sentences
    taught: bool = False  #: whether the large teacher has a say, if there is one
    head_words: int = 0  #: the size of the scorer; 0 is without
    rounded: bool = False  #: whether it is learnt under the rounding of int8
    learning_rate: float = 5e-4
    bert_learning_rate: float = 1.2e-4


_ROUNDS = (
    Round("read", most=2000, epochs=2, auxiliary=0.1),
    Round(
        "read-well", most=None, epochs=2, auxiliary=0.1, questions=4, gold=3, taught=True, head_words=128,
        rounded=True, learning_rate=1e-3, bert_learning_rate=2e-4,
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Opinions:
    """What a teacher thinks of the treebank's sentences, in their order, and of others that it labelled."""

    treebank: Sequence[Labelled]
    others: Sequence[Labelled]

    @property
    def labels(self) -> list[str]:
        """All categories that the teacher has named."""
        known = {
            category for one in (*self.treebank, *self.others) for word in one.choices for category, _ in word
        }
        return sorted(map(str, known))


@dataclass(frozen=True, slots=True)
class Taught:
    """A sentence with categories that were drawn, and the shares that its teacher gives to each."""

    example: Example
    shares: tuple[Mapping[str, float], ...]

    @property
    def words(self) -> Sequence[str]:
        return self.example.words

    @classmethod
    def drawn(cls, view: Example, opinion: Labelled) -> Taught:
        """`view` is the sentence as it is learnt, possibly without its last mark."""
        shares = tuple({str(category): share for category, share in word} for word in opinion.choices)
        aligned = len(view.words) in (len(shares), len(shares) - 1)
        return cls(view, shares[: len(view.words)] if aligned else ({},) * len(view.words))


@dataclass(frozen=True, slots=True)
class Machine:
    """What the work is done with: the large teacher's transformer, if any, and how to compute."""

    transformer: Path | None = None
    vectors: Path | None = None  #: of words, by which sentences are reworded for the teacher to label
    prose: Path | None = None  #: text for the teacher to label, a sentence or a paragraph a line
    jobs: int = 1
    precision: Precision = "float32"

    def make_treebank(self, data: Path, made: Path, tagger: Path, most: int | None = None) -> None:
        """The treebank of running text as the tagger in a folder sees it."""
        names = treebank.TRAINING
        treebank.convert(data, made, str(tagger), self.jobs, names, most, _DOUBT, self.precision)


class Lessons:
    """The lessons of a round: PMB's gold, made questions, the treebank, auxiliary tasks, shuffled.

    Where a teacher has opinions of the treebank's sentences, categories are drawn from what both think; of
    others the teacher alone is believed.
    """

    def __init__(
        self,
        plan: Round,
        corpora: Corpora,
        text: Sequence[Example],
        heads: Sequence[str],
        opinions: Opinions | None = None,
    ) -> None:
        self._plan, self._corpora, self._text, self._heads = plan, corpora, text, frozenset(heads)
        self._gold = with_head_words(corpora.gold) if plan.head_words else corpora.gold
        self._questions = Questions(corpora.gold)
        self.opinions = opinions
        known = (len(opinions.treebank), len(opinions.others)) if opinions else ()
        self.identity = fingerprint(repr(plan), corpora.gold, text, f"{known}")

    def epoch(self, number: int) -> list[Lesson]:
        chance = random.Random(f"{self._plan.name} {number}")
        views = [augmented(self._gold, chance) for _ in range(self._plan.gold)]
        views += [augmented(self._questions.lesson(chance), chance) for _ in range(self._plan.questions)]
        if self.opinions is None:
            views.append([varied(example, chance) for example in self._text])
        lessons = [category_lesson(batch) for view in views for batch in batches(view, _BATCH, chance)]
        if self.opinions is not None:
            taught = list(self._taught(self.opinions, chance))
            lessons += [_taught_lesson(batch) for batch in batches(taught, _BATCH, chance)]
        tagged = part(self._corpora.auxiliary, self._plan.auxiliary, chance)
        lessons += [self._auxiliary(batch) for batch in batches(tagged, _BATCH // 2, chance)]
        chance.shuffle(lessons)
        return lessons

    def _taught(self, opinions: Opinions, chance: random.Random) -> Iterator[Taught]:
        for text, opinion in zip(self._text, opinions.treebank, strict=True):
            drawn = replace(weighed(text, opinion).sample(chance), head_words=text.head_words)
            yield Taught.drawn(varied(drawn, chance), opinion)
        for opinion in opinions.others:
            yield Taught.drawn(varied(opinion.sample(chance), chance), opinion)

    def _auxiliary(self, batch: Sequence[TaggedWords]) -> Lesson:
        lesson = auxiliary_lesson(batch)
        return replace(lesson, labels={n: kinds for n, kinds in lesson.labels.items() if n in self._heads})


def _taught_lesson(batch: Sequence[Taught]) -> Lesson:
    lesson = category_lesson([one.example for one in batch])
    return replace(lesson, labels={_OPINIONS: [one.shares for one in batch]})


def weighed(text: Example, opinion: Labelled) -> Labelled:
    """What the treebank and the teacher think of a sentence, each as much as the other."""
    choices = tuple(
        agreed([[Supertag(gold)], [Supertag(category, log(share)) for category, share in word]])
        for gold, word in zip(text.categories, opinion.choices, strict=True)
    )
    return Labelled(text.words, choices)


def opinions_of(
    teachers: Sequence[Path], sentences: Sequence[Sequence[str]], path: Path, precision: Precision
) -> list[Labelled]:
    """What teachers together think of sentences; written to `path`, where it goes on if it was stopped."""
    with in_precision(precision):
        asked = [Tagger.load(teacher) for teacher in teachers]
        label(asked, sentences, path, lambda n: _log.info("labelled %d/%d", n, len(sentences)))
    return read_labels(path)


def lessons_of(
    plan: Round,
    corpora: Corpora,
    made: Path,
    heads: Sequence[str],
    teacher: Path | None,
    machine: Machine,
) -> Lessons:
    """The lessons of a round from the treebank in `made`, with what a teacher thinks of it."""
    text = read_derived([made / f"{name}.auto" for name in treebank.TRAINING])
    if teacher is None:
        return Lessons(plan, corpora, text, heads)
    doubted = read_derived([made / f"{name}.part.auto" for name in treebank.TRAINING])
    student = teacher.parent / _BEFORE
    wanted: dict[str, tuple[list[Path], Sequence[Sequence[str]]]] = {
        "opinions": ([teacher], [example.words for example in text]),
        "opinions-in-part": ([teacher], [example.words for example in doubted]),
        "opinions-of-text": ([teacher, student], sentences_to_label(corpora.text)[:_TEXT]),
    }
    if machine.vectors is not None:
        derived = [sentence.tokens for name in treebank.TRAINING for sentence in load(made / f"{name}.auto")]
        wanted["opinions-of-reworded"] = ([teacher], reworded(derived, machine.vectors))
    if machine.prose is not None:
        wanted["opinions-of-prose"] = ([teacher], sentences_of(machine.prose))
    found = [
        opinions_of(teachers, words, teacher.parent / f"{name}.jsonl", machine.precision)
        for name, (teachers, words) in wanted.items()
    ]
    return Lessons(plan, corpora, text, heads, Opinions(found[0], list(chain.from_iterable(found[1:]))))


def sentences_of(prose: Path) -> list[list[str]]:
    """The sentences of a text that are neither very short nor very long."""
    lines = prose.read_text(encoding="utf-8").splitlines()
    return [words for line in lines for words in tokenized(line) if _SHORTEST <= len(words) <= _LONGEST]


def read_running_text(
    student: Tagger, corpora: Corpora, data: Path, work: Path, machine: Machine, reads: bool = False
) -> Tagger:
    """The student after all rounds; one that reads already makes the treebank and has only the last."""
    dev = [*corpora.dev, *hand_checked(data, "dev")]
    tagger = with_colon(student)
    folder = work / _BEFORE
    tagger.save(folder)
    for plan in _ROUNDS:
        if reads and plan is not _ROUNDS[-1]:
            continue
        made = work / f"treebank-{plan.name}"
        machine.make_treebank(data, made, folder, plan.most)
        teacher = None
        if plan.taught and machine.transformer is not None:
            teacher = work / "teacher"
            teach(machine.transformer, made, corpora, dev, teacher, machine.precision)
        lessons = lessons_of(plan, corpora, made, list(tagger.heads), teacher, machine)
        folder = work / plan.name
        prepared = _for_round(tagger, plan, typical_sentences(corpora), lessons.opinions)
        tagger = learn(prepared, lessons, dev, folder, resume=True, watch=tell)
    return tagger


def _for_round(
    tagger: Tagger, plan: Round, typical: Sequence[Sequence[str]], opinions: Opinions | None = None
) -> Tagger:
    """The tagger, to be trained as the round says."""
    torch.manual_seed(1)
    if plan.head_words and tagger.head_words is None:
        tagger.head_words = HeadWords(tagger.encoder.width, plan.head_words)
    if opinions is not None:
        tagger.add_head(_OPINIONS, opinions.labels)
    if plan.rounded:
        train_rounded(tagger, typical)
    training = replace(
        tagger.config.training, epochs=plan.epochs, learning_rate=plan.learning_rate,
        bert_learning_rate=plan.bert_learning_rate, beta2=0.999, weight_decay=0.01, schedule="linear",
        warmup=0.05, clip=1.0, average=0.998, batch=_BATCH, patience=plan.epochs,
    )  # fmt: skip
    tagger.config = replace(tagger.config, training=training)
    return tagger


def with_colon(tagger: Tagger) -> Tagger:
    """The tagger in floating point, with a tag for the colon, which running text has."""
    encoder, decoder = tagger.encoder, tagger.decoder
    if not isinstance(encoder, CompactEncoder) or not isinstance(decoder, Generator):
        raise TypeError("the model is a generator over a compact encoder")
    plain = decompressed(encoder) if encoder.config.int8 else encoder
    wider = widened(decoder, encoder.width) if _NEW not in decoder.tag_set.index else decoder
    config = replace(tagger.config, encoder=plain.config)
    made = Tagger(config, plain, wider, tagger.scheme, {n: head.labels for n, head in tagger.heads.items()})
    for name, head in tagger.heads.items():
        made.heads[name].load_state_dict(head.state_dict())
    made.head_words = tagger.head_words
    return made


def widened(decoder: Generator, width: int) -> Generator:
    """The decoder with one tag more, last of all."""
    tags = [*decoder.to_json()["tags"], _NEW]
    made = Generator.from_json(width, decoder.config, {"tags": tags})
    state = decoder.state_dict()
    like = decoder.tag_set.index[_LIKE]
    for name in ("tags.weight", "output.weight"):
        state[name] = torch.cat([state[name], state[name][like : like + 1]])
    made.load_state_dict(state)
    return made


vectors_option = click.option(
    "--vectors",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="word vectors (docs/training.md): the teacher labels sentences with neighbours of their words, too",
)


prose_option = click.option(
    "--prose",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="text of any kind, a sentence or a paragraph a line: the teacher labels it, too",
)


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--work", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--student", required=True, help="the tagger to begin with: a model of the package or a folder")
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option(
    "--transformer",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="MPNet's directory, for a large teacher",
)
@vectors_option
@prose_option
@click.option("--reads", is_flag=True, help="the student reads already: only the last round is learnt")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="for the treebank")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="for learning")
@precision_option
def command(
    data: Path,
    work: Path,
    student: str,
    output: Path,
    transformer: Path | None,
    vectors: Path | None,
    prose: Path | None,
    reads: bool,
    jobs: int,
    threads: int,
    precision: Precision,
) -> None:
    """Teach a student to read running text, and ship it; what is made on the way goes to --work."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    use_threads(threads)
    use_precision(precision)
    work.mkdir(parents=True, exist_ok=True)
    tagger = Tagger.load(find(student).path)
    corpora = Corpora.read(data)
    machine = Machine(transformer, vectors, prose, jobs, precision)
    ship(read_running_text(tagger, corpora, data, work, machine, reads), corpora, data, output)


if __name__ == "__main__":
    command()
