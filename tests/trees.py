"""Small derivations for tests."""

from __future__ import annotations

from ccgkit.grammar import Category, Derivation, Rule, Token


def leaf(word: str, category: str, pos: str | None = None) -> Derivation:
    return Derivation(Category.parse(category), token=Token(word, pos))


def step(category: str, rule: Rule | None, *children: Derivation) -> Derivation:
    return Derivation(Category.parse(category), children, rule=rule)


#: a subject composed with its verb: "Nadia grows …"
COMPOSED = step(
    "S[dcl]/NP",
    Rule.FORWARD_COMPOSITION,
    step(r"S/(S\NP)", Rule.FORWARD_TYPE_RAISING, leaf("Nadia", "NP")),
    leaf("grows", r"(S[dcl]\NP)/NP"),
)


def left_branching(words: int) -> Derivation:
    tree = leaf("w0", "NP")
    for number in range(1, words):
        tree = step("NP", Rule.BACKWARD_APPLICATION, tree, leaf(f"w{number}", r"NP\NP"))
    return tree
