"""Sentences a second of `ccgkit tag` from raw text to written output, beside a bare MiniLM forward pass.

python benchmarks/tag.py [--model NAME|DIR] [--threads 2] [--sentences 1000] [--million]
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ccgkit.models.registry import find

WORDS = {
    "D": ("the", "a", "this", "every", "some", "their"),
    "A": ("old", "quiet", "brown", "careful", "distant", "narrow", "famous", "empty"),
    "N": ("river", "teacher", "window", "letter", "engine", "garden", "doctor", "village", "captain"),
    "V": ("found", "carried", "remembered", "followed", "painted", "described", "visited", "repaired"),
    "P": ("near", "behind", "with", "without", "against", "under"),
}
PATTERN = ("D", "A", "N", "V", "D", "N", "P", "D", "A", "N", "while", "D", "N", "V", "D", "A", "N")


def sentence(chance: random.Random) -> str:
    """A sentence of twenty words, the comma and the full stop among them."""
    words = [chance.choice(WORDS.get(kind, (kind,))) for kind in PATTERN]
    return " ".join(words).capitalize() + ", perhaps."


def bare(lines: list[str], threads: int, rounds: int) -> float:
    """Sentences a second of MiniLM's six layers in float32, words cut to pieces beforehand."""
    import torch

    from ccgkit.models.compact import CompactTagger
    from ccgkit.models.transformer import Shape, SmallBert
    from ccgkit.text import tokenize

    torch.set_num_threads(threads)
    pieces = CompactTagger.load(find().path).encoder
    rows = [pieces.runs([token.word for token in tokenize(line)])[0].pieces for line in lines]
    rows.sort(key=len)
    bert = SmallBert(Shape(layers=6)).eval()
    batches = [rows[start : start + 32] for start in range(0, len(rows), 32)]
    padded = [torch.tensor([row + [0] * (len(batch[-1]) - len(row)) for row in batch]) for batch in batches]
    with torch.inference_mode():
        bert(padded[0], torch.zeros_like(padded[0]), padded[0] != 0)
        started = time.perf_counter()
        for _ in range(rounds):
            for batch in padded:
                bert(batch, torch.zeros_like(batch), batch != 0)
        return rounds * len(lines) / (time.perf_counter() - started)


def whole(lines: list[str], model: str | None, k: int, threads: int) -> float:
    """Sentences a second of the pipeline: text in, a written file out; the model is loaded beforehand."""
    from ccgkit import pipeline
    from ccgkit.text import split_text
    from ccgkit.text.outputs import write

    nlp = pipeline.load(model, threads=threads)
    nlp.tag(lines[0])
    with tempfile.TemporaryFile() as file:
        started = time.perf_counter()
        sentences = (found for line in lines for found in split_text(line))
        count = write(nlp.pipe_sentences(sentences, k=k), file, "candc", str(nlp.info))
        return count / (time.perf_counter() - started)


def seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--model")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--sentences", type=int, default=1000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--million", type=int, default=0, help="sentences of a file for peak memory")
    given = options.parse_args()
    chance = random.Random(1)
    lines = [sentence(chance) for _ in range(given.sentences)]
    for _ in range(given.rounds):
        base = bare(lines, given.threads, 1)
        print(f"bare MiniLM, float32: {base:.0f} sentences/s", flush=True)
        for k in (1, 4):
            speed = whole(lines, given.model, k, given.threads)
            print(f"ccgkit tag --k {k}: {speed:.0f} sentences/s, {speed / base:.2f} x bare", flush=True)
    torch_alone = min(seconds([sys.executable, "-c", "import torch"]) for _ in range(3))
    model = ["--model", given.model] if given.model else []
    start = "from ccgkit.cli.tag import command; command()"
    tag = [sys.executable, "-c", start, *model]
    cold = min(seconds([*tag, "United serves Miami."]) for _ in range(3))
    print(f"cold start: {cold:.2f} s, {cold / torch_alone:.2f} x import torch")
    if given.million:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "many.txt"
            with path.open("w") as file:
                file.writelines(f"{chance.choice(lines)}\n" for _ in range(given.million))
            tag += ["--input-format", "lines", "--k", "1", "--output", str(path.with_suffix(".stagged"))]
            spent = seconds([*tag, str(path)])
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{given.million} sentences: {spent:.0f} s, peak memory {peak:.0f} MB")


if __name__ == "__main__":
    main()
