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
from typing import NamedTuple

from ccgkit.batch import Annotator, Record, Run, prepare
from ccgkit.batch.run import ENGINES, Engine


class Measured(NamedTuple):
    """Of a run, once every worker has made its first shard; before that, models are loaded."""

    rows_a_second: float
    rows_a_processor_second: float  # of the workers
    memory: int  # of the largest worker, in bytes


def measured(run: Run, engine: Engine, workers: int) -> Measured:
    started, records = time.perf_counter(), []
    for event in run.work(engine, workers):
        if isinstance(event, Record):
            records.append(event)
            if len(records) == workers:
                started = time.perf_counter()
    took, counted = time.perf_counter() - started, records[workers:]
    rows = sum(record.stop - record.start for record in counted)
    worked = sum(record.processor_seconds for record in counted)
    return Measured(rows / took, rows / worked, max(record.memory for record in records))


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
                    found = measured(run, engine, workers)
                    shutil.rmtree(output)
                    rates.setdefault((engine, workers), []).append(found.rows_a_second)
                    print(
                        f"{engine:5} {workers} workers: {found.rows_a_second:.1f} rows/s, "
                        f"{found.rows_a_processor_second:.1f} rows a second of the processor, "
                        f"{found.memory / 1e6:.0f} MB a worker",
                        flush=True,
                    )
    for workers in given.workers:
        local, ray = (statistics.median(rates[engine, workers]) for engine in ENGINES)
        print(f"{workers} workers: Ray takes {local / ray:.2f} times as long as local processes (medians)")


if __name__ == "__main__":
    main()
