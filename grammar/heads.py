"""Heads: which parts of a lexical category have the same one, for any category, by rule.

The rules are written down in docs/dependencies.md; a C&C `markedup` file can be loaded to go before them.
In C&C's marked-up notation every part has the variable of its head, `_` being the word itself; `<n>` marks
the slots; `*` a variable that is passed on to a part.

>>> print(coindex(Category.parse("(S[dcl]\\\\NP)/(S[b]\\\\NP)")).markup)
((S[dcl]{_}\\NP{Y}<1>){_}/(S[b]{Z}<2>\\NP{Y*}){Z}){_}
>>> print(coindex(Category.parse("(NP\\\\NP)/(S[dcl]/NP)")).markup)
((NP{Y}\\NP{Y}<1>){_}/(S[dcl]{Z}<2>/NP{Y*}){Z}){_}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from .category import Atom, Category, Functor, Slash
from .errors import CategorySyntaxError, CCGKitError

__all__ = [
    "SELF",
    "Entry",
    "Head",
    "Lexicon",
    "MarkupError",
    "build",
    "coindex",
    "gap",
    "is_determiner",
    "keeps_head",
    "load_markedup",
    "parts",
    "read_markup",
]

SELF = 0  # the variable of the word itself
LETTERS = "YZWVUTRQABCDEFGHIJKLMNOP"  # of the others, in C&C's order; X is a feature
_PIECE = re.compile(r"([()/\\])|([^\s()/\\{}<>]+)|\{([A-Z_])\*?\}(?:<\d+>)?")

_VERBAL = frozenset(("dcl", "b", "ng", "pss", "pt", "to", "q", "inv"))  # S[b]/S[b] is a verb, S/S an adverb
_INTERROGATIVE = frozenset(("wq", "qem"))
_EXPLETIVE = frozenset(("expl", "thr"))


class MarkupError(CCGKitError, ValueError):
    """A marked-up category, or a file of them, that does not read."""


class Head:
    """A part of a category: its head variable and, of a functor, its own parts.

    `passed` says that the variable came from elsewhere in the category, by control or extraction.
    """

    __slots__ = ("argument", "passed", "result", "variable")

    def __init__(self, variable: int, result: Head | None = None, argument: Head | None = None) -> None:
        self.variable, self.result, self.argument = variable, result, argument
        self.passed = False


_Spine = list[tuple[Functor, Head]]  # the functors down the results, with their arguments' heads


@dataclass(frozen=True, slots=True)
class Entry:
    """A co-indexed lexical category: its parts, how many variables, and the variable in each slot.

    Slots are numbered as in CCGbank: 1 is the first argument of the innermost result. An argument that only
    repeats what another one is (the inside of a modifier) has no slot.
    """

    category: Category
    head: Head
    variables: int
    slots: tuple[tuple[int, int], ...]
    markup: str | None = field(default=None, compare=False)  #: None if it takes more letters than there are


@dataclass(frozen=True)
class Lexicon:
    """The co-indexation of lexical categories: those given, for all others the rules'."""

    given: Mapping[Category, Entry] = field(default_factory=dict)

    def entry(self, category: Category) -> Entry:
        """The category, co-indexed."""
        return self.given.get(category) or coindex(category)


def load_markedup(path: str | Path) -> Lexicon:
    """The lexicon of a C&C `markedup` file; what is not in it is co-indexed by rule."""
    given: dict[Category, Entry] = {}
    category: Category | None = None
    for line in Path(path).read_text(encoding="utf-8").split("\n\n", 1)[-1].split("\n"):
        match = re.fullmatch(r"\s+\d+ (\S+\{\S+)", line)
        try:
            if line and line[0] not in "#= ":
                category = Category.parse(line.strip())
            elif match and category is not None:
                given[category] = read_markup(category, match.group(1))
                category = None
        except (CategorySyntaxError, MarkupError) as error:
            raise MarkupError(f"{path}: {error}") from error
    if not given:
        raise MarkupError(f"{path} holds no marked-up categories")
    return Lexicon(given)


@lru_cache(maxsize=1 << 14)
def coindex(category: Category) -> Entry:
    """A lexical category, co-indexed by rule."""
    root = build(category, SELF)
    spine = list(_spine(category, root))
    for place in range(len(spine)):
        _bind(place, spine)
    return entry(category, root, tuple(_slots(spine)))


def keeps_head(category: Category) -> bool:
    """Whether a functor leaves the head to its argument, as modifiers do: `N/N`, `(S\\NP)\\(S\\NP)`."""
    if not isinstance(category, Functor):
        return False
    result, argument = category.result, category.argument
    if result.size != argument.size:
        return False
    if result is not argument and result.without_features() is not argument.without_features():
        return False
    features = {result.target.feature, argument.target.feature}
    if len(features) == 2 and not features & {None, "X", "nb"}:
        return False
    return result.target.base != "S" or not features & _VERBAL


