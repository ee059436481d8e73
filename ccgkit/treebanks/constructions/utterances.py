"""Whole utterances: sentences, fragments, and several of them in a row."""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar import Category
from ..inventory import ADJ, BARE, DCL, NP, PP, WQ, N, Q
from ..phrases import Phrase
from .task import Construction, Task
from .unary import verb_form

__all__ = ["CONSTRUCTIONS", "root_category"]

_ROOTS = {
    "hd_imp_c": BARE, "hd_yesno_c": Q, "np_frg_c": NP, "np_nb-frg_c": NP, "vp_fin-frg_c": DCL | NP,
    "pp_frg_c": PP, "j_frg_c": ADJ,
}  # fmt: skip


def root_category(root: Phrase) -> Category | None:
    """What the whole utterance is."""
    phrase = root
    while True:
        kind = phrase.construction
        if phrase.rule == "vp_nfin-frg_c":
            return verb_form(phrase.children[0].sort)
        if phrase.rule in _ROOTS:
            return _ROOTS[phrase.rule]
        if kind in ("subject", "fronted"):
            return DCL
        if kind == "question":
            return WQ
        if kind in ("left", "marker") or kind == "degree":
            phrase = phrase.children[1]
        elif phrase.children:
            phrase = phrase.children[0]
        else:
            break
    sort = root.sort
    return NP if sort is N else sort


def _sequence(task: Task) -> Iterator[Task]:
    for child in task.phrase.children:
        yield Task(child, root_category(child))


def _parenthesis(task: Task) -> Iterator[Task]:
    yield task.child(0, task.category)
    yield Task(task.phrase.children[1], root_category(task.phrase.children[1]))


CONSTRUCTIONS: dict[str, Construction] = {"sequence": _sequence, "parenthesis": _parenthesis}
