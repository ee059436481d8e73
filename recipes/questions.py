"""More questions than the training data has: statements asked, and noun phrases changed over.

PMB's gold sentences are parsed with their gold categories. What is asked for gets a question word, a verb is
inverted or gets `do`, all by the categories that PMB's own questions have; everything else keeps its own. A
noun phrase in the place of another brings its categories along.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from ccgkit.grammar import Atom, Category, Derivation, Token
from ccgkit.parsing import Parser
from ccgkit.sentence import Sentence, Supertag
from ccgkit.training.data import Example

__all__ = ["Phrases", "Questions", "ask", "find_phrases", "replace_phrase"]

Span = tuple[int, int]
_Word = tuple[str, str]  # with the spelling of its category

_STATED = r"S[dcl]\NP"  # what a finite verb makes, when it has its objects
_SUBJECT, _OBJECT, _PLACE = r"S[wq]/(S[dcl]\NP)", "S[wq]/(S[q]/NP)", "S[wq]/(S[q]/PP)"
_ASIDE = "S[wq]/S[q]"  # why, how
_STATE = r"S[wq]/(S[q]/(S[adj]\NP))"  # how somebody is
_FRONTED = "(S[wq]/(S[q]/PP))/(S[wq]/(S[q]/NP))"  # a preposition before a question word
_PREDICATES = (r"S[b]\NP", r"S[ng]\NP", r"S[pss]\NP", r"S[pt]\NP")  # what an auxiliary goes with
_NUMBER = "N/N"  # how many
_TIMES_AND_PLACES = ("year", "time", "month", "day", "city", "country")  # PMB has them as arguments
_AUXILIARIES = frozenset(
    (
        "is",
        "was",
        "are",
        "were",
        "will",
        "can",
        "could",
        "should",
        "would",
        "has",
        "have",
        "had",
        "may",
        "must",
    )
)
_IRREGULAR = {
    "went": "go", "made": "make", "said": "say", "took": "take", "came": "come", "saw": "see", "knew": "know",
    "got": "get", "gave": "give", "found": "find", "thought": "think", "told": "tell", "became": "become",
    "left": "leave", "felt": "feel", "brought": "bring", "began": "begin", "kept": "keep", "held": "hold",
    "wrote": "write", "stood": "stand", "lost": "lose", "paid": "pay", "met": "meet", "ran": "run",
    "bought": "buy", "sold": "sell", "won": "win", "broke": "break", "built": "build", "fell": "fall",
    "caught": "catch",
    "drank": "drink", "ate": "eat", "sang": "sing", "slept": "sleep", "taught": "teach", "drew": "draw",
    "grew": "grow", "flew": "fly", "drove": "drive", "chose": "choose", "spoke": "speak", "stole": "steal",
}  # fmt: skip
_STOPS = frozenset(".?!")
_PERSONS = frozenset(("he", "she"))
_AGREEING = frozenset(("i", "we", "you", "they", "there"))  # their verbs do not go with `who`
_LONGEST = 7  # words of a noun phrase that is put somewhere else
_SHARE = 0.6  # of the questions that get another noun phrase


@dataclass(frozen=True, slots=True)
class Phrases:
    """A sentence, its noun phrases, and its subject if it is a statement."""

    example: Example
    nouns: tuple[Span, ...]
    subject: Span | None = None

    def cut(self, span: Span) -> Example:
        return Example(self.example.words[slice(*span)], self.example.categories[slice(*span)])


def find_phrases(parser: Parser, example: Example) -> Phrases | None:
    """The phrases of a sentence as it is parsed with its categories; None if it is not."""
    words, categories = example.words, example.categories
    end = len(words) - (words[-1] in _STOPS)  # which would become part of the last phrase
    tags = tuple((Supertag(category),) for category in categories[:end])
    derivation = parser.parse(Sentence(tuple(map(Token, words[:end])), tags)).derivation
    if derivation is None:
        return None
    nouns = tuple(span for node, span in _spans(derivation) if _is_noun_phrase(node))
    return Phrases(example, nouns, _subject(derivation))


def ask(phrases: Phrases, bases: Container[str], chance: random.Random) -> Example | None:
    r"""A question that a statement answers, one of those that can be asked; None if none can.

    `bases` are verbs as they stand after `do`.

    >>> words, spelt = "Tom solved it .".split(), r"N (S[dcl]\NP)/NP NP .".split()
    >>> example = Example(tuple(words), tuple(map(Category.parse, spelt)))
    >>> phrases = Phrases(example, ((0, 1),), (0, 1))
    >>> chance = random.Random(1)
    >>> sorted({" ".join(ask(phrases, {"solve"}, chance).words) for _ in range(99)})[-2:]
    ['Who solved it ?', 'Why did Tom solve it ?']
    """
    words, categories = phrases.example.words, phrases.example.categories
    if phrases.subject is None or words[-1] not in _STOPS or len(words) - phrases.subject[1] < 2:
        return None
    tokens = list(zip(words, map(str, categories), strict=True))[:-1]
    subject, predicate = tokens[: phrases.subject[1]], tokens[phrases.subject[1] :]
    forms = [_ask_subject(subject, predicate, chance)]
    inverted = _inverted(predicate, bases)
    if inverted is not None:
        forms += _ask_inverted(_uncapitalised(subject), *inverted, chance)
    asked = chance.choice([form for form in forms if form] or [[]])
    return _example([*asked, ("?", ".")]) if asked else None


def _ask_subject(subject: list[_Word], predicate: list[_Word], chance: random.Random) -> list[_Word]:
    """Who, what or which is it that a statement is about?"""
    (word, category), *rest = subject
    if word.lower() in _AGREEING:
        return []
    if not rest or category != "NP/N":
        person = word.lower() in _PERSONS or (category == "N" and word.istitle())
        return [("Who" if person else "What", _SUBJECT), *predicate]
    return [*_determiner(rest, _SUBJECT, chance), *rest, *predicate]


def _ask_inverted(
    subject: list[_Word], verb: _Word, rest: list[_Word], chance: random.Random
) -> list[list[_Word]]:
    """Whether it is so, and what else a question can ask that begins with the verb or a question word."""
    clause = [verb, *subject, *rest]
    forms = [[(verb[0].capitalize(), verb[1]), *clause[1:]]]
    if not rest:
        return forms
    begun, (main, kind) = [verb, *subject], rest[0]
    if _target(kind) in _PREDICATES:
        forms.append([(chance.choice(("Why", "How", "When", "Where")), _ASIDE), *clause])
        forms += _ask_time([*begun, (main, _with_place(kind)), *rest[1:]], chance)
        forms += _ask_object(begun, rest, chance)
    else:
        forms.append([("Why", _ASIDE), *clause])
        forms += _ask_state(begun, rest, chance)
    return forms


def _ask_time(placed: list[_Word], chance: random.Random) -> list[list[_Word]]:
    """In what year, which city: PMB's verbs take these as an argument."""
    noun = (chance.choice(_TIMES_AND_PLACES), "N")
    which = (chance.choice(("What", "Which")), f"({_PLACE})/N")
    return [[which, noun, *placed], [("In", _FRONTED), ("what", f"({_OBJECT})/N"), noun, *placed]]


