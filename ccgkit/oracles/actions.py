"""The actions of the transition system by number, as a decoder chooses among them.

>>> actions = ActionSet(["NP", "S", ","])
>>> actions.encode(Category.parse("S/NP"))
(5, 2, 4, 1, 0)
>>> actions.decode((5, 2, 4, 1, 0))
S/NP
"""

from __future__ import annotations

from collections.abc import Iterable

from ..grammar import Atom, Category, Slash
from .errors import InexpressibleError, OracleError
from .transitions import REDUCE, STOP, Action, Gen, Op, execute, oracle

__all__ = ["ActionSet"]

_MEMO_SIZE = 1 << 15  # categories; all of CCGbank has 1,285


class ActionSet:
    """Numbers for actions: 0 stop, 1 reduce, 2 and 3 the slashes, then a gen for each atom.

    Raises `OracleError` where there are no atoms, or one is repeated.
    """

    def __init__(self, atoms: Iterable[Atom | str]) -> None:
        """The actions over these atoms, in this order."""
        self.atoms: tuple[Atom, ...] = tuple(map(_atom, atoms))
        self.actions: tuple[Action, ...] = (STOP, REDUCE, *map(Op, Slash), *map(Gen, self.atoms))
        self.index: dict[Action, int] = {action: number for number, action in enumerate(self.actions)}
        if len(self.index) < len(self.actions) or not self.atoms:
            raise OracleError("an action set needs atoms, each of them once")
        self._encoded: dict[Category, tuple[int, ...]] = {}

    @classmethod
    def from_categories(cls, categories: Iterable[Category]) -> ActionSet:
        """The actions that make these categories, atoms in the order of their spelling."""
        return cls(sorted({atom for category in categories for atom in category.atoms()}))

    def __len__(self) -> int:
        return len(self.actions)

    def encode(self, category: Category) -> tuple[int, ...]:
        """The numbers of the category's oracle.

        Raises `InexpressibleError` where an action it needs is not in the set.
        """
        numbers = self._encoded.get(category)
        if numbers is None:
            numbers = self._encode(category)
            if len(self._encoded) >= _MEMO_SIZE:
                self._encoded.clear()
            self._encoded[category] = numbers
        return numbers

    def decode(self, numbers: Iterable[int]) -> Category:
        """The category that a complete sequence makes.

        Raises `IllegalSequenceError`, which says why, where it makes none.
        """
        return execute(self.actions[number] for number in numbers)

    def _encode(self, category: Category) -> tuple[int, ...]:
        try:
            return tuple(self.index[action] for action in oracle(category))
        except KeyError as error:
            raise InexpressibleError(f"{category}: the action set has no {error.args[0]}") from None


def _atom(atom: Atom | str) -> Atom:
    category: Category = Category.parse(atom) if isinstance(atom, str) else atom
    if not isinstance(category, Atom):
        raise OracleError(f"{category} is not an atom: gen makes only atoms")
    return category
