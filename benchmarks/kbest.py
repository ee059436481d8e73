"""What k-best search costs and how good it is: speed, the legality mask, beam errors.

    python benchmarks/kbest.py --data dev.stagged cc=models/cc cg=models/cg ct=models/ct

The models must be trained, for an untrained generator writes longer categories than any real one; the
first one named `cc` is what speed is compared with. Times are CPU seconds of one thread, the best of
`--rounds` in which all models take turns, so that other work on the machine changes little.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import torch

from ccgkit.grammar.legality import is_legal
from ccgkit.taggers import load_tagger, use_threads
from ccgkit.taggers.decoders.beam import Beam, beam_search, best_first
from ccgkit.taggers.decoders.generator import Generator
from ccgkit.taggers.decoders.transition_generator import TransitionGenerator
from ccgkit.taggers.ensemble import Ensemble
from ccgkit.taggers.interface import Encoded
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import read_examples

BATCH = 64


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def batches(tagger: Tagger, sentences: Sequence[Sequence[str]]) -> Iterator[Encoded]:
    return (encoded for _, encoded in tagger.encoded(sentences, BATCH))


def speed(taggers: dict[str, Tagger | Ensemble], sentences: Sequence[Sequence[str]], rounds: int) -> None:
    """Sentences a second at k = 1, 4, 8, and the ratio to the classifier's greedy tagging."""
    best: dict[tuple[str, int], float] = {}
    for _ in range(rounds):
        for name, tagger in taggers.items():
            for k in (1, 4, 8):
                spent = seconds(lambda tagger=tagger, k=k: tagger.kbest(sentences, k=k, batch_size=BATCH))
                best[name, k] = min(spent, best.get((name, k), spent))
    base = best.get(("cc", 1), next(iter(best.values())))
    print(f"{'sentences/s':14} {'k = 1':>14} {'k = 4':>14} {'k = 8':>14}")
    for name in taggers:
        cells = [f"{len(sentences) / best[name, k]:7.0f} ({base / best[name, k]:.2f})" for k in (1, 4, 8)]
        print(f"{name:14} " + " ".join(f"{cell:>14}" for cell in cells))


def mask_cost(name: str, tagger: Tagger, sentences: Sequence[Sequence[str]], rounds: int) -> None:
    """Time of the search with and without the legality mask, and how often it errs without."""
    generator = tagger.decoder
    assert isinstance(generator, Generator)
    encoded = list(batches(tagger, sentences))
    for width in (1, 4):

        def search(mask: bool, width: int = width) -> list[Beam]:
            return [beam_search(generator.steps(e, constrained=mask), width) for e in encoded]

        spent = [[seconds(partial(search, mask)) for mask in (True, False)] for _ in range(rounds)]
        with_mask, without = map(min, zip(*spent, strict=True))
        first, every = illegal(generator, search(False))
        print(
            f"{name}, beam {width}: search {with_mask:.2f} s with the mask, {without:.2f} s without "
            f"({with_mask / without - 1:+.1%}); without it {first} of the 1-best and {every} are illegal"
        )


def illegal(generator: Generator, beams: Sequence[Beam]) -> tuple[str, str]:
    """Shares of illegal sequences among the best and among all that were found."""
    wrong = [0, 0]
    total = [0, 0]
    for beam in beams:
        legal = [is_legal(generator.tag_set.tags[tag] for tag in sequence) for sequence in beam.sequences]
        for which in beam.which:
            wrong[0] += not legal[which[0]]
            total[0] += 1
            wrong[1] += sum(not legal[number] for number in which)
            total[1] += len(which)
    first, every = (f"{w} ({w / t:.3%})" for w, t in zip(wrong, total, strict=True))
    return first, f"{every} of all {total[1]}"


def beam_errors(name: str, tagger: Tagger, sentences: Sequence[Sequence[str]]) -> None:
    """How often a beam misses the sequence that is truly the best."""
    decoder = tagger.decoder
    assert isinstance(decoder, Generator | TransitionGenerator)
    misses = dict.fromkeys((1, 2, 4, 8), 0)
    words = 0
    for encoded in batches(tagger, sentences):
        exact = best_first(decoder.steps(encoded))
        words += len(exact)
        for width in misses:
            beam = beam_search(decoder.steps(encoded), width)
            misses[width] += sum(
                beam.sequences[which[0]] != sequence
                for which, (sequence, _) in zip(beam.which, exact, strict=True)
            )
    shares = ", ".join(f"beam {width}: {n} ({n / words:.3%})" for width, n in misses.items())
    print(f"{name}: words of {words} whose best sequence is missed: {shares}")


def accuracy(name: str, tagger: Tagger | Ensemble, data: Path) -> None:
    """Share of words whose right category is the best, or among the four best."""
    examples = read_examples([data])
    tagged = tagger.kbest([example.words for example in examples], k=4, batch_size=BATCH)
    gold = [category for example in examples for category in example.categories]
    found = [[tag.category for tag in tags] for reading in tagged for tags in reading.tags]
    first = sum(f[0] is g for f, g in zip(found, gold, strict=True)) / len(gold)
    four = sum(g in f for f, g in zip(found, gold, strict=True)) / len(gold)
    print(f"{name:14} 1-best {first:.2%}, 4-best {four:.2%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("models", metavar="NAME=DIR", nargs="+")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sentences", type=int, default=500, help="for speed and beam errors")
    options = parser.parse_args()
    use_threads(1)
    taggers = {name: load_tagger(folder) for name, folder in (m.split("=", 1) for m in options.models)}
    sentences = [example.words for example in read_examples([options.data])][: options.sentences]
    with torch.inference_mode():
        for name, tagger in taggers.items():
            accuracy(name, tagger, options.data)
        speed(taggers, sentences, options.rounds)
        for name, tagger in taggers.items():
            if isinstance(tagger, Tagger) and isinstance(tagger.decoder, Generator):
                mask_cost(name, tagger, sentences, options.rounds)
        for name, tagger in taggers.items():
            if isinstance(tagger, Tagger) and isinstance(tagger.decoder, Generator | TransitionGenerator):
                beam_errors(name, tagger, sentences)


if __name__ == "__main__":
    main()
