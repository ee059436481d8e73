"""Derivations re-derived: which rule made each node, and which nodes no rule makes."""

import copy
import pickle
import re
from dataclasses import replace

import pytest
from hypothesis import given
from strategies import derivations

from ccgkit import Category, CategorySyntaxError, Derivation, Rule, Token
from ccgkit.grammar import annotate, in_normal_form, is_normal, load_scheme, unlicensed

CCGBANK = [
    "(S[dcl] (NP (NP[nb]/N the) (N (N/N old) (N dog)))"
    " (S[dcl]\\NP (S[dcl]\\NP slept) ((S\\NP)\\(S\\NP) well)))",
    "(S[dcl] (NP (N Ann)) (S[dcl]\\NP ((S[dcl]\\NP)/NP saw)"
    " (NP (NP (N Bob)) (NP[conj] (conj and) (NP (N Eve))))))",
    "(NP (NP (NP[nb]/N the) (N man)) (NP\\NP ((NP\\NP)/(S[dcl]/NP) whom)"
    " (S[dcl]/NP (S/(S\\NP) (NP she)) ((S[dcl]\\NP)/NP met))))",
    "(S[dcl] (S[dcl] (S/S (S[ng]\\NP leaving)) (S[dcl] (NP we) (S[dcl]\\NP wept))) (. .))",
    "(S[dcl] (NP he) (S[dcl]\\NP (S[dcl]\\NP left) ((S\\NP)\\(S\\NP) (, ,)"
    " (NP (NP[nb]/N a) (N (N/N sad) (N man))))))",
]
REBANK = [
    "(NP (NP Tom) (NP\\NP (conj and) (NP Ann)))",
    "(S[wq] (S[wq]/(S[q]/NP) what) (S[q]/NP (S[q]/(S[b]\\NP) ((S[q]/(S[b]\\NP))/NP did) (NP she))"
    " ((S[b]\\NP)/NP ((S[b]\\NP)/NP buy) (. ?))))",
    "(S[q]/NP ((S[q]/NP)/NP ((S[q]/NP)/NP was) (S\\S n't)) (NP it))",
]
UDCCG = [
    "(S (NP (NP cats) (NP (conj and) (NP dogs))) (S\\NP sleep))",
    "(S (NP (NP/NP the) (NP (NP man) (NP\\NP (S\\NP sleeping)))) (S\\NP ((S\\NP)/NP saw) (NP us)))",
]


def derivation(text):
    """A derivation from `(CATEGORY child …)`; a leaf is `(CATEGORY word)`."""
    tokens = re.findall(r"\(\S+ |[^\s()]\S*?(?=\)+(?:\s|$))|\)(?=[\s)]|$)", text)
    stack = [[]]
    for token in tokens:
        if token.startswith("(") and token.endswith(" "):
            stack.append([Category.parse(token[1:-1])])
        elif token == ")":
            category, *below = stack.pop()
            if isinstance(below[0], Token):
                stack[-1].append(Derivation(category, (), below[0]))
            else:
                stack[-1].append(Derivation(category, tuple(below)))
        else:
            stack[-1].append(Token(token))
    return stack[0][0]


def test_readings_of_a_sentence_are_told_apart_by_their_hashes():
    other = "(S[dcl] (S/(S\\NP) (NP (N Ann))) (S[dcl]\\NP slept))"
    one = "(S[dcl] (NP (N Ann)) (S[dcl]\\NP slept))"
    assert hash(derivation(one)) == hash(derivation(one)) != hash(derivation(other))


@pytest.mark.parametrize(
    ("scheme", "text"),
    [
        (name, text)
        for name, texts in {"ccgbank": CCGBANK, "rebank": REBANK, "udccg": UDCCG}.items()
        for text in texts
    ],
)
def test_every_node_is_re_derived(scheme, text):
    annotated = annotate(derivation(text), load_scheme(scheme))
    assert [node for node in annotated.nodes() if node.children and node.rule is None] == []
    assert annotated.words == derivation(text).words
    assert in_normal_form(annotated)


def test_rules_and_heads_are_filled_in():
    tree = annotate(derivation(CCGBANK[0]), load_scheme("ccgbank"))
    assert [node.rule.symbol for node in tree.nodes() if node.children] == ["<", ">", ">", "<"]
    head = tree
    while head.children:
        head = head.children[head.head]
    assert head.token.word == "slept"


def test_the_symbols_of_a_relative_clause():
    tree = annotate(derivation(CCGBANK[2]), load_scheme("ccgbank"))
    assert [node.rule.symbol for node in tree.nodes() if node.children] == ["<", ">", ">", ">B", ">T"]


def test_a_node_that_no_rule_makes_is_named():
    wrong = derivation("(S[dcl] (NP she) (N/N red))")
    assert [str(node.category) for node in unlicensed(wrong, load_scheme("ccgbank"))] == ["S[dcl]"]
    ternary = Derivation(Category.parse("NP"), tuple(derivation("(NP x)") for _ in range(3)))
    assert len(unlicensed(ternary, load_scheme("ccgbank"))) == 1


