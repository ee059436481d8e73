"""Numbers for actions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, lexical_categories

from ccgkit import Category
from ccgkit.oracles import ActionSet, InexpressibleError, OracleError, oracle


@examples(20)
@given(st.lists(lexical_categories(), min_size=1, max_size=6))
def test_numbers_are_those_of_the_oracles_and_make_the_categories_again(categories: list[Category]) -> None:
    actions = ActionSet.from_categories(categories)
    sequences = [actions.encode(category) for category in categories]
    assert [actions.decode(sequence) for sequence in sequences] == categories
    assert [tuple(actions.actions[i] for i in s) for s in sequences] == list(map(oracle, categories))


def test_wrong_sets_are_refused() -> None:
    with pytest.raises(OracleError, match="each of them once"):
        ActionSet(["NP", "NP"])
    with pytest.raises(OracleError, match="is not an atom"):
        ActionSet(["NP/NP"])
    with pytest.raises(InexpressibleError, match=r"has no gen\(PP\)"):
        ActionSet(["NP"]).encode(Category.parse("NP/PP"))
