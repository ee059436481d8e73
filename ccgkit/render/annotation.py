"""Rules for derivations that come without: most files hold categories only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from ..grammar import Derivation
from ..grammar.derivation import annotate, unlicensed
from ..grammar.schemes import Scheme, load_scheme, scheme_names

__all__ = ["guess_scheme", "with_rules"]

_SAMPLE = 20  # derivations by which a scheme is guessed


def with_rules(derivations: Iterable[Derivation], scheme: str | None = None) -> Iterator[Derivation]:
    """The derivations with the rule of each node as `scheme` has it; those that know some stay as they are.

    Without a scheme it is guessed from the first derivations.
    """
    coming = iter(derivations)
    first = list(islice(coming, _SAMPLE if scheme is None else 0))
    chosen = guess_scheme(first) if scheme is None else load_scheme(scheme)
    for derivation in chain(first, coming):
        known = any(node.rule is not None for node in derivation.nodes())
        yield derivation if known else annotate(derivation, chosen, keep_heads=True)


def guess_scheme(derivations: Iterable[Derivation]) -> Scheme:
    """The scheme that leaves the fewest nodes of the derivations without a rule."""
    sample = list(derivations)
    schemes = [load_scheme(name) for name in scheme_names()]
    return min(schemes, key=lambda scheme: sum(len(unlicensed(one, scheme)) for one in sample))
