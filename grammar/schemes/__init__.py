"""What a scheme of annotation admits: combinatory rules, coordination, type changes.

A scheme is a small TOML file beside this module; its rules are schemata, in which `T` stands for any
category and `CHILD` for the child's.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from ..category import Atom, Category, Functor
from ..errors import CategorySyntaxError, CCGKitError
from ..features import unify
from ..rules import Rule

__all__ = [
    "BinaryChange",
    "Scheme",
    "SchemeError",
    "UnaryChange",
    "guess",
    "guess_name",
    "load_scheme",
    "scheme_names",
]

ANY, CHILD = Atom("T"), Atom("CHILD")

T = TypeVar("T")


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
        if _takes(self.children, category):
            for parent in self.parents:
                yield from _instances(_fill(parent, CHILD, category), self.targets)

    def licenses(self, category: Category, parent: Category) -> bool:
        """Whether the schema makes `parent` of `category`, whatever its `T`."""
        return _takes(self.children, category) and any(
            _matches(_fill(schema, CHILD, category), parent) for schema in self.parents
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
        return _takes(schemata, category)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
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
    roots: Mapping[Category, float]  #: what a finished utterance may be, and what that costs in nats
    foreign: frozenset[Category]  #: what others write, made of the same atoms, where this one does not

    def __repr__(self) -> str:
        return f"<Scheme {self.name}>"

    def writes(self, category: Category) -> bool:
        """Whether a lexical category, or the label of a node, can be of this scheme."""
        if category.conj and self.coordination != "mark":
            return False
        return category not in self.foreign and not self.unknown_atoms(category)

    def is_root(self, category: Category) -> bool:
        """Whether a finished utterance may be of the category; any atom, if the scheme does not say."""
        return category in self.roots if self.roots else isinstance(category, Atom)

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
    """The scheme called `name`, or the one in the TOML file at that path.

    Raises `SchemeError` where there is none, or one that cannot be read.
    """
    if name in scheme_names():
        text = (files(__package__) / f"{name}.toml").read_text(encoding="utf-8")
    elif Path(name).suffix == ".toml" and Path(name).is_file():
        text = Path(name).read_text(encoding="utf-8")
    else:
        raise SchemeError(f"no scheme {name!r}: choose {', '.join(scheme_names())} or name a .toml file")
    try:
        return _scheme(Path(name).stem, tomllib.loads(text))
    except (tomllib.TOMLDecodeError, SchemeError) as error:
        raise SchemeError(f"the scheme {name!r} cannot be read: {error}") from error


def guess(categories: Iterable[Category]) -> Scheme | None:
    """The scheme that categories are of, None if they do not tell it.

    >>> guess([Category.parse("NP/N")]), guess([Category.parse("NP"), Category.parse("conj")])
    (<Scheme rebank>, None)
    """
    fitting = fitting_schemes(categories)
    return fitting[0] if len(fitting) == 1 else None


def guess_name(categories: Iterable[Category]) -> str:
    """The name of the scheme that categories are of, empty if they do not tell it."""
    scheme = guess(categories)
    return "" if scheme is None else scheme.name


def fitting_schemes(categories: Iterable[Category]) -> list[Scheme]:
    """The schemes that categories may be of: those against which the fewest of them speak, if below half."""
    counts = Counter(categories)
    schemes = [load_scheme(name) for name in scheme_names()]
    against = {scheme: sum(n for one, n in counts.items() if not scheme.writes(one)) for scheme in schemes}
    least = min(against.values())
    return [scheme for scheme in schemes if against[scheme] == least and 2 * least < counts.total()]


def _scheme(name: str, data: dict[str, Any]) -> Scheme:
    data = {"unary": [], "binary": [], "foreign": [], "roots": {}} | data
    return Scheme(
        name=name,
        notation=_field(data, "notation", str, str),
        rules=_field(data, "rules", list, lambda symbols: tuple(map(Rule, symbols))),
        degree=_field(data, "degree", int, int),
        coordination=_field(data, "coordination", str, _coordination),
        conjunctions=frozenset(_field(data, "conjunctions", list, _categories)),
        loose_variables=_field(data, "loose_variables", bool, bool),
        unary=_field(data, "unary", list, lambda changes: tuple(map(_unary, changes))),
        binary=_field(data, "binary", list, lambda changes: tuple(map(_binary, changes))),
        atoms=_field(data, "atoms", dict, _inventory),
        roots=_field(data, "roots", dict, _roots),
        foreign=frozenset(_field(data, "foreign", list, _categories)),
    )


_COORDINATIONS = ("mark", "functor", "plain")
_CATEGORIES = "a list of categories"
_HOLDS = {
    "notation": "the name of the notation",
    "rules": f"a list of symbols among {' '.join(rule.symbol for rule in Rule)}",
    "degree": "the number of arguments that generalised composition may carry over",
    "coordination": " or ".join(f'"{kind}"' for kind in _COORDINATIONS),
    "loose_variables": "true or false",
    "unary": "tables with children and parents",
    "binary": "tables with lefts, rights and results",
    "atoms": "a table of the atoms, each with the list of features it may have",
    "roots": "a table of categories, each with its cost",
}


def _roots(table: Mapping[str, Any]) -> Mapping[Category, float]:
    return {Category.parse(root): float(cost) for root, cost in table.items()}


def _field(data: Mapping[str, Any], name: str, kind: type, read: Callable[[Any], T]) -> T:
    """A field of the file; one that is missing or wrong is named with what it may hold."""
    holds = _HOLDS.get(name, _CATEGORIES)
    if name not in data:
        raise SchemeError(f"{name!r} is missing; it holds {holds}")
    try:
        if isinstance(data[name], kind):
            return read(data[name])
    except CategorySyntaxError as error:
        raise SchemeError(
            f"{name!r} holds {holds}, and {error.text!r} is not one: {error.message}"
        ) from error
    except (TypeError, ValueError) as error:
        raise SchemeError(f"{name!r} holds {holds}, not {data[name]!r}") from error
    raise SchemeError(f"{name!r} holds {holds}, not {data[name]!r}")


def _unary(change: dict[str, Any]) -> UnaryChange:
    names = ("children", "parents", "targets")
    return UnaryChange(*(_field({"targets": []} | change, name, list, _categories) for name in names))


def _binary(change: dict[str, Any]) -> BinaryChange:
    names = ("lefts", "rights", "results", "targets")
    return BinaryChange(*(_field({"targets": []} | change, name, list, _categories) for name in names))


def _coordination(kind: str) -> str:
    if kind not in _COORDINATIONS:
        raise ValueError(kind)
    return kind


def _categories(spellings: list[Any]) -> tuple[Category, ...]:
    return tuple(map(Category.parse, spellings))


def _inventory(atoms: Mapping[str, Any]) -> Mapping[str, frozenset[str]]:
    return {base: frozenset(features) for base, features in atoms.items()}


def _takes(schemata: tuple[Category, ...], category: Category) -> bool:
    """Whether a category matches one of the schemata; what does is as large."""
    return any(one.size == category.size and unify(one, category) for one in schemata)


def _fill(schema: Category, variable: Category, value: Category) -> Category:
    """The schema with its variable replaced."""
    if not _has(schema, variable):
        return schema
    return schema.map_atoms(lambda atom: value if atom is variable else atom)


@lru_cache(maxsize=1 << 10)
def _has(schema: Category, variable: Category) -> bool:
    return variable in schema.subcategories()


@lru_cache(maxsize=1 << 10)
def _instances(schema: Category, targets: tuple[Category, ...]) -> tuple[Category, ...]:
    """The schema for each of the targets; itself if it has no variable."""
    return tuple(_fill(schema, ANY, target) for target in targets) if _has(schema, ANY) else (schema,)


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
