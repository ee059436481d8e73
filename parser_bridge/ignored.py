"""The dependencies that C&C's evaluation leaves out, from the table `ignored.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from ccgkit.grammar import Category, Dependency

__all__ = ["is_ignored"]


def is_ignored(link: Dependency, words: Sequence[str], markup: Mapping[Category, str] | None = None) -> bool:
    """Whether C&C's evaluation leaves this dependency of a parse of `words` out.

    With `markup` that is so only where the category is marked up as there, since C&C's script compares that.

    >>> is_ignored(Dependency(1, Category.parse("conj"), 1, 0), ["John", "and", "Mary"])
    True
    """
    rules, relations, lexical = _table()
    if link.rule in rules:
        return True
    if markup is not None and (link.markup or str(link.category)) != _spelled(link.category, markup):
        return False
    if (link.category, link.slot, link.rule) in relations:
        return True
    if link.rule:
        return False
    key = (_bare(words[link.head]), link.category, link.slot)
    return (*key, None) in lexical or (*key, _bare(words[link.argument])) in lexical


def _spelled(category: Category, markup: Mapping[Category, str]) -> str | None:
    """A category as C&C prints it in a dependency: `conj`, an atom, is not marked up there."""
    return markup.get(category) if category.is_functor else str(category)


def _bare(word: str) -> str:
    """The word up to its first underscore, since C&C cuts its index off there."""
    return word.partition("_")[0]


@cache
def _table() -> tuple[frozenset[int], frozenset[object], frozenset[object]]:
    table = tomllib.loads(files(__package__).joinpath("ignored.toml").read_text(encoding="utf-8"))
    relations = frozenset(
        (category, entry["slot"], rule)
        for entry in table["relations"]
        for category in _categories(entry)
        for rule in entry["rules"]
    )
    lexical = frozenset(
        (entry["head"], category, entry["slot"], argument)
        for entry in table["words"]
        for category in _categories(entry)
        for argument in entry.get("arguments", [None])
    )
    return frozenset(table["rules"]), relations, lexical


def _categories(entry: dict[str, Any]) -> list[Category]:
    return [Category.parse(spelled) for spelled in entry["categories"]]
