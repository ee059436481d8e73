"""Fillers and gaps: relative clauses, questions, fronting."""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar import Category, Slash
from ..inventory import ADJ, ADVERB, DCL, NP, PP, QEM, WQ, N, Q, S
from ..phrases import Phrase
from .arguments import argument
from .modifiers import adjunct
from .task import Construction, Task

__all__ = ["CONSTRUCTIONS"]


def _relative(task: Task) -> Iterator[Task]:
    filler, clause = task.phrase.children
    category = task.category
    if category is None:
        yield Task(clause, DCL, NP)
        return
    wanted = category / _clause_with_gap(clause, DCL, NP)
    if filler.construction == "determiner":  # whose
        yield Task(filler.children[0], wanted / N)
        yield Task(filler.children[1], N)
    elif filler.construction == "complement":  # in which
        preposition, pronoun = filler.children
        yield Task(preposition, category / NP)
        yield Task(pronoun, (category / DCL) | (category / NP))
    else:
        yield Task(filler, wanted)
    yield Task(clause, DCL, NP)


def _question(task: Task) -> Iterator[Task]:
    filler, clause = task.phrase.children
    if _asks_who_is(filler, clause) and task.category is WQ:
        yield Task(filler, WQ / (DCL | NP))
        yield Task(clause.children[0], DCL | NP)
        return
    result = task.category if task.category in (WQ, NP) and task.category is not None else QEM
    form = Q if result is WQ and _gap_of(clause) != "subject" else DCL
    gap = argument(clause, filler) or NP
    if filler.sort is ADVERB or filler.sort is PP:
        gap = PP
    wanted = result / _clause_with_gap(clause, form, gap)
    yield from _filler(filler, wanted, result, form)
    yield Task(clause, form, gap)


def _asks_who_is(filler: Phrase, clause: Phrase) -> bool:
    """*Who is Ada?*, where the question word is the subject in the Parallel Meaning Bank."""
    nominal = filler.size == 1 and filler.sort is NP
    copula = clause.rule == "hd_xcmp_c" and clause.head_leaf().rule.startswith("be_")
    return nominal and copula and clause.children[0].construction == "complement"


def _filler(filler: Phrase, wanted: Category, result: Category, form: Category) -> Iterator[Task]:
    """The question phrase: its question word takes the rest of it and then the clause."""
    if filler.construction == "determiner":
        yield Task(filler.children[0], wanted / N)
        yield Task(filler.children[1], N)
    elif filler.construction == "degree":
        yield Task(filler.children[0], wanted / ADJ)
        yield Task(filler.children[1], ADJ)
    elif filler.construction == "complement":
        pronoun = result / (form / NP)
        yield Task(filler.children[0], wanted / pronoun)
        yield Task(filler.children[1], pronoun)
    else:
        yield Task(filler, wanted)


def _fronted(task: Task) -> Iterator[Task]:
    filler, clause = task.phrase.children
    if _gap_of(clause) == "complement":
        yield Task(filler, None)
        yield Task(clause, task.category, filler.sort)
        return
    yield Task(filler, adjunct(filler, S, Slash.FORWARD))
    yield Task(clause, task.category)


def _free_relative(task: Task) -> Iterator[Task]:
    clause = task.phrase.children[1]
    category = task.category
    form = None if category is None else category / _clause_with_gap(clause, DCL, NP)
    yield Task(task.phrase.children[0], form)
    yield Task(clause, DCL, NP)


def _clause_with_gap(clause: Phrase, form: Category, gap: Category) -> Category:
    kind = _gap_of(clause)
    if kind == "subject":
        return DCL | NP
    return form / gap if kind == "complement" else form


def _gap_of(clause: Phrase) -> str:
    """What a clause with a gap lacks: its "subject", a "complement" or only a "modifier"."""
    for phrase in clause.descendants():
        if phrase.rule == "hd_xsb-fin_c":
            return "subject"
        if phrase.rule == "hd_xcmp_c":
            return "complement"
        if phrase.rule.startswith("hd_xaj"):
            return "modifier"
        if phrase.construction in ("relative", "question", "fronted", "free_relative", "shared"):
            break
    return "modifier"


CONSTRUCTIONS: dict[str, Construction] = {
    "relative": _relative,
    "question": _question,
    "fronted": _fronted,
    "free_relative": _free_relative,
}
