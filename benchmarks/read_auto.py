"""Reading `.auto` files: ccgkit beside depccg 3's reader, in one run, and memory while streaming.

    python benchmarks/read_auto.py FILE.auto [--repeat 3]

depccg is optional; sentences ccgkit cannot read are left out of the file that both are given.
"""

from __future__ import annotations

import argparse
import gc
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ccgkit.corpora import auto
from ccgkit.grammar.derivation import annotate
from ccgkit.grammar.schemes import load_scheme


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("file", type=Path)
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--scheme", default="udccg", help="whose rules to name")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "both.auto"
        before = peak()
        reader = auto.load(given.file, "skip")
        sentences = auto.dump(reader, path)
        print(f"{given.file.name}: {sentences} sentences, {reader.skipped} unreadable left out")
        print(
            f"peak memory grew by {peak() - before:.1f} MB while streaming {path.stat().st_size / 1e6:.1f} MB"
        )
        ours = best(lambda: count_ours(path), given.repeat)
        print(f"ccgkit  {ours:6.2f} s  {sentences / ours:8,.0f} sentences/s")
        named = best(lambda: count_annotated(path, given.scheme), given.repeat)
        print(f"  and naming each node's rule, as depccg does: {named:.2f} s")
        try:
            from depccg.tools.reader import read_auto
        except ImportError:
            print("depccg is not installed: no comparison")
            return
        theirs = best(lambda: sum(1 for _ in read_auto(str(path))), 1)
        print(f"depccg  {theirs:6.2f} s  {sentences / theirs:8,.0f} sentences/s")
        print(f"ratio   {theirs / ours:6.2f}, with rules {theirs / named:.2f}")


def count_ours(path: Path) -> int:
    return sum(1 for _ in auto.load(path))


def count_annotated(path: Path, scheme: str) -> int:
    rules = load_scheme(scheme)
    trees = (tree for sentence in auto.load(path) for tree in sentence.derivations or ())
    return sum(1 for tree in trees if annotate(tree, rules))


def best(run: Callable[[], int], repeat: int) -> float:
    """The shortest of several runs, in seconds."""
    times = []
    for _ in range(repeat):
        gc.collect()
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def peak() -> float:
    """The process's greatest memory so far, in MB (Linux counts in kB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
