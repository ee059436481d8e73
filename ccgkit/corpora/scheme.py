"""Which scheme of annotation a corpus follows: whoever needs to know asks here, once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..grammar import Category, Scheme, load_scheme, scheme_names
from ..grammar.schemes import SchemeError, guess
from ..sentence import Sentence

__all__ = ["corpus_scheme"]


def corpus_scheme(
    sentences: Iterable[Sentence], given: str | None = None, name: str = "the corpus"
) -> Scheme:
    """The scheme called `given`, else the one that the sentences' categories tell; `SchemeError` if none.

    `name` is what the error calls the corpus.
    """
    if given is not None:
        return load_scheme(given)
    scheme = guess(category for sentence in sentences for category in _categories(sentence))
    if scheme is None:
        raise SchemeError(
            f"the categories of {name} do not tell which scheme of annotation it follows: "
            f"name {', '.join(scheme_names()[:-1])} or {scheme_names()[-1]} with --scheme"
        )
    return scheme


def _categories(sentence: Sentence) -> Iterator[Category]:
    """The words' categories and, where there are derivations, the labels of their nodes."""
    if not sentence.derivations:
        yield from sentence.categories or ()
    for derivation in sentence.derivations or ():
        yield from (node.category for node in derivation.nodes())
