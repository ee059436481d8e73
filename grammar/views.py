"""What categories and derivations are shown as or converted to by rooms above, without importing them.

`Derivation.pretty` is a method, because that is where a user looks for it, but drawing is not grammar. So the
package `ccgkit`, which every import of `ccgkit.grammar` runs first, provides the function by its address, and
it is imported when it is first called.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

__all__ = ["provide", "view"]

_addresses: dict[str, str] = {}


def provide(**addresses: str) -> None:
    """Say where the functions are that give the views of these names: `pretty="package.module:function"`."""
    _addresses.update(addresses)
    view.cache_clear()


@cache
def view(name: str) -> Callable[..., Any]:
    """The function provided under `name`."""
    module, _, function = _addresses[name].partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found