def is_determiner(category: Category) -> bool:
    """Whether a functor makes a noun phrase of a noun, or of a noun with a gap, and leaves it the head."""
    return (
        isinstance(category, Functor)
        and isinstance(category.result, Atom)
        and category.result.base == "NP"
        and category.argument.target.base == "N"
        and not keeps_head(category.argument)
    )


def build(category: Category, variable: int, first: int = SELF + 1) -> Head:
    """The parts of a category headed by `variable`, each with the head that its shape gives it.

    New variables are numbered from `first` on.
    """
    root = Head(variable)
    agenda: list[tuple[Category, Head]] = [(category, root)]
    while agenda:
        part, head = agenda.pop()
        if not isinstance(part, Functor):
            continue
        if keeps_head(part):  # result and argument are one
            head.result = head.argument = Head(first)
            agenda.append((part.result, head.result))
        elif part.is_type_raised and isinstance(part.argument, Functor):  # T/(T\X): X is the word's
            shared, filler = Head(first), Head(head.variable)
            head.result, head.argument = shared, Head(first, shared, filler)
            agenda += ((part.result, shared), (part.argument.argument, filler))
        elif is_determiner(part):
            head.result, head.argument = Head(first), Head(first)
            agenda += ((part.result, head.result), (part.argument, head.argument))
        else:  # the functor is the head
            head.result, head.argument = Head(head.variable), Head(first)
            agenda += ((part.result, head.result), (part.argument, head.argument))
        first += 1
    return root


def _spine(category: Category, head: Head) -> Iterator[tuple[Functor, Head]]:
    while isinstance(category, Functor) and head.argument is not None and head.result is not None:
        yield category, head.argument
        category, head = category.result, head.result


def _slots(spine: _Spine) -> Iterator[int]:
    """The numbers of the arguments that are slots: all but those inside what is modified."""
    for place, (functor, _) in enumerate(spine):
        yield len(spine) - place
        if keeps_head(functor) or functor.is_type_raised:
            return


def _bind(place: int, spine: _Spine) -> None:
    """Let the gap in an argument be what fills it."""
    functor, argument = spine[place]
    if keeps_head(functor) or functor.is_type_raised:
        return
    missing = gap(functor.argument)
    if missing is None or argument.argument is None:
        return
    filler = _filler(missing, place, spine)
    if filler is not None:
        hole = argument.argument
        hole.variable, hole.passed = filler.variable, True
        if hole.result is not None and filler.result is not None:
            hole.result, hole.argument = filler.result, filler.argument


def gap(category: Category) -> Category | None:
    """What a clause or noun that is an argument lacks: its outermost argument, if that is a phrase."""
    if not isinstance(category, Functor) or keeps_head(category) or category.target.feature == "asup":
        return None  # "at least" is about a number, not about a subject
    missing = category.argument
    if category.target.base == "N":
        return missing if missing is Atom("PP") else None
    is_phrase = isinstance(missing, Atom) and missing.base != "S"
    is_predicate = isinstance(missing, Functor) and missing.target.feature == "adj"
    return missing if category.target.base == "S" and (is_phrase or is_predicate) else None


def _filler(missing: Category, place: int, spine: _Spine) -> Head | None:
    """What fills the gap of an argument: an argument outside it, one inside, or the word itself."""
    functor = spine[place][0]
    for other, head in (*reversed(spine[:place]), *spine[place + 1 :]):
        if _fills(other.argument, missing):
            if keeps_head(other) and not _is_relative(functor.argument):
                continue  # "a man as tall as": no subject of "tall"
            return head
    return Head(SELF) if is_determiner(functor) or _asks(functor) else None


def _asks(functor: Functor) -> bool:
    """Whether the word stands for what its clause lacks: "who left", "what you say"."""
    target, result = functor.target, functor.result
    is_question = target.base == "S" and target.feature in _INTERROGATIVE
    is_free_relative = isinstance(result, Atom) and result.base == "NP"
    return (is_question or is_free_relative) and _is_relative(functor.argument)


def _fills(argument: Category, missing: Category) -> bool:
    if argument.without_features() is missing.without_features():
        return not (isinstance(argument, Atom) and argument.feature in _EXPLETIVE)
    nominal = ("N", "NP")
    if not isinstance(argument, Atom) or not isinstance(missing, Atom):
        return False
    return (
        argument.base in nominal and missing.base in (*nominal, "PP") and argument.feature not in _EXPLETIVE
    )


def _is_relative(clause: Category) -> bool:
    """Whether a clause can be a relative one or a question: finite, a participle, or one with a last gap."""
    if not isinstance(clause, Functor):
        return False
    return clause.target.feature in ("dcl", "ng", None) or clause.slash is Slash.FORWARD


