"""The transition-based generator against a plain one that takes one word's actions at a time."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from toy import check_categories, check_order_and_padding, toy_sentences

from ccgkit import Category
from ccgkit.experiments.systems import system
from ccgkit.grammar import Slash
from ccgkit.oracles import REDUCE, STOP, Gen, Op, initial, legal_actions, oracle
from ccgkit.taggers.config import DecoderConfig
from ccgkit.taggers.decoders.transition_generator import TransitionGenerator
from ccgkit.taggers.interface import Encoded

WIDTH = 10
GOLD = [categories for _, categories in toy_sentences(12)]
COUNTS = Counter(category for row in GOLD for category in row)
SMALL = DecoderConfig(kind="ct", transition_width=12, dropout=0.0, max_steps=25)


FORMS = {
    "as wide as the LSTMs": {},
    "softmax over all actions": {"softmax": "all"},
    "hidden layer": {"hidden_width": 9},
    "all of it": {"softmax": "all", "hidden_width": 9, "action_width": 5},
}


@pytest.fixture(params=FORMS.values(), ids=FORMS)
def form(request):
    return request.param


def make(seed=0, **options):
    torch.manual_seed(seed)
    generator = TransitionGenerator.build(WIDTH, replace(SMALL, **options), COUNTS).eval()
    for weight in generator.parameters():
        torch.nn.init.normal_(weight, std=0.7)
    return generator


def encode(rows, padding=0):
    lengths = torch.tensor([len(row) for row in rows])
    hidden = torch.randn(len(rows), int(lengths.max()), WIDTH, generator=torch.Generator().manual_seed(1))
    hidden = torch.nn.functional.pad(hidden, (0, 0, 0, padding))
    mask = torch.arange(hidden.size(1)) < lengths[:, None]
    return Encoded(hidden * mask.unsqueeze(2), mask)


class Plain:
    """The supplement's equations for one word, on a stack of vectors, one action at a time."""

    def __init__(self, generator, h):
        self.model, self.machine, self.h = generator, generator.machine, h
        begin = self.machine.begin
        self.state = initial
        self.stack = [(None, (begin[1], begin[2]))]  # elements, each with the stack-LSTM's state on it
        self.buffer, self.history = (begin[3], begin[4]), (begin[5], begin[6])

    def log_probs(self):
        """log p of the legal actions."""
        s = torch.cat([self.stack[-1][1][0], self.buffer[0], self.history[0]])
        w = torch.cat([self.model.state_output.weight, self.model.word_output.weight], 1)
        if self.model.config.hidden_width:
            hidden = w @ torch.cat([s, self.h]) + self.model.word_output.bias
            logits = self.model.output.weight @ hidden.relu()
        else:
            logits = w @ torch.cat([s, self.h]).relu()
        actions = legal_actions(self.state, self.model.actions.atoms)
        numbers = [self.model.actions.index[action] for action in actions]
        if self.model.config.softmax == "all":
            logp = logits.log_softmax(0)[numbers]
        else:
            logp = logits[numbers].log_softmax(0)
        return dict(zip(actions, logp.tolist(), strict=True))

    def take(self, action):
        number = torch.tensor(self.model.actions.index[action])
        if action is REDUCE:
            right, operator, left = (self.stack.pop()[0] for _ in range(3))
            element = self.compose(operator, left, right)
        else:
            element = self.machine.elements(number)
        self.stack.append((element, self.machine.stack(element, self.stack[-1][1])))
        if isinstance(action, Gen):
            self.buffer = self.machine.buffer(element, self.buffer)
        self.history = self.machine.history(self.machine.actions(number), self.history)
        self.state = self.state.apply(action)

    def compose(self, root, left, right):
        forwards, backwards = None, None
        f, b = (torch.nn.LSTMCell(len(root), 12) for _ in range(2))
        for cell, lstm in ((f, self.machine.forwards), (b, self.machine.backwards)):
            cell.load_state_dict({name.removesuffix("_l0"): w for name, w in lstm.state_dict().items()})
        for part in (root, left, right):
            forwards = f(part, forwards)
        for part in (root, right, left):
            backwards = b(part, backwards)
        return (self.machine.composed.weight @ torch.cat([forwards[0], backwards[0]])).relu()

    def score(self, actions):
        total = 0.0
        for action in actions:
            total += self.log_probs()[action]
            if action is not STOP:
                self.take(action)
        return total

    def greedy(self):
        total, actions = 0.0, []
        while True:
            logp = self.log_probs()
            action = max(logp, key=logp.__getitem__)
            total += logp[action]
            actions.append(action)
            if action is STOP or len(actions) > 25:
                return actions, total
            self.take(action)


def test_greedy_is_that_of_a_plain_implementation_action_by_action(form):
    compared = 0
    for seed in range(5):
        generator, encoded = make(seed, max_steps=1000, **form), encode(GOLD)
        generator.prefixes.max_depth = 1000
        hidden = encoded.hidden[encoded.mask]
        with torch.no_grad():
            taken = [Plain(generator, h).greedy() for h in hidden]
        ended = [word for word, (actions, _) in enumerate(taken) if actions[-1] is STOP]
        some = Encoded(hidden[ended].unsqueeze(0), torch.ones(1, len(ended), dtype=torch.bool))
        for word, (found,) in zip(ended, generator.kbest(some, 1)[0], strict=True):
            actions, logprob = taken[word]
            assert list(oracle(found.category)) == actions
            assert found.logprob == pytest.approx(logprob, abs=1e-4)
            compared += len(actions)
    assert compared > 60


