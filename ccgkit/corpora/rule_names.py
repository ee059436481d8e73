"""The names that C&C, Boxer, PMB and depccg give to the rules."""

from __future__ import annotations

from dataclasses import replace

from ..grammar import Atom, Category, Derivation, Functor, Rule, Slash
from ..grammar.derivation import annotate
from ..grammar.schemes import guess, load_scheme

__all__ = ["UNKNOWN", "candc_name", "named_rule", "rule_name", "with_rules", "without_marks", "written_tree"]

UNKNOWN = "unk"  # depccg's name for a step that no rule makes

_NAMES = {
    Rule.FORWARD_APPLICATION: "fa",
    Rule.BACKWARD_APPLICATION: "ba",
    Rule.FORWARD_COMPOSITION: "fc",
    Rule.BACKWARD_COMPOSITION: "bc",
    Rule.FORWARD_CROSSED_COMPOSITION: "fxc",
    Rule.BACKWARD_CROSSED_COMPOSITION: "bxc",
    Rule.GENERALIZED_FORWARD_COMPOSITION: "gfc",
    Rule.GENERALIZED_BACKWARD_COMPOSITION: "gbc",
    Rule.GENERALIZED_FORWARD_CROSSED_COMPOSITION: "gfxc",
    Rule.GENERALIZED_BACKWARD_CROSSED_COMPOSITION: "gbxc",
    Rule.FORWARD_SUBSTITUTION: "fs",
    Rule.BACKWARD_SUBSTITUTION: "bs",
    Rule.FORWARD_CROSSED_SUBSTITUTION: "fxs",
    Rule.BACKWARD_CROSSED_SUBSTITUTION: "bxs",
    Rule.FORWARD_TYPE_RAISING: "ftr",
    Rule.BACKWARD_TYPE_RAISING: "btr",
    Rule.CONJUNCTION: "conj",
    Rule.COORDINATION: "conj2",
    Rule.LEFT_PUNCTUATION: "lp",
    Rule.RIGHT_PUNCTUATION: "rp",
    Rule.TYPE_CHANGE: "tc",
}
_CANDC = _NAMES | {
    Rule.FORWARD_CROSSED_COMPOSITION: "fx",
    Rule.BACKWARD_CROSSED_COMPOSITION: "bx",
    Rule.GENERALIZED_FORWARD_CROSSED_COMPOSITION: "gfx",
    Rule.GENERALIZED_BACKWARD_CROSSED_COMPOSITION: "gbx",
    Rule.FORWARD_TYPE_RAISING: "tr",
    Rule.BACKWARD_TYPE_RAISING: "tr",
    Rule.TYPE_CHANGE: "lex",
}
_RULES = {name: rule for rule, name in _NAMES.items()} | {
    "fx": Rule.FORWARD_CROSSED_COMPOSITION,
    "bx": Rule.BACKWARD_CROSSED_COMPOSITION,
    "gfx": Rule.GENERALIZED_FORWARD_CROSSED_COMPOSITION,
    "gbx": Rule.GENERALIZED_BACKWARD_CROSSED_COMPOSITION,
    "lex": Rule.TYPE_CHANGE,
    "ltc": Rule.TYPE_CHANGE,
    "rtc": Rule.TYPE_CHANGE,
}


def rule_name(rule: Rule | None) -> str:
    """The name in Boxer's and PMB's files."""
    return UNKNOWN if rule is None else _NAMES[rule]


def candc_name(node: Derivation) -> str:
    """The name of the step in the XML of C&C, depccg and Jigg."""
    if len(node.children) == 1 and node.rule is None:
        return "lex"
    if len(node.children) == 2 and node.rule is Rule.TYPE_CHANGE:
        left = node.children[0].category
        return "ltc" if isinstance(left, Atom) and left.is_punctuation else "rtc"
    return UNKNOWN if node.rule is None else _CANDC[node.rule]


def named_rule(name: str, category: Category) -> Rule | None:
    """The rule of a name, None if it is none of ours; `lx` and `tr` are told apart by the category made.

    >>> named_rule("lx", Category.parse(r"S/(S\\NP)")).symbol, named_rule("lx", Category.parse("NP")).symbol
    ('>T', '*')
    """
    if name in ("tr", "lx"):
        if name == "lx" and not category.is_type_raised:
            return Rule.TYPE_CHANGE
        forward = isinstance(category, Functor) and category.slash is Slash.FORWARD
        return Rule.FORWARD_TYPE_RAISING if forward else Rule.BACKWARD_TYPE_RAISING
    return _RULES.get(name)


def with_rules(tree: Derivation) -> Derivation:
    """The derivation with a rule at each node that its scheme makes, if it has none at all yet.

    The scheme is that of its categories, CCGbank's where they do not tell it.
    """
    if any(node.rule is not None for node in tree.nodes()):
        return tree
    scheme = guess(node.category for node in tree.nodes()) or load_scheme("ccgbank")
    return annotate(tree, scheme, keep_heads=True)


def without_marks(node: Derivation) -> Derivation:
    """The node as PMB writes coordination: `X\\X` for `X[conj]`, applied backwards."""
    category = node.category
    if category.conj:
        plain = category.replace(conj=False)
        category = Functor(plain, Slash.BACKWARD, plain)
    rule = Rule.BACKWARD_APPLICATION if node.rule is Rule.COORDINATION else node.rule
    return replace(node, category=category, rule=rule)


def written_tree(tree: Derivation) -> Derivation:
    """The derivation as C&C, depccg and PMB write it: with rules, and coordination as `X\\X`."""
    return with_rules(tree).fold(lambda node, children: replace(without_marks(node), children=children))