def test_ud_ccg_coordinates_only_after_a_conjunction():
    bare = derivation("(NP (NP cats) (NP dogs))")
    assert len(unlicensed(bare, load_scheme("udccg"))) == 1


def test_normal_form_forbids_what_only_repeats():
    assert not is_normal(Rule.FORWARD_APPLICATION, Rule.FORWARD_COMPOSITION, None)
    assert not is_normal(Rule.FORWARD_COMPOSITION, Rule.GENERALIZED_FORWARD_COMPOSITION, None)
    assert not is_normal(Rule.BACKWARD_APPLICATION, None, Rule.BACKWARD_CROSSED_COMPOSITION)
    assert not is_normal(Rule.FORWARD_APPLICATION, Rule.FORWARD_TYPE_RAISING, None)
    assert is_normal(Rule.FORWARD_COMPOSITION, Rule.FORWARD_TYPE_RAISING, None)
    assert is_normal(Rule.FORWARD_APPLICATION, None, Rule.FORWARD_COMPOSITION)
    assert is_normal(Rule.BACKWARD_APPLICATION, Rule.FORWARD_COMPOSITION, None)
    spurious = "(S[dcl] (S[dcl]/NP (S/(S\\NP) (NP she)) ((S[dcl]\\NP)/NP met)) (NP him))"
    assert not in_normal_form(annotate(derivation(spurious), load_scheme("ccgbank")))


@given(derivations())
def test_a_fold_goes_bottom_up_and_left_to_right(tree):
    seen = []

    def size(node, sizes):
        seen.append(node)
        return sum(sizes) if sizes else 1

    assert tree.fold(size) == len(tree.words)
    assert [node for node in seen if node.is_leaf] == list(tree.leaves())
    places = {id(node): place for place, node in enumerate(seen)}
    assert all(places[id(child)] < places[id(node)] for node in seen for child in node.children)
    assert tree.fold(lambda node, children: replace(node, children=children)) == tree


@given(derivations())
def test_head_words_lead_to_the_one_head_of_all(tree):
    heads = tree.head_words()
    assert len(heads) == len(list(tree.leaves())) and heads.count(-1) == 1
    for place in range(len(heads)):
        passed = {place}
        while (place := heads[place]) >= 0:
            assert place not in passed
            passed.add(place)


def test_the_head_of_a_phrase_is_that_of_its_head_child():
    tree = annotate(derivation(r"(S[dcl] (NP (NP/N the) (N dog)) (S[dcl]\NP barks))"), load_scheme("ccgbank"))
    assert tree.head_words() == (1, 2, -1)


def lines(paths):
    for path in sorted(paths):
        with path.open(encoding="utf-8") as file:
            yield from (line for line in file if line.startswith("("))


def tree_of(line):
    """A derivation of an `.auto` line; a label that is no category becomes the atom `unreadable`."""
    stack, labels = [[]], []
    for label, leaf, closing in re.findall(r"\(<T (\S+) \d+ \d+>|\(<L (\S+) \S+ \S+ \S+ \S+>\)|(\))", line):
        if label:
            labels.append(label)
            stack.append([])
        elif leaf:
            stack[-1].append(Derivation(category_of(leaf), (), Token("_")))
        elif closing:
            children = tuple(stack.pop())
            stack[-1].append(Derivation(category_of(labels.pop()), children))
    return stack[0][0]


def category_of(label):
    try:
        return Category.parse(label)
    except CategorySyntaxError:
        return Category.parse("unreadable")


@pytest.mark.slow
def test_every_node_of_pmb_is_re_derived(corpus_folder):
    left = [
        node
        for line in lines(corpus_folder.glob("pmb5/*.auto"))
        for node in unlicensed(tree_of(line), load_scheme("rebank"))
    ]
    assert left == []


@pytest.mark.slow
def test_nearly_every_node_of_ud_ccg_is_re_derived(corpus_folder):
    inner = left = 0
    for line in lines([corpus_folder / "udccg/en_ewt.dev.auto"]):
        tree = tree_of(line)
        inner += sum(1 for node in tree.nodes() if node.children)
        for node in unlicensed(tree, load_scheme("udccg")):
            left += 1
            print(*(child.category for child in node.children), "->", node.category)
    assert left / inner <= 0.005


def test_a_deep_derivation_is_pickled_and_copied():
    tree = Derivation(Category.parse("N"), (), Token("dog"))
    for _ in range(5000):
        tree = Derivation(
            tree.category,
            (Derivation(Category.parse("N/N"), (), None), tree),
            None,
            Rule.FORWARD_APPLICATION,
            1,
        )
    again = pickle.loads(pickle.dumps(tree))
    assert again == tree and copy.deepcopy(tree) == tree
    assert again.tokens == (Token("dog"),)
