"""Lexica written by hand: words and their categories, families of categories, λ-terms passed over.

NLTK's lexica (`nltk.ccg.lexicon`) are read as they are.

>>> lexicon = Lexicon.fromstring(r'''
... :- S, NP                       # the atoms; the first is what a sentence is
... TV :: (S\\NP)/NP                 # a family: a name for categories, also inside of others
... John Mary := NP                # several words of one category
... likes := TV
... gives := TV/NP | TV            # a word with two categories
... ''')
>>> lexicon.categories("gives")
(((S\\NP)/NP)/NP, (S\\NP)/NP)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from ..corpora.errors import CorpusError
from ..grammar import Atom, Category, CategorySyntaxError, CCGKitError, Functor

__all__ = ["Lexicon", "LexiconError", "UnknownWordError"]

Categories = tuple[Category, ...]

CONJUNCTION = Atom("conj")

_SIGN = re.compile(r"::|:=|(?<![-=])[-=]+>")
_TERM = re.compile(r"\{[^{}]*\}")  # NLTK's λ-terms
_COORDINATOR = re.compile(r"\(?var\\[.,]*var\)?/[.,]*var")  # NLTK's and, whose modalities forbid composition
_FORM = "word := CATEGORY, NAME :: CATEGORY, or :- ATOM, ATOM …"


class LexiconError(CorpusError):
    """A lexicon that does not read: what is wrong, in which line and column."""


class UnknownWordError(CCGKitError):
    """Words of a sentence that are not in the lexicon."""

    def __init__(self, words: tuple[str, ...], known: Mapping[str, Categories]) -> None:
        self.words = words
        near = {word: _nearest(word, known) for word in words}
        listed = (repr(word) + (f" (did you mean {near[word]!r}?)" if near[word] else "") for word in words)
        super().__init__(f"not in the lexicon: {', '.join(listed)}")


@dataclass(frozen=True, slots=True, repr=False)
class Lexicon:
    """The categories of words; `start` is what a sentence is."""

    entries: Mapping[str, Categories]
    families: Mapping[str, Categories] = field(default_factory=dict)
    start: Category = field(default_factory=lambda: Atom("S"))

    @staticmethod
    def fromstring(text: str, path: str = "<text>") -> Lexicon:
        """The lexicon that `text` describes.

        Slashes associate to the left: `S\\NP/NP` is `(S\\NP)/NP`. Write raw strings, as Python reads `\\N`.

        Raises `LexiconError`, which names `path`, where it does not read.
        """
        reader = _Reader(path)
        for number, line in enumerate(text.splitlines(), 1):
            reader.read(number, line)
        return Lexicon(reader.entries, reader.families, reader.start)

    @staticmethod
    def fromfile(path: str | Path) -> Lexicon:
        """The lexicon in a file.

        Raises `LexiconError` where it does not read.
        """
        try:
            return Lexicon.fromstring(Path(path).read_text(encoding="utf-8"), str(path))
        except UnicodeDecodeError as error:
            raise LexiconError(f"not UTF-8 (byte {error.start + 1})", str(path)) from error

    def categories(self, word: str) -> Categories:
        """The categories of a word, none if it is unknown; a capitalised one may be listed in lower case."""
        return self.entries.get(word) or self.entries.get(word[:1].lower() + word[1:], ())

    def lookup(self, words: tuple[str, ...]) -> tuple[Categories, ...]:
        """The categories of each word of a sentence.

        Raises `UnknownWordError` where some have none.
        """
        unknown = dict.fromkeys(word for word in words if not self.categories(word))
        if unknown:
            raise UnknownWordError(tuple(unknown), self.entries)
        return tuple(map(self.categories, words))

    def __str__(self) -> str:
        return "\n".join(f"{word} := {' | '.join(map(str, found))}" for word, found in self.entries.items())

    def __repr__(self) -> str:
        return f"<Lexicon of {len(self.entries)} words>"


class _Reader:
    """What has been read of a lexicon, line by line."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.entries: dict[str, Categories] = {}
        self.families: dict[str, Categories] = {}
        self.atoms: list[str] = []
        self._used: dict[str, int] = {}  # the line in which an atom first occurs
        self._number, self._line = 0, ""

    @property
    def start(self) -> Category:
        return Atom(self.atoms[0]) if self.atoms else Atom("S")

    def read(self, number: int, line: str) -> None:
        self._number, self._line = number, line
        content = _TERM.sub(lambda term: " " * len(term.group()), line.partition("#")[0]).rstrip()
        first = len(content) - len(content.lstrip())
        if not content:
            return
        if content.startswith(":-", first):
            self._declare(content, first + 2)
            return
        sign = _SIGN.search(content, first + 1)
        if sign is None:
            raise self._error(f"neither an entry nor a family: write {_FORM}", first)
        categories = tuple(dict.fromkeys(self._right_hand_side(content, sign.end())))
        names = content[first : sign.start()].split()
        if sign.group() == "::":
            self._define(names, categories, first)
        else:
            for word in names:
                known = self.entries.get(word, ())
                self.entries[word] = tuple(dict.fromkeys((*known, *categories)))

    def _declare(self, content: str, place: int) -> None:
        for match in re.finditer(r"[^\s,][^,]*", content[place:]):
            atom = self._parse(match.group().rstrip(), place + match.start())
            if not isinstance(atom, Atom) or atom.feature:
                raise self._error("not the name of an atom", place + match.start())
            self.atoms.append(atom.base)

    def _define(self, names: list[str], categories: Categories, place: int) -> None:
        (name, *more) = names
        if more or not isinstance(self._parse(name, place), Atom):
            raise self._error("the name of a family is one word, such as TV", place)
        if name in self.families or name in self.atoms:
            raise self._error(
                f"{name} is already {'a family' if name in self.families else 'an atom'}", place
            )
        if name in self._used:
            reason = f"{name} is used in line {self._used[name]}, before it is defined: move this line up"
            raise self._error(reason, place)
        self.families[name] = categories

    def _right_hand_side(self, content: str, place: int) -> Iterator[Category]:
        for part in content[place:].split("|"):
            spelling, column = part.strip(), place + len(part) - len(part.lstrip())
            if _COORDINATOR.fullmatch(spelling):
                yield CONJUNCTION
            else:
                yield from self._expanded(spelling, column)
            place += len(part) + 1

    def _expanded(self, spelling: str, place: int) -> Categories:
        """The categories that a spelling stands for, its families filled in."""

        def functors(functor: Functor, results: Categories, arguments: Categories) -> Categories:
            return tuple(functor.replace_parts(one, other) for one in results for other in arguments)

        category = self._parse(spelling, place)
        return category.fold(lambda atom: self._meaning(atom, spelling, place), functors)

    def _meaning(self, atom: Atom, spelling: str, place: int) -> Categories:
        """The atom itself or its family, to whose target a feature goes: `VP[to]` is `S[to]\\NP`."""
        if atom.base in self.families:
            family = self.families[atom.base]
            return tuple(_featured(one, atom.feature) for one in family) if atom.feature else family
        found = re.search(rf"(?<!\w){re.escape(atom.base)}(?!\w)", spelling)
        column = place + (found.start() if found else 0)
        if atom.base == "var":
            raise self._error(r"var is only understood in var\var/var, a conjunction's category", column)
        if self.atoms and not (atom.base in self.atoms or atom is CONJUNCTION or atom.is_punctuation):
            near = _nearest(atom.base, (*self.atoms, *self.families))
            hint = f": did you mean {near}?" if near else ""
            raise self._error(f"{atom.base} is neither a declared atom nor a family{hint}", column)
        self._used.setdefault(atom.base, self._number)
        return (atom,)

    def _parse(self, spelling: str, place: int) -> Category:
        try:
            return Category.parse(spelling, left_associative=True)
        except CategorySyntaxError as error:
            reason = error.message.replace(f" at column {error.column}", "", 1)
            raise self._error(reason, place + error.position) from error

    def _error(self, reason: str, place: int) -> LexiconError:
        return LexiconError(reason, self.path, self._number, place + 1, self._line)


def _nearest(name: str, known: Iterable[str]) -> str:
    """The most similar of the names that are known, empty if none is similar."""
    folded = {one.casefold(): one for one in known}
    return next((folded[one] for one in get_close_matches(name.casefold(), folded, n=1)), "")


def _featured(category: Category, feature: str) -> Category:
    """The category with a feature on its target, unless that has one."""
    outer: list[Functor] = []
    while isinstance(category, Functor):
        outer.append(category)
        category = category.result
    target: Category = category if category.target.feature else category.replace(feature=feature)
    for functor in reversed(outer):
        target = functor.replace_parts(target, functor.argument)
    return target
