"""Categories with head variables, and their spelling in C&C's marked-up notation.

`((S[dcl]{_}\\NP{Y}<1>){_}/(S[b]{Z}<2>\\NP{Y*}){Z}){_}`: every part has the variable of its head, `_` being
the word itself; `<n>` marks the slots; `*` a variable that is passed on to a part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from .category import Category, Functor
from .errors import CCGKitError

__all__ = ["SELF", "Entry", "Head", "MarkupError", "entry", "parts", "read_markup"]

SELF = 0  # the variable of the word itself
LETTERS = "YZWVUTRQABCDEFGHIJKLMNOP"  # of the others, in C&C's order; X is a feature
_PIECE = re.compile(r"([()/\\])|([^\s()/\\{}<>]+)|\{([A-Z_])\*?\}(?:<\d+>)?")


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

    def renamed(self, rename: Callable[[int], int]) -> Head:
        """A copy with other variables; parts that are one stay one, and a part comes after its own parts."""
        copies: dict[int, Head] = {}
        agenda: list[tuple[Head, bool]] = [(self, False)]
        while agenda:
            part, visited = agenda.pop()
            if id(part) in copies:
                continue
            if part.result is None or part.argument is None:
                copy = Head(rename(part.variable))
            elif visited:
                copy = Head(rename(part.variable), copies[id(part.result)], copies[id(part.argument)])
            else:
                agenda += ((part, True), (part.argument, False), (part.result, False))
                continue
            copy.passed = part.passed
            copies[id(part)] = copy
        return copies[id(self)]


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
            raise MarkupError(
                f"{markup} cannot be read as a marked-up category from column {position + 1} on"
            )
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
    copy = root.renamed(lambda variable: numbers.setdefault(variable, len(numbers)))
    return copy, len(numbers)
