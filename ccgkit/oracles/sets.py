"""The paper's four atomic tag sets.

>>> from ccgkit import Category
>>> counts = {Category.parse(r"(NP/NP)\\NP"): 2, Category.parse("NP/NP"): 3}
>>> for name in ("AC", "PA", "NG", "OR"):
...     print(name, *make_tag_set(name, counts, k=1).decompose(Category.parse(r"(NP/NP)\\NP")))
AC ( NP / NP ) \\ NP <eos>
PA ( NP/NP ) \\ NP <eos>
NG ( NP /NP ) \\ NP <eos>
OR (NP/NP)\\NP <eos>
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..grammar import Category
from ..registry import Registry
from .tag_set import CountBy, Lexemes, TagSet

__all__ = ["AC", "NG", "OR", "PA", "TAG_SETS", "make_tag_set"]

#: the tag sets by name, with those of other distributions (entry points of the group `ccgkit.tag_sets`)
TAG_SETS: Registry[type[TagSet]] = Registry(
    "tag set", "ccgkit.tag_sets", {name: f"{__name__}:{name}" for name in ("AC", "PA", "NG", "OR")}
)


class AC(TagSet):
    """Atomic categories, slashes and parentheses: one sequence for each category."""

    @classmethod
    def expressions(cls, lexemes: Lexemes, n: int) -> Iterator[Lexemes]:
        return iter(())


class PA(TagSet):
    """AC and the k most frequent parenthesised expressions, each without its parentheses."""

    @classmethod
    def expressions(cls, lexemes: Lexemes, n: int) -> Iterator[Lexemes]:
        opened: list[int] = []
        for position, lexeme in enumerate(lexemes):
            if lexeme == "(":
                opened.append(position + 1)
            elif lexeme == ")":
                yield lexemes[opened.pop() : position]


class NG(TagSet):
    """AC and the k most frequent n-grams of lexemes."""

    @classmethod
    def expressions(cls, lexemes: Lexemes, n: int) -> Iterator[Lexemes]:
        return (lexemes[start : start + n] for start in range(len(lexemes) - n + 1))


class OR(TagSet):
    """AC and all whole categories: the classifier's tag set, as sequences of one tag."""

    keeps_all = True

    @classmethod
    def expressions(cls, lexemes: Lexemes, n: int) -> Iterator[Lexemes]:
        yield lexemes


def make_tag_set(
    name: str,
    counts: Mapping[Category, int],
    *,
    k: int = 10,
    n: int = 2,
    count: CountBy = "tokens",
) -> TagSet:
    """The tag set that `TAG_SETS` knows as `name` ("AC", "PA", "NG", "OR" …) for the categories in `counts`.

    Besides single lexemes it has the `k` most frequent expressions, in NG those of `n` lexemes; `count` says
    whether an expression is counted in each token of a category or once for each type.
    """
    return TAG_SETS[name].from_counts(counts, k=k, n=n, count=count)
