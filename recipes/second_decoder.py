"""Another decoder over the encoder of a model: the encoder is not changed, so it reads each sentence once."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from ccgkit.grammar import Category
from ccgkit.taggers.config import DecoderConfig, TrainingConfig
from ccgkit.taggers.interface import Encoded
from ccgkit.taggers.parts import DECODERS
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import Example, fingerprint
from ccgkit.training.distributed import World
from ccgkit.training.lessons import Lesson

__all__ = ["EncodedLesson", "EncodedLessons", "Gold", "with_new_decoder"]

_log = logging.getLogger("ccgkit.recipes")
Gold = list[Category | None]


@dataclass(frozen=True, slots=True)
class EncodedLesson(Lesson):
    """A lesson whose sentences the encoder, which does not change, has read already."""

    encoded: Encoded | None = None  #: at half precision

    def loss(self, tagger: Tagger, processes: World | None = None) -> Tensor | None:
        if self.encoded is None or not self.taught:
            return None
        read = Encoded(self.encoded.hidden.float(), self.encoded.mask)
        return tagger.decoder.loss(read, self.categories) / self.taught


class EncodedLessons:
    """Examples that the tagger's encoder reads once, in another order in each epoch."""

    def __init__(self, tagger: Tagger, examples: Sequence[Example], gold: Sequence[Gold]) -> None:
        self.identity = fingerprint(examples)
        self._lessons = list(_encoded(tagger, examples, gold))

    def epoch(self, number: int) -> list[Lesson]:
        lessons: list[Lesson] = list(self._lessons)
        random.Random(number).shuffle(lessons)
        return lessons


def _encoded(tagger: Tagger, examples: Sequence[Example], gold: Sequence[Gold]) -> Iterator[EncodedLesson]:
    words = [example.words for example in examples]
    with torch.inference_mode():
        for number, (places, encoded) in enumerate(tagger.encoded(words, tagger.config.training.batch), 1):
            read = Encoded(encoded.hidden.half(), encoded.mask)
            yield EncodedLesson([words[one] for one in places], [gold[one] for one in places], encoded=read)
            if number % 200 == 0:
                _log.info("%d batches encoded", number)


def with_new_decoder(
    model: Path, decoder: DecoderConfig, training: TrainingConfig, counts: Mapping[Category, int], scheme: str
) -> Tagger:
    """A new decoder over the encoder of a model; only the decoder learns."""
    torch.manual_seed(training.seed)
    width = Tagger.load(model).encoder.width
    made = DECODERS[decoder.kind].build(width, decoder, counts)
    tagger = Tagger.over(model, made, decoder, scheme)
    tagger.config = replace(tagger.config, training=training)
    tagger.requires_grad_(False)
    tagger.decoder.requires_grad_(True)
    return tagger
