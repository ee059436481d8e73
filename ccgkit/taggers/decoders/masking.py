"""Which tags may follow, for a whole beam at once, so that only legal categories are spelt.

A hypothesis is a number (how far its category has got) and the lexemes it has used. What each tag
leads to from there is worked out once, when a number first comes up, and looked up ever after. Threads may
share the tables: what is there is read without a lock, since tables only grow, and their rows never change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Lock

import torch
from torch import Tensor

from ccgkit.grammar.legality import Prefix

__all__ = ["LegalTags"]

_NEVER = 1 << 40  # lexemes: more than any limit
_UNLIMITED = 1 << 30
_LOCK = Lock()  # one for all, so that a decoder can be copied


class LegalTags:
    """The legality of `tags` (the first one is the end of a category) within limits on the category.

    >>> legal = LegalTags(["<eos>", "(", ")", "/", "NP"], max_length=3)
    >>> states, used = legal.start(1)
    >>> legal.mask(states, used).tolist()
    [[False, False, False, False, True]]
    >>> legal.mask(*legal.advance(states, used, torch.tensor([4]))).tolist()
    [[True, False, False, True, False]]
    """

    @torch.inference_mode(False)  # a table made in that mode could not be changed outside of it
    def __init__(
        self, tags: Sequence[str], max_length: int | None = None, max_depth: int | None = None
    ) -> None:
        self._tags = tuple(tags)
        self._limit = _UNLIMITED if max_length is None else max_length
        start = Prefix(max_depth=max_depth)
        self._prefixes = [start]
        self._numbers = {start: 0}
        self._sizes = torch.zeros(len(self._tags), dtype=torch.long)  # lexemes of each tag
        self._known = torch.zeros(0, dtype=torch.bool)
        self._next = torch.zeros(0, len(self._tags), dtype=torch.long)
        self._need = torch.zeros(0, len(self._tags), dtype=torch.long)  # to the end of the category

    def start(self, words: int, device: torch.device | str = "cpu") -> tuple[Tensor, Tensor]:
        """State and used lexemes of hypotheses that have spelt nothing yet."""
        states = torch.zeros(words, dtype=torch.long, device=device)
        return states, torch.zeros_like(states)

    def mask(self, states: Tensor, used: Tensor) -> Tensor:
        """(hypotheses, tags): true where the tag leaves a way to a legal category within the limits."""
        self._learn(states)
        return self._need.index_select(0, states) <= (self._limit - used).unsqueeze(1)

    def advance(self, states: Tensor, used: Tensor, tags: Tensor) -> tuple[Tensor, Tensor]:
        """State and used lexemes after one tag for each hypothesis that its `mask` allowed."""
        return self._next[states, tags], used + self._sizes[tags]

    def _learn(self, states: Tensor) -> None:
        known = self._known
        outgrown = known.device != states.device or len(known) < len(self._prefixes)
        if outgrown or not bool(known[states].all()):
            with _LOCK:
                self._learn_more(states)

    @torch.inference_mode(False)
    def _learn_more(self, states: Tensor) -> None:
        if self._known.device != states.device:
            self._move(states.device)
        self._grow()
        while not bool(self._known[states].all()):
            for number in sorted(set(states[~self._known[states]].tolist())):
                self._fill(number)
            self._grow()

    def _fill(self, number: int) -> None:
        """Work out one row: what each tag leads to."""
        here = self._prefixes[number]
        row, need = [0] * len(self._tags), [_NEVER] * len(self._tags)
        need[0] = 0 if here.is_complete else _NEVER
        for tag, spelling in enumerate(self._tags[1:], 1):
            after = here.advance(spelling)
            if after is not None:
                row[tag] = self._number(replace(after, length=0))
                need[tag] = after.length + after.shortest_completion
                self._sizes[tag] = after.length
        self._next[number] = torch.tensor(row)
        self._need[number] = torch.tensor(need)
        self._known[number] = True

    def _number(self, prefix: Prefix) -> int:
        number = self._numbers.setdefault(prefix, len(self._prefixes))
        if number == len(self._prefixes):
            self._prefixes.append(prefix)
        return number

    def _grow(self) -> None:
        """Room for the numbers given out so far, and as many again."""
        if len(self._known) >= len(self._prefixes):
            return
        more = 2 * len(self._prefixes) - len(self._known)
        self._next = torch.cat([self._next, self._next.new_zeros(more, len(self._tags))])
        self._need = torch.cat([self._need, self._need.new_zeros(more, len(self._tags))])
        self._known = torch.cat([self._known, self._known.new_zeros(more)])  # last: others read it first

    def _move(self, device: torch.device) -> None:
        self._known, self._sizes = self._known.to(device), self._sizes.to(device)
        self._next, self._need = self._next.to(device), self._need.to(device)
