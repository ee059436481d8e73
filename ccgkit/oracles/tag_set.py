"""Atomic tag sets and the ways to write a category as a sequence of their tags.

Every tag stands for one or more *lexemes* (an atom, a slash, a parenthesis), and a sequence of tags
is right for a category when its lexemes, one after the other, are the category's.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Self, TypeVar

from ..grammar import Category
from ..grammar.legality import Prefix
from .errors import IllegalSequenceError, InexpressibleError, OracleError

__all__ = ["EOS", "CountBy", "Lexemes", "TagSet"]

EOS = "<eos>"  # no category contains < or >

Lexemes = tuple[str, ...]
CountBy = Literal["tokens", "types"]

K = TypeVar("K")
V = TypeVar("V")

_OPERATORS = ("(", ")", "/", "\\")
_SHOWN = 12  # legal tags that a message lists
_MEMO_SIZE = 1 << 15  # categories; all of CCGbank has 1,285


class TagSet(ABC):
    """The end tag, the atomic lexemes, and the expressions a subclass adds to them.

    A new kind of tag set is a subclass that defines `expressions`, known by its name in `TAG_SETS`.

    Raises `OracleError` where a tag is empty or repeated.
    """

    keeps_all: ClassVar[bool] = False  #: whether every expression becomes a tag, not the k most frequent

    tags: tuple[str, ...]
    index: dict[str, int]
    pieces: tuple[Lexemes, ...]

    def __init__(self, pieces: Iterable[Sequence[str]]) -> None:
        """The set with a tag for each of `pieces`, in this order, after `EOS`."""
        self.pieces = ((), *map(tuple, pieces))
        self.tags = (EOS, *("".join(piece) for piece in self.pieces[1:]))
        self.index = {tag: number for number, tag in enumerate(self.tags)}
        if len(self.index) < len(self.tags) or "" in self.index:
            raise OracleError("a tag set needs distinct, non-empty tags")
        self._trie = _trie(self.pieces)
        self._lattices: dict[Category, _Lattice] = {}
        self._longest: dict[Category, tuple[tuple[str, ...], tuple[int, ...]]] = {}
        self._sampled: dict[tuple[Category, int], tuple[int, ...]] = {}
        self._composed: dict[tuple[str, ...], Category] = {}

    @classmethod
    @abstractmethod
    def expressions(cls, lexemes: Lexemes, n: int) -> Iterator[Lexemes]:
        """The expressions in one category that may become tags, once for each occurrence."""

    @classmethod
    def from_counts(
        cls,
        counts: Mapping[Category, int],
        *,
        k: int = 10,
        n: int = 2,
        count: CountBy = "tokens",
    ) -> Self:
        """The set for categories that occur `counts` times: their lexemes and the `k` best expressions.

        `count` says whether a category weighs as often as it occurs ("tokens") or once ("types");
        equally frequent expressions are taken in the order of their spelling.

        Raises `OracleError` where `k`, `n` or `count` is out of range.
        """
        if count not in ("tokens", "types"):
            raise OracleError(f"count={count!r}: choose 'tokens' or 'types'")
        if k < 0 or n < 1:
            raise OracleError(f"k={k}, n={n}: k must be at least 0 and n at least 1")
        atomic: set[str] = set()
        found: Counter[Lexemes] = Counter()
        for category, frequency in counts.items():
            lexemes = tuple(category.tokens())
            atomic.update(lexemes)
            for expression in cls.expressions(lexemes, n):
                found[expression] += frequency if count == "tokens" else 1
        ranked = sorted(found, key=lambda expression: (-found[expression], expression))
        chosen = (e for e in (ranked if cls.keeps_all else ranked[:k]) if len(e) > 1)
        singles = (*_OPERATORS, *sorted(atomic.difference(_OPERATORS)))
        return cls([*((lexeme,) for lexeme in singles), *chosen])

    def __len__(self) -> int:
        return len(self.tags)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} tags>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TagSet):
            return NotImplemented
        return (type(self), self.pieces) == (type(other), other.pieces)

    def __hash__(self) -> int:
        return hash((type(self), self.pieces))

    def can_express(self, category: Category) -> bool:
        """Whether some sequence of tags gives the category."""
        return self._lattice(category).ways[0] > 0

    def missing(self, category: Category) -> tuple[str, ...]:
        """The category's lexemes that are no tags by themselves, each once."""
        return tuple(dict.fromkeys(x for x in category.tokens() if x not in self.index))

    def decompose(self, category: Category) -> tuple[str, ...]:
        r"""The deterministic oracle: each time the longest tag that still allows an end; `EOS` last.

        Raises `InexpressibleError` where the tags cannot spell the category.

        >>> from ccgkit.oracles import AC
        >>> category = Category.parse(r"S\NP")
        >>> AC.from_counts({category: 1}).decompose(category)
        ('S', '\\', 'NP', '<eos>')
        """
        return self._longest_match(category)[0]

    def encode(self, category: Category) -> tuple[int, ...]:
        """The numbers of the tags of `decompose`.

        Raises `InexpressibleError` where the tags cannot spell the category.
        """
        return self._longest_match(category)[1]

    def encode_tags(self, tags: Iterable[str]) -> tuple[int, ...]:
        """The numbers of tags of this set.

        Raises `IllegalSequenceError` where one is not in the set.
        """
        try:
            return tuple(self.index[tag] for tag in tags)
        except KeyError as error:
            raise IllegalSequenceError(_unknown(error.args[0], self)) from None

    def count(self, category: Category) -> int:
        """The number of sequences that give the category."""
        return self._lattice(category).ways[0]

    def decompositions(self, category: Category) -> Iterator[tuple[str, ...]]:
        """All sequences that give the category, that of `decompose` first."""
        lattice = self._lattice(category)
        return (self._spell(lattice.sequence(rank)) for rank in range(lattice.ways[0]))

    def sample(self, category: Category, rng: random.Random) -> tuple[str, ...]:
        """The non-deterministic oracle: one of all sequences, each equally likely.

        Raises `InexpressibleError` where the tags cannot spell the category.
        """
        return tuple(self.tags[number] for number in self.encode_sample(category, rng))

    def encode_sample(self, category: Category, rng: random.Random) -> tuple[int, ...]:
        """The numbers of the tags of `sample`.

        Raises `InexpressibleError` where the tags cannot spell the category.
        """
        lattice = self._expressible(category)
        rank = rng.randrange(lattice.ways[0])
        numbers = self._sampled.get((category, rank))
        if numbers is None:
            numbers = (*lattice.sequence(rank), 0)
            _remember(self._sampled, (category, rank), numbers)
        return numbers

    def compose(self, tags: Iterable[str]) -> Category:
        """The category that a sequence spells (a final `EOS` may be left out).

        Raises `IllegalSequenceError`, which says why, where it spells none.
        """
        key = tuple(tags)
        category = self._composed.get(key)
        if category is None:
            category = self._compose(key[:-1] if key[-1:] == (EOS,) else key)
            _remember(self._composed, key, category)
        return category

    def _spell(self, numbers: Iterable[int]) -> tuple[str, ...]:
        return (*(self.tags[number] for number in numbers), EOS)

    def _longest_match(self, category: Category) -> tuple[tuple[str, ...], tuple[int, ...]]:
        try:
            return self._longest[category]
        except KeyError:
            numbers = (*self._expressible(category).sequence(0), 0)
            longest = tuple(self.tags[number] for number in numbers), numbers
            _remember(self._longest, category, longest)
            return longest

    def _lattice(self, category: Category) -> _Lattice:
        lattice = self._lattices.get(category)
        if lattice is None:
            lattice = _lattice(tuple(category.tokens()), self._trie)
            _remember(self._lattices, category, lattice)
        return lattice

    def _expressible(self, category: Category) -> _Lattice:
        lattice = self._lattice(category)
        if not lattice.ways[0]:
            lacking = ", ".join(self.missing(category))
            raise InexpressibleError(f"{category} has no sequence in {self!r}: no tag has {lacking}")
        return lattice

    def _compose(self, tags: tuple[str, ...]) -> Category:
        self.encode_tags(tags)
        if EOS in tags:
            raise IllegalSequenceError(f"{EOS} before the end of the sequence: {' '.join(tags)}")
        prefix = Prefix()
        for position, tag in enumerate(tags):
            following = prefix.advance(tag)
            if following is None:
                raise IllegalSequenceError(self._illegal(tags[:position], tag, prefix))
            prefix = following
        if not prefix.is_complete:
            raise IllegalSequenceError(
                f"{_shown(tags)} is not a whole category, it takes {prefix.shortest_completion} more "
                f"atoms, slashes or parentheses; {self._legal_after(prefix)}"
            )
        return Category.parse("".join(tags))

    def _illegal(self, before: tuple[str, ...], tag: str, prefix: Prefix) -> str:
        return f"{tag} (tag {len(before) + 1}) cannot follow {_shown(before)}; {self._legal_after(prefix)}"

    def _legal_after(self, prefix: Prefix) -> str:
        legal = [tag for tag in self.tags[1:] if prefix.advance(tag) is not None]
        legal += [EOS] if prefix.is_complete else []
        more = f" and {len(legal) - _SHOWN} more" if len(legal) > _SHOWN else ""
        return f"legal: {' '.join(legal[:_SHOWN])}{more}"


