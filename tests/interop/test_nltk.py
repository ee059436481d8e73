"""NLTK's trees and categories: what goes there comes back."""

from __future__ import annotations

import pytest
from hypothesis import given
from nltk.ccg import chart, lexicon
from nltk.ccg.combinator import ForwardApplication
from nltk.tree import Tree
from strategies import categories, derivations
from trees import leaf, left_branching

from ccgkit import Category, CCGKitError, Derivation
from ccgkit.grammar import annotate, load_scheme
from ccgkit.interop.nltk import (
    bracketed,
    category_from_nltk,
    derivation_from_chart,
    derivation_to_chart,
    lexicon_from_nltk,
    lexicon_to_nltk,
)
from ccgkit.teaching import Grammar, Lexicon

parse = Category.parse


@given(categories())
def test_nltk_trees_convert_back(category: Category) -> None:
    assert Category.from_nltk_tree(category.to_nltk_tree()) is category


def test_nltk_trees_have_slashes_as_labels_and_atoms_as_leaves() -> None:
    assert str(parse("(S[dcl]\\NP)/NP").to_nltk_tree()) == "(/ (\\ S[dcl] NP) NP)"
    assert parse("NP").to_nltk_tree().label() == "NP"
    with pytest.raises(CCGKitError, match="two children"):
        Category.from_nltk_tree(Tree("+", ["S", "NP"]))


def test_nltk_categories_combine_in_nltk() -> None:
    verb, noun_phrase = parse("(S[dcl]\\NP)/NP").to_nltk(), parse("NP").to_nltk()
    assert ForwardApplication.can_combine(verb, noun_phrase)
    assert str(next(ForwardApplication.combine(verb, noun_phrase))) == str(parse("S[dcl]\\NP").to_nltk())


@given(derivations())
def test_nltk_trees_keep_words_and_categories(tree: Derivation) -> None:
    back = Derivation.from_nltk_tree(tree.to_nltk_tree())
    assert back.words == tree.words
    assert [n.category for n in back.nodes()] == [n.category for n in tree.nodes()]


def test_a_thousand_words_deep() -> None:
    tree = left_branching(1000)
    assert Derivation.from_nltk_tree(tree.to_nltk_tree()).words == tree.words


@given(derivations(exclude="{}\\"))  # NLTK takes a backslash for an escape
def test_bracketed_trees_are_read_by_nltk(tree: Derivation) -> None:
    assert Tree.fromstring(bracketed(tree), brackets="{}") == tree.to_nltk_tree()


def test_braces_of_words_are_spelt_out() -> None:
    assert bracketed(leaf("{", "NP")) == "{NP -LCB-}"


def test_nltk_trees_that_are_no_derivations_are_refused() -> None:
    with pytest.raises(CCGKitError, match="NP has to stand over one word"):
        Derivation.from_nltk_tree(Tree("S", [Tree("NP", ["two", "words"])]))
    with pytest.raises(CCGKitError, match=r"not an nltk\.Tree"):
        Derivation.from_nltk_tree("S")  # type: ignore[arg-type]


LEXICON = r"""
:- S, NP, N
the => NP/N
cat => N
dog => N
Mary => NP
saw => (S\NP)/NP
"""


@given(categories().map(lambda category: category.replace(conj=False)))
def test_categories_go_to_nltk_and_back(category: Category) -> None:
    assert category_from_nltk(category.to_nltk()) is category


def test_what_only_nltk_has_is_told() -> None:
    (entry,) = lexicon.fromstring(":- S, NP\nand => var\\.,var/.,var\n").categories("and")
    with pytest.raises(CCGKitError, match="for which there is no category here"):
        category_from_nltk(entry.categ())


def test_a_parse_of_nltks_chart_is_a_derivation_whose_rules_we_find_too() -> None:
    parser = chart.CCGChartParser(lexicon.fromstring(LEXICON), chart.DefaultRuleSet)
    parses = list(parser.parse(["the", "cat", "saw", "Mary"]))
    assert len(parses) > 1
    for parse in parses:
        tree = derivation_from_chart(parse)
        assert tree.words == ("the", "cat", "saw", "Mary") and str(tree.category) == "S"
        again = annotate(tree, load_scheme("rebank"))
        assert [n.rule for n in again.nodes()] == [n.rule for n in tree.nodes()]


def test_our_derivations_print_in_nltk_and_come_back(capsys: pytest.CaptureFixture[str]) -> None:
    ours = Grammar(Lexicon.fromstring(LEXICON)).parse("the cat saw Mary")[0]
    given_to_nltk = derivation_to_chart(ours)
    chart.printCCGDerivation(given_to_nltk)
    assert "saw" in capsys.readouterr().out
    back = derivation_from_chart(given_to_nltk)
    assert [(n.category, n.rule) for n in back.nodes()] == [(n.category, n.rule) for n in ours.nodes()]


@given(derivations(rules=True))
def test_every_derivation_without_marks_survives_the_way_through_nltks_charts(tree: Derivation) -> None:
    if any(node.category.conj for node in tree.nodes()):
        return
    back = derivation_from_chart(derivation_to_chart(tree))
    assert back.words == tree.words
    assert [(n.category, n.rule) for n in back.nodes()] == [(n.category, n.rule) for n in tree.nodes()]


def test_a_lexicon_of_ours_parses_in_nltk_and_one_of_nltks_here() -> None:
    ours = Lexicon.fromstring(LEXICON)
    parser = chart.CCGChartParser(lexicon_to_nltk(ours.entries, ours.start), chart.ApplicationRuleSet)
    (parse,) = parser.parse(["Mary", "saw", "the", "dog"])
    theirs = Lexicon(lexicon_from_nltk(lexicon.fromstring(LEXICON)))
    assert theirs.entries == ours.entries
    (tree,) = Grammar(theirs, type_raising=False, composition=False).parse("Mary saw the dog")
    assert [n.category for n in tree.nodes()] == [n.category for n in derivation_from_chart(parse).nodes()]


def test_a_tree_that_is_no_parse_is_refused() -> None:
    with pytest.raises(CCGKitError, match="not a parse"):
        derivation_from_chart(Tree("S", ["a"]))
