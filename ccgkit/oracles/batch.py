"""The transition system for many words at once, on numpy arrays.

>>> actions = ActionSet(["NP", "S", ","])
>>> words = BatchState(2, actions, max_size=4)
>>> words.apply([actions.index[Gen(Atom("NP"))], actions.index[Gen(Atom(","))]])
>>> [[actions.actions[number] for number in row.nonzero()[0]] for row in words.legal()]
[[stop, op(/), op(\\)], [stop]]
>>> words.apply([0, 0])
>>> words.categories()
[NP, ,]
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from ..grammar import Atom, Category, Slash
from .errors import IllegalActionError, InexpressibleError, OracleError
from .transitions import REDUCE, STOP, Action, Gen, Op, execute, oracle

__all__ = ["ActionSet", "BatchState"]

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_STOP, _REDUCE, _OP, _GEN, _PUNCTUATION = range(5)  # kinds: actions that are legal together
_MEMO_SIZE = 1 << 15  # categories; all of CCGbank has 1,285


class ActionSet:
    """Numbers for actions: 0 stop, 1 reduce, 2 and 3 the slashes, then a gen for each atom."""

    def __init__(self, atoms: Iterable[Atom | str]) -> None:
        """The actions over these atoms, in this order."""
        self.atoms: tuple[Atom, ...] = tuple(map(_atom, atoms))
        self.actions: tuple[Action, ...] = (STOP, REDUCE, *map(Op, Slash), *map(Gen, self.atoms))
        self.index: dict[Action, int] = {action: number for number, action in enumerate(self.actions)}
        if len(self.index) < len(self.actions) or not self.atoms:
            raise OracleError("an action set needs atoms, each of them once")
        self._kinds: Ints = np.array(list(map(_kind, self.actions)))
        self._encoded: dict[Category, tuple[int, ...]] = {}

    @classmethod
    def from_categories(cls, categories: Iterable[Category]) -> ActionSet:
        """The actions that make these categories, atoms in the order of their spelling."""
        return cls(sorted({atom for category in categories for atom in category.atoms()}))

    def __len__(self) -> int:
        return len(self.actions)

    def encode(self, category: Category) -> tuple[int, ...]:
        """The numbers of the category's oracle."""
        numbers = self._encoded.get(category)
        if numbers is None:
            numbers = self._encode(category)
            if len(self._encoded) >= _MEMO_SIZE:
                self._encoded.clear()
            self._encoded[category] = numbers
        return numbers

    def decode(self, numbers: Iterable[int]) -> Category:
        """The category that a complete sequence makes, or why it makes none."""
        return execute(self.actions[number] for number in numbers)

    def _encode(self, category: Category) -> tuple[int, ...]:
        try:
            return tuple(self.index[action] for action in oracle(category))
        except KeyError as error:
            raise InexpressibleError(f"{category}: the action set has no {error.args[0]}") from None


