"""Derivations as C&C prints them for Boxer, and as LangPro reads them: Prolog terms with `t/6`.

    ccg(1,
     ba(s:dcl,
      t(np, 'We', 'we', 'PRP', 'O', 'O'),
      t(s:dcl\\np, 'agree', 'agree', 'VBP', 'O', 'O'))).

After the word come lemma, POS tag, chunk (not known) and named entity. Coordination is `X\\X`, and
heads are not in it.
"""

from __future__ import annotations

from dataclasses import replace

from ..grammar import Derivation, Rule, Slash, Token
from ..grammar.category import Category
from ..grammar.rules import Kind
from ..sentence import Sentence
from . import prolog
from .blocks import Block
from .codec import Codec
from .prolog import encode_terms, prolog_category, quote, written_term
from .rule_names import candc_name, rule_name, written_tree
from .slots import slots

__all__ = ["CODEC", "dump", "dumps", "load", "loads"]


def _decode(block: Block) -> Sentence:
    """As `prolog` reads it; a lemma that is not known is the word, as it is written."""
    sentence = prolog.CODEC.decode(block)
    if all(token.lemma for token in sentence.tokens):
        return sentence
    trees = tuple(tree.fold(_with_lemma) for tree in sentence.derivations or ())
    return replace(sentence, tokens=trees[0].tokens, derivations=trees)


def _with_lemma(node: Derivation, children: tuple[Derivation, ...]) -> Derivation:
    token = node.token
    if token is None:
        return replace(node, children=children)
    return replace(node, token=replace(token, lemma=token.lemma or token.word))


def _encode(sentence: Sentence, count: int) -> str:
    return encode_terms(sentence, count, lambda tree: written_term(written_tree(tree), _step, _word))


def _word(token: Token) -> str:
    return ", ".join(map(quote, slots(token).values()))


def _step(node: Derivation) -> str:
    """The name of a step and its arguments before the constituents."""
    category, rule = prolog_category(node.category), node.rule
    if len(node.children) == 1:
        former = prolog_category(node.children[0].category)
        raised = rule is not None and rule.kind is Kind.TYPE_RAISING
        return f"tr({category}" if raised else f"lx({category}, {former}"
    if rule is Rule.CONJUNCTION:
        return f"conj({category}, {prolog_category(node.children[1].category)}"
    if rule is Rule.TYPE_CHANGE:
        return f"{candc_name(node)}({category}"
    if rule is not None and rule.is_generalized:
        return f"{rule_name(rule)}({category}, {_carried(node, rule)}"
    return f"{rule_name(rule)}({category}"


def _carried(node: Derivation, rule: Rule) -> int:
    """How many arguments a generalized composition carries over: 2 in X/Y (Y/Z)/W → (X/Z)/W."""
    functor: Category = node.children[0 if rule.direction is Slash.FORWARD else 1].category
    return node.category.arity - functor.arity + 1


CODEC = Codec(
    name="boxer", title="C&C's Prolog for Boxer and LangPro", suffixes=(".boxer", "_ccg.pl"),
    holds=prolog.CODEC.holds, needs=prolog.CODEC.needs, blocks=prolog.CODEC.blocks,
    decode=_decode, encode=_encode, recognise=lambda head: False,  # `prolog` reads it
    header=prolog.CODEC.header, verbatim=False,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
