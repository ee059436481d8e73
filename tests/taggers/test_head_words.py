"""The scorer of head words: what it gives, what it learns, and that it is saved with its tagger."""

import hashlib
import json
import math
from collections import Counter

import numpy as np
import pytest
import torch
from toy import DECODER, compact_tagger, toy_sentences

from ccgkit.taggers.decoders.generator import Generator
from ccgkit.taggers.errors import ModelError
from ccgkit.taggers.head_words import ROOT, HeadWords
from ccgkit.taggers.interface import Encoded
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.lessons import Lesson

WORDS = [list(words) for words, _ in toy_sentences(12)]


def scoring_tagger():
    """A tagger with a scorer whose numbers are those of a seed."""
    tagger = compact_tagger()
    torch.manual_seed(3)
    tagger.head_words = HeadWords(tagger.encoder.width, 16)
    return tagger.eval()


def test_each_word_has_a_distribution_over_all_others_and_the_root():
    for words, reading in zip(WORDS, scoring_tagger().kbest(WORDS), strict=True):
        scores = reading.head_words
        assert scores.shape == (len(words), len(words) + 1)
        assert np.allclose(np.exp(scores).sum(1), 1, atol=1e-5)
        assert np.diag(np.exp(scores)).max() == 0


def test_the_batch_makes_no_difference():
    tagger = scoring_tagger()
    together = [reading.head_words for reading in tagger.kbest(WORDS)]
    alone = [tagger.kbest([words])[0].head_words for words in WORDS]
    assert all(map(np.array_equal, together, alone))


def test_heads_are_learnt_from_where_they_are_given():
    torch.manual_seed(1)
    hidden, mask = torch.randn(3, 5, 8), torch.ones(3, 5, dtype=torch.bool)
    mask[2, 3:] = False
    encoded = Encoded(hidden * mask[..., None], mask)
    gold = [[1, ROOT, 1, 4, 1], [ROOT, 0, 0, None, None], [2, 2, ROOT]]
    scorer = HeadWords(8, 16)
    optimiser = torch.optim.Adam(scorer.parameters(), 0.02)
    for _ in range(150):
        optimiser.zero_grad()
        scorer.loss(encoded, gold).backward()
        optimiser.step()
    found = [scores.argmax(1).tolist() for scores in scorer.eval().logprobs(encoded)]
    for heads, wanted in zip(found, gold, strict=True):
        known = [
            (one, other % (len(heads) + 1))
            for one, other in zip(heads, wanted, strict=True)
            if other is not None
        ]
        assert [one for one, _ in known] == [other for _, other in known]
    assert scorer.loss(encoded, [[None] * 5, [None] * 5, [None] * 3]) == 0


def test_a_lesson_teaches_heads_beside_categories():
    tagger = scoring_tagger()
    (words, categories), *_ = toy_sentences(1)
    chain = (*range(1, len(words)), ROOT)
    plain, more = Lesson([words], [categories]), Lesson([words], [categories], head_words=[chain])
    assert more.loss(tagger) > plain.loss(tagger)
    tagger.head_words = None
    assert more.loss(tagger) == plain.loss(tagger)


def test_the_scorer_is_saved_and_lent_with_its_tagger(tmp_path):
    tagger = scoring_tagger()
    tagger.save(tmp_path / "own")
    own = Tagger.load(tmp_path / "own")
    decoder = Generator.build(
        own.encoder.width, DECODER, Counter(c for _, cs in toy_sentences(9) for c in cs)
    )
    Tagger.over(tmp_path / "own", decoder, DECODER, "rebank").save(tmp_path / "over")
    wanted = tagger.kbest(WORDS)[0].head_words
    for model in (own, Tagger.load(tmp_path / "over")):
        assert np.array_equal(model.kbest(WORDS)[0].head_words, wanted)


@pytest.mark.parametrize("size", [-1, 10**9, True, "16", 1.5, None])
def test_a_size_that_cannot_be_is_told(tmp_path, size):
    scoring_tagger().save(tmp_path)
    vocabulary = json.loads((tmp_path / "vocabulary.json").read_text())
    (tmp_path / "vocabulary.json").write_text(json.dumps(vocabulary | {"head_words": size}))
    index = json.loads((tmp_path / "model.json").read_text())
    index["files"]["vocabulary.json"] = hashlib.sha256(
        (tmp_path / "vocabulary.json").read_bytes()
    ).hexdigest()
    (tmp_path / "model.json").write_text(json.dumps(index))
    with pytest.raises(ModelError, match="head_words must be a number from 0 to"):
        Tagger.load(tmp_path)


def test_no_score_is_infinite():
    assert all(
        math.isfinite(number)
        for reading in scoring_tagger().kbest(WORDS)
        for number in reading.head_words.flat
    )
