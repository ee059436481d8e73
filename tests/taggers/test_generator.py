"""The tag-wise generator against a plain one that writes one word's category at a time."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from toy import check_categories, check_order_and_padding, toy_sentences

from ccgkit import Category
from ccgkit.grammar.legality import Prefix
from ccgkit.taggers.config import DecoderConfig
from ccgkit.taggers.decoders.generator import Generator
from ccgkit.taggers.interface import Encoded

WIDTH = 10
GOLD = [categories for _, categories in toy_sentences(12)]
COUNTS = Counter(category for row in GOLD for category in row)
SMALL = DecoderConfig(kind="cg", lstm_width=14, tag_width=6, dropout=0.0, top=6, max_steps=25)


def make(seed=0, **options):
    torch.manual_seed(seed)
    generator = Generator.build(WIDTH, replace(SMALL, **options), COUNTS).eval()
    for weight in generator.parameters():  # far from uniform, so that choices are clear
        torch.nn.init.normal_(weight, std=0.9)
    return generator


def encode(rows, seed=1, padding=0):
    """Random vectors for sentences of the given lengths; a word's own are the same whatever the padding."""
    lengths = [len(row) for row in rows]
    hidden = torch.zeros(len(rows), max(lengths) + padding, WIDTH)
    for row, length in enumerate(lengths):
        hidden[row, :length] = torch.randn(length, WIDTH, generator=torch.Generator().manual_seed(seed + row))
    mask = torch.arange(hidden.size(1)) < torch.tensor(lengths)[:, None]
    return Encoded(hidden, mask)


class Plain:
    """Equations 1 to 3 for a single word, with nothing shared between steps."""

    def __init__(self, generator, sentence, word):
        self.model, self.sentence, self.h = generator, sentence, sentence[word]
        self.g = self.c = torch.zeros(generator.config.lstm_width)

    def context(self):
        kind, attention = self.model.config.attention, self.model.attention
        if kind == "none":
            return None
        query = self.g if kind == "step" else self.h
        scores = torch.stack(
            [
                attention.score.weight[0]
                @ torch.tanh(attention.query.weight @ query + attention.key.weight @ other)
                for other in self.sentence
            ]
        )
        return scores.softmax(0) @ self.sentence

    def step(self, previous):
        """log p of the next tag."""
        model, context = self.model, self.context()
        d, weights = [self.h], [model.word_gates.weight]
        if model.config.tag_width:
            d, weights = [*d, model.tags.weight[previous]], [*weights, model.tag_gates.weight]
        if context is not None:
            d, weights = [*d, context], [*weights, model.context_gates.weight]
        gates = torch.cat(weights, 1) @ torch.cat(d) + model.word_gates.bias + model.recurrent.weight @ self.g
        i, f, o, z = gates.chunk(4)
        self.c = f.sigmoid() * self.c + i.sigmoid() * z.tanh()
        self.g = o.sigmoid() * self.c.tanh()
        return (model.output.weight @ self.g).log_softmax(0)

    def score(self, sequence):
        return sum(
            float(self.step(before)[tag]) for before, tag in zip((0, *sequence), sequence, strict=False)
        )

    def greedy(self):
        """Always the most probable legal tag."""
        tags, total, prefix, previous = [], 0.0, Prefix(self.model.config.max_steps, 16), 0
        while True:
            logp = self.step(previous)
            for tag in logp.argsort(descending=True, stable=True).tolist():
                after = prefix.advance(self.model.tag_set.tags[tag]) if tag else prefix
                if after is not None and (tag or prefix.is_complete):
                    break
            total += float(logp[tag])
            if tag == 0:
                return self.model.tag_set.compose(tags), total
            tags.append(self.model.tag_set.tags[tag])
            prefix, previous = after, tag


@pytest.fixture(params=["none", "step", "word"])
def attention(request):
    return request.param


