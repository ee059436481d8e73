"""Scores of head words: a parser weighs them against supertags and rules, the best derivation is found."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ccgkit.grammar import load_scheme
from ccgkit.parsing import Costs, Parser, Status, parse_in_parallel
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


@settings(max_examples=60)
@given(sentence=scored())
def test_of_all_derivations_the_best_by_heads_and_tags_is_found(sentence: Sentence) -> None:
    rules = load_scheme("rebank")
    plain = Costs(distance=0.0)  # constituents are told apart by their heads only where heads cost
    everything = Parser(rules, 2000, betas=(0,), costs=plain, distinct="derivations").parse(sentence)
    for compiled in ENGINES:
        best = Parser(rules, betas=(0,), costs=replace(plain, head_words=0.5), compiled=compiled).parse(
            sentence
        )
        assert best.spans == everything.spans
        if best.spans:
            totals = [parse.score - _heads(sentence, parse.derivation) for parse in everything.parses]
            assert best.parses[0].score == pytest.approx(max(totals), abs=1e-4)


def _heads(sentence: Sentence, derivation) -> float:  # type: ignore[no-untyped-def]
    """What the head words of a derivation cost."""
    assert sentence.head_words is not None
    costs = np.minimum(0.5 * (sentence.head_words.max(1, keepdims=True) - sentence.head_words), 8.0)
    size = len(sentence.tokens)
    return float(sum(costs[place, head % (size + 1)] for place, head in enumerate(derivation.head_words())))
