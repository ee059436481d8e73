"""The pairs of categories that C&C may combine, as its rule list has them: read, widened, or made.

C&C combines only what the list names. It is made here from categories: of all parts of them, of what C&C's
unary rules make, and of clauses and verb phrases that lack what some word takes out of them, those pairs that
combine into such a one again. A list of pairs seen in a treebank is widened by those of them that it lacks
only because no sentence there happened to have them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

from ccgkit.corpora.deps import plain_category
from ccgkit.grammar import (
    Atom,
    Category,
    CategorySyntaxError,
    Functor,
    Rule,
    Scheme,
    Slash,
    combine,
    load_scheme,
)

from .spellings import functors

__all__ = [
    "RAISED_FILES",
    "RULES_FILE",
    "enclosed",
    "like_seen",
    "made_pairs",
    "raised_categories",
    "read_pairs",
    "rule_list",
    "wide_pairs",
    "write_pairs",
]

RULES_FILE = "all_rule_instances"  #: C&C's rule list
_CPP_FOLDER, _CPP_RULES = "cats", "rules"  # the C++ parser has its list beside the folder
RAISED_FILES = ("trNP", "trPP", "trAP", "trVP_to")  #: C&C's type-raised categories
_MARKS = tuple(Atom(base) for base in (",", ".", ":", ";", "LRB", "RRB", "LQU", "RQU"))
_CONJUNCTIONS = (Atom("conj"), Atom(","), Atom(";"))
_APPOSED = (Atom("NP"), Atom("NP", "nb"))  # "the film Amazing Grace": C&C makes one noun phrase of two
_APPLICATION = frozenset((Rule.FORWARD_APPLICATION, Rule.BACKWARD_APPLICATION))
_RULES = _APPLICATION | {
    Rule.FORWARD_COMPOSITION, Rule.BACKWARD_COMPOSITION, Rule.BACKWARD_CROSSED_COMPOSITION,
    Rule.GENERALIZED_FORWARD_COMPOSITION, Rule.GENERALIZED_BACKWARD_COMPOSITION,
    Rule.GENERALIZED_BACKWARD_CROSSED_COMPOSITION,
}  # fmt: skip


# whole categories that the C++ parser does not tell apart; the last two are made by coordination
_VARIANTS = {"NP": "NP[nb]", "N": "N[num]", r"(NP\NP)": r"(NP[nb]\NP[nb])", r"(N\N)": r"(N[num]\N[num])"}


def rule_list(grammar: Path) -> Path:
    """Where the rule list of a grammar's folder is, or should be; the C++ parser's is beside it."""
    own, beside = grammar / RULES_FILE, grammar.parent / _CPP_RULES
    return beside if grammar.name == _CPP_FOLDER and beside.is_file() and not own.exists() else own


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """The pairs of categories that a rule list names."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    fields = [line.split() for line in lines if not line.startswith("#")]
    return [(pair[0], pair[1]) for pair in fields if len(pair) == 2]


