"""Heads: which parts of a lexical category have the same one, for any category, by rule.

The rules are written down in docs/dependencies.md; a C&C `markedup` file can be loaded to go before them.

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
from itertools import takewhile
from pathlib import Path

from .category import Atom, Category, Functor, Slash
from .errors import CategorySyntaxError
from .markup import SELF, Entry, Head, MarkupError, entry, read_markup

__all__ = [
    "Coindexation",
    "build",
    "coindex",
    "gap",
    "is_adjective",
    "is_determiner",
    "keeps_head",
    "load_markedup",
    "modifies",
]

_VERBAL = frozenset(("dcl", "b", "ng", "pss", "pt", "to", "q", "inv"))
_INTERROGATIVE = frozenset(("wq", "qem"))
_EXPLETIVE = frozenset(("expl", "thr"))
_SAID = Atom("S", "dcl") | Atom("S", "dcl")

_Spine = list[tuple[Functor, Head]]  # the functors down the results, with their arguments' heads


@dataclass(frozen=True)
class Coindexation:
    """The co-indexation of lexical categories: those given, for all others the rules'."""

    given: Mapping[Category, Entry] = field(default_factory=dict)

    def entry(self, category: Category) -> Entry:
        """The category, co-indexed."""
        return self.given.get(category) or coindex(category)


def load_markedup(path: str | Path) -> Coindexation:
    """The co-indexation in a C&C `markedup` file; what is not in it is co-indexed by rule."""
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
    return Coindexation(given)


@lru_cache(maxsize=1 << 14)
def coindex(category: Category) -> Entry:
    r"""A lexical category, co-indexed by rule.

    >>> print(coindex(Category.parse(r"(S\NP)/NP")).markup)
    ((S{_}\NP{Y}<1>){_}/NP{Z}<2>){_}
    """
    root = build(category, SELF)
    spine = list(_spine(category, root))
    for place in range(len(spine)):
        _bind(place, spine)
    return entry(category, root, tuple(_slots(spine)))


def keeps_head(category: Category) -> bool:
    """Whether a functor leaves the head to its argument, as modifiers do: `N/N`, `(S\\NP)\\(S\\NP)`.

    A part of a word's category is better asked by `modifies`, which knows what else the word takes.
    """
    if not isinstance(category, Functor):
        return False
    result, argument = category.result, category.argument
    if result.size != argument.size:
        return False
    if result is not argument and result.without_features() is not argument.without_features():
        return _inverts(result, argument)
    made, given = result.target.feature, argument.target.feature
    if result.target.base == "S" and (made in _VERBAL or given in _VERBAL):
        return _modifies_verb(category, made, given)
    return made == given or not {made, given}.isdisjoint((None, "X", "nb"))


def _modifies_verb(functor: Functor, made: str | None, given: str | None) -> bool:
    """Whether a functor over a clause or verb phrase with a verb's feature is a modifier, not a verb itself.

    Verbs make another form of their complement, but for those that take a bare one: "do go", "help find".
    """
    if functor.slash is Slash.BACKWARD and (made, given) == ("q", "dcl"):
        return True  # the mark or tag that makes a statement a question
    return made == given and not (made == "b" and functor.slash is Slash.FORWARD)


def _inverts(result: Category, argument: Category) -> bool:
    """Whether they differ in nothing but the side of the subject of a finite verb: "Morgen fahre ich"."""
    match result, argument:
        case Functor(Atom("S", "dcl") as clause, side, subject), Functor(same, other, moved):
            return clause is same and subject is moved and side is not other
    return False


def modifies(part: Category, word: Category) -> bool:
    """Whether `part`, reached by taking arguments of a word's category, leaves the head to its argument.

    `S[dcl]\\S[dcl]` does, but not in a verb of saying behind what is said, which takes a noun phrase too.
    """
    return keeps_head(part) and not (part is _SAID and _says(word))


def _says(word: Category) -> bool:
    """Whether a word is a verb of saying: "…, whispered Ann", "…, Ann said to me"."""
    has_subject = False
    while isinstance(word, Functor) and not keeps_head(word):
        has_subject |= word.argument is Atom("NP")
        word = word.result
    return has_subject and word is _SAID


def is_determiner(category: Category) -> bool:
    """Whether a functor makes a noun phrase of a noun, or of a noun with a gap, and leaves it the head."""
    return (
        isinstance(category, Functor)
        and isinstance(category.result, Atom)
        and category.result.base == "NP"
        and category.argument.target.base == "N"
        and not keeps_head(category.argument)
    )


def is_adjective(category: Category) -> bool:
    """Whether a functor makes a noun of a noun that takes other complements: `N/(N/PP)`, `(N/PP)/N`."""
    return isinstance(category, Functor) and all(map(_is_noun, (category.result, category.argument)))


def _is_noun(category: Category) -> bool:
    while isinstance(category, Functor) and category.argument is Atom("PP"):
        category = category.result
    return isinstance(category, Atom) and category.base == "N"


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
        if modifies(part, category):  # result and argument are one
            head.result = head.argument = Head(first)
            agenda.append((part.result, head.result))
        elif is_determiner(part) or is_adjective(part):
            head.result, head.argument = Head(first), Head(first)
            agenda += ((part.result, head.result), (part.argument, head.argument))
        elif part.is_type_raised and isinstance(part.argument, Functor):  # T/(T\X): X is the word's
            shared, filler = Head(first), Head(head.variable)
            head.result, head.argument = shared, Head(first, shared, filler)
            agenda += ((part.result, shared), (part.argument.argument, filler))
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
        if _leaves_head(functor, spine):
            return


def _leaves_head(functor: Functor, spine: _Spine) -> bool:
    return modifies(functor, spine[0][0]) or functor.is_type_raised


def _bind(place: int, spine: _Spine) -> None:
    """Let the gap in an argument be what fills it."""
    functor, argument = spine[place]
    if _leaves_head(functor, spine):
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
    # what is modified is another word's, whose gaps no argument of the modifier fills
    outside = takewhile(lambda pair: not _leaves_head(pair[0], spine), reversed(spine[:place]))
    for other, head in (*outside, *spine[place + 1 :]):
        if _fills(other.argument, missing):
            if keeps_head(other) and not (_is_relative(functor.argument) or _is_attributive(other, functor)):
                continue  # "a man as tall as": no subject of "tall"
            return head
    return Head(SELF) if is_determiner(functor) or _asks(functor) else None


def _is_attributive(modifier: Functor, functor: Functor) -> bool:
    """Whether a word and an adjective modify a noun behind them, of which the adjective says something.

    "a very tall man": the subject of "tall" is "man".
    """
    is_noun = modifier.slash is Slash.FORWARD and _is_noun(modifier.argument)
    return is_noun and functor.argument.target.feature == "adj"


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