class BatchState:
    """The states of n words, changed in place by `apply`.

    A word's stack alternates categories and slashes, so its depth says what is on top. `stack` holds
    for each element the step that made it: a decoder that keeps one vector a step gathers by it.
    Only its first `depth` entries count. `history` has the actions taken, -1 beyond them.
    """

    def __init__(
        self, n: int, action_set: ActionSet, *, max_size: int = 40, max_stack: int | None = None
    ) -> None:
        """n words at the beginning; `max_size` bounds atoms a category, `max_stack` elements a stack.

        A bound forbids only slashes: from every state an end is reached within 3·max_size-1 steps.
        """
        if max_size < 1 or (max_stack is not None and max_stack < 1):
            raise OracleError(f"max_size={max_size}, max_stack={max_stack}: both must be at least 1")
        self.action_set = action_set
        self.max_size = max_size
        self.max_stack = min(2 * max_size - 1, max_stack or 2 * max_size - 1)
        self.depth: Ints = np.zeros(n, dtype=np.int64)  #: elements on the stack
        self.size: Ints = np.zeros(n, dtype=np.int64)  #: atoms generated
        self.time: Ints = np.zeros(n, dtype=np.int64)  #: steps taken
        self.finished: Bools = np.zeros(n, dtype=bool)
        self.punctuated: Bools = np.zeros(n, dtype=bool)  #: whether punctuation was generated
        self.stack: Ints = np.full((n, self.max_stack), -1, dtype=np.int64)
        self.history: Ints = np.full((n, 3 * max_size - 1), -1, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.depth)

    @property
    def all_finished(self) -> bool:
        return bool(self.finished.all())

    def legal(self) -> Bools:
        """Which actions each word allows, (n, actions). A finished word allows stop, which does nothing."""
        return self._allowed()[:, self.action_set._kinds]

    def apply(self, actions: npt.ArrayLike) -> None:
        """Take one action a word; words that are finished ignore theirs."""
        chosen = np.asarray(actions, dtype=np.int64)
        self._check(chosen)
        rows = np.flatnonzero(~self.finished)
        chosen, time = chosen[rows], self.time[rows]
        kinds = self.action_set._kinds[chosen]
        stop = kinds == _STOP
        self.history[rows, time] = chosen
        self.depth[rows] += _GROWTH[kinds]
        top = rows[~stop]
        self.stack[top, self.depth[top] - 1] = time[~stop]
        self.size[rows] += kinds >= _GEN
        self.punctuated[rows] |= kinds == _PUNCTUATION
        self.finished[rows] = stop
        self.time[rows] += 1

    def select(self, rows: npt.ArrayLike) -> BatchState:
        """The states at these rows, in this order and as often as asked: a beam's survivors."""
        wanted = np.asarray(rows)
        other = BatchState.__new__(BatchState)
        for name, value in vars(self).items():
            setattr(other, name, value[wanted] if isinstance(value, np.ndarray) else value)
        return other

    def copy(self) -> BatchState:
        return self.select(np.arange(len(self)))

    def categories(self) -> list[Category | None]:
        """The finished words' categories, None for the others; each different one is built once."""
        built: dict[bytes, Category] = {}
        return [
            self._category(row, built) if done else None for row, done in enumerate(self.finished.tolist())
        ]

    def _category(self, row: int, built: dict[bytes, Category]) -> Category:
        numbers = self.history[row, : self.time[row]]
        key = numbers.tobytes()
        if key not in built:
            built[key] = self.action_set.decode(numbers.tolist())
        return built[key]

    def _allowed(self) -> Bools:
        """Which kinds of action each word allows, (n, kinds)."""
        category_on_top = self.depth % 2 == 1
        start = (self.depth == 0) & ~self.finished
        full = (self.size >= self.max_size) | (self.depth + 2 > self.max_stack)
        allowed = np.empty((len(self), 5), dtype=bool)
        allowed[:, _STOP] = (self.depth == 1) | self.finished
        allowed[:, _REDUCE] = category_on_top & (self.depth >= 3)
        allowed[:, _OP] = category_on_top & ~full & ~self.punctuated
        allowed[:, _GEN] = ~category_on_top & ~self.finished
        allowed[:, _PUNCTUATION] = start
        return allowed

    def _check(self, chosen: Ints) -> None:
        if chosen.shape != self.depth.shape:
            raise OracleError(f"{len(self)} words need {len(self)} actions, not shape {chosen.shape}")
        known = (chosen >= 0) & (chosen < len(self.action_set))
        kinds = self.action_set._kinds[np.where(known, chosen, 0)]
        legal = known & self._allowed()[np.arange(len(self)), kinds]
        wrong = np.flatnonzero(~legal & ~self.finished)
        if len(wrong):
            self._refuse(int(wrong[0]), int(chosen[wrong[0]]))

    def _refuse(self, row: int, number: int) -> NoReturn:
        actions = self.action_set.actions
        action = str(actions[number]) if 0 <= number < len(actions) else f"action {number}"
        legal = ", ".join(str(actions[i]) for i in np.flatnonzero(self.legal()[row]))
        raise IllegalActionError(f"{action} for word {row} at step {self.time[row]}; legal: {legal}")


_GROWTH = np.array([-1, -2, 1, 1, 1])  # of the stack, by kind of action


def _kind(action: Action) -> int:
    match action:
        case Gen(atom):
            return _PUNCTUATION if atom.is_punctuation else _GEN
        case Op():
            return _OP
    return _REDUCE if action is REDUCE else _STOP


def _atom(atom: Atom | str) -> Atom:
    category: Category = Category.parse(atom) if isinstance(atom, str) else atom
    if not isinstance(category, Atom):
        raise OracleError(f"{category} is not an atom: gen makes only atoms")
    return category
