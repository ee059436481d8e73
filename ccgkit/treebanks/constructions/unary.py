"""Phrases of one part: gaps, type changes, bare noun phrases."""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar import Category
from ..inventory import BARE, DCL, NG, NP, PP, VP, N
from .nominals import bare
from .task import Task

__all__ = ["unary", "verb_form"]


def unary(task: Task) -> Iterator[Task]:
    phrase, category, gap = task.phrase, task.category, task.gap
    rule = phrase.rule
    if rule == "hd_xcmp_c" and category is not None and gap is not None:
        yield Task(phrase.children[0], category / gap)
    elif rule == "hd_xsb-fin_c":
        yield Task(phrase.children[0], DCL | NP)
    elif rule.startswith(("vp_np-ger", "hdn_bnp-vger")):
        yield task.child(0, category if category in (NP, NG) else NG)
    elif rule.startswith("cl_rc-fin"):
        yield Task(phrase.children[0], DCL, NP)
    elif rule.startswith(("vp_rc-redrel", "vp_sbrd", "cl_rc-inf")):
        yield Task(phrase.children[0], verb_form(phrase.children[0].sort))
    elif rule.startswith(("hdn_bnp", "hdn_np-num")) and category in (NP, N):
        yield task.child(0, bare(phrase.children[0]))
    elif rule == "np_adv_c" and category is PP:
        yield task.child(0, None)
    else:
        yield task.child(0, category)


def verb_form(sort: Category | None) -> Category | None:
    """A verb phrase's sort with the form it has where nothing finite is meant."""
    return BARE if sort is VP else sort
