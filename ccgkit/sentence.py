"""A sentence and what is known of it: tokens, k-best supertags, derivations, dependencies."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any

from .constraints import Constraints
from .grammar import Category, CCGKitError, Dependency, Derivation, Token
from .grammar.dependencies import dependencies
from .grammar.heads import Coindexation
from .grammar.notations import NotationError

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Sentence", "Supertag"]

_TOKEN = ("word", "pos", "lemma", "entity", "start", "end", "original_pos", "indexed_category")
_LINK = ("head", "category", "slot", "argument", "rule", "markup", "via")
_SHOWN = 60  # characters of a text in a representation


@dataclass(frozen=True, slots=True)
class Supertag:
    """A category for a word, with its log-probability (0.0 where it is simply given)."""

    category: Category
    logprob: float = 0.0


@dataclass(frozen=True, slots=True, repr=False)
class Sentence:
    """One sentence of a corpus; a part that is not known is None.

    `tags` holds for each token its supertags, best first; `meta` what a format says besides,
    `constraints` what a parser has to keep. `head_words`, which no format writes, are a tagger's
    log-probabilities of what word each of n words depends on, (n, n + 1); the last is for the head of all.
    """

    tokens: tuple[Token, ...]
    tags: tuple[tuple[Supertag, ...], ...] | None = None
    derivations: tuple[Derivation, ...] | None = None
    dependencies: tuple[Dependency, ...] | None = None
    id: str | None = None
    text: str | None = None
    meta: Mapping[str, str] = field(default_factory=dict)
    constraints: Constraints | None = None
    head_words: np.ndarray | None = field(default=None, compare=False)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the tokens."""
        return tuple([token.word for token in self.tokens])  # twice as fast as without the list

    @property
    def categories(self) -> tuple[Category, ...] | None:
        """The best category of each token; None where the sentence is not tagged."""
        if self.tags is not None:
            return tuple(best[0].category for best in self.tags)
        if self.derivations:
            return tuple(leaf.category for leaf in self.derivations[0].leaves())
        return None

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.tokens)

    def __bool__(self) -> bool:
        return True  # a sentence without words is a sentence

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    def __getitem__(self, place: int) -> Token:
        return self.tokens[place]

    def in_notation(self, notation: str) -> Sentence:
        """The sentence with its derivations in the notation `ccgbank` or `rebank`, from the other one.

        Tags and dependencies become those of the first derivation.

        Raises `NotationError` where a derivation cannot be put into it, or where there are tags and no
        derivation.
        """
        if self.tags is not None and not self.derivations:
            raise NotationError(
                "there are categories and no derivation, which decides what they are in another notation "
                "(PP/NP stays after a verb, after a noun it does not); ccgkit parse --notation finds one"
            )
        if not self.derivations:
            return self
        trees = tuple(tree.in_notation(notation) for tree in self.derivations)
        tags = None if self.tags is None else tags_in_notation(self.tags, self.derivations[:1], trees[:1])
        links = None if self.dependencies is None else dependencies(trees[:1], Coindexation())
        return replace(self, tags=tags, derivations=trees, dependencies=links)

    def to_dict(self) -> dict[str, Any]:
        """All that is known as plain values, as a line of JSONL holds it (docs/formats.md).

        Raises `CCGKitError` where a log-probability is not finite, for which JSON has no spelling.
        """
        trees, links = self.derivations, self.dependencies
        tags = self.tags or (None,) * len(self.tokens)
        members = {
            "id": self.id,
            "text": self.text,
            "tokens": [_token(token, k_best) for token, k_best in zip(self.tokens, tags, strict=True)],
            "derivations": None if trees is None else [{"nodes": _nodes(tree)} for tree in trees],
            "dependencies": None if links is None else [_link(link) for link in links],
            "meta": dict(self.meta) or None,
        }
        return _present(members)

    def to_json(self) -> str:
        """The same as JSON, on one line.

        Raises `CCGKitError` as `to_dict` does.
        """
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def __repr__(self) -> str:
        categories = " ".join(map(str, self.categories or ()))
        return (
            f"<Sentence {clipped(' '.join(self.words))!r}{f': {clipped(categories)}' if categories else ''}>"
        )

    def _repr_html_(self) -> str:
        """The words over their categories, as Jupyter shows them."""
        rows = [self.words, [token.pos or "" for token in self.tokens], self.categories or ()]
        cells = ("".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in rows if any(row))
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def tags_in_notation(
    tags: Sequence[Sequence[Supertag]], before: Sequence[Derivation], after: Sequence[Derivation]
) -> tuple[tuple[Supertag, ...], ...]:
    """The best tag of each word as the derivations have it after a change of notation."""
    leaves = ([leaf.category for tree in trees for leaf in tree.leaves()] for trees in (before, after))
    return tuple(
        (Supertag(new, next((tag.logprob for tag in known if tag.category is old), 0.0)),)
        for known, old, new in zip(tags, *leaves, strict=True)
    )


def clipped(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def _present(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _token(token: Token, tags: tuple[Supertag, ...] | None) -> dict[str, Any]:
    members: dict[str, Any] = {name: getattr(token, name) for name in _TOKEN}
    if tags is not None:
        members["tags"] = [{"category": str(tag.category), "logprob": _finite(tag.logprob)} for tag in tags]
    return _present(members)


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise CCGKitError(f"a log-probability of {number} cannot be written as JSON")
    return number


def _nodes(tree: Derivation) -> list[dict[str, Any]]:
    """The nodes, parents before their children, which are named by their place in the list."""
    nodes: list[dict[str, Any]] = []
    leaves = 0
    agenda: list[tuple[Derivation, list[int]]] = [(tree, [])]
    while agenda:
        node, siblings = agenda.pop()
        siblings.append(len(nodes))
        if node.children:
            children: list[int] = []
            rule = None if node.rule is None else node.rule.value
            members = {"category": str(node.category), "rule": rule, "head": node.head, "children": children}
            nodes.append(_present(members))
            agenda.extend((child, children) for child in reversed(node.children))
        else:
            nodes.append({"category": str(node.category), "token": leaves})
            leaves += 1
    return nodes


def _link(link: Dependency) -> dict[str, Any]:
    members = {name: getattr(link, name) for name in _LINK}
    return _present({**members, "category": str(link.category), "rule": link.rule or None})
