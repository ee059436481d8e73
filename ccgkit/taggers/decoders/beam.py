"""Search for the best categories of all words of a batch: by beam, and exactly by best-first search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf, log, log1p
from typing import Protocol, TypeVar

import numpy as np
import torch
from torch import Tensor

__all__ = ["END", "Beam", "States", "Steps", "beam_search", "best_first", "regroup"]

END = 0  # the symbol that ends a category
_SLACK = 1e-3  # of log p, by which the same sequence may differ from one search to the other

States = tuple[Tensor, ...]
T = TypeVar("T")


class Steps(Protocol):
    """A model that spells a category for each of a batch of words, symbol by symbol.

    States are tensors with a row for each hypothesis; log p of an illegal symbol is minus infinity.
    """

    def start(self) -> tuple[States, Tensor]:
        """For each word its first state and the log p (words, symbols) of its first symbol."""

    def advance(self, states: States, rows: Tensor, symbols: Tensor) -> tuple[States, Tensor]:
        """The states after `symbols`, one for each of the chosen `rows`, and log p of what follows."""


@dataclass(frozen=True, slots=True)
class Beam:
    """The sequences found for each word, best first, `END` left out.

    `which[word]` numbers them among the `sequences` of the batch; `logprobs[word]` are their log p,
    `END` included.
    """

    sequences: list[tuple[int, ...]]
    which: list[list[int]]
    logprobs: list[list[float]]


@torch.no_grad()
def beam_search(steps: Steps, width: int, beta: float = 0.0) -> Beam:
    """For each word the `width` best sequences that a beam of this width finds.

    At each step finished sequences compete with unfinished ones for the places in the beam: width 1
    is greedy, and a width that covers the whole space is exhaustive. Categories, and spellings of
    one, that are less than `beta` times as probable as the best of their word may be missing: it is quicker.
    """
    states, logp = steps.start()
    if width > 1 and not beta:
        return _wide(steps, states, logp, width, None)
    beam, total = _greedy(steps, states, logp)
    if width == 1:
        return beam
    # a sequence with the probability 1 / (1 + β) or more leaves less than β times as much to all others
    unsure = (total < -log1p(beta)).nonzero()[:, 0]
    # the spellings of a category, no more than `width`, are taken together before β is applied
    found = _wide_for(steps, states, logp, unsure, width, total[unsure] + log(beta) - log(width))
    best = total.new_tensor([row[0] if row else -inf for row in found.logprobs])
    # a beam can lose the greedy sequence and end with less: there nothing is known beforehand
    lost = unsure[best < total[unsure] - _SLACK]
    again = _wide_for(steps, states, logp, lost, width, None)
    return _with(_with(beam, unsure, found), lost, again)


def _wide_for(
    steps: Steps, states: States, logp: Tensor, words: Tensor, width: int, least: Tensor | None
) -> Beam:
    """As `_wide`, for some words."""
    if not len(words):
        return Beam([], [], [])
    chosen = tuple(state.index_select(0, words) for state in states)
    return _wide(steps, chosen, logp.index_select(0, words), width, least)


def _with(beam: Beam, words: Tensor, found: Beam) -> Beam:
    """The beam with what was found for some words instead."""
    which, logprobs = list(beam.which), list(beam.logprobs)
    for word, numbers, found_logprobs in zip(words.tolist(), found.which, found.logprobs, strict=True):
        which[word] = [len(beam.sequences) + number for number in numbers]
        logprobs[word] = found_logprobs
    return Beam(beam.sequences + found.sequences, which, logprobs)


def _greedy(steps: Steps, states: States, logp: Tensor) -> tuple[Beam, Tensor]:
    """What a beam of one place finds, without the beam's bookkeeping, and the log p once more."""
    words = len(logp)
    word, total = torch.arange(words, device=logp.device), logp.new_zeros(words)
    columns: list[tuple[Tensor, Tensor]] = []
    while len(word):
        best, symbol = logp.max(1)
        total[word] += best
        going = (symbol != END).nonzero()[:, 0]
        word, symbol = word[going], symbol[going]
        if len(word):
            columns.append((word, symbol))
            states, logp = steps.advance(states, going, symbol)
    spelt = np.full((words, len(columns)), END, dtype=np.int32)
    for column, (word, symbol) in enumerate(columns):
        spelt[word.cpu().numpy(), column] = symbol.cpu().numpy()
    sequences, which = _distinct(spelt)
    return Beam(sequences, [[number] for number in which], [[p] for p in total.tolist()]), total


