"""Whether one system is better than another by more than chance: paired t-test and paired bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import Literal

import numpy as np
import numpy.typing as npt

from .errors import ExperimentError

__all__ = [
    "LEVEL",
    "Significance",
    "corrected",
    "f1_difference",
    "holm",
    "paired_bootstrap",
    "paired_t_test",
    "require_scipy",
    "significance",
]

LEVEL = 0.05  #: of p, as in the paper
_SAMPLES = 10_000
_RESAMPLED = 2_000  # times, where every sentence counts by itself
_SEED = 1

Counts = npt.NDArray[np.float64]  #: (sentences, 2): right words, all words


@dataclass(frozen=True, slots=True)
class Significance:
    """p of the difference between a system and the one it is compared with; two-sided but for `one_sided`."""

    sentences: float  #: paired t-test over sentences
    bootstrap: float  #: paired bootstrap over sentences
    seeds: float | None  #: paired t-test over seeds, where there are several
    one_sided: float = 1.0  #: the t-test over sentences that the system is better, as the paper's tool has it
    corrected_sentences: float | None = None  #: the same two tests after Holm's correction for a whole table
    corrected_seeds: float | None = None

    def as_dict(self) -> dict[str, float | None]:
        """Every p for JSON."""
        found = {
            "t_test_sentences": self.sentences,
            "t_test_sentences_one_sided": self.one_sided,
            "t_test_sentences_corrected": self.corrected_sentences,
            "bootstrap": self.bootstrap,
            "t_test_seeds": self.seeds,
            "t_test_seeds_corrected": self.corrected_seeds,
        }
        return {name: None if p is None else round(p, 5) for name, p in found.items()}


def significance(base: Sequence[Counts], other: Sequence[Counts]) -> Significance:
    """Of runs over the same sentences, paired by seed; each has right and all words of every sentence."""
    words = base[0][:, 1]
    differences = sum(
        (mine[:, 0] - theirs[:, 0] for theirs, mine in zip(base, other, strict=True)), np.zeros_like(words)
    ) / len(base)
    differences = differences[words > 0]
    by_seed = [_accuracy(mine) - _accuracy(theirs) for theirs, mine in zip(base, other, strict=True)]
    return Significance(
        paired_t_test(differences),
        paired_bootstrap(differences),
        paired_t_test(by_seed) if len(by_seed) > 1 else None,
        paired_t_test(differences, "greater"),
    )


def corrected(family: Sequence[Significance]) -> list[Significance]:
    """The same tests, each corrected for all the others."""
    sentences = holm([one.sentences for one in family])
    tested = [one.seeds for one in family if one.seeds is not None]
    seeds = iter(holm(tested))
    return [
        replace(one, corrected_sentences=p, corrected_seeds=None if one.seeds is None else next(seeds))
        for one, p in zip(family, sentences, strict=True)
    ]


def holm(values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: p such that no true null hypothesis of the family is likely rejected.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    found, least = [0.0] * len(values), 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, (len(values) - rank) * values[place]))
        found[place] = least
    return found


def paired_t_test(
    differences: Sequence[float] | Counts, alternative: Literal["two-sided", "greater"] = "two-sided"
) -> float:
    """p of Student's test that the mean difference is 0, against it being another or being greater.

    >>> round(paired_t_test([1.0, 2.0, 3.0]), 4), round(paired_t_test([1.0, 2.0, 3.0], "greater"), 4)
    (0.0742, 0.0371)
    """
    values = np.asarray(differences, dtype=np.float64)
    if len(values) < 2 or not values.any():
        return 1.0
    if np.allclose(values, values[0], rtol=1e-9, atol=0.0):  # where t is infinite
        return float(alternative == "greater" and values[0] < 0)
    return float(require_scipy().ttest_1samp(values, 0.0, alternative=alternative).pvalue)


def require_scipy() -> ModuleType:
    """`scipy.stats`, which experiments need and nothing else does."""
    try:
        return import_module("scipy.stats")
    except ImportError as error:
        raise ExperimentError(
            "experiments need scipy for their significance tests: pip install scipy"
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


def f1_difference(
    base: Sequence[Sequence[Sequence[int]]], other: Sequence[Sequence[Sequence[int]]]
) -> tuple[float, float, float]:
    """The difference in F1, in per cent, and its 95 % interval by a paired bootstrap over sentences.

    Each run has right, found and gold items of every sentence; runs of several seeds are added up.

    >>> f1_difference([[(1, 2, 2), (1, 2, 2)]], [[(2, 2, 2), (2, 2, 2)]])
    (50.0, 50.0, 50.0)
    """
    first, second = (np.sum(np.asarray(runs, dtype=np.float64), axis=0) for runs in (base, other))
    size = len(first)
    drawn = np.random.default_rng(_SEED).multinomial(size, np.full(size, 1 / size), _RESAMPLED)
    low, high = np.quantile(_f1(drawn @ second) - _f1(drawn @ first), [0.025, 0.975])
    whole = np.ones((1, size))
    return float((_f1(whole @ second) - _f1(whole @ first))[0]), float(low), float(high)


def _f1(sums: Counts) -> Counts:
    return 200 * sums[:, 0] / np.maximum(1.0, sums[:, 1] + sums[:, 2])


def _accuracy(counts: Counts) -> float:
    return float(counts[:, 0].sum() / max(1.0, counts[:, 1].sum()))