@pytest.mark.parametrize("oracle", ["AC", "PA", "NG", "OR"])
def test_greedy_is_that_of_a_plain_implementation(attention, oracle):
    generator, encoded = make(attention=attention, oracle=oracle), encode(GOLD)
    with torch.no_grad():
        for row, words in enumerate(generator.kbest(encoded, 1)):
            sentence = encoded.hidden[row][encoded.mask[row]]
            for word, (found,) in enumerate(words):
                category, logprob = Plain(generator, sentence, word).greedy()
                assert found.category is category
                assert found.logprob == pytest.approx(logprob, abs=1e-4)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("oracle", "tag_width"), [("AC", 6), ("NG", 6), ("AC", 0)])
def test_the_loss_is_that_of_a_plain_implementation(attention, oracle, tag_width):
    generator, encoded = make(attention=attention, oracle=oracle, tag_width=tag_width), encode(GOLD)
    gold = [[None if i % 5 == 2 else category for i, category in enumerate(row)] for row in GOLD]
    with torch.no_grad():
        total = -sum(
            Plain(generator, encoded.hidden[row][encoded.mask[row]], word).score(
                generator.tag_set.encode(category)
            )
            for row, categories in enumerate(gold)
            for word, category in enumerate(categories)
            if category is not None
        )
        assert float(generator.loss(encoded, gold)) == pytest.approx(total, rel=1e-4)


def test_the_loss_reaches_every_weight(attention):
    generator = make(attention=attention)
    encoded = encode(GOLD)
    encoded.hidden.requires_grad_()
    generator.loss(encoded, GOLD).backward()
    assert encoded.hidden.grad[encoded.mask].abs().sum(1).all()
    assert not encoded.hidden.grad[~encoded.mask].any()
    assert all(weight.grad.any() for weight in generator.parameters())


def test_categories_that_cannot_be_expressed_carry_no_loss():
    generator, encoded = make(), encode(GOLD)
    strange = [[Category.parse("QQ/NP") for _ in row] for row in GOLD]
    assert float(generator.loss(encoded, strange)) == 0.0


def test_the_mask_is_learnt_in_any_mode():
    encoded = encode(GOLD)
    with torch.inference_mode():
        generator = make()
        generator.kbest(encode(GOLD[:2]), 2)
    assert generator.kbest(encoded, 4) == make().kbest(encoded, 4)


@given(order=st.permutations(range(len(GOLD))), padding=st.integers(0, 5), k=st.sampled_from([1, 4]))
@examples(5)
def test_a_word_does_not_feel_its_batch(order, padding, k):
    generator, encoded = make(attention="step"), encode(GOLD)
    padded = encode(GOLD, padding=padding)
    check_order_and_padding(generator, encoded, padded, order, k)


@pytest.mark.parametrize("oracle", ["AC", "PA", "NG", "OR"])
@pytest.mark.parametrize("k", [1, 2, 5, 64])
def test_every_category_is_legal_distinct_and_within_the_limits(oracle, k):
    check_categories(make(oracle=oracle, max_steps=9), encode(GOLD[:3]), k, 9)


@pytest.mark.parametrize("deterministic", [True, False])
def test_scores_are_of_all_sequences_that_were_taught(deterministic):
    generator, encoded = make(oracle="NG", deterministic=deterministic), encode(GOLD[:2])
    category = Category.parse(r"(S[dcl]\NP)/NP")
    assert generator.tag_set.count(category) > 1
    taught = list(generator.tag_set.decompositions(category))[: 1 if deterministic else None]
    with torch.no_grad():
        sentence = encoded.hidden[0][encoded.mask[0]]
        each = [Plain(generator, sentence, 1).score(generator.tag_set.encode_tags(tags)) for tags in taught]
    candidates = [[[category] for _ in row] for row in GOLD[:2]]
    found = generator.scores(encoded, candidates)[0][1][0]
    assert found == pytest.approx(math.log(sum(map(math.exp, each))), abs=1e-4)


