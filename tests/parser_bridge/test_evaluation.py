"""What C&C's evaluation ignores, and how sets are counted."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ccgkit.corpora import deps, loads
from ccgkit.evaluation.dependencies import Counts, DependencyScores, score_sentence
from ccgkit.evaluation.derivations import with_dependencies
from ccgkit.grammar import Category, Dependency, Token, load_scheme
from ccgkit.parser_bridge.ignored import is_ignored
from ccgkit.sentence import Sentence, Supertag


def ignored(head, category, slot, argument="it", rule=0):
    return is_ignored(Dependency(0, Category.parse(category), slot, 1, rule), [head, argument])


@pytest.mark.parametrize("rule", [7, 11, 12, 14, 15, 16, 17, 51, 52, 56, 91, 92, 95, 96, 98])
def test_some_type_changes_are_ignored_whatever_they_make(rule):
    assert ignored("runs", r"S[dcl]\NP", 1, rule=rule)


@pytest.mark.parametrize("rule", [0, 1, 10, 18, 20, 21, 22, 50, 54])
def test_other_type_changes_count(rule):
    assert not ignored("runs", r"S[dcl]\NP", 1, rule=rule)


@pytest.mark.parametrize(
    ("category", "slot", "rules"),
    [
        ("conj", 1, {0}),
        (r"(S[to]\NP)/(S[b]\NP)", 1, {0, 2, 3, 6, 9}),
        (r"(S[to]\NP)/(S[b]\NP)", 2, set()),
        (r"(S[b]\NP)/NP", 1, {6}),
        (r"(S[b]\NP)/PP", 1, {6}),
        (r"((S[b]\NP)/PP)/NP", 1, {6}),
        ("S/S", 1, {5, 13, 55}),
        (r"(S/S)\(S/S)", 2, {97}),
        (r"(S\NP)\(S\NP)", 2, {4, 8, 93}),
        (r"(S\NP)/(S\NP)", 2, {18, 94}),
        (r"(S\NP)/(S\NP)", 1, set()),
    ],
)
def test_relations_are_ignored_after_certain_type_changes(category, slot, rules):
    always = {7, 11, 12, 14, 15, 16, 17, 51, 52, 56, 91, 92, 95, 96, 98}
    assert {rule for rule in range(100) if ignored("w", category, slot, rule=rule)} == rules | always


@pytest.mark.parametrize(
    ("head", "category", "slot"),
    [
        ("been", r"(S[pt]\NP)/(S[ng]\NP)", 1),
        ("been", r"(S[pt]\NP)/(S[pss]\NP)", 1),
        ("be", r"(S[b]\NP)/(S[adj]\NP)", 1),
        ("have", r"(S[b]\NP)/(S[pt]\NP)", 1),
        ("have", r"(S[b]\NP)/(S[to]\NP)", 1),
        ("going", r"(S[ng]\NP)/(S[to]\NP)", 1),
        ("Here", r"S[adj]\NP", 1),
        ("from", r"((NP\NP)/(NP\NP))/NP", 1),
    ],
)
def test_slots_of_certain_words_are_ignored(head, category, slot):
    assert ignored(head, category, slot)
    assert ignored(f"{head}_x", category, slot)  # C&C cuts the index off at the first underscore
    assert not ignored(head.swapcase(), category, slot)
    assert not ignored(head, category, slot + 1)
    assert not ignored(head, category, slot, rule=1)


def test_with_cands_markup_conjunctions_are_ignored_as_by_its_script():
    conj = Category.parse("conj")
    for markup in ("conj", None):
        assert is_ignored(Dependency(1, conj, 1, 0, 0, markup), ["a", "and", "b"], {conj: "conj{_}"})


def test_with_cands_markup_only_what_is_marked_up_so_is_ignored():
    """C&C's script compares spellings of marked-up categories, so other markup is not ignored by it."""
    category = Category.parse(r"(S[to]\NP)/(S[b]\NP)")
    theirs = r"((S[to]{_}\NP{Z}<1>){_}/(S[b]{Y}<2>\NP{Z*}){Y}){_}"
    ours = r"((S[to]{_}\NP{Y}<1>){_}/(S[b]{Z}<2>\NP{Y*}){Z}){_}"
    words, known = ["to", "it"], {category: theirs, Category.parse("conj"): "conj"}
    for markup, expected in ((theirs, True), (ours, False), (None, False)):
        assert is_ignored(Dependency(0, category, 1, 1, 0, markup), words, known) is expected
        assert is_ignored(Dependency(0, category, 1, 1, 0, markup), words)
        assert is_ignored(Dependency(0, category, 1, 1, 7, markup), words, known)  # by its rule alone
    assert is_ignored(Dependency(0, Category.parse("conj"), 1, 1), words, known)


