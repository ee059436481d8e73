"""`ccgkit annotate` on many sentences: how fast it is on each engine, and whether it loses any when killed.

python benchmarks/annotate.py rates TEXT [--rows 20000] [--task tag] [--workers 1 2] [--engines local ray]
python benchmarks/annotate.py kill TEXT [--rows 200000] [--task tag] [--workers 2] [--engine local]

TEXT has a sentence a line; `--words 2 4` takes those of 2 to 4 words, again and again if they are too few.
"""

import argparse
import hashlib
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

from ccgkit.batch import Annotator, Manifest, Place, Record, Run, prepare
from ccgkit.batch.run import ENGINES, Engine

_WORKERS = (b"ccgkit.batch.worker", b"ray::MapWorker")
_TICK = os.sysconf("SC_CLK_TCK")


class Measured(NamedTuple):
    """Of a run, once every worker has made its first shard; before that, models are loaded."""

    rows_a_second: float
    cost: float  # seconds of the processor for 1,000 rows: of workers, driver and engine together
    words_a_second: float  # of a worker's processor
    memory: int  # of the largest worker, in bytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True)
    rates = commands.add_parser("rates")
    rates.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    rates.add_argument("--engines", choices=ENGINES, nargs="+", default=ENGINES)
    rates.add_argument("--rounds", type=int, default=3)
    rates.set_defaults(run=show_rates, rows=20_000, shard_rows=1_000)
    kill = commands.add_parser("kill")
    kill.add_argument("--workers", type=int, default=2)
    kill.add_argument("--engine", choices=ENGINES, default="local")
    kill.set_defaults(run=kill_and_check, rows=200_000, shard_rows=5_000)
    for command in (rates, kill):
        command.add_argument("text", type=Path)
        command.add_argument("--rows", type=int)
        command.add_argument("--shard-rows", type=int)
        command.add_argument("--task", choices=["tag", "parse"], default="tag")
        command.add_argument("--words", type=int, nargs=2, metavar=("LEAST", "MOST"), default=(1, 1000))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        given.run(given, write_corpus(given, Path(name)), Path(name) / "out")


def write_corpus(given: argparse.Namespace, folder: Path) -> Path:
    """So many of the sentences that are wanted, in a file."""
    least, most = given.words
    with given.text.open(encoding="utf-8") as lines:
        wanted = [line for line in lines if least <= len(line.split()) <= most]
    corpus = folder / "corpus.txt"
    corpus.write_text("".join(islice(cycle(wanted), given.rows)), encoding="utf-8")
    return corpus


def show_rates(given: argparse.Namespace, corpus: Path, output: Path) -> None:
    """Both engines in turn, and how much more of the processor Ray takes."""
    costs: dict[tuple[str, int], list[float]] = {}
    for _ in range(given.rounds):
        for workers in given.workers:
            for engine in given.engines:
                annotator = Annotator(None, given.task)
                run = prepare([str(corpus)], output, annotator, shard_rows=given.shard_rows)
                found = measured(run, engine, workers, output)
                shutil.rmtree(output)
                costs.setdefault((engine, workers), []).append(found.cost)
                print(
                    f"{engine:5} {workers} workers: {found.rows_a_second:.1f} rows/s; for 1,000 rows "
                    f"{found.cost:.2f} s of the processor; {found.words_a_second:.0f} words/s of a worker; "
                    f"{found.memory / 1e6:.0f} MB a worker",
                    flush=True,
                )
    for workers in given.workers if set(ENGINES) <= set(given.engines) else ():
        local, ray = (statistics.median(costs[engine, workers]) for engine in ENGINES)
        print(f"{workers} workers: Ray takes {ray / local:.3f} times the processor of local (medians)")


