"""lambeq's trees: a line of JSON a sentence, which `lambeq.CCGTree.from_json` reads; `null` without a parse.

    {"type": "s", "rule": "BA", "children": [{"type": "np", "rule": "L", "text": "We"}, …]}

lambeq's atoms are n, np, s, p, conj and punc, without features. The best derivation alone is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ..grammar import Atom, Category, CategorySyntaxError, Derivation, Rule, Token
from ..grammar.rules import Kind
from ..sentence import Sentence
from .blocks import Block, single_lines
from .codec import Codec, Ending, Part
from .errors import FormatError
from .jsonl import is_text, refuse_constant
from .rule_names import candc_name, named_rule, written_tree

__all__ = ["CODEC", "dump", "dumps", "lambeq_category", "load", "loads", "read_tree", "tree_json"]

_ATOMS = {"N": "n", "NP": "np", "S": "s", "PP": "p", "conj": "conj"}
_BASES = {name: base for base, name in _ATOMS.items()}
_PUNCTUATION = "punc"
_MARKS = frozenset(".,:;")
_LEAF, _UNARY = "L", "U"
_RAISING = {Rule.FORWARD_TYPE_RAISING: "FTR", Rule.BACKWARD_TYPE_RAISING: "BTR"}
_RULES = {symbol: rule for rule, symbol in _RAISING.items()}


def tree_json(tree: Derivation) -> dict[str, Any]:
    """The derivation as lambeq's `CCGTree.to_json` has it.

    Raises `FormatError` where it has an atom or a rule that lambeq does not know.
    """
    return written_tree(tree).fold(_node)


def _node(node: Derivation, children: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    spelled = lambeq_category(node.category)
    if node.token is not None:
        return {"type": spelled, "rule": _LEAF, "text": node.token.word}
    if len(children) == 1:
        raised = _RAISING.get(node.rule, _UNARY) if node.rule else _UNARY
        return {"type": spelled, "rule": raised, "children": list(children)}
    if node.rule is Rule.TYPE_CHANGE:  # with a comma, which lambeq removes before it changes the type
        left = candc_name(node) == "ltc"
        kept = {"type": children[left]["type"], "rule": "LP" if left else "RP", "children": list(children)}
        return {"type": spelled, "rule": _UNARY, "children": [kept]}
    if node.rule is None or node.rule.kind is Kind.SUBSTITUTION:
        parts = " ".join(str(child.category) for child in node.children)
        raise FormatError(f"lambeq has no rule for {parts} → {node.category}")
    return {"type": spelled, "rule": candc_name(node).upper(), "children": list(children)}


def lambeq_category(category: Category) -> str:
    """The category in lambeq's spelling, without features.

    >>> lambeq_category(Category.parse("(S[dcl]\\\\NP)/PP"))
    '(s\\\\np)/p'
    """
    return str(category.map_atoms(_atom))


def _atom(atom: Atom) -> Atom:
    name = _PUNCTUATION if atom.is_punctuation else _ATOMS.get(atom.base)
    if name is None:
        known = f"{', '.join(_ATOMS)} and punctuation, as in the notation ccgbank"
        raise FormatError(f"lambeq has no category {atom}: it has {known}")
    return Atom(name)


def read_tree(tree: object, error: Callable[[str], Exception]) -> Derivation:
    """The derivation of a tree in JSON; `error` makes the exception for what is none."""
    done: list[Derivation] = []
    agenda: list[tuple[Any, bool]] = [(tree, False)]
    while agenda:
        node, visited = agenda.pop()
        children = node.get("children") or [] if isinstance(node, dict) else None
        if not isinstance(children, list) or not isinstance(node.get("type"), str):
            raise error("a node must be an object with 'type', a string, and 'children', a list")
        if not children:
            done.append(_leaf(node, error))
        elif visited:
            first = len(done) - len(children)
            category = _category(node["type"], "", error)
            rule = _rule(node.get("rule"), len(children), category, error)
            done[first:] = [Derivation(category, tuple(done[first:]), None, rule)]
        else:
            agenda.append((node, True))
            agenda.extend((child, False) for child in reversed(children))
    return done.pop()


def _leaf(node: dict[str, Any], error: Callable[[str], Exception]) -> Derivation:
    word = node.get("text")
    if not isinstance(word, str) or not word or not is_text(word):
        raise error("a leaf needs 'text', its word")
    return Derivation(_category(node["type"], word, error), token=Token(word))


def _rule(name: object, children: int, category: Category, error: Callable[[str], Exception]) -> Rule | None:
    """The rule over so many children, None where lambeq does not know it either."""
    unary = name == _UNARY or name in _RULES
    if children > 2 or (children == 2) is unary or (children == 1 and not unary and name is not None):
        raise error(f"the rule {name!r} over {children} children")
    if children == 1:
        return _RULES.get(str(name), Rule.TYPE_CHANGE)
    return named_rule(str(name).lower(), category)


def _category(spelled: str, word: str, error: Callable[[str], Exception]) -> Category:
    def atom(read: Atom) -> Atom:
        if read.base == _PUNCTUATION or read.is_punctuation:  # which lambeq does not tell apart
            return Atom(word if word in _MARKS else ",")
        return Atom(_BASES.get(read.base, read.base))

    try:
        return Category.parse(spelled).map_atoms(atom)
    except CategorySyntaxError as wrong:
        raise error(f"{spelled[:60]!r} is not a category: {wrong.reason}") from wrong


def _decode(block: Block) -> Sentence:
    try:
        read = json.loads(block.lines[0], parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise block.error(f"not JSON: {error}", 0, 1) from error
    if read is None:
        return Sentence((), derivations=(), meta={"status": "failed"})
    tree = read_tree(read, lambda reason: block.error(reason, 0, 1))
    return Sentence(tree.tokens, derivations=(tree,))


def _encode(sentence: Sentence, count: int) -> str:
    if not sentence.derivations:
        return "null\n"
    try:
        return json.dumps(tree_json(sentence.derivations[0]), ensure_ascii=False) + "\n"
    except RecursionError:
        raise FormatError(f"sentence {sentence.id or count} is nested too deeply for JSON") from None


def _recognise(head: list[str]) -> bool:
    first = next((line for line in head if line.strip() not in ("", "null")), "")
    return first.startswith('{"type": ') and '"rule": ' in first


CODEC = Codec(
    name="lambeq", title="lambeq's trees, one JSON object a sentence", suffixes=(".lambeq", ".lambeq.jsonl"),
    holds=Part.WORDS | Part.TAGS | Part.TREES, needs=Part.WORDS | Part.TREES, blocks=single_lines,
    decode=_decode, encode=_encode, recognise=_recognise, ending=Ending.LINE,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
