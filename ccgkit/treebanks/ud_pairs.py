"""Pairs of words that Universal Dependencies and CCG agree on, to compare a derivation with a tree."""

from __future__ import annotations

from collections.abc import Iterator

from .ud import Tree

__all__ = ["core_pairs"]

#: relations in which both mean the same pair of words
_CORE = frozenset(
    ["nsubj", "obj", "iobj", "xcomp", "aux", "cop", "case", "det", "amod", "nummod", "nmod", "acl"]
)
_FUNCTION = ("mark", "case", "cop", "aux")
_RELATIVE = frozenset(["WDT", "WP"])


def core_pairs(tree: Tree) -> set[frozenset[int]]:
    """Pairs of words in core relations, undirected, with heads as CCG has them.

    Function words head what follows them, each the next: *could* has *have*, *have* has *seen*. Heads of
    phrases stand for them, a preposition for its noun, a copula for its predicate and the subject. The last
    word of a name heads it, and what modifies a part of a compound, the whole: our compounds are flat. A
    relative pronoun has the first verb of its clause.
    """
    return {frozenset(pair) for pair in _pairs(tree) if pair[0] != pair[1]}


def _pairs(tree: Tree) -> Iterator[tuple[int, int]]:
    for place, word in enumerate(tree.words):
        relation = tree.relation(place)
        if word.head < 0 or relation not in _CORE:
            continue
        if relation in _FUNCTION:
            chain = [*_before(tree, word.head, _FUNCTION), _last_of_name(tree, word.head)]
            yield place, next((one for one in chain if one > place), chain[-1])
        else:
            yield _top(tree, place), _governor(tree, place)


def _before(tree: Tree, place: int, relations: tuple[str, ...]) -> list[int]:
    """The function words of a word that stand before it, the outermost first."""
    return sorted(one for one in tree.with_relation(place, *relations) if one < place)


def _top(tree: Tree, place: int) -> int:
    """The word that stands for a word's phrase."""
    function = _before(tree, place, ("mark", "case", "cop"))
    behind = tree.with_relation(place, "mark", "case")
    return next(iter([*function, *behind]), _last_of_name(tree, place))


def _governor(tree: Tree, place: int) -> int:
    """What a word that is no function word depends on."""
    head, relation = tree.words[place].head, tree.relation(place)
    if relation == "nsubj":
        verbs = _before(tree, head, ("aux", "cop"))
        if tree.words[place].xpos in _RELATIVE and tree.words[head].relation == "acl:relcl" and verbs:
            return verbs[0]
        return next(iter(tree.with_relation(head, "cop")), head)
    while relation in ("amod", "nummod") and tree.relation(head) == "compound":
        head = tree.words[head].head
    return _last_of_name(tree, head)


def _last_of_name(tree: Tree, place: int) -> int:
    """Of a name whose first word heads it in Universal Dependencies the last word."""
    return max([place, *tree.with_relation(place, "flat")])
