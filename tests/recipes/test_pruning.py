"""A transformer made narrower keeps what it needs, one made wider what it has."""

import torch

from ccgkit.taggers.config import CompactConfig
from ccgkit.taggers.encoders.compact import CompactEncoder
from ccgkit.taggers.encoders.wordpiece import WordPiece
from recipes.pruning import importance, narrowed

CONFIG = CompactConfig(width=8, inner=12, heads=2, layers=2, positions=16)
PIECES = WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "d"])
USED = [[0, 3, 4, 7, 10], [1, 2, 5, 8, 11]]  # of each layer: the inner units that do anything


def model():
    torch.manual_seed(1)
    encoder = CompactEncoder(CONFIG, PIECES).eval()
    for layer, used in zip(encoder.bert.layers, USED, strict=True):
        idle = [unit for unit in range(CONFIG.inner) if unit not in used]
        layer.narrow.weight.data[:, idle] = 0
    return encoder


def read(encoder):
    return encoder([encoder.prepare(words) for words in (["a", "b"], ["c", "d"])]).hidden


def losses(encoder):
    return [lambda: read(encoder)[:, 0].pow(2).sum()] * 3


def test_units_that_do_nothing_are_least_important():
    encoder = model()
    for score, used in zip(importance(encoder, losses(encoder)), USED, strict=True):
        assert set(score.nonzero()[:, 0].tolist()) == set(used)
    assert all(parameter.grad is None for parameter in encoder.parameters())


def test_without_them_the_encoder_gives_the_same():
    encoder = model()
    small = narrowed(encoder, importance(encoder, losses(encoder)), 5).eval()
    assert small.config.inner == 5 and small.bert.layers[0].widen.weight.shape == (5, 8)
    torch.testing.assert_close(read(encoder), read(small))


def test_with_less_it_does_not():
    encoder = model()
    small = narrowed(encoder, importance(encoder, losses(encoder)), 3).eval()
    assert not torch.allclose(read(encoder), read(small), atol=1e-3)
