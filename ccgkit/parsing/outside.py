"""What has to follow a constituent, at least, where head words cost something.

Every word but the sentence's head depends on another word, and costs what its cheapest head does. The words
outside a constituent may still have any head, the constituent's own head one outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from .charges import RELATIONS

__all__ = ["IMPOSSIBLE", "Outside"]

IMPOSSIBLE = 1e4  # the cost of what is not possible, in nats: the estimate stays finite, for fragments


class Outside:
    """The estimate for constituents of one sentence: never too high, never falling along a derivation.

    `links` are those of `Charges`, `distance` is what a word between two heads costs; for `marks`, words that
    may be marks, it costs nothing.
    """

    def __init__(self, size: int, distance: float, links: Sequence[float], marks: Sequence[bool]) -> None:
        row, kinds = size + 1, len(RELATIONS)
        self._before: list[list[float]] = []  # by word and by where the constituent that it heads starts
        self._after: list[list[float]] = []  # by where it ends
        for word in range(size):
            first, each = word * row, 0.0 if marks[word] else distance
            costs = [
                min(IMPOSSIBLE, *links[(first + head) * kinds : (first + head + 1) * kinds])
                for head in range(row)
            ]
            lefts = (costs[head] + each * (word - head - 1) for head in range(word))
            rights = (costs[head] + each * (head - word - 1) for head in range(size - 1, word, -1))
            self._before.append(list(accumulate(lefts, min, initial=costs[size])))
            self._after.append(list(accumulate(rights, min, initial=costs[size])))
        self._size = size
        alone = [self.own(word, word, word + 1) for word in range(size)]
        self._lefts = list(accumulate(alone, initial=0.0))
        self._rights = list(accumulate(reversed(alone), initial=0.0))

    def __call__(self, start: int, end: int, head: int) -> float:
        """What the words before and behind a constituent cost, and its head."""
        return self._lefts[start] + self._rights[self._size - end] + self.own(head, start, end)

    def own(self, head: int, start: int, end: int) -> float:
        """What the head of a constituent costs, at least, by the words outside it."""
        return min(self._before[head][start], self._after[head][self._size - end])