def _ask_object(begun: list[_Word], rest: list[_Word], chance: random.Random) -> list[list[_Word]]:
    """What a verb is done to, where it is done, what its preposition goes with."""
    (main, kind), *objects = rest
    short = [*begun, (main, kind)]
    kinds = [one for _, one in objects]
    if kind.endswith(")/NP") and kinds in (["NP"], ["N"]):
        return [[(chance.choice(("What", "Who")), _OBJECT), *short]]
    if kind.endswith(")/NP") and kinds == ["NP/N", "N"]:
        return [[*_determiner(objects[1:], _OBJECT, chance), objects[1], *short]]
    if kind.endswith(")/PP") and kinds[:1] == ["PP/NP"] and kinds[1:] in (["NP"], ["N"], ["NP/N", "N"]):
        return [[("Where", _PLACE), *short], *_ask_complement(short, objects, chance)]
    return []


def _ask_state(begun: list[_Word], rest: list[_Word], chance: random.Random) -> list[list[_Word]]:
    """How, and how much so, or where somebody is."""
    kinds = [kind for _, kind in rest]
    if kinds == [r"S[adj]\NP"]:
        return [[("How", _STATE), *begun], [("How", rf"({_STATE})/(S[adj]\NP)"), *rest, *begun]]
    if kinds[0] == "PP/NP" and kinds[1:] in (["NP"], ["N"], ["NP/N", "N"]):
        return [[("Where", _PLACE), *begun], *_ask_complement(begun, rest, chance)]
    return []


def _ask_complement(short: list[_Word], phrase: list[_Word], chance: random.Random) -> list[list[_Word]]:
    """What a preposition goes with, which is left behind or comes first."""
    preposition, *noun = phrase
    if len(noun) == 1:
        return [[(chance.choice(("What", "Who")), _OBJECT), *short, preposition]]
    first = (preposition[0].capitalize(), _FRONTED)
    return [
        [(chance.choice(("What", "Which")), f"({_OBJECT})/N"), noun[1], *short, preposition],
        [first, (chance.choice(("what", "which")), f"({_OBJECT})/N"), noun[1], *short],
    ]


def _determiner(noun: list[_Word], asked: str, chance: random.Random) -> list[_Word]:
    if noun[-1][0].endswith("s") and chance.random() < 0.5:
        return [("How", f"({asked})/N"), ("many", _NUMBER)]
    return [(chance.choice(("Which", "What")), f"({asked})/N")]