def test_the_length_normalised_score_is_that_of_the_best_sequence():
    generator, encoded = make(oracle="NG"), encode(GOLD[:2])
    sentence = encoded.hidden[0][encoded.mask[0]]
    for hypothesis in generator.hypotheses(encoded, 5)[0][0]:
        with torch.no_grad():
            scored = [
                (Plain(generator, sentence, 0).score(generator.tag_set.encode_tags(tags)), len(tags))
                for tags in generator.tag_set.decompositions(hypothesis.category)
            ]
        assert any(hypothesis.best == pytest.approx(score, abs=1e-4) for score, _ in scored)
        best, length = min(scored, key=lambda pair: abs(pair[0] - hypothesis.best))
        assert hypothesis.length == length
        assert hypothesis.normalised(0.15) == pytest.approx(best / length**0.15, abs=1e-4)
        assert hypothesis.normalised(0) == hypothesis.best <= hypothesis.logprob


@given(
    seed=st.integers(0, 2**32),
    oracle=st.sampled_from(["PA", "NG", "OR"]),
    categories=st.lists(st.sampled_from(sorted(COUNTS, key=str)), min_size=1, max_size=30),
)
@examples(30)
def test_every_sampled_sequence_spells_its_category_and_a_seed_repeats_it(seed, oracle, categories):
    generator = make(oracle=oracle, deterministic=False)

    def drawn():
        torch.manual_seed(seed)
        return generator._targets(categories)

    sequences, tags = drawn(), generator.tag_set.tags
    assert drawn() == sequences
    for category, sequence in zip(categories, sequences, strict=True):
        assert generator.tag_set.compose(tags[number] for number in sequence) is category


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_occurrences_of_a_category_in_one_batch_are_sampled_apart_and_evenly(seed):
    generator = make(oracle="NG", deterministic=False)
    category = Category.parse(r"(S[dcl]\NP)/NP")
    ways, draws = generator.tag_set.count(category), 4000
    torch.manual_seed(seed)
    drawn = Counter(generator._targets([category] * draws))
    assert len(drawn) == ways > 2
    expected = draws / ways
    spread = sum((count - expected) ** 2 / expected for count in drawn.values())
    assert spread < ways + 4.5 * math.sqrt(2 * ways)  # mean and deviations of chi square


def test_the_loss_of_a_non_deterministic_oracle_is_that_of_the_sampled_sequences():
    generator, encoded = make(oracle="NG", deterministic=False), encode(GOLD)
    torch.manual_seed(5)
    sequences = iter(generator._targets([category for row in GOLD for category in row]))
    with torch.no_grad():
        total = -sum(
            Plain(generator, encoded.hidden[row][encoded.mask[row]], word).score(next(sequences))
            for row, categories in enumerate(GOLD)
            for word in range(len(categories))
        )
        torch.manual_seed(5)
        assert float(generator.loss(encoded, GOLD)) == pytest.approx(total, rel=1e-4)


def test_a_deterministic_oracle_takes_the_longest_match_and_no_chance():
    generator, encoded = make(oracle="NG"), encode(GOLD)
    state = torch.get_rng_state()
    generator.loss(encoded, GOLD)
    assert torch.equal(torch.get_rng_state(), state)
    assert generator._targets(list(COUNTS)) == [generator.tag_set.encode(category) for category in COUNTS]


@pytest.mark.parametrize("oracle", ["AC", "PA", "NG", "OR"])
def test_json_holds_the_tag_set(oracle):
    generator = make(oracle=oracle)
    assert Generator.from_json(WIDTH, generator.config, generator.to_json()).tag_set == generator.tag_set


def test_a_batch_without_words_has_no_answers():
    empty = Encoded(torch.zeros(0, 0, WIDTH), torch.zeros(0, 0, dtype=torch.bool))
    assert make().kbest(empty, 3) == []
