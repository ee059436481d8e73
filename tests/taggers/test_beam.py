"""Beam search, best-first search and the legality mask."""

from __future__ import annotations

from math import exp, inf, log

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ccgkit import Category, Supertag
from ccgkit.grammar.legality import Prefix
from ccgkit.oracles import NG, make_tag_set
from ccgkit.taggers.decoders.beam import Beam, _wide, beam_search, best_first
from ccgkit.taggers.decoders.hypotheses import merge, prune
from ccgkit.taggers.decoders.masking import LegalTags

COUNTS = {Category.parse(text): n for text, n in {r"(S\NP)/NP": 3, "NP": 5, "NP/NP": 2}.items()}


class Toy:
    """A model over a few tags whose log p depend on all tags before, at random but fixed."""

    def __init__(self, tags, words, max_length, seed=0):
        self.tags, self.words, self.seed = tags, words, seed
        self.legal = LegalTags(tags, max_length)
        self.sequences = []  # of all hypotheses so far; a state holds the number of its sequence

    def logp(self, word, sequence):
        generator = torch.Generator().manual_seed(hash((self.seed, word, tuple(sequence))) % (1 << 31))
        return torch.randn(len(self.tags), generator=generator).mul(2).log_softmax(0)

    def start(self):
        words = torch.arange(self.words)
        return self._step(words, [()] * self.words, *self.legal.start(self.words))

    def advance(self, states, rows, symbols):
        word, number, place, used = (state[rows] for state in states)
        place, used = self.legal.advance(place, used, symbols)
        before = [self.sequences[n] for n in number.tolist()]
        spelt = [(*s, tag) for s, tag in zip(before, symbols.tolist(), strict=True)]
        return self._step(word, spelt, place, used)

    def _step(self, word, spelt, place, used):
        logp = torch.stack([self.logp(w, s) for w, s in zip(word.tolist(), spelt, strict=True)])
        self.sequences += spelt
        number = torch.arange(len(self.sequences) - len(spelt), len(self.sequences))
        return (word, number, place, used), logp.masked_fill(~self.legal.mask(place, used), -inf)

    def all_sequences(self, word, max_length):
        """Every finished sequence with its log p, by trying everything."""
        agenda = [((), 0.0, Prefix(max_length))]
        found = {}
        while agenda:
            sequence, score, prefix = agenda.pop()
            logp = self.logp(word, sequence).tolist()
            if prefix.is_complete:
                found[sequence] = score + logp[0]
            for tag in range(1, len(self.tags)):
                after = prefix.advance(self.tags[tag])
                if after is not None:
                    agenda.append(((*sequence, tag), score + logp[tag], after))
        return found


def toy(seed=0, words=3, max_length=5):
    return Toy(NG.from_counts(COUNTS, k=2).tags, words, max_length, seed)


@given(seed=st.integers(0, 10_000))
@examples(5)
def test_a_beam_that_covers_the_space_is_exhaustive(seed):
    model = toy(seed)
    tag_set = NG.from_counts(COUNTS, k=2)
    beam = beam_search(model, 2000)

    def compose(sequence):
        return tag_set.compose(tag_set.tags[tag] for tag in sequence)

    for word, found in enumerate(merge(beam, compose, 2000)):
        everything = model.all_sequences(word, 5)
        assert {beam.sequences[n] for n in beam.which[word]} == everything.keys()
        summed = {}
        for sequence, logprob in everything.items():
            summed.setdefault(compose(sequence), []).append(logprob)
        assert {hypothesis.category for hypothesis in found} == summed.keys()
        for hypothesis in found:
            each = summed[hypothesis.category]
            assert hypothesis.logprob == pytest.approx(log(sum(map(exp, each))), abs=1e-4)
            assert hypothesis.best == pytest.approx(max(each), abs=1e-4)


@given(seed=st.integers(0, 10_000))
@examples(10)
def test_best_first_search_finds_the_true_best(seed):
    model = toy(seed)
    for word, (sequence, logprob) in enumerate(best_first(model)):
        everything = model.all_sequences(word, 5)
        assert logprob == pytest.approx(max(everything.values()), abs=1e-4)
        assert everything[sequence] == pytest.approx(logprob, abs=1e-4)


@given(seed=st.integers(0, 10_000))
@examples(10)
def test_width_one_is_greedy(seed):
    model = toy(seed, max_length=9)
    beam = beam_search(model, 1)
    wide = _wide(model, *model.start(), 1, None)
    assert wide.logprobs == [[pytest.approx(p, abs=1e-4) for p in row] for row in beam.logprobs]
    for word in range(3):
        prefix, sequence, total = Prefix(9), [], 0.0
        while True:
            logp = model.logp(word, sequence).tolist()
            after = [prefix if prefix.is_complete else None, *map(prefix.advance, model.tags[1:])]
            tag = max((tag for tag in range(len(logp)) if after[tag] is not None), key=logp.__getitem__)
            total += logp[tag]
            if tag == 0:
                break
            sequence.append(tag)
            prefix = after[tag]
        assert beam.sequences[beam.which[word][0]] == tuple(sequence)
        assert beam.logprobs[word] == [pytest.approx(total, abs=1e-4)]


