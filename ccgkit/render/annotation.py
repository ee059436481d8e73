"""Rules for derivations that come without: most files hold categories only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from ..grammar import Derivation, annotate, load_scheme
from ..grammar.schemes import guess

__all__ = ["with_rules"]

_SAMPLE = 50  # derivations that are asked for their scheme


def with_rules(derivations: Iterable[Derivation], scheme: str | None = None) -> Iterator[Derivation]:
    """The derivations with the rule of each node as `scheme` has it; those that know some stay as they are.

    Without a scheme it is the one that the first derivations tell, CCGbank's if they do not.
    """
    coming = iter(derivations)
    first = list(islice(coming, _SAMPLE if scheme is None else 0))
    if scheme is None:
        told = guess(node.category for derivation in first for node in derivation.nodes())
        chosen = told or load_scheme("ccgbank")
    else:
        chosen = load_scheme(scheme)
    for derivation in chain(first, coming):
        known = any(node.rule is not None for node in derivation.nodes())
        yield derivation if known else annotate(derivation, chosen, keep_heads=True)
