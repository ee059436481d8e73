"""Rows a second of `ccgkit annotate`: local processes and Ray in turn, and what a worker takes of memory.

python benchmarks/annotate.py sentences.txt [--rows 20000] [--task tag] [--workers 1 2] [--rounds 3]
"""

import argparse
import shutil
import statistics
import tempfile
import time
from itertools import islice
from pathlib import Path

from ccgkit.batch import Annotator, Record, Run, prepare
from ccgkit.batch.run import ENGINES, Engine


def measured(run: Run, engine: Engine, workers: int) -> tuple[float, float, int]:
    """Rows a second once all workers are at work, the seconds until then, and the memory of the largest."""
    started, first, done, most = time.perf_counter(), 0.0, 0, 0
    waited, sizes = 0, {shard.file: shard.size for shard in run.shards}
    for event in run.work(engine, workers):
        if isinstance(event, Record):
            most = max(most, event.memory)
            waited += 1
            if waited == workers:  # each has made a shard, more or less
                first = time.perf_counter()
            elif waited > workers:
                done += sizes[event.file]
    return done / (time.perf_counter() - first), first - started, most


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("text", type=Path, help="a sentence a line")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--shard-rows", type=int, default=1_000)
    parser.add_argument("--task", choices=["tag", "parse"], default="tag")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    rates: dict[tuple[str, int], list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        corpus = Path(name) / "corpus.txt"
        with given.text.open(encoding="utf-8") as lines:
            corpus.write_text("".join(islice(lines, given.rows)), encoding="utf-8")
        for _ in range(given.rounds):
            for workers in given.workers:
                for engine in ENGINES:
                    output = Path(name) / "out"
                    annotator = Annotator(None, given.task)
                    run = prepare([str(corpus)], output, annotator, shard_rows=given.shard_rows)
                    rate, wait, memory = measured(run, engine, workers)
                    shutil.rmtree(output)
                    rates.setdefault((engine, workers), []).append(rate)
                    print(
                        f"{engine:5} {workers} workers: {rate:7.1f} rows/s after {wait:5.1f} s, "
                        f"{memory / 1e6:.0f} MB a worker",
                        flush=True,
                    )
    for workers in given.workers:
        local, ray = (statistics.median(rates[engine, workers]) for engine in ENGINES)
        print(f"{workers} workers: Ray takes {local / ray - 1:+.1%} of the time of local processes")


if __name__ == "__main__":
    main()
