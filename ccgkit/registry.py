"""Parts found by name: ours, those a program registers, and those of installed distributions.

Another distribution offers a part by an entry point, as in its `pyproject.toml`::

    [project.entry-points."ccgkit.decoders"]
    mine = "my_package.my_module:MyDecoder"
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast

from .grammar import CCGKitError

__all__ = ["Registry", "RegistryError"]

T = TypeVar("T")


class RegistryError(CCGKitError, ValueError):
    """A name that means nothing here, or a part that cannot be imported."""


class Registry(Generic[T]):
    """Parts of one kind; `own` are given as `module:attribute` and imported when they are asked for.

    Raises `RegistryError` where there is no part of a name, or it cannot be imported.

    >>> Registry("decoder", "ccgkit.decoders", {"cc": "ccgkit.taggers.decoders.classifier:Classifier"})["cd"]
    Traceback (most recent call last):
    ccgkit.registry.RegistryError: there is no decoder 'cd'; choose from cc
    """

    def __init__(self, what: str, group: str, own: Mapping[str, str]) -> None:
        self._what, self.group, self._own = what, group, own
        self._registered: dict[str, T] = {}

    def register(self, name: str, part: T) -> None:
        """Make a part known to this process."""
        self._registered[name] = part

    def is_own(self, name: str) -> bool:
        """Whether the part of this name is ours."""
        return name in self._own

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self.names()

    def names(self) -> list[str]:
        """All names: ours first, then the others in alphabetical order."""
        others = {*self._registered, *(entry.name for entry in entry_points(group=self.group))}
        return [*self._own, *sorted(others - self._own.keys())]

    def __getitem__(self, name: str) -> T:
        if name in self._own:
            module, _, attribute = self._own[name].partition(":")
            return cast(T, getattr(import_module(module), attribute))
        if name in self._registered:
            return self._registered[name]
        for entry in entry_points(group=self.group, name=name):
            return self._imported(entry)
        raise RegistryError(f"there is no {self._what} {name!r}; choose from {', '.join(self.names())}")

    def _imported(self, entry: EntryPoint) -> T:
        try:
            return cast(T, entry.load())
        except (ImportError, AttributeError) as error:
            source = f" of {entry.dist.name}" if entry.dist is not None else ""
            raise RegistryError(
                f"the {self._what} {entry.name!r}{source} ({entry.value}) cannot be imported: {error}"
            ) from error