def test_the_loss_is_that_of_a_plain_implementation(form):
    generator, encoded = make(**form), encode(GOLD)
    gold = [[None if i % 5 == 2 else category for i, category in enumerate(row)] for row in GOLD]
    with torch.no_grad():
        total = -sum(
            Plain(generator, encoded.hidden[row, word]).score(oracle(category))
            for row, categories in enumerate(gold)
            for word, category in enumerate(categories)
            if category is not None
        )
        assert float(generator.loss(encoded, gold)) == pytest.approx(total, rel=1e-4)


def test_the_loss_reaches_every_weight(form):
    generator, encoded = make(**form), encode(GOLD)
    encoded.hidden.requires_grad_()
    generator.loss(encoded, GOLD).backward()
    assert encoded.hidden.grad[encoded.mask].abs().sum(1).all()
    assert all(weight.grad.any() for weight in generator.parameters())


def test_only_what_the_actions_can_make_carries_loss():
    generator, encoded = make(), encode(GOLD)
    for text in ("QQ/NP", r"NP\."):  # an unknown atom; punctuation inside a functor
        strange = [[Category.parse(text) for _ in row] for row in GOLD]
        assert float(generator.loss(encoded, strange)) == 0.0


def by_hand(generator):
    with torch.no_grad():
        for weight in generator.parameters():
            weight -= 0.01 * weight.grad


def by_a_fused_optimiser(generator):  # which leaves no trace in the weights' version
    torch.optim.Adam(generator.parameters(), 0.5, fused=True).step()


@pytest.mark.parametrize("change", [by_hand, by_a_fused_optimiser])
def test_weights_that_change_are_noticed(change):
    generator, encoded = make(max_steps=7), encode(GOLD)
    before = generator.kbest(encoded, 3)
    generator.loss(encoded, GOLD).backward()
    change(generator)
    fresh = TransitionGenerator.from_json(WIDTH, generator.config, generator.to_json()).eval()
    fresh.load_state_dict(generator.state_dict())
    assert generator.kbest(encoded, 3) == fresh.kbest(encoded, 3) != before


def test_what_is_kept_between_batches_serves_every_mode():
    fresh, encoded = make(), encode(GOLD)
    with torch.inference_mode():
        generator = make()
        generator.kbest(encode(GOLD[:2]), 2)
    assert generator.kbest(encoded, 4) == fresh.kbest(encoded, 4)
    with torch.inference_mode():
        assert [len(row) for row in generator.kbest(encoded, 6)] == [len(row) for row in GOLD]


@given(order=st.permutations(range(len(GOLD))), padding=st.integers(0, 5), k=st.sampled_from([1, 4]))
@examples(5)
def test_a_word_does_not_feel_its_batch(order, padding, k):
    generator, encoded = make(), encode(GOLD)
    padded = encode(GOLD, padding)
    check_order_and_padding(generator, encoded, padded, order, k)


@pytest.mark.parametrize("limit", [1, 3, 9, 14])
@pytest.mark.parametrize("k", [1, 2, 5, 64])
def test_every_category_is_legal_distinct_and_within_the_limits(k, limit):
    check_categories(make(max_steps=limit), encode(GOLD[:3]), k, limit)


def test_a_softmax_over_all_actions_still_writes_categories_only():
    check_categories(make(max_steps=9, softmax="all"), encode(GOLD[:3]), 5, 9)


def test_only_a_hidden_layer_lets_the_state_change_what_a_word_prefers():
    first, second = Category.parse("NP"), Category.parse(r"S[dcl]\NP")

    def preference(generator, word, category):
        """How much the last of the category's states likes stop better than op(/)."""
        plain = Plain(generator, word)
        for action in oracle(category)[:-1]:
            plain.take(action)
        logp = plain.log_probs()
        return logp[STOP] - logp[Op(Slash("/"))]

    one, other = torch.randn(2, WIDTH, generator=torch.Generator().manual_seed(3))
    for width in (0, 9):
        generator = make(hidden_width=width)
        with torch.no_grad():
            changes = [
                preference(generator, one, c) - preference(generator, other, c) for c in (first, second)
            ]
        assert (changes[0] == pytest.approx(changes[1], abs=1e-4)) == (width == 0)


def test_the_papers_size_column():
    counts = Counter(
        {Category.parse(rf"(S[x{i}]\NP)/N"): 10 for i in range(32)}
    )  # 34 atoms, as CCGbank's tag set
    config = system("ct").decoder
    weights = sum(w.numel() for w in TransitionGenerator.build(800, config, counts).parameters())
    classifier = 425 * 800 + 425
    assert (weights - classifier) * 4 / 2**20 == pytest.approx(0.86, abs=0.01)


def test_depth_is_limited_too():
    generator = make()
    generator.prefixes.max_depth = 2
    found = [tag.category for row in generator.kbest(encode(GOLD), 20) for tags in row for tag in tags]
    assert max(category.depth for category in found) == 2


def test_scores_are_those_of_a_plain_implementation(form):
    generator, encoded = make(**form), encode(GOLD)
    scores = generator.scores(encoded, [[[category] for category in row] for row in GOLD])
    with torch.no_grad():
        for row, categories in enumerate(GOLD[:3]):
            for word, category in enumerate(categories):
                plain = Plain(generator, encoded.hidden[row, word]).score(oracle(category))
                assert scores[row][word][0] == pytest.approx(plain, abs=1e-4)
