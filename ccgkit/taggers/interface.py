"""The seam between encoders and decoders: what is handed over, and what either must be able to do.

A new encoder or decoder is a subclass of `Encoder` or `Decoder` under a name of its own: an entry point of
the group `ccgkit.encoders` or `ccgkit.decoders`, or `ENCODERS.register`, `DECODERS.register`. What `kbest`
calls must be safe in several threads at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from torch import Tensor, nn

from ccgkit.grammar import Atom, Category
from ccgkit.sentence import Supertag

__all__ = ["Decoder", "Encoded", "Encoder"]


@dataclass(frozen=True, slots=True)
class Encoded:
    """A batch as an encoder hands it to a decoder."""

    hidden: Tensor  #: (sentences, positions, width), zero at padding
    mask: Tensor  #: bool (sentences, positions), true at words


class Encoder(nn.Module, ABC):
    """Turns words into vectors.

    What a word gets depends on its own sentence only, never on what else is in the batch.
    """

    config_type: ClassVar[type[Any]]  #: the dataclass of the fields of its table, `kind` among them
    width: int  #: of the vectors

    @classmethod
    @abstractmethod
    def build(cls, config: Any, sentences: Sequence[Sequence[str]]) -> Self:
        """A new encoder whose vocabularies are those of the training `sentences`."""

    @classmethod
    @abstractmethod
    def from_json(cls, config: Any, vocabulary: Mapping[str, Any], folder: Path) -> Self:
        """The encoder, weights not yet loaded, whose `to_json` gave `vocabulary`, with files in `folder`."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The vocabularies that the weights are about, as JSON values."""

    def save_files(self, folder: Path) -> None:
        """Write what is better not JSON of ours into the model directory."""
        return None

    def prepare(self, words: Sequence[str]) -> Sized:
        """What `forward` reads of a sentence; its length is what the sentence costs."""
        return words

    @abstractmethod
    def forward(self, sentences: Sequence[Any]) -> Encoded:
        """Encode prepared sentences of one or more words each."""

    def remember(self, sentences: Sequence[Sequence[str]]) -> None:
        """Called before training: what never changes can be computed once for all."""
        return None

    def pretrained_parameters(self) -> Iterable[nn.Parameter]:
        """Those that `training.bert_learning_rate` is for."""
        return ()


class Decoder(nn.Module, ABC):
    """Turns encoded words into categories.

    What a word gets depends on its own sentence only, never on what else is in the batch.
    """

    config_type: ClassVar[type[Any]]  #: the dataclass of the fields of its table, `kind` among them

    @classmethod
    @abstractmethod
    def build(cls, width: int, config: Any, counts: Mapping[Category, int]) -> Self:
        """A new decoder over vectors of `width`; `counts` are the kept categories of the training data."""

    @classmethod
    @abstractmethod
    def from_json(cls, width: int, config: Any, vocabulary: Mapping[str, Any]) -> Self:
        """The decoder (weights not yet loaded) whose `to_json` gave `vocabulary`."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The categories, tag sets and the like that the weights are about, as JSON values."""

    @property
    @abstractmethod
    def atoms(self) -> set[Atom]:
        """The atoms that its categories are made of."""

    @abstractmethod
    def loss(self, encoded: Encoded, gold: Sequence[Sequence[Category | None]]) -> Tensor:
        """Minus the log-likelihood, SUMMED over the words that have a category.

        None (an UNK category) carries no loss, nor does a category the decoder cannot express.
        """

    @abstractmethod
    def kbest(self, encoded: Encoded, k: int, beta: float = 0.0) -> list[list[tuple[Supertag, ...]]]:
        """For each sentence, for each word: up to `k` distinct categories, best first (at least one).

        Those less than `beta` times as probable as the best may be missing, where that is quicker.
        """

    @abstractmethod
    def scores(
        self, encoded: Encoded, candidates: Sequence[Sequence[Sequence[Category]]]
    ) -> list[list[list[float]]]:
        """log p of each candidate of each word of each sentence.

        A category that cannot be expressed gets the lowest log p among its word's candidates, and one
        less; minus infinity never appears.
        """
