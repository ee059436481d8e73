"""What every decoder must do, whichever it is; each test runs for all in the registry."""

import copy
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from toy import loss_of, scores_of, small_tagger, tags_of, toy_sentences

from ccgkit import Category
from ccgkit.registry import RegistryError
from ccgkit.taggers.parts import DECODERS

TOY = toy_sentences(50)
KINDS = ("cc", "cg", "ct")


def shuffled(sentences, seed):
    """The same words with the categories of all words dealt out anew."""
    generator = torch.Generator().manual_seed(seed)
    pool = [category for _, categories in sentences for category in categories]
    dealt = iter([pool[i] for i in torch.randperm(len(pool), generator=generator)])
    return [(words, tuple(next(dealt) for _ in words)) for words, _ in sentences]


def fit(tagger, sentences, steps):
    """A plain training loop, so that nothing here leans on the trainer."""
    optimiser = torch.optim.Adam(tagger.parameters(), 0.02)
    tagger.train()
    words, gold = [w for w, _ in sentences], [c for _, c in sentences]
    for _ in range(steps):
        optimiser.zero_grad()
        loss = loss_of(tagger, words, gold) / sum(map(len, gold))
        loss.backward()
        optimiser.step()
    return tagger.eval()


def correct(tagger, sentences):
    tagged = tags_of(tagger, [words for words, _ in sentences])
    pairs = [
        (best[0].category, gold)
        for row, (_, categories) in zip(tagged, sentences, strict=True)
        for best, gold in zip(row, categories, strict=True)
    ]
    return sum(found is gold for found, gold in pairs) / len(pairs)


@pytest.fixture(scope="module", params=KINDS)
def trained(request):
    return fit(small_tagger(request.param), TOY, 70)


def test_fifty_sentences_are_learnt_by_heart(trained):
    assert correct(trained, TOY) == 1.0


def test_what_is_learnt_generalises(trained):
    assert correct(trained, toy_sentences(60, seed=9)) > 0.95


def test_shuffled_labels_do_not_generalise(trained):
    taught = fit(small_tagger(trained.config.decoder.kind), shuffled(TOY, 1), 20)
    assert correct(taught, toy_sentences(60, seed=9)) < 0.5


@given(order=st.permutations(range(8)), extra=st.integers(1, 8))
@examples(5)
def test_neither_order_nor_padding_nor_batch_size_changes_a_prediction(trained, order, extra):
    sentences = [words for words, _ in TOY[:8]]
    alone = [tags_of(trained, [words], k=3)[0] for words in sentences]
    together = [sentences[i] for i in order] + [("dog",) * 20] * (extra % 2)
    mixed = tags_of(trained, together, k=3, batch_size=extra)
    for place, i in enumerate(order):
        for word, same in zip(mixed[place], alone[i], strict=True):
            assert [tag.category for tag in word] == [tag.category for tag in same]
            assert [tag.logprob for tag in word] == pytest.approx([tag.logprob for tag in same], abs=1e-4)


def test_k_best_are_distinct_sorted_and_start_with_the_best(trained):
    sentences = [words for words, _ in TOY[:10]]
    for one, many in zip(tags_of(trained, sentences), tags_of(trained, sentences, k=5), strict=True):
        for best, tags in zip(one, many, strict=True):
            categories = [tag.category for tag in tags]
            logprobs = [tag.logprob for tag in tags]
            assert 1 <= len(set(categories)) == len(categories) <= 5
            assert logprobs == sorted(logprobs, reverse=True)
            assert all(logprob <= 1e-5 for logprob in logprobs)
            assert len(best) == 1
            assert logprobs[0] >= best[0].logprob - 1e-5  # a beam may find better than the greedy search


def test_the_smallest_beta_there_is_leaves_nothing_out(trained):
    sentences = [words for words, _ in TOY[:3]]
    assert tags_of(trained, sentences, k=3, beta=5e-324) == tags_of(trained, sentences, k=3)


def test_scores_are_those_of_the_k_best(trained):
    sentences = [words for words, _ in TOY[:10]]
    tagged = tags_of(trained, sentences, k=3)
    candidates = [[[tag.category for tag in word] for word in row] for row in tagged]
    for row, scored in zip(tagged, scores_of(trained, sentences, candidates), strict=True):
        for word, scores in zip(row, scored, strict=True):
            assert [tag.logprob for tag in word] == pytest.approx(scores, abs=1e-3)


def test_a_category_it_cannot_express_scores_lowest_and_finite(trained):
    strange = Category.parse("QQ[zz]")
    (words, gold), *_ = TOY
    (scores,) = scores_of(trained, [words], [[[category, strange] for category in gold]])
    for right, wrong in scores:
        assert math.isfinite(wrong)
        assert wrong < right


def test_the_loss_is_a_sum_over_words_that_have_a_category(trained):
    (words, gold), (others, their_gold), *_ = TOY
    with torch.no_grad():
        one = float(loss_of(trained, [words], [gold]))
        other = float(loss_of(trained, [others], [their_gold]))
        both = float(loss_of(trained, [words, others], [gold, their_gold]))
        unknown = float(loss_of(trained, [words, others], [gold, [None] * len(others)]))
        none = float(loss_of(trained, [words], [[None] * len(words)]))
    assert both == pytest.approx(one + other, abs=1e-3)
    assert unknown == pytest.approx(one, abs=1e-3)
    assert none == 0.0


def test_the_loss_is_minus_the_log_probability(trained):
    words, gold = TOY[0]
    with torch.no_grad():
        loss = float(loss_of(trained, [words], [gold]))
    (scores,) = scores_of(trained, [words], [[[category] for category in gold]])
    assert loss == pytest.approx(-sum(score for (score,) in scores), abs=1e-3)


def test_words_without_a_category_are_encoded_but_teach_nothing_of_the_decoder(trained):
    tagger = copy.deepcopy(trained).train()
    words, _ = TOY[0]
    loss = loss_of(tagger, [words], [[None] * len(words)])
    if loss.requires_grad:
        loss.backward()
    assert all(p.grad is None or not p.grad.any() for p in tagger.parameters())


def test_vocabularies_are_json_and_make_the_same_decoder(trained):
    import json

    decoder = trained.decoder
    stored = json.loads(json.dumps(decoder.to_json()))
    again = type(decoder).from_json(trained.encoder.width, trained.config.decoder, stored)
    again.load_state_dict(decoder.state_dict())
    with torch.no_grad():
        encoded = trained.encoder([TOY[0][0]])
        assert again.eval().kbest(encoded, 3) == decoder.kbest(encoded, 3)


def test_an_unknown_kind_is_an_error():
    with pytest.raises(RegistryError, match="there is no decoder 'crf'; choose from cc, cg, ct"):
        DECODERS["crf"]
