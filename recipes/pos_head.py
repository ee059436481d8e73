"""POS tags of a tagger that is finished: its head learns over the encoder as it will be."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, dropout

from ccgkit.taggers.tagger import POS, Tagger

from .corpora import TaggedWords

__all__ = ["relearn_pos"]

_EPOCHS, _WORDS, _RATE, _DROPOUT = 6, 1024, 1e-3, 0.1
_UNKNOWN = -100


def relearn_pos(tagger: Tagger, sentences: Sequence[TaggedWords]) -> None:
    """Have the tagger's POS head learn from the sentences, which the encoder reads once."""
    head = tagger.heads[POS]
    vectors, wanted = _read(tagger, sentences)
    torch.manual_seed(1)
    optimiser = torch.optim.AdamW(head.parameters(), lr=_RATE, weight_decay=0.01)
    steps = _EPOCHS * -(-len(vectors) // _WORDS)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.01, steps)
    for _ in range(_EPOCHS):
        for rows in torch.split(torch.randperm(len(vectors)), _WORDS):
            loss = cross_entropy(
                head(dropout(vectors[rows].float(), _DROPOUT)), wanted[rows], ignore_index=_UNKNOWN
            )
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()


@torch.no_grad()
def _read(tagger: Tagger, sentences: Sequence[TaggedWords]) -> tuple[Tensor, Tensor]:
    """The vectors of all words, at half precision, and the numbers of their tags."""
    numbers = {label: number for number, label in enumerate(tagger.heads[POS].labels)}
    vectors, wanted = [], []
    for places, encoded in tagger.encoded([sentence.words for sentence in sentences], 64):
        vectors.append(encoded.hidden[encoded.mask].half())
        wanted += [numbers.get(tag or "", _UNKNOWN) for place in places for tag in sentences[place].pos]
    return torch.cat(vectors), torch.tensor(wanted)
