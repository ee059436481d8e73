"""What is measured of a tagger: its predictions, the legality of what it writes, its speed."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import torch

from ccgkit.grammar.legality import is_legal
from ccgkit.taggers.decoders.beam import Beam, beam_search
from ccgkit.taggers.decoders.generator import Generator
from ccgkit.taggers.ensemble import Ensemble
from ccgkit.taggers.tagger import Tagger

from .results import Content, Predictions

__all__ = ["OUTPUTS", "K", "illegal", "predictions", "speed", "weights"]

K = 8  #: categories kept of each word
#: whose legality is counted: how many of a word, how probable at least (best: 1); β is the paper's for C&C
OUTPUTS = {"1-best": (1, 0.0), "4-best": (4, 0.0), "4-best, β = 0.075": (4, 0.075)}
_BATCH = 64
_VECTORS, _CHANGE = ".vectors", ".change."  # in the names of pretrained vectors, and of what is learnt on top

Words = Sequence[Sequence[str]]


def predictions(tagger: Tagger | Ensemble, words: Words) -> Predictions:
    """The category that the tagger gives each word, and its k best."""
    started = time.perf_counter()
    best = [reading.categories for reading in tagger.kbest(words, k=1)]
    seconds = time.perf_counter() - started
    facts = {"weights": float(weights(tagger)), "seconds": round(seconds, 3)}
    return Predictions(best, [reading.tags for reading in tagger.kbest(words, k=K)], facts)


def weights(tagger: Tagger | Ensemble) -> int:
    """How many weights are trained or pretrained word vectors; a frozen transformer's do not count."""
    # what training changes in a word vector is kept beside it, and counts with it
    trained = (
        one.numel() for name, one in tagger.named_parameters() if one.requires_grad and _CHANGE not in name
    )
    vectors = (one.numel() for name, one in tagger.named_buffers() if name.endswith(_VECTORS))
    return sum(trained) + sum(vectors)


def speed(tagger: Tagger | Ensemble, words: Words) -> Content:
    """Sentences a second: one category a word, and four."""
    tagger.kbest(words, k=4)  # so that what is computed once and kept does not count
    figures = {name: len(words) / _seconds(tagger, words, k) for name, k in (("1-best", 1), ("4-best", 4))}
    return {**figures, "threads": torch.get_num_threads()}


def _seconds(tagger: Tagger | Ensemble, words: Words, k: int) -> float:
    started = time.perf_counter()
    tagger.kbest(words, k=k)
    return time.perf_counter() - started


@torch.inference_mode()
def illegal(tagger: Tagger | Ensemble, words: Words) -> Content:
    """How many `OUTPUTS` are no category if any tag may follow any other, and of how many."""
    if isinstance(tagger, Ensemble) or not isinstance(generator := tagger.decoder, Generator):
        raise TypeError("only a tag-wise generator writes tags that could be illegal")
    tagger.eval()
    counts = {name: [0, 0] for name in OUTPUTS}
    for start in range(0, len(words), _BATCH):
        encoded = tagger.encoder(words[start : start + _BATCH])
        for name, (k, beta) in OUTPUTS.items():
            found = beam_search(generator.steps(encoded, constrained=False), k)
            for place, count in enumerate(_illegal(generator, found, beta)):
                counts[name][place] += count
    return dict(counts)


def _illegal(generator: Generator, found: Beam, beta: float) -> tuple[int, int]:
    """How many of the sequences found for words spell no category, and how many there are."""
    wrong = [
        not is_legal(generator.tag_set.tags[number] for number in sequence) for sequence in found.sequences
    ]
    kept = [
        number
        for numbers, logprobs in zip(found.which, found.logprobs, strict=True)
        for number, logprob in zip(numbers, logprobs, strict=True)
        if math.exp(logprob - logprobs[0]) >= beta
    ]
    return sum(wrong[number] for number in kept), len(kept)
