"""The categories that an ERG derivation gives to words, in the Parallel Meaning Bank's notation.

From the root down, each phrase is given a category, and its construction says what its parts are: a
complement is an argument of its head, a modifier of X is X/X or X\\X, a gap is an argument that the head has
not met. Where conventions leave a choice, a word is given each; where nothing is known, none.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar import Category
from ..inventory import Proposal
from ..marks import propose_marks
from ..phrases import Phrase
from . import arguments, coordination, extraction, modifiers, nominals, utterances
from .entries import lexical
from .task import Construction, Task
from .unary import unary
from .utterances import root_category

__all__ = ["propose"]

_CONSTRUCTIONS: dict[str, Construction] = {
    kind: parts
    for module in (arguments, modifiers, nominals, coordination, extraction, utterances)
    for kind, parts in module.CONSTRUCTIONS.items()
}


def propose(root: Phrase, words: tuple[str, ...]) -> tuple[Proposal, ...]:
    """For each word the categories that the derivation gives it, the likeliest first."""
    found: list[dict[Category, None]] = [{} for _ in words]
    agenda = [Task(root, root_category(root))]
    while agenda:
        task = agenda.pop()
        if task.phrase.children:
            agenda.extend(reversed(list(_parts(task))))
        else:
            for place, category in lexical(task, words):
                if category is not None:
                    found[place][category] = None
    marks = propose_marks(words)
    return tuple(tuple(one) or marks.get(place, ()) for place, one in enumerate(found))


def _parts(task: Task) -> Iterator[Task]:
    if len(task.phrase.children) == 1:
        return unary(task)
    rule = _CONSTRUCTIONS.get(task.phrase.construction, _unknown)
    return rule(task)


def _unknown(task: Task) -> Iterator[Task]:
    for child in task.phrase.children:
        yield Task(child, None)
