"""The in-order transition system: a category as a sequence of gen, op, reduce and stop.

The paper's example, step by step:

>>> state = initial
>>> for action in oracle(Category.parse(r"(S\\NP)/NP")):
...     print(f"{state.time} {state.stack_text():11} {state.buffer_text():7} {action}")
...     state = state.apply(action)
0                     gen(S)
1 S           S       op(\\)
2 S|\\         S       gen(NP)
3 S|\\|NP      S|NP    reduce
4 S\\NP        S|NP    op(/)
5 S\\NP|/      S|NP    gen(NP)
6 S\\NP|/|NP   S|NP|NP reduce
7 (S\\NP)/NP   S|NP|NP stop
>>> state.output
(S\\NP)/NP
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from ..grammar import Atom, Category, Functor, Slash
from .errors import IllegalActionError, IllegalSequenceError, InexpressibleError

__all__ = [
    "REDUCE",
    "STOP",
    "Action",
    "Gen",
    "Op",
    "Reduce",
    "State",
    "Stop",
    "execute",
    "initial",
    "legal_actions",
    "oracle",
]


class Action:
    """One of `Gen(atom)`, `Op(slash)`, `REDUCE` and `STOP`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, repr=False)
class Gen(Action):
    """Push an atom."""

    atom: Atom

    def __str__(self) -> str:
        return f"gen({self.atom})"


@dataclass(frozen=True, slots=True, repr=False)
class Op(Action):
    """Push a slash."""

    slash: Slash

    def __str__(self) -> str:
        return f"op({self.slash})"


@dataclass(frozen=True, slots=True, repr=False)
class Reduce(Action):
    """Make one functor of the three topmost elements."""

    def __str__(self) -> str:
        return "reduce"


@dataclass(frozen=True, slots=True, repr=False)
class Stop(Action):
    """Take the only element as the output."""

    def __str__(self) -> str:
        return "stop"


REDUCE = Reduce()
STOP = Stop()


@dataclass(frozen=True, slots=True)
class State:
    """A stack of categories and slashes, the number of steps, and the atoms generated so far.

    `output` is the category once `STOP` has been taken.
    """

    stack: tuple[Category | Slash, ...] = ()
    time: int = 0
    buffer: tuple[Atom, ...] = ()
    output: Category | None = None

    @property
    def finished(self) -> bool:
        """Whether a whole category has been built."""
        return self.output is not None

    @property
    def awaits_category(self) -> bool:
        """Whether the next step has to be a `Gen`: at the beginning and after a slash."""
        return not self.finished and (not self.stack or isinstance(self.stack[-1], Slash))

    def forbids(self, action: Action) -> str | None:
        """Why the action is illegal here, or None if it is legal.

        >>> initial.apply(Gen(Atom("NP"))).forbids(STOP) is None
        True
        """
        if self.finished:
            return "the category is finished"
        match action:
            case Gen(atom):
                return self._forbids_gen(atom)
            case Op():
                return self._forbids_op()
            case Reduce():
                return None if len(self.stack) >= 3 and not self.awaits_category else _NEEDS_THREE
            case Stop():
                return None if len(self.stack) == 1 else "it needs exactly one element on the stack"
        return "it is not an action of this system"

    def apply(self, action: Action) -> State:
        """The state after the action.

        Raises `IllegalActionError` where it is not legal here.
        """
        reason = self.forbids(action)
        if reason is not None:
            raise IllegalActionError(f"{action} at step {self.time}: {reason}; {self._legal_text()}")
        stack, time = self.stack, self.time + 1
        match action:
            case Gen(atom):
                return State((*stack, atom), time, (*self.buffer, atom))
            case Op(slash):
                return State((*stack, slash), time, self.buffer)
            case Reduce():
                result, operator, argument = stack[-3:]
                functor = Functor(result, cast(Slash, operator), argument)
                return State((*stack[:-3], functor), time, self.buffer)
        return State((), time, self.buffer, cast(Category, stack[0]))

    def stack_text(self) -> str:
        """The stack as the paper prints it: `S|\\|NP`."""
        return "|".join(map(str, self.stack))

    def buffer_text(self) -> str:
        """The output buffer as the paper prints it: `S|NP`."""
        return "|".join(map(str, self.buffer))

    @property
    def _has_punctuation(self) -> bool:
        # punctuation is generated on the empty stack only, so it can only be the first atom
        return bool(self.buffer) and self.buffer[0].is_punctuation

    def _forbids_gen(self, atom: Atom) -> str | None:
        if not self.awaits_category:
            return "it needs an empty stack or a slash on top"
        if self.stack and atom.is_punctuation:
            return "punctuation is a category of its own, never a part of one"
        return None

    def _forbids_op(self) -> str | None:
        if self.awaits_category:
            return "it needs a category on top of the stack"
        return "after punctuation only stop is legal" if self._has_punctuation else None

    def _legal_text(self) -> str:
        """The legal actions in words, without knowing the atoms."""
        if self.finished:
            return "no action is legal"
        if self.awaits_category:
            return "legal: gen of an atom" + (" that is not punctuation" if self.stack else "")
        legal = [action for action in (STOP, REDUCE, *_OPS) if self.forbids(action) is None]
        return "legal: " + ", ".join(map(str, legal))


