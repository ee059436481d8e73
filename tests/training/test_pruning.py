"""A transformer made narrower keeps what it needs."""

import torch

from ccgkit.models.transformer import Shape, SmallBert
from ccgkit.training.pruning import importance, narrowed

SHAPE = Shape(pieces=20, width=8, inner=12, heads=2, layers=2, positions=16)
PIECES = torch.tensor([[2, 5, 7, 3], [2, 9, 11, 3]])
USED = [[0, 3, 4, 7, 10], [1, 2, 5, 8, 11]]  # of each layer: the inner units that do anything


def model():
    torch.manual_seed(1)
    bert = SmallBert(SHAPE).eval()
    for layer, used in zip(bert.layers, USED, strict=True):
        idle = [unit for unit in range(SHAPE.inner) if unit not in used]
        layer.narrow.weight.data[:, idle] = 0
    return bert


def read(bert):
    return bert(PIECES, torch.zeros_like(PIECES), None)


def losses(bert):
    return [lambda: read(bert)[-1][:, 0].pow(2).sum()] * 3


def test_units_that_do_nothing_are_least_important():
    bert = model()
    for score, used in zip(importance(bert, losses(bert)), USED, strict=True):
        assert set(score.nonzero()[:, 0].tolist()) == set(used)
    assert all(parameter.grad is None for parameter in bert.parameters())


def test_without_them_the_transformer_gives_the_same():
    bert = model()
    small = narrowed(bert, importance(bert, losses(bert)), 5).eval()
    assert small.shape.inner == 5 and small.layers[0].widen.weight.shape == (5, 8)
    for one, other in zip(read(bert), read(small), strict=True):
        torch.testing.assert_close(one, other)


def test_with_less_it_does_not():
    bert = model()
    small = narrowed(bert, importance(bert, losses(bert)), 3).eval()
    assert not torch.allclose(read(bert)[-1], read(small)[-1], atol=1e-3)
