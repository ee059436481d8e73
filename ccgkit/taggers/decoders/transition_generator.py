"""The transition-based category generator (CT): actions chosen by stack, buffer and history LSTMs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from threading import RLock
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor, nn

from ccgkit.grammar import Atom, Category
from ccgkit.oracles import ActionSet, InexpressibleError

from ..config import DecoderConfig
from ..interface import Encoded
from ..layers import SharedDropout, initialise_lstm
from .beam import States, Steps
from .prefixes import ROOT, Prefixes
from .searching import SearchingDecoder, padded

__all__ = ["TransitionGenerator"]

_MAX_DEPTH = 16  # of a category; the deepest of all corpora at hand has 7
_MOST_NODES = 1 << 16  # kept between batches
_REDUCE, _FIRST_GEN = 1, 4  # in every `ActionSet`
_LOCK = RLock()  # one for all, so that a decoder can be copied


class TransitionGenerator(SearchingDecoder):
    """p(action) = softmax(w · ReLU[h_stack; h_out; h_his; h]) over the legal actions, or over all of them.

    With a hidden layer it is softmax(w · ReLU(W[h_stack; h_out; h_his; h] + b)), where state and word meet.
    In both, what a state adds does not depend on the word and is computed once for all words.
    """

    config_type = DecoderConfig

    def __init__(self, width: int, config: DecoderConfig, actions: ActionSet) -> None:
        super().__init__()
        self.config = config
        self.actions = actions
        self.prefixes = Prefixes(actions, config.max_steps, _MAX_DEPTH)
        self.machine = StackMachine(
            len(actions), config.transition_width, config.action_width or config.transition_width
        )
        summed = config.hidden_width or len(actions)
        self.state_output = nn.Linear(3 * config.transition_width, summed, bias=False)
        self.word_output = nn.Linear(width, summed, bias=bool(config.hidden_width))
        if config.hidden_width:
            self.output = nn.Linear(config.hidden_width, len(actions), bias=False)
        self.word_dropout = SharedDropout(config.dropout)
        self._known: tuple[object, _States] | None = None

    @classmethod
    def build(cls, width: int, config: DecoderConfig, counts: Mapping[Category, int]) -> Self:
        return cls(width, config, ActionSet.from_categories(counts))

    @classmethod
    def from_json(cls, width: int, config: DecoderConfig, vocabulary: Mapping[str, Any]) -> Self:
        return cls(width, config, ActionSet(vocabulary["atoms"]))

    def to_json(self) -> dict[str, Any]:
        return {"atoms": [str(atom) for atom in self.actions.atoms]}

    @property
    def atoms(self) -> set[Atom]:
        return set(self.actions.atoms)

    def loss(self, encoded: Encoded, gold: Sequence[Sequence[Category | None]]) -> Tensor:
        taught = self.taught(gold)
        if not taught:
            return encoded.hidden.sum() * 0.0
        self._known = None  # weights are about to change, by fused optimisers without a trace
        return -self._oracle_log_probs(encoded, taught, _States(self))[0].sum()

    def train(self, mode: bool = True) -> Self:
        if mode or self.training:
            self._known = None
        return super().train(mode)

    def steps(self, encoded: Encoded) -> Steps:
        """The words of a batch for a search; only legal actions can be taken."""
        return _TransitionSteps(self, self._known_states(), self.word_parts(encoded))

    def log_probs(self, encoded: Encoded, pairs: Sequence[tuple[int, Category]]) -> Tensor:
        rows = [row for row, (_, category) in enumerate(pairs) if self.spelling_length(category)]
        values = torch.full((len(pairs),), -torch.inf)
        if rows:
            each, of = self._oracle_log_probs(encoded, [pairs[row] for row in rows], self._known_states())
            values[rows] = each.new_zeros(len(rows)).index_add_(0, of, each).cpu()
        return values

    def word_parts(self, encoded: Encoded) -> Tensor:
        """The words' parts of what becomes logits, a row for each word."""
        hidden = self.word_dropout(encoded.hidden)[encoded.mask]
        parts: Tensor = self.word_output(hidden if self.config.hidden_width else hidden.relu())
        return parts

    def state_parts(self, vectors: States) -> Tensor:
        """The states' parts of what becomes logits, a row for each state."""
        summary = StackMachine.summary(vectors)
        parts: Tensor = self.state_output(summary if self.config.hidden_width else summary.relu())
        return parts

    def action_log_probs(self, words: Tensor, states: Tensor, legal: Tensor) -> Tensor:
        """log p of every action, from the parts of words and of the states they are in.

        It is minus infinity for an illegal action, even if it took part in the softmax.
        """
        sums = words + states
        logits = (self.output(sums.relu()) if self.config.hidden_width else sums).float()
        if self.config.softmax == "all":
            return logits.log_softmax(1).masked_fill(~legal, -torch.inf)
        return logits.masked_fill(~legal, -torch.inf).log_softmax(1)

    def _oracle_log_probs(
        self, encoded: Encoded, spelt: Sequence[tuple[int, Category]], states: _States
    ) -> tuple[Tensor, Tensor]:
        """log p of every action that makes the categories of some words, and whose it is."""
        kinds = {category: number for number, category in enumerate(dict.fromkeys(c for _, c in spelt))}
        paths = [states.prefixes.path(category) for category in kinds]
        states.compute({node for path in paths for node in path})
        nodes = padded([[states.row[node] for node in path] for path in paths])
        actions = padded([self.actions.encode(category) for category in kinds])
        kind = torch.tensor([kinds[category] for _, category in spelt])
        runs = torch.arange(nodes.size(1)) < torch.tensor([len(path) for path in paths])[kind].unsqueeze(1)
        parts = self.word_parts(encoded)
        word = torch.tensor([word for word, _ in spelt]).unsqueeze(1).expand_as(runs)[runs].to(parts.device)
        node, action = nodes[kind][runs].to(parts.device), actions[kind][runs].to(parts.device)
        logp = self.action_log_probs(parts.index_select(0, word), *states.of(node))
        return logp.gather(1, action.unsqueeze(1)).squeeze(1), runs.nonzero()[:, 0].to(parts.device)

    def spelling_length(self, category: Category) -> int | None:
        """Actions that make the category, stop included; None if none do."""
        try:
            return len(self.actions.encode(category))
        except InexpressibleError:
            return None

    def compose(self, sequence: tuple[int, ...]) -> Category:
        return self.prefixes.category(sequence)

    def _known_states(self) -> _States:
        """States kept from batch to batch for as long as the weights are the same."""
        weights = [*self.machine.parameters(), *self.state_output.parameters()]
        marks = [(w.data_ptr(), 0 if w.is_inference() else w._version) for w in weights]
        mark = torch.is_inference_mode_enabled(), *marks  # what one mode made, another must not change
        if self._known is None or self._known[0] != mark or len(self._known[1].nodes) > _MOST_NODES:
            if len(self.prefixes) > _MOST_NODES:
                self.prefixes = Prefixes(self.actions, self.config.max_steps, _MAX_DEPTH)
            self._known = mark, _States(self)
        return self._known[1]