def wide_pairs(pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """The pairs, and those with `NP[nb]` for a whole `NP`, and with `N[num]` for a whole `N`."""
    return {wide for left, right in pairs for wide in product(_spellings(left), _spellings(right))}


def _spellings(part: str) -> tuple[str, ...]:
    return (part, _VARIANTS[part]) if part in _VARIANTS else (part,)


def enclosed(category: Category) -> str:
    """A category as the rule list spells it."""
    return f"({category})" if category.is_functor else str(category)


def write_pairs(path: Path, pairs: Iterable[tuple[str, str]]) -> None:
    """Write a rule list."""
    text = "".join(f"{left} {right}\n" for left, right in sorted(pairs))
    path.write_text(f"# pairs that combine, by ccgkit\n\n{text}", encoding="utf-8", newline="\n")


def raised_categories(grammar: Path) -> Iterator[Category]:
    """The categories that a grammar's files raise to."""
    for name in RAISED_FILES:
        for line in (grammar / name).read_text(encoding="utf-8", errors="replace").splitlines():
            if line and not line.startswith("#"):
                yield Category.parse(plain_category(line.split()[0]))


def made_pairs(
    lexical: Collection[Category], raised: Iterable[Category]
) -> Iterator[tuple[Category, Category]]:
    """The pairs that words with these categories, and what is raised, may form."""
    phrases = {part for category in lexical for part in category.subcategories()}
    phrases |= set(_gapped(lexical))
    marks = set(_MARKS)
    real = [phrase for phrase in phrases if phrase not in marks]
    yield from product(real, _MARKS)
    yield from product(_MARKS, real)
    for conjunction, phrase in product(_CONJUNCTIONS, real):
        yield conjunction, phrase
    for phrase in real:
        yield phrase, Functor(phrase, Slash.BACKWARD, phrase)
    yield from product(_APPOSED, repeat=2)
    yield from _combining({*real, *raised})


def like_seen(
    seen: Iterable[tuple[str, str]], made: Iterable[tuple[Category, Category]]
) -> Iterator[tuple[Category, Category]]:
    """The pairs of `made` that a treebank would have, too, if it had had the sentences.

    These are pairs that were seen with other features, words applied to what they ask for, punctuation, and
    two noun phrases. Composition is left to the kinds that were seen.
    """
    kinds = set(_kinds(seen))
    scheme = load_scheme("rebank")
    for left, right in made:
        if (
            (left.without_features(), right.without_features()) in kinds
            or not {left, right}.isdisjoint(_MARKS)
            or {left, right} <= set(_APPOSED)
            or any(step.rule in _APPLICATION for step in combine(left, right, scheme))
        ):
            yield left, right


def _kinds(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[Category, Category]]:
    """The pairs without features; those with a category that is none are left out."""
    for left, right in pairs:
        with suppress(CategorySyntaxError):
            yield Category.parse(left).without_features(), Category.parse(right).without_features()


def _gapped(lexical: Collection[Category]) -> Iterator[Category]:
    """Clauses and verb phrases that lack something at their end, of the kinds that words take out of them.

    So the rules are closed under composition as far as extraction needs it: in *What do you want to eat?* the
    question word asks for `S[q]/NP`, and *to eat* may be `(S[to]\\NP)/NP`, which no word is.
    """
    parts = {part for category in lexical for part in category.subcategories()}
    clauses = {part for part in parts if _is_clausal(part)}
    gaps = {
        argument.argument
        for category in lexical
        for argument in category.arguments
        if isinstance(argument, Functor)
        and argument.slash is Slash.FORWARD
        and _is_clausal(argument.result)
        and not argument.is_modifier
    }
    for clause, gap in product(clauses, gaps):
        yield Functor(clause, Slash.FORWARD, gap)


def _is_clausal(category: Category) -> bool:
    """Whether this is `S[f]` or `S[f]\\NP`."""
    if isinstance(category, Functor):
        if category.slash is not Slash.BACKWARD or category.argument.without_features() is not Atom("NP"):
            return False
        category = category.result
    return isinstance(category, Atom) and category.base == "S" and category.feature not in (None, "X")


def _combining(phrases: set[Category]) -> Iterator[tuple[Category, Category]]:
    """The pairs whose result is, but for features, one of the phrases again."""
    scheme = load_scheme("rebank")
    bare = {phrase.without_features() for phrase in phrases}
    by_part: defaultdict[Category, list[Category]] = defaultdict(list)
    for phrase in phrases:
        skeleton = phrase.without_features()
        for part in (skeleton, *(functor.result for functor in functors(skeleton))):
            by_part[part].append(phrase)
    for functor in phrases:
        if not isinstance(functor, Functor):
            continue
        for other in by_part[functor.argument.without_features()]:
            forward = functor.slash is Slash.FORWARD
            left, right = (functor, other) if forward else (other, functor)
            if _combines(left, right, bare, scheme):
                yield left, right


def _combines(left: Category, right: Category, phrases: set[Category], scheme: Scheme) -> bool:
    return any(
        made.rule in _RULES and made.category.without_features() in phrases
        for made in combine(left, right, scheme)
    )
