"""NLTK's trees and categories: what goes there comes back."""

from __future__ import annotations

import pytest
from hypothesis import given
from nltk.ccg.combinator import ForwardApplication
from nltk.tree import Tree
from strategies import categories, derivations
from trees import leaf, left_branching

from ccgkit import Category, CCGKitError, Derivation
from ccgkit.interop.nltk import bracketed

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
