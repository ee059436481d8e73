"""The category tree: atoms and functors, immutable and interned.

>>> give = Category.parse(r"((S[dcl]\\NP)/NP)/NP")
>>> give.argument, give.slash.value, give.result
(NP, '/', (S[dcl]\\NP)/NP)
>>> give.arity, give.target
(3, S[dcl])
>>> Atom("S", "dcl") | "NP" is Category.parse(r"S[dcl]\\NP")
True
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from enum import StrEnum
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Never, Self, TypeVar, cast
from weakref import WeakValueDictionary

from .errors import CategorySyntaxError
from .views import view

if TYPE_CHECKING:
    from nltk.ccg.api import AbstractCCGCategory
    from nltk.tree import Tree

__all__ = ["Atom", "Category", "Functor", "Slash"]

GRAMMAR = (files(__package__) / "category.lark").read_text(encoding="utf-8")
CONJ = "[conj]"

T = TypeVar("T")


class Slash(StrEnum):
    """The side on which a functor looks for its argument."""

    FORWARD = "/"
    BACKWARD = "\\"


class Category:
    r"""A CCG category: an `Atom` or a `Functor`.

    Equal categories are the same object, so `is`, `==`, hashing and look-ups take constant time.
    `conj` is CCGbank's `[conj]` mark on a whole category, part of its identity.

    >>> give = Category.parse(r"((S[dcl]\NP)/NP)/NP")
    >>> give.result, give.slash.value, give.argument, give.target
    ((S[dcl]\NP)/NP, '/', NP, S[dcl])
    """

    __slots__ = ("__weakref__", "_text", "conj", "depth", "size")

    conj: bool
    depth: int  #: slashes on the longest path to an atom
    size: int  #: number of atoms
    _text: str | None

    def __init__(self) -> None:
        if type(self) is Category:
            raise TypeError("a Category is an Atom or a Functor: build one of those, or parse")

    @staticmethod
    def parse(text: str, *, left_associative: bool = False) -> Category:
        """The category that `text` spells.

        `S\\NP/NP` is refused as ambiguous unless `left_associative`, which reads `(S\\NP)/NP`.

        Raises `CategorySyntaxError`, which says where and what was probably meant, where it spells none.
        """
        try:
            return _memo[text]
        except KeyError:
            return _read(text, left_associative)

    @property
    def is_functor(self) -> bool:
        """Whether this is a `Functor`, not an `Atom`."""
        return isinstance(self, Functor)

    @property
    def arity(self) -> int:
        """Number of arguments until the target is reached."""
        return sum(1 for _ in _spine(self))

    @property
    def target(self) -> Atom:
        """The innermost result: `S[dcl]` of `(S[dcl]\\NP)/NP`."""
        category = self
        while isinstance(category, Functor):
            category = category.result
        return cast(Atom, category)

    @property
    def arguments(self) -> tuple[Category, ...]:
        """All arguments, the outermost (taken first) first."""
        return tuple(functor.argument for functor in _spine(self))

    @property
    def is_modifier(self) -> bool:
        """Whether result and argument are the same category, as in `N/N`."""
        return isinstance(self, Functor) and self.result is self.argument

    @property
    def is_type_raised(self) -> bool:
        """Whether this is `T/(T\\X)` or `T\\(T/X)`."""
        return (
            isinstance(self, Functor)
            and isinstance(self.argument, Functor)
            and self.argument.result is self.result
            and self.argument.slash is not self.slash
        )

    @property
    def is_argument_cluster(self) -> bool:
        """Whether this is a type-raised argument, or several composed, as `T\\((T/X)/Y)`."""
        if not isinstance(self, Functor):
            return False
        part = self.argument
        if isinstance(part, Functor) and part.slash is self.slash:
            return False
        while isinstance(part, Functor):
            part = part.result
            if part is self.result:
                return True
        return False

    def subcategories(self) -> Iterator[Category]:
        """This category and every part of it, results before arguments, with repetitions."""
        agenda = [self]
        while agenda:
            category = agenda.pop()
            yield category
            if isinstance(category, Functor):
                agenda += (category.argument, category.result)

    def atoms(self) -> Iterator[Atom]:
        """The atoms from left to right."""
        return (part for part in self.subcategories() if isinstance(part, Atom))

    def tokens(self) -> list[str]:
        """The spelling as a list of atoms, slashes, parentheses and `[conj]` marks."""
        from .syntax import tokens

        return tokens(self)

    def without_features(self) -> Category:
        """The same tree with every atom's feature removed."""
        return self.map_atoms(lambda atom: Atom(atom.base, None, atom.conj))

    def map_atoms(self, change: Callable[[Atom], Category]) -> Category:
        """The tree with `change(atom)` in place of each atom."""
        return self.fold(change, lambda functor, result, argument: functor.replace_parts(result, argument))

    def replace(self, **changes: Any) -> Self:
        """A copy with another `conj`, `base`, `feature`, or `result`, `slash`, `argument`."""
        kind: Any = type(self)
        parts = {name: getattr(self, name) for name in (*kind.__match_args__, "conj")}
        return cast(Self, kind(**(parts | changes)))

    def fold(self, atom: Callable[[Atom], T], functor: Callable[[Functor, T, T], T]) -> T:
        """A value computed bottom-up: from each atom, then from each functor and its parts' values."""
        done: list[T] = []
        agenda: list[tuple[Category, bool]] = [(self, False)]
        while agenda:
            category, visited = agenda.pop()
            if isinstance(category, Atom):
                done.append(atom(category))
            elif isinstance(category, Functor) and visited:
                argument, result = done.pop(), done.pop()
                done.append(functor(category, result, argument))
            elif isinstance(category, Functor):
                agenda += ((category, True), (category.argument, False), (category.result, False))
        return done.pop()

    def to_latex(self) -> str:
        """A LaTeX spelling for math mode, features as subscripts."""
        from .syntax import latex

        return latex(self)

    def to_html(self) -> str:
        """An HTML spelling, features as subscripts."""
        from .syntax import html

        return html(self)

    def to_nltk_tree(self) -> Tree:
        """An `nltk.Tree` with slashes as labels and atoms as leaves; an atom alone has no children."""
        return cast("Tree", view("category_to_nltk_tree")(self))

    @staticmethod
    def from_nltk_tree(tree: Tree) -> Category:
        """The inverse of `to_nltk_tree`."""
        return cast(Category, view("category_from_nltk_tree")(tree))

    def to_nltk(self) -> AbstractCCGCategory:
        """The category as NLTK's `nltk.ccg` represents it."""
        return cast("AbstractCCGCategory", view("category_to_nltk")(self))

    def __truediv__(self, argument: Category | str) -> Functor:
        """`S / NP` builds the forward functor."""
        return Functor(self, Slash.FORWARD, as_category(argument))

    def __or__(self, argument: Category | str) -> Functor:
        """`S | NP` builds the backward functor (Python has no backslash operator)."""
        return Functor(self, Slash.BACKWARD, as_category(argument))

    def __str__(self) -> str:
        if self._text is None:
            object.__setattr__(self, "_text", "".join(self.tokens()))
        return cast(str, self._text)

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __lt__(self, other: Category) -> bool:
        return str(self) < str(other) if isinstance(other, Category) else NotImplemented

    def __le__(self, other: Category) -> bool:
        return self is other or self < other

    def __gt__(self, other: Category) -> bool:
        return other < self if isinstance(other, Category) else NotImplemented

    def __ge__(self, other: Category) -> bool:
        return self is other or self > other

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"categories are immutable: use replace({name}=…)")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError("categories are immutable")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return Category.parse, (str(self),)


