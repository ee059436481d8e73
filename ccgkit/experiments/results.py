"""What is measured once and kept: a JSON file a measurement, written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ccgkit.grammar import Category
from ccgkit.sentence import Supertag
from ccgkit.taggers.directory import replacing

from .errors import ExperimentError
from .systems import parts

__all__ = ["Missing", "Predictions", "ResultStore", "Trial", "write_whole"]

Content = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Missing:
    """A figure that is not there, and why."""

    reason: str = ""

    def __str__(self) -> str:
        return "not run"


@dataclass(frozen=True, slots=True)
class Trial:
    """A model: a system trained on a corpus with a seed."""

    corpus: str
    system: str
    seed: int

    @property
    def folder(self) -> Path:
        """Where the trial's model lies below the folder of all models."""
        return Path(self.corpus) / self.system / f"seed-{self.seed}"

    @property
    def singles(self) -> list[Trial]:
        """The models that a re-ranked system is made of; else itself.

        >>> [str(one) for one in Trial("pmb-en", "cg+cg", 3).singles]
        ['cg on pmb-en, seed 3', 'cg on pmb-en, seed 2']
        """
        first, *others = parts(self.system)
        return [
            replace(self, system=first),
            *(
                replace(self, system=one, seed=self._other_seed if one == first else self.seed)
                for one in others
            ),
        ]

    @property
    def _other_seed(self) -> int:
        return self.seed - 1 if self.seed > 1 else 2

    def __str__(self) -> str:
        return f"{self.system} on {self.corpus}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class ResultStore:
    """Measurements under a folder; each knows of which model and which sentences it is."""

    root: Path

    def read(self, trial: Trial, what: str, model: str | None, data: str) -> Content | None:
        """What was kept; None if it is not there or of another model (None: of any) or other sentences."""
        path = self._path(trial, what)
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise ExperimentError(
                f"{path} cannot be read ({error}): delete it, and it will be measured again"
            ) from error
        if not isinstance(stored, dict) or stored.get("data") != data:
            return None
        if model is not None and stored.get("model") != model:
            return None
        content: Content = stored["content"]
        return content

    def write(self, trial: Trial, what: str, model: str, data: str, content: Content) -> None:
        path = self._path(trial, what)
        path.parent.mkdir(parents=True, exist_ok=True)
        stored = {"model": model, "data": data, "content": content}
        write_whole(path, json.dumps(stored, ensure_ascii=False, separators=(",", ":")) + "\n")

    def _path(self, trial: Trial, what: str) -> Path:
        return self.root / trial.folder / f"{what}.json"


@dataclass(frozen=True, slots=True)
class Predictions:
    """A model's categories for every word of a set: the one it gives, and its k best."""

    best: Sequence[Sequence[Category]]
    kbest: Sequence[Sequence[tuple[Supertag, ...]]]
    facts: Mapping[str, float] = field(default_factory=dict)  #: weights, seconds, ν and λ …

    def to_json(self) -> Content:
        """The predictions for JSON, each category spelt once."""
        numbers: dict[Category, int] = {}

        def number(category: Category) -> int:
            return numbers.setdefault(category, len(numbers))

        best = [[number(category) for category in sentence] for sentence in self.best]
        kbest = [
            [
                [value for tag in word for value in (number(tag.category), round(tag.logprob, 4))]
                for word in one
            ]
            for one in self.kbest
        ]
        return {
            "facts": dict(self.facts),
            "categories": [str(category) for category in numbers],
            "best": best,
            "kbest": kbest,
        }

    @classmethod
    def from_json(cls, content: Content) -> Predictions:
        """What `to_json` has written."""
        known = [Category.parse(spelling) for spelling in content["categories"]]
        best = [[known[number] for number in sentence] for sentence in content["best"]]
        kbest = [[tuple(_supertags(word, known)) for word in sentence] for sentence in content["kbest"]]
        return cls(best, kbest, content["facts"])


def _supertags(word: Sequence[Any], known: Sequence[Category]) -> Iterator[Supertag]:
    for place in range(0, len(word), 2):
        yield Supertag(known[word[place]], word[place + 1])


def write_whole(path: Path, text: str) -> None:
    """Replace a file at once; what was there stays until the new one is on disk."""
    with replacing(path) as new:
        new.write_text(text, encoding="utf-8")
