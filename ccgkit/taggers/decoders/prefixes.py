"""The beginnings of transition sequences as a tree, so that what depends on them alone is computed once.

Nothing in the transition generator's stack, buffer and history depends on the word: words that have
taken the same actions are in the same state. A state is therefore a node here, and however many words
there are, they share the few nodes that categories really go through.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import cast

import numpy as np
import numpy.typing as npt

from ccgkit.grammar import Category
from ccgkit.oracles import ActionSet, Op, State, initial, legal_actions

__all__ = ["ROOT", "Prefixes"]

ROOT = 0  # the node where nothing has been done yet

_MEMO_SIZE = 1 << 15  # categories
_LOCK = Lock()  # one for all, so that a decoder can be copied


class Prefixes:
    """Numbered sequences of legal actions, each with the stack it leads to.

    `below[node]` is the earlier node whose stack is this one's without its top. Threads may share the tree.
    """

    def __init__(self, actions: ActionSet, max_length: int, max_depth: int) -> None:
        self.actions = actions
        self.max_length, self.max_depth = max_length, max_depth
        self.states: list[State] = [initial]
        self.previous: list[int] = [ROOT]
        self.action: list[int] = [-1]
        self.below: list[int] = [-1]
        self._alike: dict[tuple[int, bool, bool, bool], npt.NDArray[np.bool_]] = {}
        self.legal: list[npt.NDArray[np.bool_]] = [self._legal(initial)]
        self._children: dict[tuple[int, int], int] = {}
        self._paths: dict[Category, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self.states)

    def child(self, node: int, action: int) -> int:
        """The node after one more action (not stop, which ends a category)."""
        number = self._children.get((node, action))
        if number is None:
            with _LOCK:
                number = self._children.get((node, action)) or self._add(node, action)
        return number

    def _add(self, node: int, action: int) -> int:
        number = len(self)
        state = self.states[node].apply(self.actions.actions[action])
        self.states.append(state)
        self.previous.append(node)
        self.action.append(action)
        grown = len(state.stack) > len(self.states[node].stack)
        self.below.append(node if grown else self.below[self.below[self.below[node]]])
        self.legal.append(self._legal(state))
        self._children[node, action] = number  # last: from now on other threads find it
        return number

    def path(self, category: Category) -> tuple[int, ...]:
        """The nodes in which the actions of the category's oracle are chosen, one each."""
        nodes = self._paths.get(category)
        if nodes is None:
            walk = [ROOT]
            for action in self.actions.encode(category)[:-1]:
                walk.append(self.child(walk[-1], action))
            nodes = tuple(walk)
            if len(self._paths) >= _MEMO_SIZE:
                self._paths.clear()
            self._paths[category] = nodes
        return nodes

    def category(self, actions: Iterable[int]) -> Category:
        """What a sequence of actions, stop left out, has made."""
        node = ROOT
        for action in actions:
            node = self.child(node, action)
        (category,) = self.states[node].stack
        return cast(Category, category)

    def levels(self, nodes: Iterable[int]) -> list[list[int]]:
        """The nodes by length, the root left out."""
        levels: dict[int, list[int]] = {}
        for node in nodes:
            levels.setdefault(self.states[node].time, []).append(node)
        return [levels[time] for time in sorted(levels) if time]

    def _legal(self, state: State) -> npt.NDArray[np.bool_]:
        """Which actions are legal; the same array for all states that are alike in what decides it."""
        room = state.awaits_category or self._has_room(state)
        punctuation = bool(state.buffer) and state.buffer[0].is_punctuation
        key = min(len(state.stack), 4), state.awaits_category, punctuation, room
        legal = self._alike.get(key)
        if legal is None:
            legal = np.zeros(len(self.actions), dtype=np.bool_)
            allowed = legal_actions(state, self.actions.atoms)
            legal[[self.actions.index[a] for a in allowed if room or not isinstance(a, Op)]] = True
            self._alike[key] = legal
        return legal

    def _has_room(self, state: State) -> bool:
        """Whether a slash and one more atom, and all reduced, would be a category within the limits."""
        depth = 0
        for part in reversed(state.stack[::2]):
            depth = 1 + max(cast(Category, part).depth, depth)
        size = len(state.buffer) + 1
        return 4 * size - 5 <= self.max_length and depth <= self.max_depth  # lexemes of `size` atoms
