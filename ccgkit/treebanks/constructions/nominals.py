"""Noun phrases: determiners, possessors, bare nouns and appositions."""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar import Category
from ..inventory import NP, POSSESSIVE, RELATIONAL, N
from ..phrases import Phrase, is_listed
from .task import Construction, Task

__all__ = ["CONSTRUCTIONS", "bare", "bracketed_sort"]


def _determiner(task: Task) -> Iterator[Task]:
    determiner, noun = task.phrase.children
    category = task.category
    if category is None:
        yield task.child(0, None)
        yield task.child(1, N)
        return
    result = NP if category is N else category
    if _is_number(determiner):
        yield task.child(0, N / N if result is NP else result / N)
        yield task.child(1, N)
    elif determiner.sort is POSSESSIVE or _is_possessor(determiner):
        yield task.child(0, result / RELATIONAL)
        yield task.child(1, RELATIONAL)
    elif noun.construction == "determiner" or noun.rule.startswith("hdn_bnp"):  # all the cats
        yield task.child(0, result / NP)
        yield task.child(1, NP)
    else:
        yield task.child(0, result / N)
        yield task.child(1, N)


def _is_number(phrase: Phrase) -> bool:
    return any(part.rule.startswith("num_det") for part in phrase.descendants()) or is_listed(
        phrase.rule, "quantities"
    )


def _is_possessor(phrase: Phrase) -> bool:
    return phrase.construction == "degree" and phrase.children[1].rule.startswith("apostrophe_s")


def bare(phrase: Phrase) -> Category:
    """What stands under a noun phrase without a determiner: a noun, but pronouns are noun phrases."""
    partitive = any("_prt-" in part.rule for part in _spine(phrase))
    leaf = phrase.head_leaf()
    nominal = leaf.sort is not None and leaf.sort.target.base == "NP" and not leaf.rule.endswith("_c")
    pronoun = nominal or is_listed(leaf.rule, "pronouns")
    return NP if pronoun or partitive else N


def _spine(phrase: Phrase) -> Iterator[Phrase]:
    """The phrase and its head, and the head's head, down to the lexical one."""
    yield phrase
    while phrase.children:
        phrase = phrase.children[phrase.head]
        yield phrase


def _apposition(task: Task) -> Iterator[Task]:
    dependent = task.phrase.children[1]
    yield task.child(0, task.category)
    number = task.phrase.rule.startswith("n-num_mnp") and dependent.size == 1
    yield Task(dependent, N | N if number else bracketed_sort(dependent))


def bracketed_sort(phrase: Phrase) -> Category | None:
    """Whether an apposition is a noun or a noun phrase; None if it is something else."""
    while phrase.construction == "coordination":
        phrase = phrase.children[0]
    if phrase.sort is N or (phrase.sort is NP and phrase.rule.startswith("hdn_bnp") and bare(phrase) is N):
        return N
    return NP if phrase.sort is NP else None


CONSTRUCTIONS: dict[str, Construction] = {"determiner": _determiner, "apposition": _apposition}
