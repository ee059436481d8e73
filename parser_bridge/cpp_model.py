"""A model of the C++ parser's, as the Java parser reads it.

Both have the same log-linear model of normal-form derivations, in other spellings. The C++ parser writes a
feature as its frequency, a letter for its kind, categories, and words or POS tags, whose list says how
frequent each is; its weights are bare numbers. The Java parser wants a number for the kind, words by their
place in a list without frequencies, outer parentheses, and a preface. No weight is given to the supertags'
probabilities, to which the C++ parser pays no heed, either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import CandCError
from .preface import after_preface

if TYPE_CHECKING:
    from .installation import Installation

__all__ = ["import_model", "is_cpp_model"]

_PREFACE = "# a model of the C++ parser's, by ccgkit\n\n"


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of feature: the Java parser's number for it, and its fields."""

    number: int
    categories: int
    words: int = 0
    distance: bool = False

    @property
    def size(self) -> int:
        return self.categories + self.words + self.distance


_KINDS = {
    "a": _Kind(5, 1, 1), "b": _Kind(6, 1, 1), "c": _Kind(1, 1), "d": _Kind(2, 1, 1), "e": _Kind(3, 1, 1),
    "m": _Kind(8, 3), "n": _Kind(7, 3), "p": _Kind(11, 3, 1), "q": _Kind(9, 3, 1), "r": _Kind(12, 3, 1),
    "s": _Kind(10, 3, 1), "t": _Kind(13, 3, 2), "u": _Kind(15, 3, 2), "v": _Kind(14, 3, 2),
    "w": _Kind(16, 3, 2), "F": _Kind(17, 3, 1, True), "G": _Kind(19, 3, 1, True), "H": _Kind(18, 3, 1, True),
    "I": _Kind(20, 3, 1, True), "J": _Kind(22, 3, 1, True), "K": _Kind(21, 3, 1, True),
}  # fmt: skip
_UNARY = "mpr"  # here C++ has the result for a second category, Java the first one again
_OTHERS = "fghixLMNPQR"  # dependencies and kinds of rules: of other models than the normal-form one


def is_cpp_model(features: Path) -> bool:
    """Whether a features file is the C++ parser's: a frequency and the letter of a kind come first.

    The Java parser's may begin with the category `N`, the C++ parser's do not with the kind of that letter.
    """
    fields = next(after_preface(features), [])
    if len(fields) < 2 or not fields[0].isdecimal() or fields[1] == "N":
        return False
    return fields[1] in _KINDS or fields[1] in tuple(_OTHERS)


def import_model(installation: Installation, folder: Path) -> Installation:
    """The installation, with copies in `folder` of a model that the Java parser needs otherwise.

    Raises `CandCError` where the model's files do not fit together, or it is not of normal-form derivations.
    """
    if not is_cpp_model(installation.features):
        return installation
    folder.mkdir(parents=True, exist_ok=True)
    lexicon, features, weights = (folder / name for name in ("lexicon", "features", "weights"))
    words = [fields[0] for fields in after_preface(installation.lexicon)]
    weighted = list(_weighted(installation, {word: place for place, word in enumerate(words)}))
    _write(lexicon, words)
    _write(features, (feature for feature, _ in weighted))
    _write(weights, (weight for _, weight in weighted))
    return replace(installation, lexicon=lexicon, features=features, weights=weights)


def _weighted(installation: Installation, places: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Each feature as the Java parser spells it, with its weight; those with the weight 0 are left out."""
    path = installation.features
    features = list(after_preface(path))
    weights = [weight for fields in after_preface(installation.weights) for weight in fields]
    if len(features) != len(weights):
        raise CandCError(
            f"{path} has {len(features)} features, but {installation.weights} {len(weights)} weights: "
            "they are not of one model"
        )
    for fields, weight in zip(features, weights, strict=True):
        try:
            if _number(weight):
                yield _feature(fields, places), weight
        except ValueError as error:
            raise CandCError(f"{path}: {' '.join(fields)}: {error}") from None


def _number(weight: str) -> float:
    try:
        return float(weight)
    except ValueError:
        raise ValueError(f"its weight must be a number, not {weight!r}") from None


def _feature(fields: list[str], places: Mapping[str, int]) -> str:
    """A feature in the Java parser's spelling; `ValueError` says why it has none."""
    frequency, letter, *values = fields
    kind = _KINDS.get(letter)
    if kind is None and letter in _OTHERS:
        raise ValueError(
            "the Java parser has no features of this kind; of C&C's models, that of normal-form derivations "
            "can be imported"
        )
    if kind is None or len(values) != kind.size:
        raise ValueError("this is not a feature as C&C writes them")
    categories = [_enclosed(category) for category in values[: kind.categories]]
    if letter in _UNARY:
        categories[1] = categories[0]
    rest = values[kind.categories :]
    for place, word in enumerate(rest[: kind.words]):
        if word not in places:
            raise ValueError(f"{word!r} is not in the lexicon")
        rest[place] = str(places[word])
    return " ".join([str(kind.number), *categories, *rest, frequency])


def _enclosed(category: str) -> str:
    """A category with parentheses around it where it has a slash outside of others."""
    depth = 0
    for letter in category:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if not depth and letter in "/\\":
            return f"({category})"
    return category


def _write(path: Path, lines: Iterable[str]) -> None:
    text = _PREFACE + "".join(f"{line}\n" for line in lines)
    path.write_text(text, encoding="utf-8", errors="surrogateescape", newline="\n")
