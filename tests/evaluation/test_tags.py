"""Scores of supertags by rank, features counted or left aside."""

from ccgkit import Category
from ccgkit.evaluation.tags import TagScores


def test_gold_may_be_found_sooner_without_its_features():
    gold, other, alike = (Category.parse(c) for c in (r"S[dcl]\NP", "N", r"S[b]\NP"))
    scores = TagScores()
    scores.add([gold, gold, gold], [[other, alike, gold], [gold, other], [other]])
    assert [scores.at(k).right for k in (1, 2, 3)] == [1, 1, 2]
    assert [scores.at(k, features=False).right for k in (1, 2, 3)] == [1, 2, 2]
    assert scores.at(3).all == 3
