"""C&C's `markedup` file: the categories that it knows."""

from __future__ import annotations

from pathlib import Path

from ccgkit.grammar import Category, CategorySyntaxError

from .errors import CandCError

__all__ = ["known_categories"]


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
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    end = next((number for number, line in enumerate(lines) if not line), len(lines))
    return lines[end + 1 :]


def _category(spelled: str) -> Category | None:
    try:
        category = Category.parse(spelled)
    except CategorySyntaxError:
        return None
    return category if str(category) == spelled else None