def entry(category: Category, head: Head, slots: tuple[int, ...]) -> Entry:
    """The entry of a category whose arguments with these numbers are slots."""
    root, variables = _numbered(head)
    owners = {number: part for number, part in _arguments(category.arity, root) if number in slots}
    filled = tuple((number, owners[number].variable) for number in sorted(owners))
    markup = None
    if variables <= len(LETTERS) + 1:
        marks = {
            id(_bearer(part)): rank for rank, (_, part) in enumerate(sorted(owners.items(), key=_first), 1)
        }
        markup = "".join(_spell(category, root, marks))
    return Entry(category, root, variables, filled, markup)


def parts(head: Head) -> Iterator[Head]:
    """A part and all of its own, from left to right."""
    agenda = [head]
    while agenda:
        part = agenda.pop()
        yield part
        if part.result is not None and part.argument is not None:
            agenda += (part.argument, part.result)


def read_markup(category: Category, markup: str) -> Entry:
    """The entry that a marked-up spelling of a category says.

    >>> read_markup(Category.parse("NP/N"), "(NP{Y}/N{Y}<1>){_}").slots
    ((1, 1),)
    """
    done: list[Head] = []
    letters = {"_": SELF}
    slots: set[int] = set()
    position = 0
    while position < len(markup):
        match = _PIECE.match(markup, position)
        if match is None:
            raise MarkupError(f"{markup} does not read as a marked-up category from column {position + 1} on")
        position = match.end()
        bracket, atom, letter = match.groups()
        if atom:
            done.append(Head(SELF))
        elif bracket == ")" and len(done) >= 2:
            argument, result = done.pop(), done.pop()
            done.append(Head(SELF, result, argument))
        elif letter and done:
            done[-1].variable = letters.setdefault(letter, len(letters))
            if match.group().endswith(">"):
                slots.add(id(done[-1]))
    if len(done) != 1 or not _fits(category, done[0]):
        raise MarkupError(f"{markup} is not {category}, marked up")
    filled = []
    for number, part in _arguments(category.arity, done[0]):
        filled += [(number, inner.variable) for inner in parts(part) if id(inner) in slots][:1]
    return Entry(category, done[0], len(letters), tuple(reversed(filled)), markup)


def _fits(category: Category, head: Head) -> bool:
    agenda = [(category, head)]
    while agenda:
        part, marked = agenda.pop()
        if isinstance(part, Functor) != (marked.result is not None):
            return False
        if isinstance(part, Functor) and marked.result is not None and marked.argument is not None:
            agenda += ((part.argument, marked.argument), (part.result, marked.result))
    return True


def _first(pair: tuple[int, Head]) -> int:
    return pair[0]


def _arguments(arity: int, head: Head) -> Iterator[tuple[int, Head]]:
    """The arguments with their numbers, outermost first."""
    while head.result is not None and head.argument is not None:
        yield arity, head.argument
        head, arity = head.result, arity - 1


def _bearer(part: Head) -> Head:
    """The part of an argument that shows its slot: the innermost result with the same head."""
    while part.result is not None and part.result.variable == part.variable:
        part = part.result
    return part


def _spell(category: Category, root: Head, marks: dict[int, int]) -> Iterator[str]:
    line = _line(root)
    agenda: list[str | tuple[Category, Head, bool]] = [(category, root, False)]
    while agenda:
        item = agenda.pop()
        if isinstance(item, str):
            yield item
            continue
        part, head, is_argument = item
        letter = "_" if head.variable == SELF else LETTERS[head.variable - 1]
        mark = f"{{{letter}{'*' if head.passed else ''}}}"
        if is_argument and id(head) in marks:
            mark += f"<{marks[id(head)]}>"
        if isinstance(part, Functor) and head.result is not None and head.argument is not None:
            yield "("
            agenda.append(f"){mark}")
            agenda.append((part.argument, head.argument, is_argument or id(head) in line))
            agenda.append(part.slash.value)
            agenda.append((part.result, head.result, is_argument))
        else:
            yield f"{part}{mark}"


def _line(root: Head) -> set[int]:
    """The ids of the root and its results: their arguments are the category's."""
    line, part = {id(root)}, root
    while part.result is not None:
        part = part.result
        line.add(id(part))
    return line


def _numbered(root: Head) -> tuple[Head, int]:
    """A copy with the variables numbered in the order of their spelling, and how many there are."""
    numbers = {SELF: SELF}
    copies: dict[int, Head] = {}
    agenda: list[tuple[Head, bool]] = [(root, False)]
    while agenda:
        part, visited = agenda.pop()
        if id(part) in copies:
            continue
        children = [child for child in (part.argument, part.result) if child is not None]
        if visited or not children:
            number = numbers.setdefault(part.variable, len(numbers))
            argument, result = (copies[id(child)] for child in children) if children else (None, None)
            copy = copies[id(part)] = Head(number, result, argument)
            copy.passed = part.passed
        else:
            agenda.append((part, True))
            agenda += ((child, False) for child in children)
    return copies[id(root)], len(numbers)
