"""Legality of tag sequences: exactly the canonical spellings of categories are legal.

A generator emits a category piece by piece. `Prefix` follows it and knows, at any moment, whether
the pieces so far are a whole category and how many more it takes to make one.

>>> is_legal(["(", "S[dcl]", "\\\\", "NP", ")", "/", "NP"])
True
>>> is_legal(["S", "\\\\", "NP", "/", "NP"]), is_legal(["(", "NP", ")"])
(False, False)
>>> legal_next(["(", "S"], ["(", ")", "/", "NP"])
['/']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache

from .category import BASE, CONJ, FEATURE
from .errors import CCGKitError

__all__ = ["IllegalTagError", "Phase", "Prefix", "is_legal", "legal_next", "lexemes"]

LEFT, RIGHT = 0, 1  # the operand that an open parenthesis stands for

_LEXEME = re.compile(rf"[()/\\]|{FEATURE}|{BASE}(?:(?!{re.escape(CONJ)}){FEATURE})?")


class IllegalTagError(CCGKitError, ValueError):
    """A tag that is no piece of any category's spelling."""


@lru_cache(maxsize=1 << 14)
def lexemes(tag: str) -> tuple[str, ...]:
    """The atoms (with their features), slashes and parentheses that a tag is made of.

    >>> lexemes("NP)/S[dcl]")
    ('NP', ')', '/', 'S[dcl]')
    """
    found: list[str] = []
    position = 0
    while position < len(tag):
        match = _LEXEME.match(tag, position)
        if match is None or not match.group().isprintable():
            raise IllegalTagError(f"{tag!r} is not a piece of a category: {tag[position:]!r} cannot be read")
        found.append(match.group())
        position = match.end()
    return tuple(found)


class Phase(IntEnum):
    """How far the innermost open category has got."""

    START = 0  # nothing yet
    ATOM = 1  # its first operand: an atom …
    MARKED_ATOM = 2  # … with the mark [conj] …
    GROUP = 3  # … or a functor in parentheses
    SLASH = 4  # a slash after the first operand
    DONE = 5  # the second operand
    MARKED = 6  # and the mark [conj] on the whole


_CLOSES = (Phase.DONE, Phase.MARKED)
_TAKES_SLASH = (Phase.ATOM, Phase.MARKED_ATOM, Phase.GROUP)
_WHOLE = (Phase.ATOM, Phase.MARKED_ATOM, Phase.DONE, Phase.MARKED)


@dataclass(frozen=True, slots=True)
class Prefix:
    """The state after some tags of a canonical spelling, within limits on the whole category.

    `max_length` counts `Category.tokens()`, `max_depth` is `Category.depth`; None means no limit.
    """

    max_length: int | None = None
    max_depth: int | None = None
    length: int = 0
    phase: Phase = Phase.START
    opened: tuple[int, ...] = ()
    bare: bool = False  # the last lexeme was an atom that may still take a feature

    def advance(self, tag: str) -> Prefix | None:
        """The state after `tag`; None if no legal category within the limits goes on like that.

        Raises `IllegalTagError` where `tag` is not a piece of a category.
        """
        state = self
        for lexeme in lexemes(tag):
            following = state._step(lexeme)
            if following is None:
                return None
            state = following
        if self.max_length is not None and state.length + state.shortest_completion > self.max_length:
            return None
        return state

    @property
    def is_complete(self) -> bool:
        """Whether the tags so far spell a category."""
        return not self.opened and self.phase in _WHOLE

    @property
    def shortest_completion(self) -> int:
        """Lexemes that the shortest way to a legal category still takes."""
        rest = sum(3 if side == LEFT else 1 for side in self.opened)
        match self.phase:
            case Phase.START:
                return rest + (3 if self.opened else 1)
            case Phase.ATOM | Phase.MARKED_ATOM:
                marked_argument = self.phase is Phase.MARKED_ATOM and self.opened[-1:] == (RIGHT,)
                return rest + (2 if self.opened and not marked_argument else 0)
            case Phase.GROUP:
                return rest + 2
            case Phase.SLASH:
                return rest + 1
            case _:
                return rest

    def _step(self, lexeme: str) -> Prefix | None:
        if lexeme == "(":
            return self._open()
        if lexeme == ")":
            return self._close()
        if lexeme in ("/", "\\"):
            fits = self.phase in _TAKES_SLASH and self._admits(len(self.opened) + 1)
            return self._to(Phase.SLASH) if fits else None
        if lexeme == CONJ:
            marked = {Phase.ATOM: Phase.MARKED_ATOM, Phase.DONE: Phase.MARKED}.get(self.phase)
            return None if marked is None else self._to(marked)
        if lexeme[0] == "[":
            return replace(self, bare=False) if self.bare else None
        after = {Phase.START: Phase.ATOM, Phase.SLASH: Phase.DONE}.get(self.phase)
        return None if after is None else self._to(after, bare="[" not in lexeme)

    def _open(self) -> Prefix | None:
        side = {Phase.START: LEFT, Phase.SLASH: RIGHT}.get(self.phase)
        if side is None or not self._admits(len(self.opened) + 2):
            return None
        return self._to(Phase.START, opened=(*self.opened, side))

    def _close(self) -> Prefix | None:
        if not self.opened:
            return None
        *outer, side = self.opened
        if self.phase in _CLOSES or (self.phase is Phase.MARKED_ATOM and side == RIGHT):
            return self._to(Phase.GROUP if side == LEFT else Phase.DONE, opened=tuple(outer))
        return None

    def _admits(self, depth: int) -> bool:
        return self.max_depth is None or depth <= self.max_depth

    def _to(self, phase: Phase, *, opened: tuple[int, ...] | None = None, bare: bool = False) -> Prefix:
        stack = self.opened if opened is None else opened
        return Prefix(self.max_length, self.max_depth, self.length + 1, phase, stack, bare)


def is_legal(tags: Iterable[str]) -> bool:
    r"""Whether the tags are exactly the canonical spelling of a category.

    >>> is_legal(["(", "S", "\\", "NP", ")/NP"]), is_legal(["S", "\\", "NP", "/", "NP"])
    (True, False)
    """
    state: Prefix | None = Prefix()
    for tag in tags:
        try:
            state = state.advance(tag) if state is not None else None
        except IllegalTagError:
            return False
    return state is not None and state.is_complete


def legal_next(
    prefix: Iterable[str],
    tags: Sequence[str],
    *,
    max_length: int | None = None,
    max_depth: int | None = None,
) -> list[str]:
    """Those of `tags` after which the prefix can still become a legal category.

    `max_length` limits its lexemes, `max_depth` its depth.

    >>> legal_next(["(", "S", "/", "NP"], ["/", ")", "NP"])
    [')']
    """
    state: Prefix | None = Prefix(max_length, max_depth)
    for tag in prefix:
        state = state.advance(tag) if state is not None else None
    if state is None:
        return []
    return [tag for tag in tags if state.advance(tag) is not None]
