"""Exercises checked: a derivation step by step, and of each step that is no rule, why not.

A derivation's text form is one line a word or step, as `Derivation.steps` prints it; the symbol of the rule
may be left out, and the words may all come first:

    John := NP
    likes := (S\\NP)/NP
    Mary := NP
    likes Mary := S\\NP  >
    John likes Mary := S  <
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..grammar import (
    Category,
    CategorySyntaxError,
    Combination,
    Derivation,
    Functor,
    Rule,
    Scheme,
    Slash,
    Step,
    combine,
    unify,
)
from ..grammar.derivation import license_binary, license_unary
from ..grammar.rules import Kind
from .lexicon import Lexicon

__all__ = ["Mistake", "mistakes"]

_SYMBOLS = {rule.symbol: rule for rule in Rule}
_SCHEMATA = {
    Rule.FORWARD_APPLICATION: r"X/Y Y → X",
    Rule.BACKWARD_APPLICATION: r"Y X\Y → X",
    Rule.FORWARD_COMPOSITION: r"X/Y Y/Z → X/Z",
    Rule.BACKWARD_COMPOSITION: r"Y\Z X\Y → X\Z",
    Rule.FORWARD_CROSSED_COMPOSITION: r"X/Y Y\Z → X\Z",
    Rule.BACKWARD_CROSSED_COMPOSITION: r"Y/Z X\Y → X/Z",
    Rule.GENERALIZED_FORWARD_COMPOSITION: r"X/Y (Y/Z)/W → (X/Z)/W",
    Rule.GENERALIZED_BACKWARD_COMPOSITION: r"(Y\Z)\W X\Y → (X\Z)\W",
    Rule.FORWARD_SUBSTITUTION: r"(X/Y)/Z Y/Z → X/Z",
    Rule.BACKWARD_SUBSTITUTION: r"Y\Z (X\Y)\Z → X\Z",
    Rule.FORWARD_CROSSED_SUBSTITUTION: r"(X/Y)\Z Y\Z → X\Z",
    Rule.BACKWARD_CROSSED_SUBSTITUTION: r"Y/Z (X\Y)/Z → X/Z",
    Rule.FORWARD_TYPE_RAISING: r"X → T/(T\X)",
    Rule.BACKWARD_TYPE_RAISING: r"X → T\(T/X)",
    Rule.CONJUNCTION: "conj X → X[conj]",
    Rule.COORDINATION: "X X[conj] → X",
}


@dataclass(frozen=True, slots=True)
class Mistake:
    """A step that is wrong, and why; `line` is its line in the text, from 1, None where there is none."""

    step: str
    reason: str
    line: int | None = None

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else ""
        return f"{place}{self.step}\n    {self.reason}"


def mistakes(exercise: str | Derivation, lexicon: Lexicon, scheme: Scheme, full: Scheme) -> list[Mistake]:
    """What is wrong with a derivation under a scheme; `full` also has the rules that are switched off."""
    found: list[Mistake] = []
    row = _Row(lexicon, scheme, full)
    for line, text, step in _steps(exercise):
        reason = step if isinstance(step, str) else row.do(step)
        if reason:
            found.append(Mistake(text, reason, line))
    return found or [Mistake("the end", reason) for reason in row.remaining()]


def _steps(exercise: str | Derivation) -> Iterator[tuple[int | None, str, Step | str]]:
    """The lines' numbers and texts, with their steps, or what is wrong with them."""
    if isinstance(exercise, Derivation):
        yield from ((None, str(step), step) for step in exercise.steps())
        return
    for number, line in enumerate(exercise.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if content:
            yield number, content, _read(content)


def _read(content: str) -> Step | str:
    """The step that a line describes, or why it describes none."""
    words, _, rest = content.rpartition(":=")
    spelling, *symbols = rest.split() or [""]
    if not (words.strip() and spelling) or len(symbols) > 1:
        return "not a step: write WORDS := CATEGORY RULE"
    if symbols and symbols[0] not in _SYMBOLS:
        return f"{symbols[0]} is not a rule: there are {' '.join(_SYMBOLS)}"
    try:
        category = Category.parse(spelling, left_associative=True)
    except CategorySyntaxError as error:
        return f"{spelling} is not a category: {error.message}"
    return Step(tuple(words.split()), category, _SYMBOLS[symbols[0]] if symbols else None)


@dataclass(frozen=True, slots=True)
class _Part:
    words: tuple[str, ...]
    category: Category


class _Row:
    """The constituents so far, from left to right; each step joins two neighbours or changes one."""

    def __init__(self, lexicon: Lexicon, scheme: Scheme, full: Scheme) -> None:
        self.lexicon, self.scheme, self.full = lexicon, scheme, full
        self.parts: list[_Part] = []

    def do(self, step: Step) -> str:
        """Do a step, right or wrong, and say what is wrong with it."""
        new = _Part(step.words, step.category)
        place, width = self._place(step)
        if not width:
            if len(step.words) > 1:
                there = " | ".join(" ".join(part.words) for part in self.parts) or "nothing"
                return f"these words are not one constituent or two neighbours; what there is: {there}"
            self.parts.append(new)
            return self._entry(step)
        before = [part.category for part in self.parts[place : place + width]]
        self.parts[place : place + width] = [new]
        if width == 1:
            return self._changed(before[0], step)
        return self._combined(before[0], before[1], step)

    def remaining(self) -> Iterator[str]:
        """What is missing at the end of a derivation without mistakes."""
        start = self.lexicon.start
        if len(self.parts) != 1:
            there = " | ".join(f"{' '.join(part.words)} := {part.category}" for part in self.parts)
            yield f"the derivation is not complete: {there}" if there else "there is no derivation"
        elif not unify(start, self.parts[0].category):
            yield f"the derivation ends in {self.parts[0].category}, not in {start}"

    def _place(self, step: Step) -> tuple[int, int]:
        """Where the step's parts begin and how many they are, the last ones first; none for a new word."""
        raises = step.rule is not None and step.rule.kind is Kind.TYPE_RAISING
        for place in reversed(range(len(self.parts))):
            joined = sum((part.words for part in self.parts[place : place + 2]), ())
            if joined == step.words and len(self.parts[place].words) < len(joined):
                return place, 2
            if self.parts[place].words == step.words and (raises or not self._is_new(step)):
                return place, 1
        return 0, 0

    def _is_new(self, step: Step) -> bool:
        """Whether a word comes in: without a rule, and with a category of the lexicon."""
        known = len(step.words) == 1 and step.category in self.lexicon.categories(step.words[0])
        return known and step.rule is None

    def _entry(self, step: Step) -> str:
        known = self.lexicon.categories(step.words[0])
        if step.rule is not None:
            return f"{step.words[0]} has no category yet that {step.rule.symbol} could change"
        if not known:
            return f"{step.words[0]} is not in the lexicon"
        if step.category not in known:
            return f"in the lexicon {step.words[0]} is {' or '.join(map(str, known))}"
        return ""

    def _changed(self, child: Category, step: Step) -> str:
        done = license_unary(child, step.category, self.scheme)
        if done is None:
            off = license_unary(child, step.category, self.full)
            return _switched_off(off) if off else _no_change(child, step)
        return _other_rule(done.rule, step)

    def _combined(self, left: Category, right: Category, step: Step) -> str:
        made = combine(left, right, self.scheme)
        done = license_binary(left, right, step.category, self.scheme)
        if done:
            named = any(one.rule is step.rule and one.category is step.category for one in made)
            return "" if named else _other_rule(done.rule, step)
        off = license_binary(left, right, step.category, self.full)
        if off and step.rule in (None, off.rule):
            return _switched_off(off)
        results = [one for one in made if step.rule in (None, one.rule)]
        if results:
            return f"{left} {right} {_listed(results)}, not {step.category}"
        if step.rule is None:
            return f"no rule combines {left} and {right}"
        return f"{_named(step.rule)} does not apply: {_why_not(left, right, step.rule)}"


def _named(rule: Rule) -> str:
    name = rule.name.lower().replace("_", " ").replace("type raising", "type-raising")
    schema = f" ({_SCHEMATA[rule]})" if rule in _SCHEMATA else ""
    return f"{name}{schema}"


def _switched_off(done: Combination) -> str:
    return f"this is {_named(done.rule)}, which this grammar does not have"


def _other_rule(rule: Rule, step: Step) -> str:
    if step.rule in (None, rule):
        return ""
    return f"the step is right, but it is {_named(rule)}: write {rule.symbol}"


def _listed(results: list[Combination]) -> str:
    return "gives " + " or ".join(f"{one.category} by {one.rule.symbol}" for one in results)


def _no_change(child: Category, step: Step) -> str:
    if step.category.is_type_raised or (step.rule and step.rule.kind is Kind.TYPE_RAISING):
        inner = f"({child})" if child.is_functor else str(child)
        return f"type-raising makes T/(T\\{inner}) or T\\(T/{inner}) of {child}, not {step.category}"
    return f"no rule changes {child} into {step.category}"


def _why_not(left: Category, right: Category, rule: Rule) -> str:
    """Why a rule of application or composition does not apply; what it needs, of the others."""
    if rule.direction is None or rule.kind not in (Kind.APPLICATION, Kind.COMPOSITION):
        return f"the categories are {left} and {right}"
    forward = rule.direction is Slash.FORWARD
    functor, other = (left, right) if forward else (right, left)
    side, other_side = ("right", "left") if forward else ("left", "right")
    if not isinstance(functor, Functor):
        return f"{functor} is not a functor, so it takes nothing"
    if functor.slash is not rule.direction:
        return f"{functor} looks for its argument to the {other_side}, where there is nothing for it"
    if rule.kind is Kind.APPLICATION:
        return f"{functor} looks for {functor.argument} to the {side}, and finds {other}"
    if not isinstance(other, Functor):
        return f"{other} is not a functor, so there is nothing to compose {functor} with"
    return f"{functor} looks for {functor.argument}, and {other} does not make that in this way"