class Atom(Category):
    """An atomic category: `S`, `NP[nb]`, `conj`, `,`.

    Raises `CategorySyntaxError` where `base` or `feature` is not a name.
    """

    __slots__ = ("base", "feature")
    __match_args__ = ("base", "feature")

    base: str
    feature: str | None

    def __new__(cls, base: str, feature: str | None = None, conj: bool = False) -> Atom:
        key = (base, feature, conj)
        return _atoms.get(key) or _intern(_atoms, key, lambda: _new_atom(base, feature, conj))

    def __init__(self, base: str, feature: str | None = None, conj: bool = False) -> None:
        """An atom; `Atom("S", "dcl")` is `S[dcl]`."""

    @property
    def is_punctuation(self) -> bool:
        """Whether this is a punctuation category: `,` `.` `:` `LRB` `-RRB-` …

        `conj` is none: it occurs in functors.
        """
        return self.base in _BRACKETS_AND_QUOTES or not any(c.isalnum() for c in self.base)


class Functor(Category):
    """A complex category: `result`, `slash` and `argument`."""

    __slots__ = ("argument", "result", "slash")
    __match_args__ = ("result", "slash", "argument")

    result: Category
    slash: Slash
    argument: Category

    def __new__(
        cls, result: Category | str, slash: Slash | str, argument: Category | str, conj: bool = False
    ) -> Functor:
        key = (result, slash, argument, conj)
        return _functors.get(key) or _intern(
            _functors,
            (as_category(result), Slash(slash), as_category(argument), bool(conj)),
            lambda: _new_functor(as_category(result), Slash(slash), as_category(argument), bool(conj)),
        )

    def __init__(
        self, result: Category | str, slash: Slash | str, argument: Category | str, conj: bool = False
    ) -> None:
        """A functor; strings are parsed: `Functor("S", "/", "NP")`."""

    def replace_parts(self, result: Category, argument: Category) -> Functor:
        """The functor with the same slash and mark over other parts."""
        return Functor(result, self.slash, argument, self.conj)


