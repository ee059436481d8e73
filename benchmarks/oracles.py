"""How long the oracles take beside the reading of the corpus they are for.

    python benchmarks/oracles.py CORPUS

Reads the corpus, then writes the category of every token as each oracle's sequence, with a new tag set
(an empty memo) each time.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable
from time import perf_counter

from ccgkit import Category
from ccgkit.corpora import load
from ccgkit.oracles import TAG_SETS, ActionSet, TagSet, make_tag_set

_COUNTED = ("longest match", "sampled")


def main(path: str) -> None:
    """Print a table of times and shares for one corpus."""
    start = perf_counter()
    tokens = [category for s in load(path, on_error="skip") for category in s.categories or ()]
    reading = perf_counter() - start
    counts = Counter(tokens)
    print(f"{path}: {len(tokens):,} tokens, {len(counts):,} categories")
    print(f"{'':22}{'seconds':>9}{'µs/token':>10}{'of reading + oracle':>21}{'tags/token':>12}")
    _print("reading", reading, len(tokens), None, None)
    for name in TAG_SETS.names():
        for manner in _COUNTED:
            tag_set = make_tag_set(name, counts)
            write = _writer(tag_set, manner)
            seconds, length = _timed(write, tokens)
            _print(f"{name} {manner}", seconds, len(tokens), seconds / (seconds + reading), length)
    actions = ActionSet.from_categories(counts)
    seconds, length = _timed(actions.encode, tokens)
    _print("transitions", seconds, len(tokens), seconds / (seconds + reading), length)


def _writer(tag_set: TagSet, manner: str) -> Callable[[Category], tuple[object, ...]]:
    if manner == "longest match":
        return tag_set.decompose
    rng = random.Random(0)
    return lambda category: tag_set.sample(category, rng)


def _timed(write: Callable[[Category], tuple[object, ...]], tokens: list[Category]) -> tuple[float, int]:
    """Seconds to write all tokens, and the number of tags written."""
    start = perf_counter()
    length = 0
    for category in tokens:
        length += len(write(category))
    return perf_counter() - start, length


def _print(title: str, seconds: float, tokens: int, share: float | None, length: int | None) -> None:
    line = f"{title:22}{seconds:9.3f}{1e6 * seconds / tokens:10.2f}"
    line += f"{share:21.1%}" if share is not None else ""
    line += f"{length / tokens:12.2f}" if length is not None else ""
    print(line)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
