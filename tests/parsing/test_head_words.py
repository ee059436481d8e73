"""Scores of head words: a parser weighs them against supertags and rules, the best derivation is found."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from math import inf, nan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from strategies import examples

from ccgkit.constraints import makes_cluster
from ccgkit.grammar import Derivation, Rule, load_scheme
from ccgkit.grammar.rules import Kind
from ccgkit.parsing import Costs, Limits, Parser, Status, is_compiled, parse_in_parallel
from ccgkit.parsing.costs import load_costs
from ccgkit.parsing.outside import Outside
from ccgkit.sentence import Sentence

from .test_constraints import ENGINES, TELESCOPE, attachment, sentences, tagged

WEIGHED = Costs(head_words=0.5)


def telescope(head: int) -> Sentence:
    """The sentence with a scorer that has the preposition depend on this word."""
    scores = np.full((7, 8), -1.0)
    scores[4] = -6.0
    scores[4, head] = -0.01
    return replace(tagged(*TELESCOPE), head_words=scores)


@pytest.mark.parametrize("compiled", ENGINES)
def test_head_words_choose_the_reading(compiled: bool) -> None:
    parser = Parser(load_scheme("rebank"), costs=WEIGHED, compiled=compiled)
    assert [attachment(parser.parse(telescope(head))) for head in (1, 3)] == ["((S", "(NP"]
    indifferent = Parser(load_scheme("rebank"), costs=replace(WEIGHED, head_words=0.0), compiled=compiled)
    assert [attachment(indifferent.parse(telescope(head))) for head in (1, 3)] == ["((S", "((S"]


def test_the_less_is_known_of_head_words_the_lower_the_confidence() -> None:
    parser, sentence = Parser(load_scheme("rebank"), costs=WEIGHED), tagged(*TELESCOPE)
    derivation = parser.parse(sentence).derivation
    assert derivation is not None
    confidences = []
    for share in (0.99, 0.9, 0.5):
        scores = np.full((7, 8), np.log((1 - share) / 7))
        for dependent, head in enumerate(derivation.head_words()):
            scores[dependent, head] = np.log(share)
        result = parser.parse(replace(sentence, head_words=scores))
        assert result.derivation == derivation
        confidences.append(result.confidence or 0.0)
    assert 1 > confidences[0] > confidences[1] > confidences[2] > 0


@pytest.mark.parametrize("compiled", ENGINES)
def test_type_raised_arguments_in_a_cluster_do_not_depend_on_each_other(compiled: bool) -> None:
    """Steedman's (1985) argument cluster coordination, with a scorer that knows what depends on what."""
    words = "He|NP gave|((S[dcl]\\NP)/NP)/NP Kim|NP books|NP and|conj Lee|NP records|NP"
    scores = np.full((7, 8), -20.0)
    for dependent, head in enumerate((1, 7, 1, 1, 5, 2, 1)):
        scores[dependent, head] = 0.0
    sentence = replace(tagged(*words.split()), head_words=scores)
    free, weighed = (
        Parser(load_scheme("rebank"), costs=costs, compiled=compiled).parse(sentence)
        for costs in (replace(WEIGHED, head_words=0.0), WEIGHED)
    )
    assert weighed.derivation == free.derivation
    assert weighed.parses[0].score == pytest.approx(free.parses[0].score, abs=0.01)  # but for distances
    arguments = {link.argument for link in weighed.dependencies if link.head == 1}
    assert arguments == {0, 2, 3, 5, 6}


def test_what_waits_on_the_agenda_is_among_the_fragments_where_a_limit_ends_the_search() -> None:
    scores = np.log(np.random.default_rng(1).dirichlet(np.full(9, 0.2), 8) + 1e-9)
    sentence = replace(tagged(*["NP|N|N/N"] * 8), head_words=scores)
    found = [
        Parser(load_scheme("rebank"), costs=WEIGHED, limits=Limits(max_items=2), compiled=compiled).parse(
            sentence
        )
        for compiled in ENGINES
    ]
    for result in found:
        assert result.status is Status.FRAGMENTS and "limit of 2 items" in result.reason
        assert [len(tree.tokens) for tree in result.parses[0].derivations] == [1] * 8
    assert len({(result.items, result.parses[0].score) for result in found}) == 1


def test_head_words_go_with_the_sentences_to_other_processes() -> None:
    parser = Parser(load_scheme("rebank"), costs=WEIGHED)
    results = parse_in_parallel(parser, [telescope(1), telescope(3)], 2)
    assert [attachment(result) for result in results] == ["((S", "(NP"]


@pytest.mark.parametrize("compiled", ENGINES)
@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        (np.zeros((7, 7)), "have the shape (7, 7) for 7 words"),
        (np.full((7, 8), nan), "are not finite"),
        (np.full((7, 8), inf), "are not finite"),
    ],
)
def test_scores_that_cannot_be_are_a_reason(compiled: bool, scores: np.ndarray, reason: str) -> None:
    parser = Parser(load_scheme("rebank"), costs=WEIGHED, compiled=compiled)
    wrong = replace(tagged(*TELESCOPE), head_words=scores)
    first, second = parser.pipe([wrong, tagged(*TELESCOPE)])
    assert first.status is Status.FAILED and reason in first.reason
    assert second.status is Status.PARSED


