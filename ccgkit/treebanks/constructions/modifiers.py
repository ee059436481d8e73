"""Modifiers: what stands beside a head and leaves its category as it is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ...grammar import Category, Functor, Slash
from ..inventory import ADJ, ADVERB, BARE, NG, NP, PP, PSS, RELATIONAL, TO, VP, N, S
from ..phrases import Phrase, is_listed
from .task import Construction, Task

__all__ = ["CONSTRUCTIONS", "adjunct", "is_compound", "modified", "modifier"]

_MOST_LEVELS = 3  # of modifiers: what modifies `(N/N)/(N/N)` is the last


def modifier(category: Category | None, slash: Slash) -> Category | None:
    """The category of what modifies a phrase of a category, on the side that the slash says.

    None where nothing is known of the phrase, and where modifiers of modifiers would never end: foreign words
    are analysed so, and each level doubles the category.
    """
    if category is None or _levels(category) >= _MOST_LEVELS:
        return None
    core = ADJ if slash is Slash.FORWARD and category.target is ADJ.target else modified(category)
    return Functor(core, slash, core)


def _levels(category: Category) -> int:
    """How many times over a category is a modifier: 2 for `(N/N)/(N/N)`."""
    levels = 0
    while isinstance(category, Functor) and category.is_modifier:
        category, levels = category.result, levels + 1
    return levels


@cache
def modified(category: Category) -> Category:
    """What a modifier sees of a category: `S\\NP` of any verb phrase, whatever it still lacks.

    >>> modified(Category.parse("(S[dcl]\\\\NP)/NP")), modified(Category.parse("N/N"))
    (S\\NP, N/N)
    """
    target = category.target
    if target.base != "S" or category.is_modifier or target.feature is None:
        return N if category is RELATIONAL else category
    part = category
    while isinstance(part, Functor):
        if part.slash is Slash.BACKWARD and part.argument.target.base == "NP":
            return VP
        part = part.result
    return S


def adjunct(phrase: Phrase, category: Category | None, slash: Slash) -> Category | None:
    """The category of what modifies a phrase of a category: verb phrases change their type by themselves."""
    sort = phrase.sort
    if sort is BARE / BARE:  # please
        return sort
    attributive = slash is Slash.FORWARD and category is not None and category.target is N
    if sort in (TO, NG, PSS) or (sort is ADJ and not attributive):
        return sort
    return modifier(category, slash)


def _left(task: Task) -> Iterator[Task]:
    category = task.category
    if category is not None and category in (ADVERB, S / S, VP / VP) and task.phrase.children[1].sort is N:
        yield task.child(0, category / N)  # *last week*
        yield task.child(1, N)
        return
    category = N if category is NP and task.phrase.children[1].sort is N else category
    if category is N / N and is_compound(task.phrase):
        yield task.child(0, category)
        yield task.child(1, category)
        return
    if category is N and task.phrase.rule.startswith("np-hdn_num"):  # Apollo 11
        yield task.child(0, N)
        yield task.child(1, N | N)
        return
    if category is N / N and task.phrase.children[0].sort is ADVERB:  # a widely used word
        yield task.child(0, category / ADJ)
        yield task.child(1, ADJ)
        return
    yield task.child(0, adjunct(task.phrase.children[0], category, Slash.FORWARD))
    yield task.child(1, category)


def is_compound(phrase: Phrase) -> bool:
    """Whether this is a noun with nouns or adjectives before it, which is a flat row of N/N as a modifier."""
    return phrase.rule.startswith(("n-hdn", "np-hdn", "aj-hdn", "num-n"))


def _right(task: Task) -> Iterator[Task]:
    head, dependent = task.phrase.children
    category = task.category
    if category is N and dependent.head_leaf().rule.startswith("of_") and not _is_name(head):
        yield task.child(0, RELATIONAL)
        yield task.child(1, PP)
        return
    if category is NP and dependent.head_leaf().rule.startswith("of_") and head.head_leaf().sort is not N:
        yield task.child(0, NP / PP)
        yield task.child(1, PP)
        return
    yield task.child(0, category)
    if category is ADJ and dependent.sort is PP and head.end == dependent.start:
        yield task.child(0, ADJ / PP)
        yield task.child(1, PP)
    yield Task(dependent, adjunct(dependent, category, Slash.BACKWARD))


def _is_name(phrase: Phrase) -> bool:
    return phrase.head_leaf().rule.startswith(("generic_proper", "genericname"))


def _degree(task: Task) -> Iterator[Task]:
    head = task.phrase.children[1]
    category = task.category
    if head.rule.startswith("apostrophe_s"):
        yield task.child(0, NP)
        yield task.child(1, None if category is None else category | NP)
        return
    if category is None:
        yield task.child(1, None)
        return
    if category in (NP, N) and is_listed(head.first_leaf().rule, "numbers"):  # about twenty miles
        yield task.child(0, (N / N) / (N / N))
        yield task.child(1, category)
        return
    if category is NP / N and is_listed(head.rule, "articles"):  # only a word
        yield task.child(0, NP / NP)
        yield task.child(1, category)
        return
    core = ADJ if category is N / N and head.sort is ADJ else _core(category)
    yield task.child(0, category / core)
    yield task.child(1, core)


def _core(category: Category) -> Category:
    """The phrase that a degree word measures: *more … than* takes the adjective and then the PP."""
    part = category
    while isinstance(part, Functor) and not part.is_modifier and part.slash is Slash.FORWARD:
        if part.target.base != "S":
            break
        part = part.result
    return part


CONSTRUCTIONS: dict[str, Construction] = {"left": _left, "right": _right, "degree": _degree}