class StackMachine(nn.Module):
    """Vectors of transition states: stack-LSTM, output-buffer LSTM, action-history LSTM, composition.

    States are seven tensors with a row for each state: the top element of the stack, then output and
    cell of the three LSTMs.
    """

    def __init__(self, actions: int, width: int, action_width: int) -> None:
        super().__init__()
        self.elements = nn.Embedding(actions, action_width)  # atoms and slashes as they lie on the stack
        self.actions = nn.Embedding(actions, action_width)
        self.stack, self.buffer, self.history = (nn.LSTMCell(action_width, width) for _ in range(3))
        self.forwards = nn.LSTM(action_width, width, batch_first=True)  # reads root, left, right
        self.backwards = nn.LSTM(action_width, width, batch_first=True)  # reads root, right, left
        self.composed = nn.Linear(2 * width, action_width, bias=False)
        self.begin = nn.Parameter(torch.zeros(7, width))  # before anything has been read
        for lstm in (self.stack, self.buffer, self.history, self.forwards, self.backwards):
            initialise_lstm(lstm)

    def start(self) -> States:
        """The state in which nothing has been done."""
        nothing = self.begin.new_zeros(1, self.elements.embedding_dim)  # no action reads it
        return (nothing, *self.begin[1:].unsqueeze(1))  # the first row is unused but stored in older models

    def advance(self, states: States, actions: Tensor, sources: Tensor) -> States:
        """New states, each after one action.

        `sources` has rows of `states`: where each comes from, what is below its new top, and the
        operator and the left operand that a reduce takes.
        """
        before, below, operator, left = sources
        element, *stack_state = states[:3]
        buffer_h, buffer_c, *history_state = (state.index_select(0, before) for state in states[3:])
        top = self.elements(actions)
        reduces = (actions == _REDUCE).nonzero()[:, 0]
        if len(reduces):
            parts = [element.index_select(0, index[reduces]) for index in (operator, left, before)]
            top = top.index_put((reduces,), self.compose(*parts).to(top.dtype))
        stack = self.stack(top, tuple(state.index_select(0, below) for state in stack_state))
        history = self.history(self.actions(actions), tuple(history_state))
        read_h, read_c = self.buffer(top, (buffer_h, buffer_c))
        generates = (actions >= _FIRST_GEN).unsqueeze(1)
        buffer = torch.where(generates, read_h, buffer_h), torch.where(generates, read_c, buffer_c)
        return (top, *stack, *buffer, *history)

    def compose(self, root: Tensor, left: Tensor, right: Tensor) -> Tensor:
        """e' = ReLU(w · [LSTM(root, left, right); LSTM(root, right, left)])."""
        _, (forwards, _) = self.forwards(torch.stack([root, left, right], 1))
        _, (backwards, _) = self.backwards(torch.stack([root, right, left], 1))
        composed: Tensor = self.composed(torch.cat([forwards[0], backwards[0]], 1)).relu()
        return composed

    @staticmethod
    def summary(states: States) -> Tensor:
        """s = [h_stack; h_out; h_his]."""
        return torch.cat([states[1], states[3], states[5]], 1)


