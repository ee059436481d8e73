"""What is public: every room says it, has a page in the reference, and tells what each name is for."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
TABLE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("\n## ")[1]
ROOMS = re.findall(r"^\| `(\w+)` \|", TABLE, re.M)
PAGES = sorted((ROOT / "docs" / "reference" / "api").glob("*.md"))
MODULES = [
    module
    for page in PAGES
    for module in re.findall(r"^\.\. automodule:: (\S+)$", page.read_text(encoding="utf-8"), re.M)
]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_says_what_is_public_in_it(room: str) -> None:
    names = import_module(f"ccgkit.{room}").__all__
    assert names or room in ("cli", "interop")


def test_every_room_but_the_commands_has_a_page_in_the_reference() -> None:
    assert {page.stem for page in PAGES} - {"index"} == set(ROOMS) - {"cli"}


def members(module: str) -> Iterator[tuple[str, Any]]:
    """The functions and classes that a module offers, with the methods and properties of its classes."""
    for name in import_module(module).__all__:
        found = inspect.unwrap(getattr(import_module(module), name))  # a cache is not the function
        if inspect.isclass(found):
            yield name, found
            for part, value in vars(found).items():
                if part.startswith("_") or part in getattr(found, "__dataclass_fields__", ()):
                    continue
                if inspect.isfunction(value) or isinstance(value, property | classmethod | staticmethod):
                    yield f"{name}.{part}", getattr(found, part)
        elif inspect.isfunction(found):
            yield name, found


def is_told(found: Any) -> bool:
    """Whether there is a docstring that a person wrote: dataclasses get their signature for one."""
    told = found.__dict__.get("__doc__") if inspect.isclass(found) else inspect.getdoc(found)
    return bool(told) and not told.startswith(f"{getattr(found, '__name__', None)}(")


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_a_docstring(module: str) -> None:
    assert [name for name, found in members(module) if not is_told(found)] == []


def unexplained(found: Any) -> list[str]:
    """The parameters that a docstring does not name."""
    if inspect.isclass(found) or isinstance(found, property):
        return []
    names = set(inspect.signature(found).parameters) - {"self", "cls"}
    return [name for name in names if not re.search(rf"\b{name}\b", inspect.getdoc(found) or "")]


@pytest.mark.parametrize("module", MODULES)
def test_what_a_function_takes_is_told_where_there_is_more_than_a_sentence_can_imply(module: str) -> None:
    assert [name for name, found in members(module) if len(unexplained(found)) > 2] == []
