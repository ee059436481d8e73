"""Pairs of words that a tree of Universal Dependencies and a derivation share."""

import pytest

from ccgkit.corpora import conllu
from ccgkit.treebanks.ud import Tree
from ccgkit.treebanks.ud_pairs import core_pairs
from tests.treebanks.test_ud import sentence

CASES = {
    "a copula stands for its predicate, a preposition for its noun": (
        "Ada/NNP/3/nsubj is/VBZ/3/cop old/JJ/0/root in/IN/5/case May/NNP/3/nmod",
        "Ada is, is old, in May, in old",
    ),
    "each auxiliary has the next": (
        "We/PRP/4/nsubj could/MD/4/aux have/VB/4/aux won/VBN/0/root",
        "We won, could have, have won",
    ),
    "a copula has the preposition of its predicate": (
        "I/PRP/4/nsubj am/VBP/4/cop in/IN/4/case Rome/NNP/0/root",
        "I am, am in, in Rome",
    ),
    "a copula has the marker of the clause behind it": (
        "Winning/VBG/4/nsubj is/VBZ/4/cop to/TO/4/mark score/VB/0/root",
        "Winning is, is to",
    ),
    "the last word of a name heads it": ("with/IN/2/case Yasser/NNP/0/root Arafat/NNP/2/flat", "with Arafat"),
    "compounds are flat": ("old/JJ/2/amod school/NN/3/compound service/NN/0/root", "old service"),
    "a relative pronoun has the first verb": (
        "works/NNS/0/root that/WDT/4/nsubj:pass were/VBD/4/aux:pass found/VBN/1/acl:relcl",
        "that were, were found, works found",
    ),
    "what is not in a core relation has no pair": ("Yes/UH/2/discourse go/VB/0/root now/RB/2/advmod", ""),
}


@pytest.mark.parametrize("name", CASES)
def test_heads_of_pairs_are_those_of_ccg(name):
    rows, wanted = CASES[name]
    found = sentence(rows)
    pairs = [pair.split() for pair in wanted.split(", ") if pair]
    assert core_pairs(Tree(conllu.tree(found))) == {frozenset(map(found.words.index, pair)) for pair in pairs}
