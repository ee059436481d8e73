"""Which scheme of annotation categories are of."""

from __future__ import annotations

from collections.abc import Iterable

from .category import Category
from .schemes import Scheme, load_scheme

__all__ = ["fitting_scheme"]

_ORDER = ("udccg", "rebank", "ccgbank")  # of those that know as much, the one with the fewest atoms


def fitting_scheme(categories: Iterable[Category]) -> Scheme:
    """The scheme that knows most of the atoms; where both do, CCGbank's if determiners are `NP[nb]/N`.

    >>> fitting_scheme([Category.parse("NP/N")]).name, fitting_scheme([Category.parse("NP/NP")]).name
    ('rebank', 'udccg')
    """
    sample = list(categories)
    if any(atom.feature == "nb" for category in sample for atom in category.atoms()):
        return load_scheme("ccgbank")
    schemes = [load_scheme(name) for name in _ORDER]
    return min(schemes, key=lambda scheme: sum(bool(scheme.unknown_atoms(one)) for one in sample))
