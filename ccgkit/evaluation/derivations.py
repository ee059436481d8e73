"""Derivations against gold: dependencies, supertags, brackets; over all sentences and the parsed ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ..grammar import Category, Derivation, Functor, Scheme, annotate
from ..grammar.dependencies import dependencies
from ..grammar.heads import Coindexation, gap, is_adjective, is_determiner, keeps_head, modifies
from ..sentence import Sentence
from .dependencies import AlignmentError, Counts, DependencyScores, score_sentence

__all__ = [
    "DerivationScores",
    "align",
    "brackets",
    "construction",
    "evaluate_derivations",
    "with_dependencies",
]

Bracket = tuple[int, int, Category]
Key = TypeVar("Key")


@dataclass(slots=True)
class DerivationScores:
    """The scores of a file of derivations; brackets and exact matches are over all sentences."""

    links: DependencyScores = field(default_factory=DependencyScores)
    covered: int = 0  #: sentences with a spanning derivation
    labelled_brackets: Counts = field(default_factory=Counts)
    unlabelled_brackets: Counts = field(default_factory=Counts)
    exact: int = 0  #: sentences whose derivation is the gold one
    constructions: dict[str, Counts] = field(default_factory=dict)
    categories: dict[Category, Counts] = field(default_factory=dict)  #: supertags


def evaluate_derivations(
    gold: Iterable[Sentence],
    predicted: Iterable[Sentence],
    scheme: Scheme,
    coindexation: Coindexation | None = None,
) -> DerivationScores:
    """Compare `gold` and `predicted` derivations of the same words; where there is none, nothing is found.

    Dependencies are read off both sides by the rules of the `scheme`, with heads by `coindexation` (our own
    rules if there is none); where a prediction has dependencies without a derivation, those are taken.

    Raises `AlignmentError` where the words are not the same.
    """
    scores = DerivationScores()
    for one, other in align(gold, predicted):
        expected = with_dependencies(one, scheme, coindexation)
        found = Sentence(()) if other is None else with_dependencies(other, scheme, coindexation)
        _add(scores, expected, found)
    return scores


def align(
    gold: Iterable[Sentence], predicted: Iterable[Sentence]
) -> Iterator[tuple[Sentence, Sentence | None]]:
    """Each gold sentence with its prediction: that of its id, if all have one, else that in its place."""
    expected, found = list(gold), list(predicted)
    ids = [one.id for one in found]
    if all(ids) and all(one.id for one in expected) and {one.id for one in expected} & set(ids):
        by_id = {one.id: one for one in reversed(found)}  # the first of several is the best
        pairs = [(one, by_id.get(one.id)) for one in expected]
    elif len(expected) == len(found):
        pairs = [(one, other if other.tokens else None) for one, other in zip(expected, found, strict=True)]
    else:
        raise AlignmentError(
            f"gold has {len(expected)} sentences and the prediction {len(found)}, "
            "and they have no ids in common by which they could be matched"
        )
    for number, (one, other) in enumerate(pairs, 1):
        if other is not None and one.words != other.words:
            raise AlignmentError(
                f"sentence {one.id or number} has different words in gold and in the prediction"
            )
        yield one, other


def with_dependencies(
    sentence: Sentence, scheme: Scheme, coindexation: Coindexation | None = None
) -> Sentence:
    """The sentence with the dependencies of its first derivation, whose rules are found where need be."""
    if not sentence.derivations:
        return sentence
    tree = sentence.derivations[0]
    if any(node.rule is None for node in tree.nodes() if node.children):
        tree = annotate(tree, scheme)
    return replace(sentence, derivations=(tree,), dependencies=dependencies(tree, coindexation))


def brackets(derivation: Derivation) -> Counter[Bracket]:
    """The constituents of more than one word, or changed: where they begin and end, and their categories."""
    found: Counter[Bracket] = Counter()
    words = 0

    def span(node: Derivation, children: tuple[tuple[int, int], ...]) -> tuple[int, int]:
        nonlocal words
        if not children:
            words += 1
            return words - 1, words
        start, end = children[0][0], children[-1][1]
        found[start, end, node.category] += 1
        return start, end

    derivation.fold(span)
    return found


def construction(category: Category, slot: int) -> str:
    """What a slot of a category is for, in broad classes."""
    place, part = category.arity, category
    while isinstance(part, Functor) and place > slot:
        place, part = place - 1, part.result
    if not isinstance(part, Functor):
        return "other"
    if modifies(part, category):
        return "relative clause: noun" if _takes_clause(category, part) else "modifier"
    if is_adjective(part):
        return "modifier"
    if is_determiner(part):
        return "determiner"
    if _modifies_noun(part.result) and gap(part.argument) is not None:
        return "relative clause: verb"
    if gap(part.argument) is not None:
        return "control, raising, auxiliary" if part.target.base == "S" else "clause of a noun phrase"
    if part.target.base == "S" and not _has_modifier(part.result, category):
        return "subject" if place == 1 else "object or complement"
    return "object of a preposition" if part.argument.target.base in ("NP", "N") else "other"


def _takes_clause(category: Category, modifier: Functor) -> bool:
    """Whether a noun's modifier needs a clause with a gap first, as relative pronouns do."""
    part = category
    while isinstance(part, Functor) and part is not modifier:
        if modifier.target.base in ("N", "NP") and gap(part.argument) is not None:
            return True
        part = part.result
    return False


def _modifies_noun(category: Category) -> bool:
    return keeps_head(category) and category.target.base in ("N", "NP")


def _has_modifier(part: Category, word: Category) -> bool:
    while isinstance(part, Functor):
        if modifies(part, word):
            return True
        part = part.result
    return False


def _add(scores: DerivationScores, gold: Sentence, test: Sentence) -> None:
    score = score_sentence(gold, test)
    scores.links.add(score)
    scores.covered += score.parsed if test.derivations is None else bool(test.derivations)
    for links, kind in ((score.gold & score.test, "correct"), (score.test, "test"), (score.gold, "gold")):
        for (_, category, slot, _), count in Counter(links).items():
            name = construction(category, slot)
            known = scores.constructions.get(name, Counts())
            scores.constructions[name] = known + Counts(**{kind: count})
    _add_categories(scores, gold, test)
    if gold.derivations:
        expected = brackets(gold.derivations[0])
        found = brackets(test.derivations[0]) if test.derivations else Counter[Bracket]()
        scores.labelled_brackets += _overlap(expected, found)
        scores.unlabelled_brackets += _overlap(_bare(expected), _bare(found))
        scores.exact += bool(test.derivations) and expected == found and gold.categories == test.categories


def _add_categories(scores: DerivationScores, gold: Sentence, test: Sentence) -> None:
    found = test.categories or (None,) * len(gold.tokens)
    for expected, category in zip(gold.categories or (), found, strict=True):
        both = expected is category
        scores.categories[expected] = scores.categories.get(expected, Counts()) + Counts(both, both, 1)
        if category is not None and not both:
            scores.categories[category] = scores.categories.get(category, Counts()) + Counts(0, 1, 0)


def _overlap(gold: Counter[Key], test: Counter[Key]) -> Counts:
    return Counts((gold & test).total(), test.total(), gold.total())


def _bare(found: Counter[Bracket]) -> Counter[tuple[int, int]]:
    """Spans of more than a word, each once."""
    return Counter({(start, end) for start, end, _ in found if end - start > 1})
