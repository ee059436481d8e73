"""Subjects and complements: what a head takes as its arguments."""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar import Atom, Category, Functor, Slash
from ..inventory import ADJ, ADVERB, BARE, CONJ, DCL, EXPLETIVE, NG, NP, PP, PR, RELATIONAL, THERE, VP, N
from ..phrases import Phrase, is_auxiliary, is_listed
from .modifiers import modifier
from .task import Construction, Task

__all__ = ["CONSTRUCTIONS", "argument"]


def _subject(task: Task) -> Iterator[Task]:
    subject, head = task.phrase.children
    category = task.category
    form = _finite(category, head)
    existential = subject.sort is THERE and head.head_leaf().rule.startswith("be_th")
    expletive = THERE if existential else NP
    nominal = subject.sort is None or subject.sort is NG or subject.sort.target.base in ("N", "NP")
    special = THERE if subject.sort is THERE else EXPLETIVE if subject.rule == "it" else NP
    yield task.child(0, special if nominal else None)
    yield task.child(1, None if form is None else form | expletive)


def _finite(category: Category | None, head: Phrase) -> Category | None:
    """The clause over a verb phrase: its own form, which a finite context takes for finite."""
    sort = head.sort
    if isinstance(sort, Functor) and isinstance(sort.target, Atom) and sort.target.base == "S":
        feature = sort.target.feature
        if feature not in (None, "b"):
            return sort.target
    return category if isinstance(category, Atom) and category.base == "S" and category.feature else DCL


def _complement(task: Task) -> Iterator[Task]:
    head, complement = task.phrase.children
    category = task.category
    wanted = argument(head, complement)
    if _is_adjunct(head, complement):
        yield task.child(0, category)
        yield task.child(1, modifier(category, Slash.BACKWARD))
        return
    if category in (N, RELATIONAL) and wanted is NP:  # the word *yes*
        yield task.child(0, N / N)
        yield task.child(1, category)
        return
    verbal = head.sort is not None and head.sort.target.base == "S"
    if complement.rule == "hdn_bnp-vger_c" and verbal and category is not None:  # as a noun phrase, too
        yield task.child(0, category / NP)
        yield task.child(1, NP)
    if head.sort is CONJ or wanted is None or category is None:
        yield task.child(0, None)
    else:
        yield task.child(0, category / wanted)
    yield task.child(1, wanted)


def _is_adjunct(head: Phrase, complement: Phrase) -> bool:
    """Whether what ERG takes for a complement is a modifier here: *not*, the agent of a passive."""
    leaf = complement.head_leaf()
    if leaf.rule == "by_pass_p":
        return True
    verbal = head.sort is not None and head.sort.target.base == "S"
    return verbal and leaf.sort is ADVERB and complement.size == 1 and is_auxiliary(head)


def argument(head: Phrase, complement: Phrase) -> Category | None:
    """The category that a complement has."""
    sort = complement.sort
    leaf = complement.head_leaf()
    if sort is VP:
        return BARE
    if complement.size == 1 and head.sort is not N and is_listed(leaf.rule, "particles"):
        return PR
    if complement.size == 1 and leaf.sort is PP:
        return None
    if sort is ADVERB:
        return _clause(head, complement)
    if sort is N or sort is None:
        return NP if sort is N else None
    if isinstance(sort, Atom) and sort.base == "S" and sort.feature is None:
        return DCL
    if sort.target.base == "NP":
        return NP
    return ADJ if sort is N / N else sort


def _clause(head: Phrase, complement: Phrase) -> Category | None:
    """An adverb or a subordinate clause as an argument."""
    if head.head_leaf().rule.startswith("be_"):
        return ADJ
    return PP if head.sort is not None and head.sort.target.base == "S" else None


CONSTRUCTIONS: dict[str, Construction] = {"subject": _subject, "complement": _complement}
