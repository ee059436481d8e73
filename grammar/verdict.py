"""Whether a string is a category, and what there is to say of it.

>>> check(r"S\\NP/NP").to_dict()["suggestions"]
['(S\\\\NP)/NP', 'S\\\\(NP/NP)']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .category import Category, Functor
from .errors import CategorySyntaxError
from .schemes import load_scheme

__all__ = ["Flag", "Inventory", "Verdict", "check", "draw", "scheme_inventory"]


@dataclass(frozen=True, slots=True)
class Flag:
    """What an inventory holds against a category, and the nearest category it knows."""

    reason: str
    nearest: str | None = None


Inventory = Callable[[Category], Flag | None]  #: what is known to be used, and what is not


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said of one input: a category, flagged or not, or an error."""

    text: str
    category: Category | None = None
    flag: Flag | None = None
    error: CategorySyntaxError | None = None

    @property
    def valid(self) -> bool:
        """Whether the string is a category that the notation may have."""
        return self.error is None and self.flag is None

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values; what there is nothing to say of is left out."""
        found: dict[str, Any] = {"input": self.text, "valid": self.valid}
        if self.category is not None:
            found["category"] = str(self.category)
        if (flag := self.flag) is not None:
            found["error"] = flag.reason
            found["suggestions"] = [flag.nearest] if flag.nearest else []
        if (error := self.error) is not None:
            found |= {
                "error": error.reason, "column": error.column, "found": error.found,
                "expected": error.expected, "suggestions": list(error.suggestions),
            }  # fmt: skip
        return found


def check(text: str, inventory: Inventory | None = None, *, left_associative: bool = False) -> Verdict:
    """What there is to say of a string, also by an `inventory` if there is one.

    With `left_associative`, slashes without parentheses associate to the left.
    """
    try:
        category = Category.parse(text, left_associative=left_associative)
    except CategorySyntaxError as error:
        return Verdict(text, error=error)
    return Verdict(text, category, inventory(category) if inventory else None)


def draw(category: Category) -> list[str]:
    """The tree, slashes as inner nodes, a row a node."""
    rows: list[str] = []
    agenda: list[tuple[Category, str, str]] = [(category, "", "")]
    while agenda:
        part, first, rest = agenda.pop()
        mark = "[conj]" if part.conj and part.is_functor else ""
        rows.append(f"{first}{part.slash}{mark}" if isinstance(part, Functor) else f"{first}{part}")
        if isinstance(part, Functor):
            agenda.append((part.argument, f"{rest}└─ ", f"{rest}   "))
            agenda.append((part.result, f"{rest}├─ ", f"{rest}│  "))
    return rows


def scheme_inventory(name: str) -> Inventory:
    """What a scheme holds against a category: atoms that it does not know."""
    scheme = load_scheme(name)

    def flag(category: Category) -> Flag | None:
        unknown = scheme.unknown_atoms(category)
        if not unknown:
            return None
        names = ", ".join(sorted(str(atom.replace(conj=False)) for atom in unknown))
        return Flag(f"not in {scheme.notation}: {names}")

    return flag
