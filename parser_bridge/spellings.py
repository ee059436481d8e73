"""Categories that C&C has no notation for, written as others that it does not use for itself.

C&C's atoms are fixed. Particles (`PR`) become an `S` with a feature that no sentence has, which combines with
nothing but what asks for it. Where clauses have no features at all, as in UD-CCG, those of verbs get one by
which C&C knows what may become a modifier. A grammar says so in lines of its `markedup`'s preface.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ccgkit.grammar import Atom, Category, Dependency, Functor

__all__ = ["Spellings", "functors"]

_PARTICLE, _AS = Atom("PR"), Atom("S", "num")
_CLAUSE, _DECLARATIVE = Atom("S"), Atom("S", "dcl")
_PARTICLES_LINE = f"# {_PARTICLE} is written {_AS}"
_CLAUSES_LINE = f"# {_CLAUSE} of verbs is written {_DECLARATIVE}"


@dataclass(frozen=True, slots=True)
class Spellings:
    """What a grammar writes otherwise: particles, or the clauses of a corpus without features.

    >>> spellings = Spellings(particles=True)
    >>> spellings.write(Category.parse(r"((S[b]\\NP)/NP)/PR"))
    ((S[b]\\NP)/NP)/S[num]
    >>> spellings.read(Category.parse("S[num]"))
    PR
    """

    particles: bool = False
    clauses: bool = False

    @classmethod
    def needed(cls, categories: Iterable[Category]) -> Spellings:
        """What the categories of a corpus need."""
        atoms = {atom for category in categories for atom in category.atoms()}
        features = {atom.feature for atom in atoms if atom.base == _CLAUSE.base}
        return cls(_PARTICLE in atoms, features <= {None, "X"} and _CLAUSE in atoms)

    @classmethod
    def of_preface(cls, lines: Iterable[str]) -> Spellings:
        """What the first lines of a `markedup` file say."""
        given = set(lines)
        return cls(_PARTICLES_LINE in given, _CLAUSES_LINE in given)

    @property
    def preface(self) -> str:
        """The lines that say so."""
        lines = [_PARTICLES_LINE] * self.particles + [_CLAUSES_LINE] * self.clauses
        return "".join(f"{line}\n" for line in lines)

    def write(self, category: Category) -> Category:
        """The category in C&C's spelling."""
        return self.write_particles(self.write_clauses(category))

    def write_clauses(self, category: Category) -> Category:
        """The category of a verb with the feature of its clause; any other as it is."""
        return _with_target(category, _DECLARATIVE) if self.clauses and _is_verbal(category) else category

    def write_particles(self, category: Category) -> Category:
        """The category with its particles spelled."""
        return (
            category.map_atoms(lambda atom: _AS if atom is _PARTICLE else atom)
            if self.particles
            else category
        )

    def write_markup(self, markup: str) -> str:
        """A marked-up category with its particles spelled."""
        return markup.replace(f"{_PARTICLE}{{", f"{_AS}{{") if self.particles else markup

    def read(self, category: Category) -> Category:
        """The category that is spelled so."""
        return category.map_atoms(self._read_atom) if self.particles or self.clauses else category

    def read_dependency(self, link: Dependency) -> Dependency:
        """A dependency in our spelling, its markup, too."""
        if not (self.particles or self.clauses):
            return link
        markup = link.markup and re.sub(r"[A-Za-z]+\[[a-z]+\]", self._read_text, link.markup)
        return replace(link, category=self.read(link.category), markup=markup)

    def _read_text(self, found: re.Match[str]) -> str:
        return str(self.read(Category.parse(found[0])))

    def _read_atom(self, atom: Atom) -> Category:
        if self.particles and atom is _AS:
            return _PARTICLE
        return _CLAUSE if self.clauses and atom is _DECLARATIVE else atom


def _is_verbal(category: Category) -> bool:
    """Whether the target is a clause of the word's own, and not of one that it modifies."""
    modifies = any(
        part.result.without_features() is part.argument.without_features() for part in functors(category)
    )
    return category.target is _CLAUSE and not modifies


def _with_target(category: Category, target: Atom) -> Category:
    made: Category = target
    for functor in reversed(list(functors(category))):
        made = functor.replace_parts(made, functor.argument)
    return made


def functors(category: Category) -> Iterator[Functor]:
    """The category and its results, down to the target."""
    while isinstance(category, Functor):
        yield category
        category = category.result
