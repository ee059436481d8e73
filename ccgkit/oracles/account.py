"""What there is to tell of a category's sequences and transitions, as plain values.

>>> from ccgkit import Category
>>> [step["action"] for step in transitions(Category.parse("S/NP"))]
['gen(S)', 'op(/)', 'gen(NP)', 'reduce', 'stop']
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log10
from typing import Any

from ..grammar import Category
from .transitions import Action, State, initial, oracle

__all__ = ["count_text", "exact_count", "steps", "transitions"]

_EXACT_BITS = 4096  # a longer count is shown as a power of ten


def steps(category: Category) -> Iterator[tuple[State, Action]]:
    """Each action of the oracle with the state it is taken in.

    Raises `InexpressibleError` where no action makes a part of the category.
    """
    state = initial
    for action in oracle(category):
        yield state, action
        state = state.apply(action)


def transitions(category: Category) -> list[dict[str, Any]]:
    """The steps as plain values: time, stack, buffer, action.

    Raises `InexpressibleError` where no action makes a part of the category.
    """
    return [
        {
            "time": state.time,
            "stack": [str(element) for element in state.stack],
            "buffer": [str(atom) for atom in state.buffer],
            "action": str(action),
        }
        for state, action in steps(category)
    ]


def exact_count(count: int) -> int | str:
    """A number of sequences as JSON can hold it."""
    return count if count.bit_length() <= _EXACT_BITS else count_text(count)


def count_text(count: int) -> str:
    """A number of sequences as people read it."""
    if count.bit_length() <= _EXACT_BITS:
        return f"{count:,}"
    return f"about 10^{int(count.bit_length() * log10(2))}"
