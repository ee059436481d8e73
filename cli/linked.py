"""Sentences with the dependencies of their trees, for commands that want some and read trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ccgkit.grammar.heads import Coindexation
    from ccgkit.sentence import Sentence

__all__ = ["linked"]

_SAMPLE = 1000  # sentences that tell whose rules they follow; a file may not fit into memory


def linked(
    sentences: Iterable[Sentence], scheme: str | None, name: str, coindexation: Coindexation | None = None
) -> Iterator[Sentence]:
    """The sentences of the file `name`; those with a tree and no dependencies get the tree's own.

    Whose rules these are by is said on standard error.
    """
    from ccgkit.corpora.scheme import corpus_scheme
    from ccgkit.evaluation.derivations import with_dependencies

    coming = iter(sentences)
    for sentence in coming:
        if not _bare(sentence):
            yield sentence
            continue
        sample = [sentence, *islice(coming, _SAMPLE)]
        rules = corpus_scheme(filter(_bare, sample), scheme, name)
        click.echo(f"Dependencies: those of the trees in {name}, by the rules of {rules.name}.", err=True)
        for one in chain(sample, coming):
            yield with_dependencies(one, rules, coindexation) if _bare(one) else one


def _bare(sentence: Sentence) -> bool:
    return bool(sentence.derivations) and sentence.dependencies is None
