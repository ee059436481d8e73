"""What a scheme of annotation admits: combinatory rules, coordination, type changes.

A scheme is a small TOML file beside this module; its rules are schemata, in which `T` stands for any
category and `CHILD` for the child's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..category import Atom, Category, Functor
from ..derivation import Rule
from ..errors import CCGKitError
from ..unification import unify

__all__ = ["BinaryChange", "Scheme", "SchemeError", "UnaryChange", "load_scheme", "scheme_names"]

ANY, CHILD = Atom("T"), Atom("CHILD")


class SchemeError(CCGKitError):
    """A scheme that does not exist or whose file does not read."""


@dataclass(frozen=True, slots=True)
class UnaryChange:
    """Schema of unary steps: each of `children` may become each of `parents`, for any `T`.

    Where a parser has to choose a `T`, it tries `targets`.
    """

    children: tuple[Category, ...]
    parents: tuple[Category, ...]
    targets: tuple[Category, ...] = ()

    def results(self, category: Category) -> Iterator[Category]:
        """What the schema makes of `category`."""
        if any(unify(child, category) for child in self.children):
            for parent in self.parents:
                yield from _instances(_fill(parent, {CHILD: category}), self.targets)

    def licenses(self, category: Category, parent: Category) -> bool:
        """Whether the schema makes `parent` of `category`, whatever its `T`."""
        return any(unify(child, category) for child in self.children) and any(
            _matches(_fill(schema, {CHILD: category}), parent) for schema in self.parents
        )


@dataclass(frozen=True, slots=True)
class BinaryChange:
    """Schema of binary steps that no combinator makes, as `, NP` becoming a modifier in CCGbank."""

    lefts: tuple[Category, ...]
    rights: tuple[Category, ...]
    results: tuple[Category, ...]
    targets: tuple[Category, ...] = ()

    def combine(self, left: Category, right: Category) -> Iterator[Category]:
        """What the schema makes of two categories."""
        if self._applies(left, right):
            yield from self.made()

    def made(self) -> Iterator[Category]:
        """What the schema makes wherever it applies."""
        for result in self.results:
            yield from _instances(result, self.targets)

    def licenses(self, left: Category, right: Category, parent: Category) -> bool:
        """Whether the schema makes `parent` of two categories, whatever its `T`."""
        return self._applies(left, right) and any(_matches(result, parent) for result in self.results)

    def _applies(self, left: Category, right: Category) -> bool:
        return self.takes(left, self.lefts) and self.takes(right, self.rights)

    @staticmethod
    def takes(category: Category, schemata: tuple[Category, ...]) -> bool:
        """Whether a category matches one of the schemata."""
        return any(unify(one, category) for one in schemata)


@dataclass(frozen=True, slots=True, eq=False)
class Scheme:
    """The rules that a corpus's annotation admits."""

    name: str
    notation: str
    rules: tuple[Rule, ...]
    degree: int
    coordination: str
    conjunctions: frozenset[Category]
    loose_variables: bool
    unary: tuple[UnaryChange, ...]
    binary: tuple[BinaryChange, ...]
    atoms: Mapping[str, frozenset[str]]  #: the atoms in use, each with the features it may have

    def unknown_atoms(self, category: Category) -> tuple[Atom, ...]:
        """The atoms of a category that are not in use, or not with that feature."""
        return tuple(
            atom
            for atom in dict.fromkeys(category.atoms())
            if atom.base not in self.atoms
            or (atom.feature is not None and atom.feature not in self.atoms[atom.base])
        )


def scheme_names() -> tuple[str, ...]:
    """The schemes that come with the toolkit."""
    found = (entry.name for entry in files(__package__).iterdir() if entry.name.endswith(".toml"))
    return tuple(sorted(name.removesuffix(".toml") for name in found))


@cache
def load_scheme(name: str) -> Scheme:
    """The scheme called `name`, or the one in the TOML file at that path."""
    if name in scheme_names():
        text = (files(__package__) / f"{name}.toml").read_text(encoding="utf-8")
    elif Path(name).suffix == ".toml" and Path(name).is_file():
        text = Path(name).read_text(encoding="utf-8")
    else:
        raise SchemeError(f"no scheme {name!r}: there are {', '.join(scheme_names())}, or name a .toml file")
    try:
        return _scheme(Path(name).stem, tomllib.loads(text))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise SchemeError(f"scheme {name!r} does not read: {error}") from error


def _scheme(name: str, data: Mapping[str, Any]) -> Scheme:
    if data["coordination"] not in ("mark", "functor", "plain"):
        raise ValueError(f"coordination is mark, functor or plain, not {data['coordination']!r}")
    return Scheme(
        name=name,
        notation=data["notation"],
        rules=tuple(Rule(symbol) for symbol in data["rules"]),
        degree=int(data["degree"]),
        coordination=data["coordination"],
        conjunctions=frozenset(_categories(data["conjunctions"])),
        loose_variables=bool(data["loose_variables"]),
        unary=tuple(
            UnaryChange(
                _categories(change["children"]),
                _categories(change["parents"]),
                _categories(change.get("targets", ())),
            )
            for change in data.get("unary", ())
        ),
        binary=tuple(
            BinaryChange(
                _categories(change["lefts"]),
                _categories(change["rights"]),
                _categories(change["results"]),
                _categories(change.get("targets", ())),
            )
            for change in data.get("binary", ())
        ),
        atoms={base: frozenset(features) for base, features in data["atoms"].items()},
    )


def _categories(spellings: Any) -> tuple[Category, ...]:
    return tuple(map(Category.parse, spellings))


def _fill(schema: Category, values: Mapping[Category, Category]) -> Category:
    """The schema with its variables replaced."""
    return schema.map_atoms(lambda atom: values.get(atom, atom))


def _instances(schema: Category, targets: tuple[Category, ...]) -> Iterator[Category]:
    """The schema for each of the targets; itself if it has no variable."""
    if ANY not in schema.subcategories():
        yield schema
    else:
        for target in targets:
            yield _fill(schema, {ANY: target})


def _matches(schema: Category, category: Category) -> bool:
    """Whether some `T` makes the schema the category."""
    bound: Category | None = None
    agenda = [(schema, category)]
    while agenda:
        one, other = agenda.pop()
        if one is ANY:
            if bound is not None and bound is not other:
                return False
            bound = other
        elif isinstance(one, Functor) and isinstance(other, Functor):
            if one.slash is not other.slash or one.conj != other.conj:
                return False
            agenda += ((one.argument, other.argument), (one.result, other.result))
        elif unify(one, other) is None:
            return False
    return True
