"""Normal form of coordination: what is type-raised on both sides is conjoined unraised."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from ..grammar import Rule
from ..grammar.rules import Kind
from ..parsing import Forest
from ..parsing.forest import Edge, Node

__all__ = ["conjoined_unraised"]


def conjoined_unraised(forest: Forest) -> Forest:
    """The forest without coordinations of two type-raised categories, which only repeat simpler ones.

    Nodes are split by whether they are type-raised, or a conjunction with what is.
    """
    edges: dict[Node, list[Edge]] = {}
    split: dict[Node, list[Node]] = {}
    for node, ways in forest.edges.items():
        made: dict[Node, list[Edge]] = {}
        for rule, head, children in ways:
            for parts in product(*(split[child] for child in children)):
                if rule is Rule.COORDINATION and all(map(_is_raised, parts)):
                    continue
                raises = rule is not None and rule.kind is Kind.TYPE_RAISING
                raised = raises or (rule is Rule.CONJUNCTION and _is_raised(parts[1]))
                made.setdefault(_marked(node, raised), []).append((rule, head, parts))
        edges |= made
        split[node] = list(made)
    roots = tuple(part for root in forest.roots for part in split[root])
    return replace(forest, edges=edges, roots=roots)


def _marked(node: Node, raised: bool) -> Node:
    """The node with the mark in the lowest bit of its rule's class."""
    return (*node[:3], 2 * node[3] + raised, *node[4:])


def _is_raised(node: Node) -> bool:
    return bool(node[3] & 1)