_NEEDS_THREE = "it needs three elements on the stack, a category on top"
_OPS = tuple(Op(slash) for slash in Slash)

initial = State()


def legal_actions(
    state: State, atoms: Iterable[Atom], max_size: int | None = None, max_stack: int | None = None
) -> tuple[Action, ...]:
    """The actions that the state allows, `Gen` over the given atoms.

    `max_size` bounds the category's atoms and `max_stack` the stack's elements. A bound forbids only
    slashes, so that an end can always be reached.

    >>> legal_actions(initial.apply(Gen(Atom("NP"))), [Atom("NP"), Atom(",")])
    (stop, op(/), op(\\))
    """
    full = (max_size is not None and len(state.buffer) >= max_size) or (
        max_stack is not None and len(state.stack) + 2 > max_stack
    )
    candidates: list[Action] = [STOP, REDUCE]
    candidates += () if full else _OPS
    candidates += map(Gen, atoms)
    return tuple(action for action in candidates if state.forbids(action) is None)


def oracle(category: Category) -> tuple[Action, ...]:
    r"""The one sequence of actions that makes the category: 3·size-1 of them.

    Raises `InexpressibleError` where no action makes a part of it.

    >>> oracle(Category.parse(r"S\NP"))
    (gen(S), op(\), gen(NP), reduce, stop)
    """
    actions: list[Action] = []
    agenda: list[Category | Action] = [STOP, category]
    while agenda:
        part = agenda.pop()
        if isinstance(part, Action):
            actions.append(part)
        elif isinstance(part, Atom):
            actions.append(Gen(part))
        elif isinstance(part, Functor):
            agenda += (REDUCE, part.argument, Op(part.slash), part.result)
    _check_reachable(category)
    return tuple(actions)


def execute(actions: Iterable[Action]) -> Category:
    """The category that a complete sequence of actions makes.

    Raises `IllegalActionError` where an action is not legal in its place, `IllegalSequenceError` where the
    last is not a stop.

    >>> execute([Gen(Atom("S")), STOP, STOP])
    Traceback (most recent call last):
    ccgkit.oracles.errors.IllegalActionError: stop at step 2: the category is finished; no action is legal
    """
    state = initial
    for action in actions:
        state = state.apply(action)
    if state.output is None:
        raise IllegalSequenceError(f"no stop after {state.time} steps; {state._legal_text()}")
    return state.output


def _check_reachable(category: Category) -> None:
    for part in category.subcategories():
        if isinstance(part, Functor) and part.conj:
            raise InexpressibleError(f"{category}: no action makes the [conj] mark of the functor {part}")
        if isinstance(part, Atom) and part.is_punctuation and part is not category:
            raise InexpressibleError(f"{category}: no action makes punctuation ({part}) inside a functor")