@dataclass(frozen=True, slots=True)
class _Lattice:
    """All tag sequences over the positions between a category's lexemes.

    `steps[i]` has the tags that may begin at `i`, longest first, each with the position after it;
    `ways[i]` counts the sequences from `i` to the end: 0 where the end is out of reach.
    """

    steps: tuple[tuple[tuple[int, int], ...], ...]
    ways: tuple[int, ...]

    def sequence(self, rank: int) -> tuple[int, ...]:
        """The sequence with this rank among all, sorted by longest match."""
        numbers, position = [], 0
        while position < len(self.steps):
            for number, end in self.steps[position]:
                if rank < self.ways[end]:
                    numbers.append(number)
                    position = end
                    break
                rank -= self.ways[end]
        return tuple(numbers)


@dataclass(slots=True)
class _Node:
    """A prefix of tags; `number` is that of the tag which ends here."""

    number: int | None = None
    children: dict[str, _Node] = field(default_factory=dict)


def _trie(pieces: Iterable[Lexemes]) -> _Node:
    root = _Node()
    for number, lexemes in enumerate(pieces):
        node = root
        for lexeme in lexemes:
            node = node.children.setdefault(lexeme, _Node())
        if lexemes:
            node.number = number
    return root


def _lattice(lexemes: Lexemes, trie: _Node) -> _Lattice:
    ways = [0] * len(lexemes) + [1]
    steps: list[tuple[tuple[int, int], ...]] = []
    for start in reversed(range(len(lexemes))):
        here = list(_matches(lexemes, start, trie))
        ways[start] = sum(ways[end] for _, end in here)
        steps.append(tuple(reversed(here)))
    return _Lattice(tuple(reversed(steps)), tuple(ways))


def _matches(lexemes: Lexemes, start: int, trie: _Node) -> Iterator[tuple[int, int]]:
    """The tags that begin at `start`, shortest first, with the position after each."""
    node = trie
    for position in range(start, len(lexemes)):
        child = node.children.get(lexemes[position])
        if child is None:
            return
        node = child
        if node.number is not None:
            yield node.number, position + 1


def _remember(memo: dict[K, V], key: K, value: V) -> None:
    if len(memo) >= _MEMO_SIZE:
        memo.clear()
    memo[key] = value


def _shown(tags: Sequence[str]) -> str:
    return " ".join(tags) or "nothing"


def _unknown(tag: str, tag_set: TagSet) -> str:
    from difflib import get_close_matches

    close = get_close_matches(tag, tag_set.tags, 3)
    return f"{tag!r} is not a tag of {tag_set!r}" + (f"; did you mean {' or '.join(close)}?" if close else "")
