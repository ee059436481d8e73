"""From CCGbank's notation into CCGrebank's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..category import Functor, Slash
from ..derivation import Derivation, annotate
from ..errors import NotationError
from ..rules import Rule
from ..schemes import Scheme, load_scheme
from .inventory import (
    ASKED_OBJECT,
    ASKED_SUBJECT,
    CONJ,
    INVERTED_COPULA,
    NOUN_MODIFIER,
    NP,
    PHRASE_MODIFIER,
    PREDICATE,
    QUESTION,
    N,
)
from .relabelling import relabelled
from .steps import joined, licensed, raised
from .words import unmarked

__all__ = ["to_rebank"]


def to_rebank(derivation: Derivation) -> Derivation:
    scheme = load_scheme("rebank")

    def part(node: Derivation, children: Sequence[Derivation]) -> Derivation:
        if not children:
            return replace(node, category=unmarked(node.category))
        if len(children) == 1:
            return raised(unmarked(node.category), children[0], scheme)
        return _binary(node, children[0], children[1], scheme)

    return licensed(annotate(derivation, load_scheme("ccgbank")).fold(part), scheme)


def _binary(node: Derivation, left: Derivation, right: Derivation, scheme: Scheme) -> Derivation:
    if node.rule is Rule.CONJUNCTION:
        conjunction = replace(left, category=CONJ) if left.is_leaf else left
        return joined(Functor(right.category, Slash.BACKWARD, right.category), conjunction, right, scheme)
    if left.category is ASKED_OBJECT:
        try:
            verb = relabelled(right, PREDICATE, scheme, INVERTED_COPULA)
            return joined(QUESTION, replace(left, category=ASKED_SUBJECT), verb, scheme)
        except NotationError:
            pass
    if right.category is PHRASE_MODIFIER and right.rule is not Rule.CONJUNCTION and left.category is NP:
        lowered = _lowered(left, right, scheme)
        if lowered is not None:
            return lowered
    return joined(unmarked(node.category), left, right, scheme)


def _lowered(phrase: Derivation, modifier: Derivation, scheme: Scheme) -> Derivation | None:
    """The noun phrase with a modifier of it under its determiner; None if it has no noun there."""
    noun = phrase.children[-1] if phrase.children else None
    if noun is None or noun.category is not N or (modifier.is_leaf and modifier.token is not None):
        return None
    try:
        modified = joined(N, noun, relabelled(modifier, NOUN_MODIFIER, scheme), scheme)
    except NotationError:
        return None
    if len(phrase.children) == 1:
        return raised(NP, modified, scheme)
    return joined(NP, phrase.children[0], modified, scheme)