@st.composite
def scored(draw: st.DrawFn) -> Sentence:
    sentence = draw(sentences())
    size = len(sentence.tokens)
    return replace(
        sentence, head_words=draw(arrays(np.float32, (size, size + 1), elements=st.floats(-12, 0, width=32)))
    )


@examples(15)
@given(sentence=scored(), distance=st.sampled_from((0.0, 0.3)))
def test_of_all_derivations_the_best_by_heads_and_tags_is_found(sentence: Sentence, distance: float) -> None:
    rules = load_scheme("rebank")
    plain = Costs(distance=0.0)  # constituents are told apart by their heads only where heads cost
    everything = Parser(rules, 2000, betas=(0,), costs=plain, distinct="derivations").parse(sentence)
    weighed = replace(plain, distance=distance, head_words=0.5)
    for compiled in ENGINES:
        best = Parser(rules, betas=(0,), costs=weighed, compiled=compiled).parse(sentence)
        assume(not any(_has_cluster(parse.derivation) for parse in (*best.parses, *everything.parses)))
        assert best.spans == everything.spans
        if best.spans:
            totals = [
                parse.score - _heads(sentence, parse.derivation) - distance * _between(parse.derivation)
                for parse in everything.parses
            ]
            assert best.parses[0].score == pytest.approx(max(totals), abs=1e-4)


def _heads(sentence: Sentence, derivation: Derivation) -> float:
    """What the head words of a derivation cost."""
    costs = _costs(sentence)
    return float(sum(costs[place, head] for place, head in enumerate(derivation.head_words())))


def _has_cluster(derivation: Derivation) -> bool:
    """Whether words are put together of which none depends on another."""
    return any(
        len(node.children) == 2 and makes_cluster(node.rule, *(child.category for child in node.children))
        for node in derivation.nodes()
    )


def _costs(sentence: Sentence) -> np.ndarray:
    assert sentence.head_words is not None
    return np.minimum(0.5 * (sentence.head_words.max(1, keepdims=True) - sentence.head_words), 8.0)


def _between(derivation: Derivation) -> int:
    """The words between heads that are joined, but for marks."""
    return sum(
        right - left - 1 for left, right, rule in _joined(derivation) if rule.kind is not Kind.PUNCTUATION
    )


def _joined(derivation: Derivation) -> list[tuple[int, int, Rule]]:
    """The heads that each binary step joins, and its rule."""
    places, joined = count(), []

    def head(node: Derivation, children: tuple[int, ...]) -> int:
        if len(children) == 2 and node.rule is not None:
            joined.append((*children, node.rule))
        return children[node.head] if children else next(places)

    derivation.fold(head)
    return joined


@pytest.mark.skipif(not is_compiled(), reason="the compiled search was not built")
@examples(15)
@given(sentence=scored(), nbest=st.integers(1, 3), scheme=st.sampled_from(("ccgbank", "rebank", "udccg")))
def test_both_searches_find_the_same_by_heads(sentence: Sentence, nbest: int, scheme: str) -> None:
    costs = replace(load_costs(scheme), head_words=0.5)
    one, other = (
        Parser(load_scheme(scheme), nbest, costs=costs, compiled=compiled).parse(sentence)
        for compiled in (True, False)
    )
    assert (one.status, one.items, one.reason) == (other.status, other.items, other.reason)
    assert [parse.derivations for parse in one.parses] == [parse.derivations for parse in other.parses]
    assert [parse.score for parse in one.parses] == [parse.score for parse in other.parses]


@given(sentence=scored(), data=st.data())
def test_what_has_to_follow_is_never_more_than_what_follows(sentence: Sentence, data: st.DataObject) -> None:
    size = len(sentence.tokens)
    heads = data.draw(st.lists(st.integers(0, size), min_size=size, max_size=size))
    links = np.repeat(_costs(sentence), 3, axis=1).ravel().tolist()
    outside = Outside(size, 0.3, links, [False] * size)
    start, end = sorted(data.draw(st.lists(st.integers(0, size), min_size=2, max_size=2, unique=True)))
    head = data.draw(st.integers(start, end - 1))
    heads[head] = data.draw(st.sampled_from([g for g in range(size + 1) if not start <= g < end]))
    following = [word for word in range(size) if not start <= word < end or word == head]
    assume(all(heads[word] != word for word in following))
    cost = sum(
        _costs(sentence)[word, heads[word]]
        + (0.3 * (abs(heads[word] - word) - 1) if heads[word] < size else 0)
        for word in following
    )
    assert outside(start, end, head) <= cost + 1e-6
