"""Sentences with the dependencies of their trees, for commands that want some and read trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ccgkit.grammar.heads import Coindexation
    from ccgkit.sentence import Sentence

__all__ = ["linked"]


def linked(
    sentences: Iterable[Sentence], scheme: str | None, name: str, coindexation: Coindexation | None = None
) -> Iterator[Sentence]:
    """The sentences of the file `name`; those with a tree and no dependencies get the tree's own.

    Whose rules these are by is said on standard error.
    """
    from ccgkit.corpora.scheme import corpus_scheme
    from ccgkit.evaluation.derivations import with_dependencies

    known = list(sentences)
    bare = [one for one in known if one.derivations and one.dependencies is None]
    if not bare:
        return iter(known)
    rules = corpus_scheme(bare, scheme, name)
    click.echo(f"Dependencies: those of the trees in {name}, by the rules of {rules.name}.", err=True)
    return (with_dependencies(one, rules, coindexation) if one.dependencies is None else one for one in known)