def measured(run: Run, engine: Engine, workers: int, output: Path) -> Measured:
    records: list[Record] = []
    started, spent = time.perf_counter(), 0.0
    for event in run.work(engine, workers):
        if isinstance(event, Record):
            records.append(event)
            if len(records) == workers:
                started, spent = time.perf_counter(), processor_seconds(os.getpid())
            elif len(records) == len(run.shards):  # all processes are still there
                took, spent = time.perf_counter() - started, processor_seconds(os.getpid()) - spent
    counted = records[workers:]
    rows = sum(record.stop - record.start for record in counted)
    worked = sum(record.processor_seconds for record in counted)
    words = sum(words_in(output / record.file) for record in counted)
    memory = max(record.memory for record in records)
    return Measured(rows / took, spent / rows * 1000, words / worked, memory)


def words_in(shard: Path) -> int:
    return sum(map(len, pq.read_table(shard, columns=["words"])["words"].to_pylist()))


def kill_and_check(given: argparse.Namespace, corpus: Path, output: Path) -> None:
    """A worker is killed after a third of the shards, the driver after two; what is resumed is checked."""
    command = [
        sys.executable, "-c", "from ccgkit.cli.main import main; main()", "annotate", str(corpus),
        "--output", str(output), "--task", given.task, "--engine", given.engine,
        "--workers", str(given.workers), "--shard-rows", str(given.shard_rows),
    ]  # fmt: skip
    began = time.perf_counter()
    driver = subprocess.Popen(command)
    shards = -(-given.rows // given.shard_rows)
    wait_for(output, shards // 3, driver)
    worker = next(pid for pid in descendants(driver.pid) if is_worker(pid))
    os.kill(worker, signal.SIGKILL)
    print(f"killed a worker after {len(finished(output))} of {shards} shards", flush=True)
    wait_for(output, 2 * shards // 3, driver)
    driver.kill()
    driver.wait()
    before = finished(output)
    print(f"killed the driver after {len(before)} of {shards} shards", flush=True)
    subprocess.run([*command, "--resume"], check=True)
    kept = sum(time_ == before.get(name) for name, time_ in finished(output).items())
    print(f"resumed; {kept} of the {len(before)} shards are as they were")
    check(corpus, output)
    took = time.perf_counter() - began
    print(f"{given.rows:,} rows: nothing lost, nothing doubled; {took:.0f} s with all kills and loading")


def wait_for(output: Path, shards: int, driver: subprocess.Popen[bytes]) -> None:
    while len(finished(output)) < shards:
        if driver.poll() is not None:
            sys.exit("the driver has ended too soon: use more rows, or smaller shards")
        time.sleep(0.2)


def finished(output: Path) -> dict[str, int]:
    """When the finished shards were written."""
    records = (output / "_manifest").glob("part-*.json")
    return {record.stem: (output / record.stem).stat().st_mtime_ns for record in records}


def check(corpus: Path, output: Path) -> None:
    """Every text is there once, with the id of its line, and every shard is what its record says."""
    lines = corpus.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    found: dict[str, int] = {}
    for record in Manifest(Place.of(output)).records():
        content = (output / record.file).read_bytes()
        assert hashlib.sha256(content).hexdigest() == record.sha256, record.file
        table = pq.read_table(output / record.file, columns=["id", "sentence", "status", "text"])
        for row in table.to_pylist():
            assert row["status"] != "failed", row
            found[row["id"]] = found.get(row["id"], 0) + (not row["sentence"])
            number = int(row["id"].removeprefix("corpus.txt:"))
            assert row["text"] in lines[number - 1], row
    assert found == {f"corpus.txt:{number}": 1 for number in range(1, len(lines) + 1)}
    assert len(list(output.glob("part-*"))) == len(Manifest(Place.of(output)).records())
    assert not list(output.rglob("*.part"))


def is_worker(process: int) -> bool:
    with suppress(OSError):
        line = Path(f"/proc/{process}/cmdline").read_bytes()
        return any(name in line for name in _WORKERS)
    return False


def descendants(process: int) -> Iterator[int]:
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, children.read_text().split()):
                yield child
                yield from descendants(child)


def processor_seconds(process: int) -> float:
    """Of a process, those under it that live, and those that they have waited for."""
    ticks = 0
    for pid in (process, *descendants(process)):
        with suppress(OSError):
            ticks += sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return ticks / _TICK


if __name__ == "__main__":
    main()