class _States:
    """The vectors of some nodes of the tree of prefixes and what becomes logits, computed when asked for.

    Threads may share them: rows are only added, under a lock, and read without one.
    """

    def __init__(self, generator: TransitionGenerator) -> None:
        self._generator = generator
        self.prefixes = generator.prefixes
        self.nodes = [ROOT]
        self.row = {ROOT: 0}
        self.vectors = generator.machine.start()
        self._parts = generator.state_parts(self.vectors)
        self._legal = self._legal_actions(self.nodes)
        self._children = torch.full_like(self._legal, -1, dtype=torch.long)  # rows after each action

    def of(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """The parts of what becomes logits, and which actions are legal."""
        return self._parts.index_select(0, rows), self._legal.index_select(0, rows)

    def compute(self, nodes: Iterable[int]) -> None:
        """Make sure of the nodes, whose beginnings must be among them or known."""
        with _LOCK:
            for level in self.prefixes.levels(node for node in sorted(nodes) if node not in self.row):
                self._append(level)

    def after(self, rows: Tensor, actions: Tensor) -> Tensor:
        """The rows reached by legal actions other than stop."""
        found = self._children[rows, actions]
        if bool((found < 0).any()):
            missing = sorted(set(map(tuple, torch.stack([rows, actions], 1)[found < 0].tolist())))
            with _LOCK:
                nodes = [self.prefixes.child(self.nodes[row], action) for row, action in missing]
                self.compute(nodes)
                for (row, action), node in zip(missing, nodes, strict=True):
                    self._children[row, action] = self.row[node]
                found = self._children[rows, actions]
        return found

    def _append(self, nodes: Sequence[int]) -> None:
        prefixes, device = self.prefixes, self._parts.device
        actions = torch.tensor([prefixes.action[node] for node in nodes], device=device)
        sources = torch.tensor([self._sources(node) for node in nodes], device=device).t()
        new = self._generator.machine.advance(self.vectors, actions, sources)
        size, legal = len(self.nodes), self._legal_actions(nodes)
        self.vectors = tuple(_extended(old, size, more) for old, more in zip(self.vectors, new, strict=True))
        self._parts = _extended(self._parts, size, self._generator.state_parts(new))
        self._legal = _extended(self._legal, size, legal)
        self._children = _extended(self._children, size, torch.full_like(legal, -1, dtype=torch.long))
        self.row.update((node, size + number) for number, node in enumerate(nodes))
        self.nodes += nodes

    def _sources(self, node: int) -> tuple[int, int, int, int]:
        below, before = self.prefixes.below, self.prefixes.previous[node]
        operator = max(below[before], ROOT)  # any row will do where nothing is reduced
        left = max(below[operator], ROOT)
        return self.row[before], self.row[below[node]], self.row[operator], self.row[left]

    def _legal_actions(self, nodes: Sequence[int]) -> Tensor:
        legal = torch.from_numpy(np.stack([self.prefixes.legal[node] for node in nodes]))
        return legal.to(self._parts.device)


def _extended(rows: Tensor, size: int, more: Tensor) -> Tensor:
    """`rows`, of which `size` are in use, with more of them; without gradients, room is kept for others."""
    total = size + len(more)
    if more.requires_grad:
        return torch.cat([rows, more])
    if total > len(rows):
        grown = rows.new_empty(2 * total, rows.size(1))
        grown[:size] = rows[:size]
        rows = grown
    rows[size:total] = more
    return rows


class _TransitionSteps:
    """The words of a batch in a search: a word's hypothesis is at a node of the tree of prefixes."""

    def __init__(self, generator: TransitionGenerator, states: _States, parts: Tensor) -> None:
        self._generator, self._states, self._parts = generator, states, parts

    def start(self) -> tuple[States, Tensor]:
        word = torch.arange(len(self._parts), device=self._parts.device)
        return self._step(word, torch.zeros_like(word))

    def advance(self, states: States, rows: Tensor, symbols: Tensor) -> tuple[States, Tensor]:
        word, node = (state[rows] for state in states)
        return self._step(word, self._states.after(node, symbols))

    def _step(self, word: Tensor, node: Tensor) -> tuple[States, Tensor]:
        logp = self._generator.action_log_probs(self._parts.index_select(0, word), *self._states.of(node))
        return (word, node), logp