def test_fragments_are_no_parse_but_what_is_right_in_them_counts_over_all():
    tokens, category = (Token("dogs"), Token("bark")), Category.parse(r"S[dcl]\NP")
    link = Dependency(1, category, 1, 0)
    gold = Sentence(tokens, ((Supertag(Category.parse("NP")),), (Supertag(category),)), dependencies=(link,))
    scores = DependencyScores()
    scores.add(score_sentence(gold, gold))
    scores.add(score_sentence(gold, replace(gold, meta={"status": "fragments"})))
    assert scores.coverage == 0.5
    assert scores.parsed.labelled == Counts(1, 1, 1)
    assert scores.all.labelled == Counts(2, 2, 2)


def test_the_dependencies_of_gold_trees_are_those_of_the_trees():
    """Not those of a parser with the same categories, which attaches as it likes."""
    tree = (
        "ID=1\n(<T S[dcl] 1 2> (<L NP _ _ We NP>) (<T S[dcl]\\NP 0 2> (<T S[dcl]\\NP 0 2> "
        "(<L (S[dcl]\\NP)/NP _ _ see (S[dcl]\\NP)/NP>) (<L NP _ _ them NP>) ) "
        "(<L (S\\NP)\\(S\\NP) _ _ now (S\\NP)\\(S\\NP)>) ) )\n"
    )
    (read,) = loads(tree, "auto")
    gold = with_dependencies(read, load_scheme("rebank"))
    assert {(link.head, link.slot, link.argument) for link in gold.dependencies} == {
        (1, 1, 0),
        (1, 2, 2),
        (3, 2, 1),
    }
    (written,) = deps.loads(deps.dumps([gold]))
    assert score_sentence(gold, written).labelled == Counts(3, 3, 3)


def test_there_as_a_subject_of_be_is_ignored():
    for head, category in (("been", r"(S[pt]\NP)/NP"), ("be", r"(S[b]\NP)/NP")):
        assert ignored(head, category, 1, "there") and ignored(head, category, 1, "There")
        assert not ignored(head, category, 1, "THERE")


SIZE = 4
CATEGORIES = [Category.parse(text) for text in ("N/N", r"S[dcl]\NP", r"(S[b]\NP)/NP")]
links = st.builds(
    Dependency, st.integers(0, SIZE - 1), st.sampled_from(CATEGORIES), st.integers(1, 2),
    st.integers(0, SIZE - 1),
)  # fmt: skip


def sentence(dependencies, category="N"):
    tokens = tuple(Token(word) for word in "abcd")
    return Sentence(tokens, ((Supertag(Category.parse(category)),),) * SIZE, None, dependencies)


@given(st.lists(links), st.lists(links))
def test_counts_are_those_of_sets(gold, test):
    score = score_sentence(sentence(tuple(gold)), sentence(tuple(test)))
    assert score.labelled == Counts(len(set(gold) & set(test)), len(set(test)), len(set(gold)))
    pairs = [{(link.head, link.argument) for link in side} for side in (gold, test)]
    assert score.unlabelled == Counts(len(pairs[0] & pairs[1]), len(pairs[1]), len(pairs[0]))


@examples(20)
@given(st.lists(st.tuples(st.lists(links), st.none() | st.lists(links)), max_size=5))
def test_relations_add_up_and_failures_count_only_over_all(pairs):
    scores = DependencyScores()
    for gold, test in pairs:
        scores.add(score_sentence(sentence(tuple(gold)), sentence(None if test is None else tuple(test))))
    assert sum(scores.relations.values(), Counts()) == scores.parsed.labelled
    assert scores.all.sentences == len(pairs)
    assert scores.parsed.sentences == sum(test is not None for _, test in pairs)
    assert scores.parsed.labelled.test == scores.all.labelled.test


def test_f_of_nothing_is_zero():
    assert Counts().f1 == Counts(0, 3, 3).f1 == 0.0


def test_what_is_ignored_counts_even_where_nothing_else_is_left():
    conj = Dependency(1, Category.parse("conj"), 1, 0)
    score = score_sentence(sentence(()), sentence((conj,)), is_ignored, empty_is_failure=True)
    scores = DependencyScores()
    scores.add(score)
    assert not score.parsed
    assert scores.parsed.skipped == 1.0