def _inverted(predicate: list[_Word], bases: Container[str]) -> tuple[_Word, list[_Word]] | None:
    """The verb that comes before the subject in a question, and what is left of the predicate."""
    (verb, category), *rest = predicate
    if verb in _AUXILIARIES and category.startswith(f"({_STATED})/"):
        return (verb, f"(S[q]{category[len(_STATED) + 2 :]})/NP"), rest
    base = _base(verb, bases)
    if base is None or _target(category) != _STATED:
        return None
    auxiliary = "does" if verb.endswith("s") else "did"
    adverbs = [
        (word, kind.replace(rf"({_STATED})\({_STATED})", r"(S[b]\NP)\(S[b]\NP)")) for word, kind in rest
    ]
    return (auxiliary, r"(S[q]/(S[b]\NP))/NP"), [(base, category.replace("S[dcl]", "S[b]", 1)), *adverbs]


def _base(verb: str, bases: Container[str]) -> str | None:
    """A finite verb as it stands after `do`, if that is known."""
    tries = [_IRREGULAR.get(verb, "")]
    if verb.endswith("ed"):
        tries += [verb[:-1], verb[:-2], verb[:-3], f"{verb[:-3]}y"]
    elif verb.endswith("s"):
        tries += [verb[:-1], verb[:-2], f"{verb[:-3]}y"]
    return next((base for base in tries if base in bases and len(base) > 1), None)


def _target(category: str) -> str:
    r"""What a verb makes of its subject: `S[b]\NP` of `(S[b]\NP)/NP`."""
    return category.lstrip("(").split(")")[0].split("/")[0]


def _with_place(category: str) -> str:
    r"""The category of a verb that takes a place or a time as well.

    >>> _with_place(r"S[b]\NP"), _with_place(r"(S[b]\NP)/NP")
    ('(S[b]\\NP)/PP', '((S[b]\\NP)/PP)/NP')
    """
    target = _target(category)
    placed = rf"({target})/PP"
    return placed if category == target else category.replace(f"({target})", f"({placed})", 1)


def _uncapitalised(subject: list[_Word]) -> list[_Word]:
    (word, category), *rest = subject
    common = category.startswith("NP") and word != "I"
    return [(word.lower() if common else word, category), *rest]


def _example(words: list[_Word]) -> Example:
    return Example(tuple(word for word, _ in words), tuple(Category.parse(spelt) for _, spelt in words))


def replace_phrase(host: Example, span: Span, guest: Example) -> Example:
    """The sentence with another noun phrase in the place of one.

    >>> n = Category.parse("N")
    >>> replace_phrase(Example(("Rome", "burns"), (n, n)), (0, 1), Example(("Troy",), (n,))).words
    ('Troy', 'burns')
    """
    start, end = span
    return Example(
        (*host.words[:start], *guest.words, *host.words[end:]),
        (*host.categories[:start], *guest.categories, *host.categories[end:]),
    )


class Questions:
    """A source of questions made from gold sentences."""

    def __init__(self, examples: Sequence[Example]) -> None:
        parser = Parser()
        found = [phrases for one in examples if (phrases := find_phrases(parser, one)) is not None]
        self._questions = [one for one in found if one.example.words[-1] == "?"]
        self._statements = [one for one in found if one.subject is not None]
        self._bases = {
            word
            for one in examples
            for word, category in zip(one.words, one.categories, strict=True)
            if _target(str(category)) == r"S[b]\NP"
        }
        self._guests = [
            one.cut(span) for one in found for span in one.nouns if span[0] and span[1] - span[0] <= _LONGEST
        ]

    def lesson(self, chance: random.Random) -> list[Example]:
        """Every question of the examples, most with another phrase, and twice as many statements asked."""
        drawn = chance.sample(self._statements, min(len(self._statements), 2 * len(self._questions)))
        asked = (ask(phrases, self._bases, chance) for phrases in drawn)
        return [
            *(question for question in asked if question is not None),
            *(self._changed(phrases, chance) for phrases in self._questions),
        ]

    def _changed(self, phrases: Phrases, chance: random.Random) -> Example:
        inner = [span for span in phrases.nouns if span[0]]
        if not inner or chance.random() >= _SHARE:
            return phrases.example
        return replace_phrase(phrases.example, chance.choice(inner), chance.choice(self._guests))


def _spans(derivation: Derivation) -> Iterator[tuple[Derivation, Span]]:
    """All nodes with the places of their words."""
    agenda = [(derivation, 0)]
    while agenda:
        node, start = agenda.pop()
        yield node, (start, start + len(node.tokens))
        for child in node.children:
            agenda.append((child, start))
            start += len(child.tokens)


def _is_noun_phrase(node: Derivation) -> bool:
    """Whether it can stand elsewhere: no pronoun, whose case would not fit, and nothing set off by commas."""
    leaves = [leaf.category for leaf in node.leaves()]
    stops = any(isinstance(category, Atom) and category.is_punctuation for category in leaves)
    return str(node.category) == "NP" and str(leaves[0]) != "NP" and not stops


def _subject(derivation: Derivation) -> Span | None:
    """The subject with which a statement begins."""
    if [str(child.category) for child in derivation.children] != ["NP", r"S[dcl]\NP"]:
        return None
    return 0, len(derivation.children[0].tokens)
