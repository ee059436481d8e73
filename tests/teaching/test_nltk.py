"""NLTK's own examples: its lexica are read as they are, and its derivations are ours where rules allow."""

import re
from functools import cache
from pathlib import Path

import nltk
import pytest
from nltk.ccg import chart
from nltk.ccg import lexicon as nltk_lexicon

from ccgkit import Category, Derivation, Token
from ccgkit.grammar import annotate
from ccgkit.teaching import Grammar, Lexicon

APPLIED = chart.ApplicationRuleSet + chart.CompositionRuleSet
ENGLISH, CONJUNCTION, EXTRACTION, SPANISH = range(4)
CASES = [
    (ENGLISH, "you prefer that cake", ("T", "S")),
    (ENGLISH, "that is the cake which you prefer", ("T", "S")),
    (ENGLISH, "that is the cake which we will persuade the chef to cook", ("T", "S")),
    (ENGLISH, "that is the dough which you will eat without cooking", ("T",)),
    (ENGLISH, "that is the dough which you will eat without cooking", ("T", "S")),
    (CONJUNCTION, "I will cook and might eat the mushrooms and parsnips", ("S",)),
    (EXTRACTION, "articles which I will file and forget without reading", ("S",)),
    (SPANISH, "el ministro anunció pero el presidente desmintió la nueva ley", ("T", "S")),
]
RULES = {"T": chart.TypeRaiseRuleSet, "S": chart.SubstitutionRuleSet}


@cache
def lexica():
    """The four lexica of NLTK's page on CCG."""
    page = (Path(nltk.__file__).parent / "test" / "ccg.doctest").read_text(encoding="utf-8")
    quoted = re.findall(r"'''(.*?)'''", page, re.S)
    return [re.sub(r"^\s*\.\.\.", "", text, flags=re.M).replace("\\\\", "\\") for text in quoted]


def theirs(number, sentence, more):
    rules = APPLIED + [rule for kind in more for rule in RULES[kind]]
    return list(
        chart.CCGChartParser(nltk_lexicon.fromstring(lexica()[number]), rules).parse(sentence.split())
    )


def grammar_for(number, more, **switches):
    lexicon = Lexicon.fromstring(lexica()[number])
    return Grammar(lexicon, crossed=True, type_raising="T" in more, substitution="S" in more, **switches)


def as_ours(tree):
    """NLTK's tree as a derivation; its `and`, a functor over variables, becomes our conjunction."""
    category = Category.parse(spelling(tree.label()[0].categ()))
    children = [child for child in tree if isinstance(child.label(), tuple)]
    if not children:
        return Derivation(category, token=Token(tree[0][0]))
    parts = tuple(map(as_ours, children))
    if str(parts[0].category) == "conj":
        category = parts[1].category.replace(conj=True)
    return Derivation(category, parts)


def spelling(category):
    text = str(category)
    return "conj" if "_var" in text else re.sub(r"(?<=[\\/])[.,]+", "", text).replace("'", "")


@pytest.mark.parametrize(("number", "sentence", "more"), CASES)
def test_a_sentence_is_derived_by_both_or_by_neither(number, sentence, more):
    assert bool(grammar_for(number, more).parse(sentence)) is bool(theirs(number, sentence, more))


@pytest.mark.parametrize(("number", "sentence", "more"), CASES)
def test_derivations_by_the_rules_of_both_are_found_by_both(number, sentence, more):
    """NLTK composes one argument only, raises towards neighbours, and minds no slash's direction."""
    grammar = grammar_for(number, more, normal_form=False)
    converted = [as_ours(tree) for tree in theirs(number, sentence, more)]
    right = {annotate(one, grammar.scheme) for one in converted if not grammar.check(one)}
    raised = {node.category for tree in converted for node in tree.nodes() if len(node.children) == 1}
    ours = set(grammar.parse(sentence))
    assert right <= ours
    assert right == {one for one in ours if is_by_their_rules(one, raised)}
    assert right or not converted


def is_by_their_rules(derivation, raised):
    return all(
        node.category in raised if len(node.children) == 1 else not (node.rule and node.rule.is_generalized)
        for node in derivation.nodes()
    )


@pytest.mark.parametrize(("number", "sentence", "more"), CASES)
def test_the_normal_form_has_no_copies(number, sentence, more):
    forest = grammar_for(number, more).parse(sentence)
    assert forest.count == len(list(forest.readings())) <= 2
