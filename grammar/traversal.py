"""The walk through a tree of any kind; not recursive, for trees may be deeper than Python's stack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, Self, TypeVar

__all__ = ["preorder"]


class Tree(Protocol):
    @property
    def children(self) -> tuple[Self, ...]: ...


T = TypeVar("T", bound=Tree)


def preorder(root: T) -> Iterator[T]:
    """The root and all below it, parents first, left to right."""
    agenda = [root]
    while agenda:
        node = agenda.pop()
        yield node
        agenda.extend(reversed(node.children))
