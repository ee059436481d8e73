"""Predicate-argument dependencies: what labelled F1 counts."""

from __future__ import annotations

from dataclasses import dataclass, field

from .category import Category

__all__ = ["Dependency"]


@dataclass(frozen=True, slots=True)
class Dependency:
    """The word at `argument` fills slot `slot` of the category of the word at `head`.

    Words are counted from 0; slots from 1, the first argument of the innermost result being 1, as in
    CCGbank. `rule` is C&C's number of the type change that made the dependency (0: none), `markup` its
    marked-up spelling of the category, `via` what a file adds on a long-range dependency (CCGbank's `<XB>`
    and `<XU>`, or the category that passed the head on); none of them says which dependency it is.
    """

    head: int
    category: Category
    slot: int
    argument: int
    rule: int = field(default=0, compare=False)
    markup: str | None = field(default=None, compare=False)
    via: str | None = field(default=None, compare=False)
