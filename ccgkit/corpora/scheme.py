"""Which scheme of annotation the categories of a corpus are of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from ..grammar import Scheme, fitting_scheme
from ..sentence import Sentence

__all__ = ["scheme_of"]

_SAMPLE = 50  # sentences that are looked at


def scheme_of(sentences: Iterable[Sentence]) -> tuple[Scheme, Iterator[Sentence]]:
    """The scheme of the first sentences' categories, and all the sentences."""
    coming = iter(sentences)
    first = list(islice(coming, _SAMPLE))
    categories = (category for sentence in first for category in sentence.categories or ())
    return fitting_scheme(categories), chain(first, coming)