_atoms: WeakValueDictionary[tuple[str, str | None, bool], Atom] = WeakValueDictionary()
_functors: WeakValueDictionary[tuple[object, object, object, bool], Functor] = WeakValueDictionary()
_lock = threading.RLock()

_memo: dict[str, Category] = {}
_MEMO_SIZE = 1 << 15  # spellings; all of CCGbank has 1,285 categories
_MEMO_LENGTH = 256  # characters; longer spellings are parsed each time

_BRACKETS_AND_QUOTES = frozenset(
    f"{dash}{side}{kind}{dash}" for dash in ("", "-") for side in "LR" for kind in ("RB", "CB", "SB", "QU")
)


def terminal(name: str) -> str:
    """The regular expression of a terminal of `category.lark`, the one place where it is written."""
    (pattern,) = re.findall(rf"^{name}(?:\.\d+)?: /(.+)/(?:\s+//.*)?$", GRAMMAR, re.M)
    return cast(str, pattern)


BASE = f"(?:{terminal('WORD')}|{terminal('PUNCTUATION')})"  #: an atom without its feature
FEATURE = terminal("FEATURE")  #: a feature with its brackets

_BASE, _FEATURE = re.compile(BASE), re.compile(FEATURE)


def _read(text: str, left_associative: bool) -> Category:
    """Parse and, if the spelling is short, remember it; a full memo starts anew."""
    from .syntax import read

    category = read(text, left_associative)
    if len(text) <= _MEMO_LENGTH and not left_associative:
        if len(_memo) >= _MEMO_SIZE:
            _memo.clear()
        _memo[text] = category
    return category


def _intern(table: Any, key: Any, make: Any) -> Any:
    with _lock:
        category = table.get(key)
        if category is None:
            category = make()
            table[key] = category
        return category


def _new_atom(base: str, feature: str | None, conj: bool) -> Atom:
    if not isinstance(base, str) or not (_BASE.fullmatch(base) and base.isprintable()):
        raise CategorySyntaxError(str(base), 0, "not the name of an atom")
    if feature and not (_FEATURE.fullmatch(f"[{feature}]") and feature.isprintable()):
        raise CategorySyntaxError(str(feature), 0, "not the name of a feature")
    if feature == "conj" or feature == "":
        reason = "an empty feature" if feature == "" else "[conj] is a mark: give conj=True instead"
        raise CategorySyntaxError(f"{base}[{feature}]", len(base), reason)
    atom = object.__new__(Atom)
    _set(atom, base=base, feature=feature, conj=bool(conj), depth=0, size=1, _text=None)
    return atom


def _new_functor(result: Category, slash: Slash, argument: Category, conj: bool) -> Functor:
    functor = object.__new__(Functor)
    _set(functor, result=result, slash=slash, argument=argument, conj=conj, _text=None)
    depth = 1 + max(result.depth, argument.depth)
    _set(functor, depth=depth, size=result.size + argument.size)
    return functor


def _set(category: Category, **slots: object) -> None:
    for name, value in slots.items():
        object.__setattr__(category, name, value)


def as_category(value: Category | str) -> Category:
    """The category itself, or the one that a string spells."""
    if isinstance(value, Category):
        return value
    if isinstance(value, str):
        return Category.parse(value)
    raise TypeError(f"expected a category or its spelling, not {type(value).__name__}")


def _spine(category: Category) -> Iterator[Functor]:
    while isinstance(category, Functor):
        yield category
        category = category.result
