"""Which scheme of annotation a corpus follows: whoever needs to know asks here, once."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator

from ..grammar import Category, Scheme, load_scheme, scheme_names
from ..grammar.schemes import SchemeError, fitting_schemes
from ..sentence import Sentence

__all__ = ["corpus_scheme", "probable_scheme"]

_USUAL = "rebank"  # that of the shipped models
_log = logging.getLogger(__name__)


def corpus_scheme(
    sentences: Iterable[Sentence], given: str | None = None, name: str = "the corpus"
) -> Scheme:
    """The scheme called `given`, else the one that the sentences' categories tell; `SchemeError` if none.

    `name` is what the error calls the corpus.
    """
    if given is not None:
        return load_scheme(given)
    fitting = _fitting(sentences)
    if len(fitting) != 1:
        raise _untold(name)
    return fitting[0]


def probable_scheme(
    sentences: Iterable[Sentence], given: str | None = None, name: str = "the corpus"
) -> Scheme:
    """As `corpus_scheme`, but where the categories fit several schemes it is one of these, with a warning."""
    if given is not None:
        return load_scheme(given)
    fitting = {scheme.name: scheme for scheme in _fitting(sentences)}
    if not fitting:
        raise _untold(name)
    chosen = fitting.get(_USUAL) or next(iter(fitting.values()))
    if len(fitting) > 1:
        known = " and ".join(fitting)
        _log.warning("the categories of %s fit %s: the rules are those of %s", name, known, chosen.name)
    return chosen


def _fitting(sentences: Iterable[Sentence]) -> list[Scheme]:
    return fitting_schemes(category for sentence in sentences for category in _categories(sentence))


def _untold(name: str) -> SchemeError:
    return SchemeError(
        f"the categories of {name} do not show which scheme of annotation it follows: "
        f"name {', '.join(scheme_names()[:-1])} or {scheme_names()[-1]} with --scheme"
    )


def _categories(sentence: Sentence) -> Iterator[Category]:
    """The words' categories and, where there are derivations, the labels of their nodes."""
    if not sentence.derivations:
        yield from sentence.categories or ()
    for derivation in sentence.derivations or ():
        yield from (node.category for node in derivation.nodes())
