"""All derivations of a sentence: a packed forest, counted exactly and read off one by one.

For teachers and grammar writers: no probabilities, no costs, any lexicon and scheme.

>>> from ccgkit.corpora import loads
>>> (sentence,) = loads("old|JJ|N/N cars|NNS|N sell|VBP|S[dcl]\\\\NP", "stagged")
>>> found = forest(sentence)
>>> found.count, sum(tree.category is Category.parse("S[dcl]") for tree in found)
(6, 1)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import inf, prod

from ..grammar import Category, Combination, Derivation, Rule, Scheme, load_scheme
from ..grammar.dependencies import dependencies
from ..sentence import Sentence
from .costs import Costs
from .items import MAX_CHAIN
from .parser import supertags
from .rulebook import RULES, Rulebook, Step

__all__ = ["Edge", "Forest", "Node", "forest"]

_SHOWN = 10  # derivations of a forest that Jupyter shows

# start, end, category, class of the rule, whether it begins with a conjunction, unary steps at the top
Node = tuple[int, int, int, int, bool, int]
Edge = tuple[Rule | None, int, tuple[Node, ...]]  # rule, side of the head, children; a leaf has none


@dataclass(frozen=True, repr=False)
class Forest:
    """Every way to derive each constituent of a sentence; `roots` are the phrases that span it.

    Raises `IndexError` where there is no derivation of a number.
    """

    sentence: Sentence
    categories: list[Category]
    edges: dict[Node, list[Edge]]  #: children come before parents
    roots: tuple[Node, ...]

    @cached_property
    def count(self) -> int:
        """How many derivations there are."""
        counts: dict[Node, int] = {}
        for node, edges in self.edges.items():
            counts[node] = sum(prod(counts[child] for child in children) for _, _, children in edges)
        return sum(counts[root] for root in self.roots)

    def __iter__(self) -> Iterator[Derivation]:
        """The derivations, one by one."""
        return (tree for root in self.roots for tree in self._trees(root))

    def readings(self) -> Iterator[Derivation]:
        """The first derivation of each reading: of those with the same dependencies."""
        seen = set()
        for derivation in self:
            found = frozenset(dependencies((derivation,)))
            if found not in seen:
                seen.add(found)
                yield derivation

    def __getitem__(self, number: int) -> Derivation:
        if not 0 <= number < self.count:
            raise IndexError(f"there are {self.count} derivations, the first is 0")
        return next(islice(self, number, None))

    def __bool__(self) -> bool:
        return self.count > 0

    def __repr__(self) -> str:
        plural = "" if self.count == 1 else "s"
        return f"<Forest of {self.count} derivation{plural}: {' '.join(self.sentence.words)}>"

    def _repr_html_(self) -> str:
        """The drawings that Jupyter shows: the first ten."""
        drawn = "".join(one._repr_html_() for one in islice(self, _SHOWN))
        rest = f", the first {_SHOWN} of them" if self.count > _SHOWN else ""
        return f"<p>{self.count} derivation{'' if self.count == 1 else 's'}{rest}</p>{drawn}"

    def _trees(self, node: Node) -> Iterator[Derivation]:
        category = self.categories[node[2]]
        for rule, head, children in self.edges[node]:
            if not children:
                yield Derivation(category, (), self.sentence.tokens[node[0]])
            for row in self._rows(children):
                yield Derivation(category, row, None, rule, head)

    def _rows(self, nodes: tuple[Node, ...]) -> Iterator[tuple[Derivation, ...]]:
        if len(nodes) == 1:
            yield from ((tree,) for tree in self._trees(nodes[0]))
        elif nodes:
            yield from ((one, other) for one in self._trees(nodes[0]) for other in self._trees(nodes[1]))


class _EveryStep(Rulebook):
    """All steps of a scheme, also those that the search leaves out."""

    def _best(
        self, combinations: Iterable[Combination], children: tuple[Category, ...]
    ) -> Iterable[tuple[Combination, float]]:
        return [(found, 0.0) for found in combinations]


def forest(
    sentence: Sentence, scheme: Scheme | None = None, *, normal_form: bool = True, pruned: bool = True
) -> Forest:
    """All derivations that the scheme (rebank's if none) admits over all the supertags of the words.

    Without `normal_form` there are also those that only repeat others by composition and type-raising. If
    not `pruned`, there are also steps that the search leaves out: compositions to a larger category, and a
    second rule that makes the same one.

    Raises `ParsingError` where a word has no supertag.
    """
    book = (Rulebook if pruned else _EveryStep)(scheme or load_scheme("rebank"), Costs())
    edges: dict[Node, list[Edge]] = defaultdict(list)
    cells: dict[tuple[int, int], list[Node]] = defaultdict(list)
    words = supertags(sentence)

    def add(node: Node, edge: Edge) -> None:
        edges[node].append(edge)
        if len(edges[node]) == 1:
            cells[node[:2]].append(node)

    def kind(rule: int) -> int:
        return book.classes[rule] if normal_form else 0

    def combine(one: Node, other: Node, step: Step) -> None:
        category, rule, head, _, _ = step
        if not normal_form or (
            book.left_classes[rule] >> one[3] & 1 and book.right_classes[rule] >> other[3] & 1
        ):
            node = (one[0], other[1], category, kind(rule), one[4], 0)
            add(node, (RULES[rule], head, (one, other)))

    for length in range(1, len(words) + 1):
        for start in range(len(words) - length + 1):
            end = start + length
            for number in dict.fromkeys(book.number(tag.category) for tag in words[start] if length == 1):
                add((start, end, number, 0, book.starts_conjunct(number), 0), (None, 0, ()))
            for middle in range(start + 1, end):
                for one in cells[start, middle]:
                    for other in cells[middle, end]:
                        for step in book.combine(one[2], other[2], other[4]):
                            combine(one, other, step)
            for node in cells[start, end]:  # grows while it is gone through
                if node[5] < MAX_CHAIN:
                    for category, rule, *_ in book.change(node[2]):
                        raised = (start, end, category, kind(rule), node[4], node[5] + 1)
                        add(raised, (RULES[rule], 0, (node,)))
    roots = tuple(node for node in cells[0, len(words)] if book.ending(node[2]) < inf)
    return Forest(sentence, book.categories, dict(edges), roots)
