"""C&C's `markedup` file: the categories that it knows."""

from __future__ import annotations

from pathlib import Path

from ccgkit.grammar import Category, CategorySyntaxError

from .errors import CandCError
from .notation import Notation
from .spellings import Spellings

__all__ = ["known_categories", "load_notation"]


def load_notation(path: Path) -> Notation:
    """How our categories are to be written for the C&C that has this `markedup` file."""
    lines = _lines(path)
    return Notation(known_categories(path), Spellings.of_preface(lines[: _preface_end(lines)]))


def known_categories(path: Path) -> dict[Category, str]:
    """The categories of a `markedup` file in its order, each with its marked-up spelling.

    A category that the file spells otherwise than we would is left out: C&C compares spellings.
    """
    known: dict[Category, str] = {}
    current: Category | None = None
    for line in _body(path):
        if line[:1] in ("", "#", "="):
            continue
        if not line[0].isspace():
            current = _category(line.strip())
        elif current is not None and current not in known and len(line.split()) >= 2:
            known[current] = line.split()[1]
    if not known:
        raise CandCError(f"{path} holds no categories")
    return known


def _body(path: Path) -> list[str]:
    """The lines after the preface."""
    lines = _lines(path)
    return lines[_preface_end(lines) + 1 :]


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise CandCError(f"{path} cannot be read: {error.strerror}") from error


def _preface_end(lines: list[str]) -> int:
    return next((number for number, line in enumerate(lines) if not line), len(lines))


def _category(spelled: str) -> Category | None:
    try:
        category = Category.parse(spelled)
    except CategorySyntaxError:
        return None
    return category if str(category) == spelled else None
