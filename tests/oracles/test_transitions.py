"""The transition system: whatever it makes is a category, and every category is made in one way."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, lexical_categories

from ccgkit import Atom, Category, Functor, Slash
from ccgkit.grammar.legality import is_legal
from ccgkit.oracles import REDUCE, STOP, Action, Gen, Op, State, execute, initial, legal_actions, oracle
from ccgkit.oracles.errors import IllegalActionError, IllegalSequenceError, InexpressibleError

S, NP, COMMA, CONJ = Atom("S"), Atom("NP"), Atom(","), Atom("conj")
ATOMS = [S, NP, COMMA, CONJ]


def run(*actions: Action) -> State:
    state = initial
    for action in actions:
        state = state.apply(action)
    return state


def predecessors(state: State) -> list[tuple[State, Action]]:
    """Every state and action that lead to this state: what each kind of action would undo, tried."""
    *below, top = state.stack or (state.output,)
    candidates: list[tuple[State, Action]] = []
    if state.output is not None:
        candidates.append((State((state.output,), state.time - 1, state.buffer), STOP))
    if isinstance(top, Atom):
        candidates.append((State(tuple(below), state.time - 1, state.buffer[:-1]), Gen(top)))
    if isinstance(top, Slash):
        candidates.append((State(tuple(below), state.time - 1, state.buffer), Op(top)))
    if isinstance(top, Functor):
        undone = (*below, top.result, top.slash, top.argument)
        candidates.append((State(undone, state.time - 1, state.buffer), REDUCE))
    return [(before, action) for before, action in candidates if leads(before, action, state)]


def leads(before: State, action: Action, after: State) -> bool:
    return before.forbids(action) is None and before.apply(action) == after


def backwards(category: Category) -> tuple[Action, ...]:
    """The actions found from the goal to the axiom, where each state has exactly one predecessor.

    So the sequence is the only one, and none is shorter.
    """
    state = State((), 3 * category.size - 1, tuple(category.atoms()), category)
    taken: list[Action] = []
    while state != initial:
        [(state, action)] = predecessors(state)
        taken.append(action)
    return tuple(reversed(taken))


def complete_sequences(atoms: list[Atom], max_size: int) -> Iterator[tuple[tuple[Action, ...], Category]]:
    """All sequences to stop within a size, each with what it makes."""
    agenda: list[tuple[State, tuple[Action, ...]]] = [(initial, ())]
    while agenda:
        state, taken = agenda.pop()
        if state.output is not None:
            yield taken, state.output
        for action in legal_actions(state, atoms, max_size):
            agenda.append((state.apply(action), (*taken, action)))


class TestRules:
    """The paper's table of deduction rules and the supplement's two for punctuation."""

    def test_a_category_begins_with_gen(self) -> None:
        assert legal_actions(initial, ATOMS) == tuple(map(Gen, ATOMS))

    def test_a_slash_follows_a_category_and_a_category_follows_a_slash(self) -> None:
        assert legal_actions(run(Gen(S)), ATOMS) == (STOP, Op(Slash.FORWARD), Op(Slash.BACKWARD))
        after_slash = legal_actions(run(Gen(S), Op(Slash.BACKWARD)), ATOMS)
        assert after_slash == (Gen(S), Gen(NP), Gen(CONJ))

    def test_three_elements_can_be_reduced_but_not_stopped(self) -> None:
        state = run(Gen(S), Op(Slash.BACKWARD), Gen(NP))
        assert legal_actions(state, ATOMS) == (REDUCE, Op(Slash.FORWARD), Op(Slash.BACKWARD))

    def test_the_goal_is_an_empty_stack_after_the_first_step(self) -> None:
        state = run(Gen(NP), STOP)
        assert (state.stack, state.time, state.output) == ((), 2, NP)
        assert legal_actions(state, ATOMS) == ()

    def test_after_punctuation_only_stop_is_legal(self) -> None:
        assert legal_actions(run(Gen(COMMA)), ATOMS) == (STOP,)

    def test_conj_is_no_punctuation(self) -> None:
        assert execute(oracle(Category.parse(r"conj\conj"))) is Category.parse(r"conj\conj")

    def test_bounds_forbid_slashes_only(self) -> None:
        assert legal_actions(run(Gen(S)), ATOMS, max_size=1) == (STOP,)
        state = run(Gen(S), Op(Slash.BACKWARD), Gen(NP))
        assert legal_actions(state, ATOMS, max_stack=3) == (REDUCE,)


class TestErrors:
    @pytest.mark.parametrize(
        ("actions", "message"),
        [
            ([REDUCE], "reduce at step 0: .* three elements .*legal: gen of an atom"),
            ([Gen(S), Gen(NP)], r"gen\(NP\) at step 1: .*; legal: stop, op\(/\), op\(\\\)"),
            ([Gen(S), Op(Slash.FORWARD), STOP], "stop at step 2: .* exactly one .*not punctuation"),
            ([Gen(S), Op(Slash.FORWARD), Gen(COMMA)], r"gen\(,\) at step 2: punctuation"),
            ([Gen(COMMA), Op(Slash.FORWARD)], r"op\(/\) at step 1: after punctuation .*legal: stop"),
            ([Gen(S), STOP, STOP], "stop at step 2: the category is finished"),
        ],
    )
    def test_an_illegal_action_is_named_with_the_legal_ones(
        self, actions: list[Action], message: str
    ) -> None:
        with pytest.raises(IllegalActionError, match=message):
            execute(actions)

    def test_a_sequence_without_stop_is_refused(self) -> None:
        with pytest.raises(IllegalSequenceError, match="no stop after 1 steps; legal: stop"):
            execute([Gen(S)])

    @pytest.mark.parametrize("text", [r"S\,", r"S\NP[conj]"])
    def test_what_no_action_makes_has_no_oracle(self, text: str) -> None:
        with pytest.raises(InexpressibleError, match="no action makes"):
            oracle(Category.parse(text))

    def test_a_state_and_an_action_cannot_be_changed(self) -> None:
        with pytest.raises(AttributeError):
            initial.time = 3  # type: ignore[misc]
        assert Gen(S) == Gen(S) != Gen(NP)


@examples(30)
@given(st.randoms(use_true_random=False), st.integers(1, 12), st.integers(1, 12))
def test_random_legal_actions_always_end_in_a_legal_category(
    rng: random.Random, max_size: int, max_stack: int
) -> None:
    state = initial
    while not state.finished:
        state = state.apply(rng.choice(legal_actions(state, ATOMS, max_size, max_stack)))
        assert len(state.stack) <= max_stack
    assert state.output is not None
    assert is_legal(state.output.tokens())
    assert state.output.size == len(state.buffer) <= max_size
    assert state.time == 3 * state.output.size - 1
    assert Category.parse(str(state.output)) is state.output
    assert state.buffer == tuple(state.output.atoms())


@examples(30)
@given(lexical_categories(20))
def test_the_oracle_is_the_only_sequence_that_reaches_its_category(category: Category) -> None:
    assert backwards(category) == oracle(category)
    assert execute(oracle(category)) is category


def test_all_sequences_to_a_size_make_all_categories_to_that_size_once() -> None:
    made = dict(complete_sequences([S, NP, COMMA], max_size=3))
    assert len(set(made.values())) == len(made)
    # trees x atoms x slashes, of one, two and three atoms, and the comma alone
    assert len(made) == 1 * 2 + 1 * 4 * 2 + 2 * 8 * 4 + 1
    assert all(oracle(category) == actions for actions, category in made.items())


@pytest.mark.slow
def test_every_category_of_every_corpus_is_reached_by_its_oracle_and_no_shorter_sequence(
    corpora: dict[str, Counter[Category]],
) -> None:
    for category in set().union(*corpora.values()):
        assert execute(oracle(category)) is category
        assert backwards(category) == oracle(category)


def test_deep_categories_need_no_recursion() -> None:
    left, right = Category.parse("NP"), Category.parse("NP")
    for _ in range(3000):
        left, right = left / "NP", NP / right
    assert execute(oracle(left)) is left
    assert execute(oracle(right)) is right
