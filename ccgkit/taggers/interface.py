"""The seam between encoders and decoders: what is handed over, and what a decoder answers.

A new decoder is a subclass of `Decoder` and one line in `DECODERS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Self, cast

from torch import Tensor, nn

from ccgkit.grammar import Category, CCGKitError
from ccgkit.sentence import Supertag

from .config import DecoderConfig

__all__ = ["DECODERS", "Decoder", "Encoded", "ModelError", "decoder_class"]

#: name in a configuration → module and class, imported when it is asked for
DECODERS: dict[str, tuple[str, str]] = {
    "cc": ("ccgkit.taggers.classifier", "Classifier"),
    "cg": ("ccgkit.taggers.generator", "Generator"),
    "ct": ("ccgkit.taggers.transition_generator", "TransitionGenerator"),
}


class ModelError(CCGKitError):
    """A model that cannot be built, saved or loaded, and why."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A batch as an encoder hands it to a decoder."""

    hidden: Tensor  #: (sentences, positions, width), zero at padding
    mask: Tensor  #: bool (sentences, positions), true at words


class Decoder(nn.Module, ABC):
    """Turns encoded words into categories.

    What a word gets depends on its own sentence only, never on what else is in the batch.
    """

    kind: ClassVar[str]

    @classmethod
    @abstractmethod
    def build(cls, width: int, config: DecoderConfig, counts: Mapping[Category, int]) -> Self:
        """A new decoder over vectors of `width`; `counts` are the kept categories of the training data."""

    @classmethod
    @abstractmethod
    def from_json(cls, width: int, config: DecoderConfig, vocabulary: Mapping[str, Any]) -> Self:
        """The decoder (weights not yet loaded) whose `to_json` gave `vocabulary`."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The categories, tag sets and the like that the weights are about, as JSON values."""

    @abstractmethod
    def loss(self, encoded: Encoded, gold: Sequence[Sequence[Category | None]]) -> Tensor:
        """Minus the log-likelihood, SUMMED over the words that have a category.

        None (an UNK category) carries no loss, nor does a category the decoder cannot express.
        """

    @abstractmethod
    def kbest(self, encoded: Encoded, k: int) -> list[list[tuple[Supertag, ...]]]:
        """For each sentence, for each word: up to `k` distinct categories, best first (at least one)."""

    @abstractmethod
    def scores(
        self, encoded: Encoded, candidates: Sequence[Sequence[Sequence[Category]]]
    ) -> list[list[list[float]]]:
        """log p of each candidate of each word of each sentence.

        A category that cannot be expressed gets the lowest log p among its word's candidates, and one
        less; minus infinity never appears.
        """

    def new_epoch(self, seed: int) -> None:
        """Called before each epoch; non-deterministic oracles sample anew from `seed`."""
        return None


def decoder_class(kind: str) -> type[Decoder]:
    """The decoder that a configuration calls `kind`."""
    if kind not in DECODERS:
        raise ModelError(f"no decoder is called {kind!r}; there are {', '.join(DECODERS)}")
    module, name = DECODERS[kind]
    return cast(type[Decoder], getattr(import_module(module), name))
