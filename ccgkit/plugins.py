"""What other distributions add to the toolkit, found by the entry points that they declare."""

from __future__ import annotations

from collections.abc import Iterator

from .grammar import CCGKitError

__all__ = ["PluginError", "found"]


class PluginError(CCGKitError):
    """Something that a distribution has announced, and that does not load."""


def found(group: str) -> Iterator[tuple[str, object]]:
    """The names and values of a group of entry points, as `ccgkit.codecs`."""
    from importlib.metadata import entry_points

    for point in entry_points(group=group):
        try:
            yield point.name, point.load()
        except Exception as error:
            source = point.dist.name if point.dist else "a distribution"
            raise PluginError(
                f"{source} has {point.name!r} among its {group}, but {point.value} does not load: {error!r}"
            ) from error