def _wide(steps: Steps, states: States, logp: Tensor, width: int, least: Tensor | None) -> Beam:
    """`least` is the log p below which a word's sequences are of no interest."""
    words, symbols = logp.shape
    word = torch.arange(words, device=logp.device)
    score = logp.new_zeros(words, 1)
    node = torch.full((words, 1), -1, device=logp.device)  # the last symbol of each place in the beam
    done = torch.zeros(words, 1, dtype=torch.bool, device=logp.device)
    history = _History()
    finished: list[tuple[Tensor, Tensor, Tensor]] = []
    while len(word):
        live = ~done
        table = logp.new_full((*live.shape, symbols + 1), -inf)
        table[..., symbols] = score.masked_fill(live, -inf)  # what is finished stays as it is
        table[live, :symbols] = score[live].unsqueeze(1) + logp
        flat = table.view(len(word), -1)
        score, place = flat.topk(min(width, flat.size(1)), dim=1)
        if least is not None:  # log p only falls along a sequence
            score = score.masked_fill(score < least[word].unsqueeze(1), -inf)
        slot, symbol = place // (symbols + 1), place % (symbols + 1)
        row = (live.view(-1).cumsum(0) - 1).view_as(live).gather(1, slot)
        node = node.gather(1, slot)
        going = (symbol != symbols) & (symbol != END) & (score > -inf)
        node[going] = history.add(symbol[going], node[going])
        busy = going.any(1)
        if not bool(busy.all()):
            finished.append((word[~busy], score[~busy], node[~busy]))
        if bool(busy.any()):
            states, logp = steps.advance(states, row[going], symbol[going])
        word, score, node, done = word[busy], score[busy], node[busy], ~going[busy]
    return _collect(history, finished, words, width)


class _History:
    """Sequences that share their beginnings: each symbol knows the one before it."""

    def __init__(self) -> None:
        self.symbols: list[Tensor] = []
        self.before: list[Tensor] = []
        self._size = 0

    def add(self, symbols: Tensor, before: Tensor) -> Tensor:
        """Numbers of new symbols, each after the one numbered `before` (-1: none)."""
        self.symbols.append(symbols)
        self.before.append(before)
        self._size += len(symbols)
        return torch.arange(self._size - len(symbols), self._size, device=symbols.device)

    def spell(self, nodes: np.ndarray) -> np.ndarray:
        """The sequences that end at `nodes`, a row each, `END` before them."""
        symbols = np.append(torch.cat(self.symbols).cpu().numpy(), END).astype(np.int32)
        before = np.append(torch.cat(self.before).cpu().numpy(), -1)
        spelt = np.zeros((len(nodes), len(self.symbols)), dtype=np.int32)
        for column in reversed(range(spelt.shape[1])):
            spelt[:, column] = symbols[nodes]
            nodes = before[nodes]
        return spelt


def _collect(
    history: _History, finished: list[tuple[Tensor, Tensor, Tensor]], words: int, width: int
) -> Beam:
    nodes = np.full((words, width), -1)
    scores = np.full((words, width), -inf)
    for word, score, node in finished:
        rows = word.cpu().numpy()[:, None], np.arange(score.size(1))
        nodes[rows], scores[rows] = node.cpu().numpy(), score.cpu().numpy()
    found = scores > -inf
    if not found.any():
        return Beam([], [[] for _ in range(words)], [[] for _ in range(words)])
    sequences, which = _distinct(history.spell(nodes[found]))
    counts = found.sum(1).tolist()
    return Beam(sequences, regroup(which, counts), regroup(scores[found].tolist(), counts))


def _distinct(spelt: np.ndarray) -> tuple[list[tuple[int, ...]], list[int]]:
    """The different rows without `END`, and for each row which it is."""
    if not spelt.size:
        return [()] * bool(len(spelt)), [0] * len(spelt)
    as_bytes = spelt.view(np.dtype((np.void, spelt.dtype.itemsize * spelt.shape[1]))).reshape(-1)
    _, first, which = np.unique(as_bytes, return_index=True, return_inverse=True)
    rows = [tuple(symbol for symbol in row if symbol != END) for row in spelt[first].tolist()]
    return rows, which.reshape(-1).tolist()


def regroup(items: Sequence[T], sizes: Iterable[int]) -> list[list[T]]:
    """Consecutive lists of the given sizes.

    >>> regroup("abc", [2, 0, 1])
    [['a', 'b'], [], ['c']]
    """
    groups, start = [], 0
    for size in sizes:
        groups.append(list(items[start : start + size]))
        start += size
    return groups


@torch.no_grad()
def best_first(steps: Steps) -> list[tuple[tuple[int, ...], float]]:
    """For each word the sequence that is truly the best, and its log p: exact, and slow.

    log p only falls along a sequence, so the first finished one to come to the front of the
    agenda is the best. Words take their steps together.
    """
    states, logp = steps.start()
    best: list[tuple[tuple[int, ...], float] | None] = [None] * len(logp)
    agendas: list[list[tuple[float, tuple[int, ...], int]]] = [[] for _ in best]
    rows: list[tuple[tuple[int, ...], float, int]] = [
        ((), 0.0, word) for word in range(len(best))
    ]  # sequence, log p, word of each new state
    offset = 0
    while rows:
        for number, ((sequence, score, word), row) in enumerate(zip(rows, logp.tolist(), strict=True)):
            for symbol, value in enumerate(row):
                if value > -inf:
                    heappush(agendas[word], (-(score + value), (*sequence, symbol), offset + number))
        offset = len(states[0])
        chosen: list[int] = []
        rows = []
        for word, agenda in enumerate(agendas):
            if best[word] is None:
                cost, sequence, number = heappop(agenda)
                if sequence[-1] == END:
                    best[word] = sequence[:-1], -cost
                else:
                    rows.append((sequence, -cost, word))
                    chosen.append(number)
        if rows:
            device = logp.device
            symbols = torch.tensor([sequence[-1] for sequence, _, _ in rows], device=device)
            new, logp = steps.advance(states, torch.tensor(chosen, device=device), symbols)
            states = tuple(torch.cat(pair) for pair in zip(states, new, strict=True))
    return [answer for answer in best if answer is not None]
