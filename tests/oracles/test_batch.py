"""The vectorised transition system does what the plain one does, word by word."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import lexical_categories

from ccgkit import Atom, Category
from ccgkit.oracles import STOP, Gen, IllegalActionError, OracleError, initial, legal_actions, oracle
from ccgkit.oracles.batch import ActionSet, BatchState
from ccgkit.oracles.errors import InexpressibleError

ACTIONS = ActionSet(["S[dcl]", "NP", "conj", ",", "."])


def drive(words: BatchState, rng: random.Random, steps: int | None = None) -> None:
    """Take random legal actions, to the end or for a number of steps."""
    while not words.all_finished and steps != 0:
        words.apply([rng.choice(np.flatnonzero(row).tolist()) for row in words.legal()])
        steps = None if steps is None else steps - 1


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 6), st.integers(1, 8), st.integers(1, 8) | st.none())
def test_it_equals_the_plain_system_at_every_step(
    rng: random.Random, n: int, max_size: int, max_stack: int | None
) -> None:
    words = BatchState(n, ACTIONS, max_size=max_size, max_stack=max_stack)
    states = [initial] * n
    while not words.all_finished:
        legal = words.legal()
        chosen = np.zeros(n, dtype=np.int64)
        for row, state in enumerate(states):
            plain = legal_actions(state, ACTIONS.atoms, max_size, max_stack) or (STOP,)
            assert {ACTIONS.actions[number] for number in np.flatnonzero(legal[row])} == set(plain)
            action = rng.choice(plain)
            chosen[row] = ACTIONS.index[action]
            states[row] = state if state.finished else state.apply(action)
        words.apply(chosen)
        assert words.finished.tolist() == [state.finished for state in states]
        assert words.time.tolist() == [state.time for state in states]
        assert words.depth.tolist() == [len(state.stack) for state in states]
        assert words.size.tolist() == [len(state.buffer) for state in states]
    assert words.categories() == [state.output for state in states]
    assert words.time.max(initial=0) <= 3 * max_size - 1


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 7))
def test_the_stack_holds_the_step_that_made_each_element(rng: random.Random, max_size: int) -> None:
    words = BatchState(1, ACTIONS, max_size=max_size)
    state, made = initial, {}
    while not words.all_finished:
        action = rng.choice(legal_actions(state, ACTIONS.atoms, max_size))
        words.apply([ACTIONS.index[action]])
        state = state.apply(action)
        if state.stack:
            made[state.time - 1] = state.stack[-1]
        assert [made[step] for step in words.stack[0, : words.depth[0]].tolist()] == list(state.stack)


@settings(max_examples=40, deadline=None)
@given(st.lists(lexical_categories(), min_size=1, max_size=6))
def test_oracles_of_a_batch_make_its_categories(categories: list[Category]) -> None:
    actions = ActionSet.from_categories(categories)
    sequences = [actions.encode(category) for category in categories]
    words = BatchState(len(categories), actions, max_size=max(c.size for c in categories))
    for step in range(max(map(len, sequences))):
        words.apply([sequence[step] if step < len(sequence) else -1 for sequence in sequences])
    assert words.categories() == categories
    assert [actions.decode(sequence) for sequence in sequences] == categories
    assert [tuple(actions.actions[i] for i in s) for s in sequences] == list(map(oracle, categories))


def test_a_finished_word_allows_stop_which_changes_nothing() -> None:
    words = BatchState(1, ACTIONS)
    words.apply([ACTIONS.index[Gen(Atom("NP"))]])
    words.apply([0])
    before = words.copy()
    words.apply([0])
    assert words.legal().sum() == 1
    assert words.legal()[0, 0]
    assert (words.history == before.history).all()
    assert words.time.tolist() == [2]


def test_selected_rows_go_their_own_ways() -> None:
    words = BatchState(3, ACTIONS, max_size=6)
    rng = random.Random(0)
    drive(words, rng, steps=2)
    before = words.history.copy()
    beam = words.select(np.array([2, 0, 2, 1]))
    assert (beam.history == before[[2, 0, 2, 1]]).all()
    drive(beam, rng)
    assert (words.history == before).all()
    assert None not in beam.categories()
    assert len(words.select(np.array([], dtype=int))) == 0
    assert len(words.select(words.finished)) == words.finished.sum()


def test_unfinished_words_have_no_category() -> None:
    assert BatchState(2, ACTIONS).categories() == [None, None]


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ([4, 0], r"stop for word 1 at step 0; legal: gen\(S\[dcl\]\), gen\(NP\)"),
        ([4, 99], "action 99 for word 1"),
        ([-1, 4], "action -1 for word 0"),
    ],
)
def test_an_illegal_action_is_named_with_its_word_and_changes_nothing(
    chosen: list[int], message: str
) -> None:
    words = BatchState(2, ACTIONS)
    with pytest.raises(IllegalActionError, match=message):
        words.apply(chosen)
    assert words.time.tolist() == [0, 0]


def test_wrong_shapes_and_sets_are_refused() -> None:
    with pytest.raises(OracleError, match="2 words need 2 actions"):
        BatchState(2, ACTIONS).apply([4])
    with pytest.raises(OracleError, match="at least 1"):
        BatchState(2, ACTIONS, max_size=0)
    with pytest.raises(OracleError, match="each of them once"):
        ActionSet(["NP", "NP"])
    with pytest.raises(OracleError, match="is not an atom"):
        ActionSet(["NP/NP"])
    with pytest.raises(InexpressibleError, match=r"has no gen\(PP\)"):
        ACTIONS.encode(Category.parse("NP/PP"))


@pytest.mark.slow
def test_every_category_of_every_corpus_at_once(corpora: dict[str, Counter[Category]]) -> None:
    for counts in corpora.values():
        categories = list(counts)
        actions = ActionSet.from_categories(categories)
        words = BatchState(len(categories), actions, max_size=max(c.size for c in categories))
        while not words.all_finished:
            steps = words.time.tolist()
            sequences = zip(map(actions.encode, categories), steps, strict=True)
            words.apply([sequence[min(step, len(sequence) - 1)] for sequence, step in sequences])
        assert words.categories() == categories
