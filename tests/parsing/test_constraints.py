"""Constraints on a derivation: what they say of one, how they are written, and that the search keeps them."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from math import inf
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ccgkit.corpora import loads
from ccgkit.grammar import Category, Derivation, annotate, load_scheme
from ccgkit.parsing import (
    ConstraintError,
    Constraints,
    Costs,
    Filter,
    Pair,
    Parser,
    ParseResult,
    Span,
    Status,
    is_compiled,
    parse_in_parallel,
)
from ccgkit.sentence import Sentence, Supertag, Token
from ccgkit.text import read_brackets

ENGINES = [False, *([True] if is_compiled() else [])]
LEXICON = tuple(map(Category.parse, (
    "NP", "N", "NP/N", r"S[dcl]\NP", r"(S[dcl]\NP)/NP", "N/N", r"(NP\NP)/NP", "conj", ",", "PP/NP",
    r"((S\NP)\(S\NP))/NP", r"(S\NP)\(S\NP)", r"(S[b]\NP)/NP", r"(S[dcl]\NP)/(S[b]\NP)",
)))  # fmt: skip
N, NP, PP = map(Category.parse, ("N", "NP", "PP"))

AUTO = (
    "ID=1 PARSER=GOLD NUMPARSE=1\n"
    r"(<T S[dcl] 1 2> (<T NP 1 2> (<L NP/N DT DT the NP/N>) (<T N 1 2> (<L N/N JJ JJ old N/N>) "
    r"(<L N NN NN man N>) ) ) (<T S[dcl]\NP 0 2> (<L (S[dcl]\NP)/NP VBD VBD saw (S[dcl]\NP)/NP>) "
    "(<L NP PRP PRP her NP>) ) )\n"
)


def tree() -> Derivation:
    (sentence,) = loads(AUTO, "auto")
    assert sentence.derivations
    return annotate(sentence.derivations[0], load_scheme("rebank"))


@pytest.mark.parametrize(
    "kept",
    [
        Constraints(spans=(Span(0, 3), Span(1, 3, categories=(N,)), Span(2, 4, wanted=False))),
        Constraints(spans=(Span(0, 3, categories=(PP, NP)), Span(0, 3, False, categories=(N,)))),
        Constraints(pairs=(Pair(3, 2, "argument"), Pair(2, 0, "modifier"), Pair(2, 1), Pair(3, 4))),
        Constraints(pairs=(Pair(4, 3), Pair(2, 4, wanted=False), Pair(3, 4, "modifier", wanted=False))),
        Constraints(filters=(Filter(2, (N,)), Filter(3, targets=(Category.parse("S"),), arguments=(NP, NP)))),
        Constraints(filters=(Filter(3, arguments=(PP,), wanted=False),)),
    ],
)
def test_what_a_derivation_keeps_is_not_told(kept: Constraints) -> None:
    assert kept.violations(tree()) == []


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (Constraints(spans=(Span(2, 4),)), "'man saw' is not a constituent: 'saw her' crosses it"),
        (Constraints(spans=(Span(1, 3, wanted=False),)), "'old man' is a constituent"),
        (Constraints(spans=(Span(1, 3, categories=(NP,)),)), "'old man' is N"),
        (Constraints(spans=(Span(1, 3, False, categories=(NP, N)),)), "'old man' is N"),
        (Constraints(pairs=(Pair(3, 0),)), "'the' depends on 'man'"),
        (Constraints(pairs=(Pair(3, 2, "modifier"),)), "'man' depends on 'saw' as argument"),
        (Constraints(pairs=(Pair(3, 4, wanted=False),)), "'her' depends on 'saw'"),
        (Constraints(filters=(Filter(2, (NP,)),)), "'man' is N"),
        (Constraints(filters=(Filter(3, arguments=(PP,)),)), r"'saw' is (S[dcl]\NP)/NP"),
    ],
)
def test_what_a_derivation_breaks_is_told_in_words(broken: Constraints, reason: str) -> None:
    assert [one.reason for one in broken.violations(tree())] == [reason]


def test_constraints_are_written_and_read() -> None:
    known = Constraints(
        (Span(0, 2, categories=(NP,)), Span(1, 3, False, 0.5)),
        (Pair(0, 1, "argument"), Pair(2, 1, wanted=False)),
        (Filter(0, (N, NP)), Filter(1, (), (N,), (PP,), False, 2.0)),
    )
    assert Constraints.from_dict(known.to_dict()) == known
    assert known and not Constraints.from_dict({})


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Span(2, 2),
        lambda: Span(0, 1, cost=0.0),
        lambda: Pair(1, 1),
        lambda: Pair(0, 1, "subject"),  # type: ignore[arg-type]
        lambda: Filter(0),
        lambda: Constraints(spans=(Span(0, 9),)).violations(tree()),
        lambda: Constraints.from_dict({"spans": [{"from": 1}]}),
    ],
)
def test_constraints_that_say_nothing_are_refused(wrong) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConstraintError):
        wrong()


TELESCOPE = ("NP", r"(S[dcl]\NP)/NP", "NP/N", "N", r"((S\NP)\(S\NP))/NP|(NP\NP)/NP", "NP/N", "N")


def tagged(*words: str, share: float = 0.4) -> Sentence:
    """Words with the categories that bars separate, each less probable than the one before."""
    tags = tuple(
        tuple(
            Supertag(Category.parse(one), rank * math.log(share)) for rank, one in enumerate(word.split("|"))
        )
        for word in words
    )
    return Sentence(tuple(Token(f"w{number}") for number in range(len(tags))), tags)


def attachment(result: ParseResult) -> str:
    """What the preposition of the telescope sentence modifies."""
    assert result.derivation is not None
    return str(list(result.derivation.leaves())[4].category)[:3]


@pytest.mark.parametrize("compiled", ENGINES)
@pytest.mark.parametrize(
    "constraints",
    [
        Constraints(spans=(Span(2, 7),)),
        Constraints(spans=(Span(1, 4, wanted=False),)),
        Constraints(spans=(Span(2, 7, cost=3.0),)),
        Constraints(pairs=(Pair(3, 4),)),
        Constraints(pairs=(Pair(3, 4, "modifier", cost=3.0),)),
        Constraints(pairs=(Pair(1, 4, wanted=False),)),
        Constraints(filters=(Filter(4, targets=(NP,)),)),
        Constraints(filters=(Filter(4, targets=(Category.parse("S"),), wanted=False, cost=3.0),)),
    ],
)
def test_a_constraint_changes_the_reading(compiled: bool, constraints: Constraints) -> None:
    parser = Parser(load_scheme("rebank"), compiled=compiled)
    assert attachment(parser.parse(tagged(*TELESCOPE))) == "((S"
    assert attachment(parser.parse(tagged(*TELESCOPE), constraints=constraints)) == "(NP"


@pytest.mark.parametrize("compiled", ENGINES)
@pytest.mark.parametrize(
    "weak", [Constraints((Span(2, 7, cost=0.1),)), Constraints((), (Pair(3, 4, cost=0.1),))]
)
def test_a_constraint_of_little_cost_changes_nothing(compiled: bool, weak: Constraints) -> None:
    parser = Parser(load_scheme("rebank"), compiled=compiled)
    assert attachment(parser.parse(tagged(*TELESCOPE), constraints=weak)) == "((S"


@pytest.mark.parametrize("compiled", ENGINES)
def test_a_constituent_has_the_category_that_is_wanted(compiled: bool) -> None:
    sentence, parser = tagged("N/N", "N"), Parser(load_scheme("rebank"), compiled=compiled)
    for span in (Span(0, 2, categories=(NP,)), Span(0, 2, False, categories=(N,))):
        result = parser.parse(sentence, constraints=Constraints((span,)))
        if span.wanted:
            assert result.derivation is not None and result.derivation.category is NP
        else:
            assert result.status is Status.FRAGMENTS


@pytest.mark.parametrize("compiled", ENGINES)
def test_a_category_that_the_tagger_has_not_is_given_to_the_word(compiled: bool) -> None:
    parser = Parser(load_scheme("rebank"), compiled=compiled)
    verb = Category.parse(r"S[dcl]\NP")
    result = parser.parse(tagged("NP", "N"), constraints=Constraints(filters=(Filter(1, (verb,)),)))
    assert result.derivation is not None and str(result.derivation.category) == "S[dcl]"
    with pytest.raises(ConstraintError, match="'w1', word 1, has no supertag"):
        parser.parse(tagged("NP", "N"), constraints=Constraints(filters=(Filter(1, targets=(PP,)),)))


@cache
def sentences() -> st.SearchStrategy[Sentence]:
    tags = st.dictionaries(st.sampled_from(LEXICON), st.floats(0.01, 1), min_size=1, max_size=3)
    word = tags.map(lambda shares: tuple(Supertag(one, math.log(share)) for one, share in shares.items()))
    words = st.lists(word, min_size=2, max_size=6).map(tuple)
    return words.map(lambda k_best: Sentence(tuple(Token("w") for _ in k_best), k_best))


@st.composite
def constraints(draw: st.DrawFn, size: int, costs: st.SearchStrategy[float]) -> Constraints:
    """Any constraints on a sentence of `size` words, of which a solution may exist or not."""
    place, categories = st.integers(0, size - 1), st.sampled_from((N, NP, Category.parse(r"S[dcl]\NP")))
    spans = [
        Span(
            start,
            end,
            draw(st.booleans()) or end == start + 1,
            draw(costs),
            draw(st.sampled_from(((), (NP,)))),
        )
        for start, end in draw(st.lists(st.tuples(place, st.integers(1, size)), max_size=2))
        if start < end
    ]
    kinds: list[Literal["argument", "modifier"] | None] = [None, "argument", "modifier"]
    pairs = [
        Pair(head, dependent, draw(st.sampled_from(kinds)), draw(st.booleans()), draw(costs))
        for head, dependent in draw(st.lists(st.tuples(place, place), max_size=3))
        if head != dependent
    ]
    filters = [
        Filter(word, targets=(draw(categories).target,), wanted=draw(st.booleans()), cost=0.5)
        for word in draw(st.lists(place, max_size=1))
    ]
    return Constraints(tuple(spans), tuple(pairs), tuple(filters))


@pytest.mark.skipif(not is_compiled(), reason="the compiled search was not built")
@pytest.mark.parametrize("scheme", ["ccgbank", "rebank", "udccg"])
@examples(15)
@given(data=st.data())
def test_both_searches_find_the_same_under_constraints(scheme: str, data: st.DataObject) -> None:
    sentence = data.draw(sentences())
    known = data.draw(constraints(len(sentence.tokens), st.sampled_from((0.3, 2.0, inf))))
    nbest, rules = data.draw(st.integers(1, 3)), load_scheme(scheme)
    one, other = (
        Parser(rules, nbest, compiled=compiled).parse(sentence, constraints=known)
        for compiled in (True, False)
    )
    assert (one.status, one.items, one.reason) == (other.status, other.items, other.reason)
    assert [parse.derivations for parse in one.parses] == [parse.derivations for parse in other.parses]
    assert [parse.score for parse in one.parses] == [parse.score for parse in other.parses]


@pytest.mark.parametrize("scheme", ["ccgbank", "rebank"])
@examples(15)
@given(data=st.data())
def test_of_all_derivations_the_best_that_keeps_the_constraints_is_found(
    scheme: str, data: st.DataObject
) -> None:
    sentence = data.draw(sentences())
    known = data.draw(constraints(len(sentence.tokens), st.just(inf)))
    known = Constraints(known.spans, known.pairs)
    rules = load_scheme(scheme)
    costs = Costs(distance=0.0)  # which is by heads, and constituents are told apart by theirs only for pairs
    everything = Parser(rules, 2000, betas=(0,), costs=costs, distinct="derivations").parse(sentence)
    spanning = everything.parses if everything.spans else ()
    kept = [parse for parse in spanning if not known.violations(parse.derivation)]
    try:
        best = Parser(rules, betas=(0,), costs=costs).parse(sentence, constraints=known)
    except ConstraintError:
        best = None
    if kept:
        assert best is not None and best.derivation is not None
        assert best.parses[0].score == pytest.approx(kept[0].score)
    elif best is not None:
        assert best.status is Status.FRAGMENTS


@pytest.mark.parametrize("compiled", ENGINES)
@pytest.mark.parametrize(
    ("constraints", "reason"),
    [
        (Constraints((Span(1, 4), Span(2, 7))), "'w1 w2 w3' and 'w2 w3 w4 w5 w6' overlap"),
        (Constraints((Span(1, 4), Span(1, 4, False))), "'w1 w2 w3' cannot both be and not be a constituent"),
        (Constraints((), (Pair(1, 4), Pair(3, 4))), "'w4' cannot depend on 'w1' and on 'w3'"),
        (Constraints((Span(0, 2, categories=(PP,)),)), "none that keeps the constraints does"),
    ],
)
def test_what_cannot_hold_together_is_said(compiled: bool, constraints: Constraints, reason: str) -> None:
    result = Parser(load_scheme("rebank"), compiled=compiled).parse(
        tagged(*TELESCOPE), constraints=constraints
    )
    assert result.status is Status.FRAGMENTS and reason in result.reason


@pytest.mark.parametrize("compiled", ENGINES)
def test_sentences_carry_their_constraints_and_fail_alone(compiled: bool) -> None:
    sentence, parser = tagged(*TELESCOPE), Parser(load_scheme("rebank"), compiled=compiled)
    wanted = [None, Constraints((Span(2, 7),)), Constraints((Span(2, 9),)), None]
    results = list(parser.pipe(replace(sentence, constraints=one) for one in wanted))
    assert [result.status.value for result in results] == ["parsed", "parsed", "failed", "parsed"]
    assert [attachment(result) for result in results if result.spans] == ["((S", "(NP", "((S"]
    assert "word 8, but there are 7 words" in results[2].reason


def test_constraints_go_with_the_sentences_to_other_processes() -> None:
    sentence, parser = tagged(*TELESCOPE), Parser(load_scheme("rebank"))
    sentences = [sentence, replace(sentence, constraints=Constraints((Span(2, 7),)))]
    assert [attachment(result) for result in parse_in_parallel(parser, sentences, 2)] == ["((S", "(NP"]


@pytest.mark.parametrize(
    ("text", "words", "constraints"),
    [
        ("The old man", "The old man", Constraints()),
        ("[The man] [saw [her]]", "The man saw her", Constraints((Span(0, 2), Span(3, 4), Span(2, 4)))),
        ("[ the man ]|NP sleeps", "the man sleeps", Constraints((Span(0, 2, categories=(NP,)),))),
        (r"time|N flies|S[dcl]\NP", "time flies", Constraints(
            (), (), (Filter(0, (N,)), Filter(1, (Category.parse(r"S[dcl]\NP"),))))),
        (r"a \[ b \] c\|d", "a [ b ] c|d", Constraints()),
        ("[[very] old]", "very old", Constraints((Span(0, 1), Span(0, 2)))),
    ],
)  # fmt: skip
def test_brackets_and_bars_say_what_is_known(text: str, words: str, constraints: Constraints) -> None:
    assert read_brackets(text) == (words.split(), constraints)


@pytest.mark.parametrize(
    ("text", "column"),
    [("a [b c", 3), ("a] b", 2), ("a [ ] b", 3), ("a|N/ b", 1), ("[a b]| c", 5), ("|N", 1)],
)
def test_brackets_that_do_not_match_are_shown(text: str, column: int) -> None:
    with pytest.raises(ConstraintError, match=f"column {column}") as error:
        read_brackets(text)
    assert str(error.value).endswith(f"\n    {text}\n    {'^':>{column}}")
