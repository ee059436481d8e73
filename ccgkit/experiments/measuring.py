"""What is measured of a tagger: its predictions, the legality of what it writes, its speed."""

from __future__ import annotations

import time
from collections.abc import Sequence

import torch

from ccgkit.grammar.legality import is_legal
from ccgkit.taggers.beam import Beam, beam_search
from ccgkit.taggers.generator import Generator
from ccgkit.taggers.tagger import Tagger

from .cells import Content, Predictions

__all__ = ["K", "legality", "parameters", "predictions", "speed"]

K = 8  #: categories kept of each word
_BATCH = 64
_REPEATS = 3

Words = Sequence[Sequence[str]]


def predictions(tagger: Tagger, words: Words) -> Predictions:
    """The category that the tagger gives each word, and its k best."""
    started = time.perf_counter()
    best = [[tags[0].category for tags in sentence] for sentence in tagger.tag(words)]
    seconds = time.perf_counter() - started
    facts = {"parameters": float(parameters(tagger)), "seconds": round(seconds, 3)}
    return Predictions(best, tagger.tag(words, k=K), facts)


def parameters(tagger: Tagger) -> int:
    """How many weights are trained; a frozen transformer's are not."""
    return sum(weight.numel() for weight in tagger.parameters() if weight.requires_grad)


def speed(tagger: Tagger, words: Words) -> Content:
    """Sentences a second, the best of some runs: one category a word, and four."""
    figures = {name: len(words) / _fastest(tagger, words, k) for name, k in (("1-best", 1), ("4-best", 4))}
    return {**figures, "threads": torch.get_num_threads()}


def _fastest(tagger: Tagger, words: Words, k: int) -> float:
    times = []
    for _ in range(_REPEATS):
        started = time.perf_counter()
        tagger.tag(words, k=k)
        times.append(time.perf_counter() - started)
    return min(times)


@torch.inference_mode()
def legality(tagger: Tagger, words: Words) -> Content:
    """How many of a generator's 1-best and 4-best outputs are no category if any tag may follow any other."""
    generator = tagger.decoder
    if not isinstance(generator, Generator):
        raise TypeError(f"a {generator.kind} decoder writes no tags that could be illegal")
    tagger.eval()
    counts = {f"{what}_{k}": 0 for k in (1, 4) for what in ("outputs", "illegal")}
    for start in range(0, len(words), _BATCH):
        encoded = tagger.encoder(words[start : start + _BATCH])
        for k in (1, 4):
            found = beam_search(generator.steps(encoded, constrained=False), k)
            outputs, illegal = _illegal(generator, found)
            counts[f"outputs_{k}"] += outputs
            counts[f"illegal_{k}"] += illegal
    return dict(counts)


def _illegal(generator: Generator, found: Beam) -> tuple[int, int]:
    """How many sequences a search has found for its words, and how many of these spell no category."""
    wrong = [
        not is_legal(generator.tag_set.tags[number] for number in sequence) for sequence in found.sequences
    ]
    return sum(map(len, found.which)), sum(wrong[number] for word in found.which for number in word)
