"""Training and inference speed of CC, CG and CT at the paper's sizes, their ratios, and peak memory.

    python benchmarks/taggers.py --data train.stagged --threads 2
    python benchmarks/taggers.py --data dev.stagged --threads 1 --models cc=DIR cg=DIR ct=DIR

Each model runs in a process of its own, so that peak memory is its own, and is trained for `--epochs` epochs
before inference is measured: an untrained generator writes longer categories than any real one. Models that
are given as directories are not trained but take turns at inference in one process, `--rounds` times.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

PAPER = {"cg": 0.43, "ct": 0.045}  # inference speed as a share of CC's
SEARCHES = {"greedy": 1, "4-best": 4}


def measure(kind: str, data: Path, sentences: int, epochs: int, threads: int) -> dict[str, float]:
    """Words a second (of wall-clock and of CPU time) and megabytes of one model."""
    import torch

    from ccgkit.taggers.config import Config, DecoderConfig, TrainingConfig
    from ccgkit.taggers.tagger import Tagger
    from ccgkit.training.data import batches, count_categories, read_examples
    from ccgkit.training.lessons import Lesson
    from ccgkit.training.optimiser import make_optimiser

    torch.set_num_threads(threads)
    torch.manual_seed(1)
    examples = read_examples([data])[:sentences]
    words = [example.words for example in examples]
    config = Config(
        decoder=DecoderConfig(kind=kind, threshold=1),  # type: ignore[arg-type]
        training=TrainingConfig(batch=128 if kind == "ct" else 200, learning_rate=0.004),
    )
    tagger = Tagger.build(config, words, count_categories(examples))
    optimiser = make_optimiser(tagger, config.training)

    def epoch(number: int) -> None:
        tagger.train()
        for batch in batches(examples, config.training.batch, 1, number):
            optimiser.zero_grad()
            lesson = Lesson([words[i] for i in batch], [examples[i].categories for i in batch])
            lesson.loss(tagger).backward()  # type: ignore[union-attr, no-untyped-call]
            torch.nn.utils.clip_grad_norm_(tagger.parameters(), 5.0)
            optimiser.step()

    total = sum(map(len, words))
    figures = _fastest("train", total, epochs, epoch)
    for name, k in SEARCHES.items():
        figures |= _fastest(name, total, 3, lambda _, k=k: tagger.kbest(words, k=k))  # type: ignore[misc]
    figures["MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return figures


def compare(
    models: Mapping[str, Path], data: Path, sentences: int, rounds: int, threads: int
) -> dict[str, dict[str, float]]:
    """Words a second of trained models at inference, which take turns."""
    import torch

    from ccgkit.taggers.tagger import Tagger
    from ccgkit.training.data import read_examples

    torch.set_num_threads(threads)
    words = [example.words for example in read_examples([data])[:sentences]]
    total = sum(map(len, words))
    taggers = {kind: Tagger.load(folder) for kind, folder in models.items()}
    best: dict[str, dict[str, float]] = {kind: {} for kind in taggers}
    for _ in range(rounds):
        for kind, tagger in taggers.items():
            for name, k in SEARCHES.items():
                found = _fastest(name, total, 1, lambda _, t=tagger, k=k: t.kbest(words, k=k))  # type: ignore[misc]
                best[kind] = {**best[kind], **{n: max(v, best[kind].get(n, 0.0)) for n, v in found.items()}}
    return best


def _fastest(name: str, words: int, times: int, run: Callable[[int], object]) -> dict[str, float]:
    """The best of some runs; CPU time tells more than the clock where the machine is busy."""
    clock, cpu = [], []
    for number in range(times):
        started, cpu_started = time.perf_counter(), time.process_time()
        run(number)
        clock.append(time.perf_counter() - started)
        cpu.append(time.process_time() - cpu_started)
    return {name: words / min(clock), f"{name} CPU": words / min(cpu)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=5, help="of trained models")
    parser.add_argument("--models", nargs="+", default=["cc", "cg", "ct"], metavar="KIND[=DIR]")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        print(
            json.dumps(
                measure(options.only, options.data, options.sentences, options.epochs, options.threads)
            )
        )
        return
    trained = {kind: Path(folder) for kind, _, folder in (model.partition("=") for model in options.models)}
    if any("=" in model for model in options.models):
        if not all("=" in model for model in options.models):
            parser.error("either all models are given as KIND=DIR or none is")
        rows = compare(trained, options.data, options.sentences, options.rounds, options.threads)
    else:
        rows = {kind: _apart(kind) for kind in options.models}
    print(f"words/s, {options.threads} thread(s), {options.sentences} sentences of {options.data.name}")
    _print(rows)


def _apart(kind: str) -> dict[str, float]:
    """`measure`, in a process of its own."""
    quiet = {**os.environ, "OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "0"}
    command = [sys.executable, __file__, *sys.argv[1:], "--only", kind]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=quiet)
    figures: dict[str, float] = json.loads(run.stdout)
    return figures


def _print(rows: Mapping[str, Mapping[str, float]]) -> None:
    """A line a model, and its greedy speed as a share of the first one's."""
    first = next(iter(rows.values()))
    print(f"{'':4}{''.join(f'{name:>12}' for name in first)}  greedy ratio, by CPU  (paper)")
    for kind, row in rows.items():
        figures = "".join(f"{row[name]:>12,.0f}" for name in first)
        ratio, by_cpu = (row[name] / first[name] for name in ("greedy", "greedy CPU"))
        print(f"{kind:4}{figures}  {ratio:>12.2f}, {by_cpu:>6.2f}  {PAPER.get(kind, 1.0):>7}")


if __name__ == "__main__":
    main()
