"""The categories of words: what a word's category is in the other notation, without its derivation."""

from __future__ import annotations

from functools import lru_cache

from ..category import Atom, Category, Functor, Slash
from ..derivation import Derivation
from .inventory import BARE_DETERMINER, DETERMINER, INFINITIVE, NP, PP, PR, N

__all__ = ["is_copula", "leaf_category", "plain", "unmarked", "word_of"]

_ADVERB = Category.parse("(S\\NP)\\(S\\NP)")
_DETERMINERS = {BARE_DETERMINER: DETERMINER, Category.parse("(NP/N)\\NP"): Category.parse("(NP[nb]/N)\\NP")}
_BE = frozenset(("is", "'s", "are", "'re", "was", "were"))
_ADVERBIAL = frozenset(("dcl", "b", "ng", "pt", "pss", "to"))  # features that an adverb need not repeat
_BRACKETS = {"(": "LRB", "[": "LRB", "{": "LRB", "-LRB-": "LRB", "-LSB-": "LRB", "-LCB-": "LRB",
             ")": "RRB", "]": "RRB", "}": "RRB", "-RRB-": "RRB", "-RSB-": "RRB", "-RCB-": "RRB"}  # fmt: skip
_OPENING, _CLOSING = frozenset(("``", "“", "‘", "`")), frozenset(("''", "”", "’"))
_MARKS = {mark: atom for atom, marks in ((".", ". ? ! ... …"), (",", ","), (";", ";"), (":", ": - -- – —"))
          for mark in marks.split()}  # fmt: skip


def leaf_category(leaf: Derivation) -> Category:
    mark = _mark(word_of(leaf), leaf.category)
    if mark is not None:
        return mark
    if (
        leaf.token is not None
        and (leaf.token.pos or "").startswith("VB")
        and leaf.category.target.base == "S"
    ):
        return plain(leaf.category, adverbs=False)  # "…," said he: S[dcl]\\S[dcl] is what a verb makes
    category = plain(leaf.category)
    return _DETERMINERS.get(category, category)


def _mark(word: str, category: Category) -> Category | None:
    """The atom of a mark, where CCGrebank has a modifier or a bracket for a quotation mark."""
    modifies = isinstance(category, Functor) and category.result is category.argument
    if not modifies and category not in (Atom("LRB"), Atom("RRB"), Atom("LQU"), Atom("RQU")):
        return None
    opens = category.slash is Slash.FORWARD if isinstance(category, Functor) else str(category)[0] == "L"
    if word in _BRACKETS:
        return Atom(_BRACKETS[word])
    if word in _OPENING or word in _CLOSING or word in ('"', "'"):
        opens = word in _OPENING or (opens and word not in _CLOSING)
        return Atom("LQU" if opens else "RQU")
    return Atom(_MARKS[word]) if word in _MARKS else None


def word_of(node: Derivation) -> str:
    return node.token.word if node.is_leaf and node.token is not None else ""


@lru_cache(maxsize=1 << 14)
def plain(category: Category, adverbs: bool = True) -> Category:
    """The category without what CCGbank does not have: nouns' arguments, particles, features of adverbs."""
    if not isinstance(category, Functor):
        if category is PR:
            return _ADVERB
        return (
            category.replace(feature=None)
            if isinstance(category, Atom) and category.feature == "X"
            else category
        )
    if category.slash is Slash.FORWARD and category.argument is PR:
        return plain(category.result, adverbs)
    result, argument = plain(category.result, adverbs), plain(category.argument, adverbs)
    if category.slash is Slash.FORWARD and (
        (argument is PP and result in (N, NP)) or (argument is INFINITIVE and result is N)
    ):
        return result
    if adverbs and result is argument and _is_adverbial(category, result):
        result = argument = result.without_features()
    return Functor(result, category.slash, argument, category.conj)


def _is_adverbial(category: Functor, result: Category) -> bool:
    """Whether X|X is an adverb: an auxiliary `(S[b]\\NP)/(S[b]\\NP)` is none."""
    if result.target.base != "S" or result.target.feature not in _ADVERBIAL:
        return False
    return category.slash is Slash.BACKWARD or result.arity == 0 or result.target.feature == "dcl"


def unmarked(category: Category) -> Category:
    return category.replace(conj=False).map_atoms(
        lambda atom: atom.replace(feature=None) if atom.feature == "nb" else atom
    )


def is_copula(leaf: Derivation) -> bool:
    return word_of(leaf).lower() in _BE