def test_a_wider_beam_never_finds_less():
    model = toy(words=20, max_length=9)
    best = [[row[0] for row in beam_search(model, width).logprobs] for width in (1, 4, 64)]
    exact = [logprob for _, logprob in best_first(model)]
    means = [sum(row) / len(row) for row in (*best, exact)]
    assert means == sorted(means)
    assert all(a <= b + 1e-5 for a, b in zip(best[2], exact, strict=True))


@pytest.mark.parametrize("beta", [0.001, 0.1, 0.5])
@pytest.mark.parametrize("seed", range(4))
def test_what_beta_allows_is_found_as_without_it(seed, beta):
    model = toy(seed, words=10, max_length=9)
    full, some = beam_search(model, 6), beam_search(model, 6, beta)
    fewer = 0
    for every, kept in zip(spelt(full), spelt(some), strict=True):
        least = max(every.values()) + log(beta)
        assert kept.keys() >= {sequence for sequence, logprob in every.items() if logprob >= least}
        assert kept == {sequence: pytest.approx(every[sequence], abs=1e-4) for sequence in kept}
        fewer += len(every) - len(kept)
    assert fewer or beta < 0.1


def spelt(beam):
    """For each word its sequences and their log p."""
    return [
        {beam.sequences[n]: p for n, p in zip(which, logprobs, strict=True)}
        for which, logprobs in zip(beam.which, beam.logprobs, strict=True)
    ]


def test_a_space_smaller_than_the_beam_is_given_whole():
    beam = beam_search(Toy(("<eos>", "/", "NP"), 2, 3), 9)
    assert [sorted(beam.sequences[n] for n in row) for row in beam.which] == [[(2,), (2, 1, 2)]] * 2


def test_sequences_of_one_category_are_merged_and_ties_are_in_order_of_spelling():
    categories = [Category.parse(text) for text in ("NP", "N", "PP")]
    beam = Beam(
        [(1,), (2,), (3,), (4, 5)],
        [[0, 1, 2, 3]],
        [[log(0.4), log(0.2), log(0.2), log(0.15)]],
    )
    answer = {(1,): categories[0], (2,): categories[2], (3,): categories[1], (4, 5): categories[2]}
    (found,) = merge(beam, answer.__getitem__, 8)
    assert [(h.category, round(exp(h.logprob), 4), round(exp(h.best), 4), h.length) for h in found] == [
        (categories[0], 0.4, 0.4, 2),
        (categories[2], 0.35, 0.2, 2),
        (categories[1], 0.2, 0.2, 2),
    ]
    tied = Beam([(1,), (2,), (3,)], [[0, 1, 2]], [[-1.0, -1.0, -1.0]])
    assert [h.category for h in merge(tied, answer.__getitem__, 2)[0]] == [categories[1], categories[0]]


@pytest.mark.parametrize("name", ["AC", "PA", "NG", "OR"])
@given(data=st.data(), limit=st.integers(1, 12), depth=st.integers(1, 4))
@examples(20)
def test_the_mask_is_the_prefix_check(name, data, limit, depth):
    counts = {Category.parse(r"((S[dcl]\NP)/NP)/(S[b]\NP)"): 1, **COUNTS}
    tags = make_tag_set(name, counts, k=5, n=3).tags
    legal = LegalTags(tags, limit, depth)
    state, used, prefix = *legal.start(1), Prefix(limit, depth)
    while True:
        allowed = legal.mask(state, used)[0].tolist()
        after = [prefix if prefix.is_complete else None, *map(prefix.advance, tags[1:])]
        assert allowed == [a is not None for a in after]
        tag = data.draw(st.sampled_from([tag for tag, yes in enumerate(allowed) if yes]))
        if tag == 0:
            break
        state, used = legal.advance(state, used, torch.tensor([tag]))
        prefix = after[tag]


def test_pruning_keeps_what_is_probable_enough():
    tags = [Supertag(Category.parse(c), log(p)) for c, p in (("N", 0.5), ("NP", 0.05), ("PP", 0.0001))]
    assert [str(tag.category) for tag in prune(tags, 0.075)] == ["N", "NP"]
    assert prune(tags, 0.0) == tuple(tags)
    assert prune(tags, 1.0) == tuple(tags[:1])
    assert prune([], 0.5) == ()
    with pytest.raises(ValueError, match="from 0 to 1"):
        prune(tags, 2.0)
