"""Whether one system is better than another by more than chance: paired t-test and paired bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

import numpy as np
import numpy.typing as npt

from .errors import ExperimentError

__all__ = ["LEVEL", "Significance", "paired_bootstrap", "paired_t_test", "require_scipy", "significance"]

LEVEL = 0.05  #: of p, as in the paper
_SAMPLES = 10_000
_SEED = 1

Counts = npt.NDArray[np.float64]  #: (sentences, 2): right words, all words


@dataclass(frozen=True, slots=True)
class Significance:
    """Two-sided p of the difference between a system and the one it is compared with."""

    sentences: float  #: paired t-test over sentences
    bootstrap: float  #: paired bootstrap over sentences
    seeds: float | None  #: paired t-test over seeds, where there are several

    def as_dict(self) -> dict[str, float | None]:
        seeds = None if self.seeds is None else round(self.seeds, 5)
        return {
            "t_test_sentences": round(self.sentences, 5),
            "bootstrap": round(self.bootstrap, 5),
            "t_test_seeds": seeds,
        }


def significance(base: Sequence[Counts], other: Sequence[Counts]) -> Significance:
    """Of runs over the same sentences, paired by seed; each has right and all words of every sentence."""
    words = base[0][:, 1]
    differences = sum(
        (mine[:, 0] - theirs[:, 0] for theirs, mine in zip(base, other, strict=True)), np.zeros_like(words)
    ) / len(base)
    differences = differences[words > 0]
    by_seed = [_accuracy(mine) - _accuracy(theirs) for theirs, mine in zip(base, other, strict=True)]
    over_seeds = paired_t_test(by_seed) if len(by_seed) > 1 else None
    return Significance(paired_t_test(differences), paired_bootstrap(differences), over_seeds)


def paired_t_test(differences: Sequence[float] | Counts) -> float:
    """Two-sided p of Student's test that the mean difference is 0.

    >>> round(paired_t_test([1.0, 2.0, 3.0]), 4)
    0.0742
    """
    values = np.asarray(differences, dtype=np.float64)
    if len(values) < 2 or not values.any():
        return 1.0
    if np.allclose(values, values[0], rtol=1e-9, atol=0.0):  # where t is infinite
        return 0.0
    return float(require_scipy().ttest_1samp(values, 0.0).pvalue)


def require_scipy() -> ModuleType:
    """`scipy.stats`, which experiments need and nothing else does."""
    try:
        return import_module("scipy.stats")
    except ImportError as error:
        raise ExperimentError(
            "experiments need scipy for their significance tests: pip install 'ccgkit[experiments]'"
        ) from error


def paired_bootstrap(differences: Sequence[float] | Counts, samples: int = _SAMPLES) -> float:
    """Two-sided p: twice the share of resampled differences on the other side of 0."""
    values = np.asarray(differences, dtype=np.float64)
    if not len(values) or not values.any():
        return 1.0
    chance = np.random.default_rng(_SEED)
    # sentences with the same difference are alike: it is enough to draw how often each difference comes
    kinds, counts = np.unique(values, return_counts=True)
    drawn = chance.multinomial(len(values), counts / len(values), size=samples)
    sums = drawn @ kinds
    side = np.sign(values.sum()) or 1.0
    return float(min(1.0, 2 * ((sums * side <= 0).sum() + 1) / (samples + 1)))


def _accuracy(counts: Counts) -> float:
    return float(counts[:, 0].sum() / max(1.0, counts[:, 1].sum()))
