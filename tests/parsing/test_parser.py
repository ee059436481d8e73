"""The embedded parser: what it finds, what it says when it finds nothing, and that it always comes back."""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, lexical_categories

from ccgkit.grammar import Category, Dependency, in_normal_form, load_scheme, unlicensed
from ccgkit.parsing import Constraints, Costs, Filter, Limits, Parser, ParsingError, Status, is_compiled
from ccgkit.parsing.chart import Found, Query
from ccgkit.sentence import Sentence, Supertag, Token

ENGINES = [False, *([True] if is_compiled() else [])]
LEXICON = (r"NP", r"N", r"NP/N", r"S[dcl]\NP", r"(S[dcl]\NP)/NP", r"N/N", r"(NP\NP)/NP", r"conj", r",", r".",
           r"((S\NP)\(S\NP))/NP", r"(S\NP)\(S\NP)", r"(S[b]\NP)/NP", r"(S[dcl]\NP)/(S[b]\NP)",
           "PP/NP")  # fmt: skip


def tagged(*words: str | Sequence[tuple[str, float]], id: str | None = None) -> Sentence:
    """A sentence of words with one category, or with several and their probabilities."""
    tags = tuple(
        (Supertag(Category.parse(word)),)
        if isinstance(word, str)
        else tuple(Supertag(Category.parse(category), math.log(share)) for category, share in word)
        for word in words
    )
    return Sentence(tuple(Token(f"w{number}") for number in range(len(tags))), tags, id=id)


@pytest.mark.parametrize("compiled", ENGINES)
def test_the_best_supertags_that_fit_together_are_chosen(compiled: bool) -> None:
    verb = ((r"S[dcl]\NP", 0.6), (r"(S[dcl]\NP)/NP", 0.3), ("N", 0.1))
    result = Parser(load_scheme("ccgbank"), compiled=compiled).parse(tagged("NP", verb, "NP"))
    assert result.status is Status.PARSED
    assert result.derivation is not None
    assert [str(leaf.category) for leaf in result.derivation.leaves()] == ["NP", r"(S[dcl]\NP)/NP", "NP"]
    assert str(result.derivation.category) == "S[dcl]"
    assert result.best is not None
    assert result.best.score == pytest.approx(math.log(0.3), abs=0.05)


@pytest.mark.parametrize("compiled", ENGINES)
def test_a_tight_beta_is_widened_until_there_is_a_parse(compiled: bool) -> None:
    verb = ((r"S[dcl]\NP", 0.989), (r"(S[dcl]\NP)/PP", 0.011))
    parser = Parser(load_scheme("ccgbank"), betas=(0.1, 0.01), compiled=compiled)
    assert parser.parse(tagged("NP", verb)).beta == 0.1
    wide = parser.parse(tagged("NP", verb, "PP"))
    assert (wide.status, wide.beta) == (Status.PARSED, 0.01)


@pytest.mark.parametrize("compiled", ENGINES)
def test_only_a_sentence_that_needs_more_supertags_is_widened(compiled: bool) -> None:
    verb = ((r"S[dcl]\NP", 0.9895), (r"(S[dcl]\NP)/NP", 0.0105), (r"(S[dcl]\NP)/PP", 0.005))
    narrow = [tagged("NP", verb[:2], last) for last in (".", "NP", "PP")]
    asked: list[Sentence] = []

    def widen(sentence: Sentence) -> Sentence:
        asked.append(sentence)
        return tagged("NP", verb, "PP")

    parser = Parser(load_scheme("ccgbank"), betas=(0.01, 0.001, 0.0), compiled=compiled)
    results = list(parser.pipe(narrow, widen))
    assert asked == [narrow[2]]
    assert [result.status for result in results] == [Status.PARSED] * 3
    assert [result.beta for result in results] == [0.01, 0.01, 0.001]
    assert results[2] == parser.parse(tagged("NP", verb, "PP"), "3")
    known = Constraints(filters=(Filter(1, (Category.parse(r"(S[dcl]\NP)/PP"),)),))
    constrained = parser.parse(narrow[2], constraints=known, widen=widen)
    assert constrained.spans and len(asked) == 2


@pytest.mark.parametrize("compiled", ENGINES)
def test_without_a_derivation_there_are_fragments_and_a_reason(compiled: bool) -> None:
    result = Parser(load_scheme("rebank"), compiled=compiled).parse(tagged("NP/N", "N", "PP/NP", "PP/NP"))
    assert result.status is Status.FRAGMENTS
    assert "3 fragments" in result.reason
    assert result.derivation is None
    assert [len(tree.tokens) for tree in result.parses[0].derivations] == [2, 1, 1]
    assert [(link.head, link.argument) for link in result.dependencies] == [(0, 1)]


def test_dependencies_of_fragments_are_numbered_through() -> None:
    result = Parser(load_scheme("rebank")).parse(tagged("PP/NP", "NP/N", "NP/N", "N"))
    assert (2, 3) in [(link.head, link.argument) for link in result.dependencies]


@pytest.mark.parametrize("compiled", ENGINES)
def test_n_best_are_distinct_sorted_named_and_the_same_every_time(compiled: bool) -> None:
    sentence = tagged("NP", r"(S[dcl]\NP)/NP", "NP", *[r"(NP\NP)/NP", "NP"] * 3, id="s7")
    parser = Parser(load_scheme("ccgbank"), nbest=5, compiled=compiled, distinct="derivations")
    result, again = parser.parse(sentence), parser.parse(sentence)
    assert [parse.id for parse in result.parses] == [f"s7/{rank}" for rank in range(1, 6)]
    assert all(one != other for i, one in enumerate(result.derivations) for other in result.derivations[:i])
    scores = [parse.score for parse in result.parses]
    assert scores == sorted(scores, reverse=True)
    assert again.derivations == result.derivations


def attachments(length: int) -> Sentence:
    """A verb, its object, and noun phrases after prepositions that attach to any noun or to the verb."""
    with_ = ((r"((S\NP)\(S\NP))/NP", 0.5), (r"(NP\NP)/NP", 0.4), (r"(N\N)/NP", 0.1))
    return tagged("NP", r"(S[dcl]\NP)/NP", "NP/N", "N", *[with_, "NP/N", "N"] * length, "conj", "NP", ".")


@pytest.mark.parametrize("compiled", ENGINES)
def test_the_first_of_many_are_the_few(compiled: bool) -> None:
    sentence = attachments(2)
    every = Parser(nbest=2000, compiled=compiled, distinct="derivations").parse(sentence)
    assert 500 < len(every.parses) < 2000
    assert len(set(every.derivations)) == len(every.derivations)
    costs = [parse.score for parse in every.parses]
    for nbest in (1, 2, 7, 40):
        found = Parser(nbest=nbest, compiled=compiled, distinct="derivations").parse(sentence)
        assert [parse.score for parse in found.parses] == pytest.approx(costs[:nbest])


@pytest.mark.parametrize("compiled", ENGINES)
def test_no_reading_of_the_derivations_is_missed(compiled: bool) -> None:
    sentence = attachments(2)
    every = Parser(nbest=2000, compiled=compiled, distinct="derivations").parse(sentence)
    readings = Parser(nbest=2000, compiled=compiled).parse(sentence)
    best: dict[frozenset[Dependency], float] = {}
    for parse in every.parses:
        best.setdefault(frozenset(parse.dependencies), parse.score)
    assert len(best) < len(every.parses)
    found = {frozenset(parse.dependencies): parse.score for parse in readings.parses}
    assert found.keys() == best.keys()
    assert all(found[one] == pytest.approx(score) for one, score in best.items())


@pytest.mark.parametrize("compiled", ENGINES)
@pytest.mark.parametrize("distinct", ["dependencies", "derivations"])
def test_who_asks_for_many_readings_of_a_long_sentence_does_not_lose_the_best(
    compiled: bool, distinct: Literal["dependencies", "derivations"]
) -> None:
    sentence, limits = attachments(7), Limits(max_items=20_000)
    best = Parser(compiled=compiled, limits=limits).parse(sentence)
    many = Parser(nbest=30, compiled=compiled, limits=limits, distinct=distinct).parse(sentence)
    assert best.spans and len(many.parses) == 30
    assert many.parses[0].score == pytest.approx(best.parses[0].score)


@pytest.mark.parametrize("compiled", ENGINES)
def test_n_best_are_readings_by_default(compiled: bool) -> None:
    with_ = ((r"((S\NP)\(S\NP))/NP", 0.6), (r"(NP\NP)/NP", 0.2), ("PP/NP", 0.1))
    verb = ((r"(S[dcl]\NP)/NP", 0.9), (r"((S[dcl]\NP)/PP)/NP", 0.05))
    sentence = tagged("NP", verb, "NP/N", "N", with_, "NP/N", "N", ".")
    readings, derivations = (
        Parser(load_scheme("rebank"), nbest=3, compiled=compiled, distinct=distinct).parse(sentence)
        for distinct in ("dependencies", "derivations")
    )
    assert len({parse.dependencies for parse in readings.parses}) == 3
    assert len({parse.dependencies for parse in derivations.parses}) < 3
    leaves = [str(list(tree.leaves())[4].category) for tree in readings.derivations]
    assert leaves[0] == r"((S\NP)\(S\NP))/NP" and r"(NP\NP)/NP" in leaves
    scores = [parse.score for parse in readings.parses]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("compiled", ENGINES)
def test_what_no_finished_utterance_is_comes_last_and_is_doubtful(compiled: bool) -> None:
    parser = Parser(load_scheme("rebank"), compiled=compiled)
    verb = ((r"(S[dcl]\NP)/PP", 0.95), (r"S[dcl]\NP", 0.05))
    assert str(parser.parse(tagged("NP", verb)).derivation) == str(
        parser.parse(tagged("NP", verb[1:])).derivation
    )
    odd = parser.parse(tagged("NP", r"(S[dcl]\NP)/PP"))
    assert odd.status is Status.DOUBTFUL and odd.derivation is not None
    assert odd.reason == "S[dcl]/PP is not a finished utterance"
    alone = Parser(load_scheme("rebank"), compiled=compiled).parse(tagged("S/S"))
    assert alone.status is Status.DOUBTFUL and alone.reason == "S/S is seldom an utterance"


def test_marks_alone_are_doubtful_whatever_a_tagger_makes_of_them() -> None:
    question = (Supertag(Category.parse("S[q]")),)
    result = Parser(load_scheme("rebank")).parse(Sentence((Token("'"),), (question,)))
    assert result.status is Status.DOUBTFUL and result.reason == "there are marks only"
    assert Parser(load_scheme("rebank")).parse(tagged("S[q]")).status is Status.PARSED


@pytest.mark.parametrize(
    ("text", "several"),
    [
        (r"She|NP left|(S[dcl]\NP)/NP .|. He|NP stayed|(S[dcl]\NP)\NP .|.", True),
        (r"``|LRB Stay|S[dcl] .|. ''|RRB she|NP said|(S[dcl]\S[dcl])\NP .|.", False),
        (r"Mr.|N/N Lee|N left|S[dcl]\NP .|.", False),
    ],
)
def test_a_sentence_that_goes_on_after_its_end_is_doubtful(text: str, several: bool) -> None:
    words, categories = zip(*(pair.split("|") for pair in text.split()), strict=True)
    tags = tuple((Supertag(Category.parse(one)),) for one in categories)
    result = Parser(load_scheme("rebank")).parse(Sentence(tuple(map(Token, words)), tags))
    assert result.spans and result.status is (Status.DOUBTFUL if several else Status.PARSED)
    assert result.reason == ("it goes on after 'left .': are these several sentences?" if several else "")


def test_a_wider_beta_is_tried_for_a_finished_utterance() -> None:
    verb = ((r"(S[dcl]\NP)/PP", 0.97), (r"S[dcl]\NP", 0.03))
    result = Parser(load_scheme("rebank")).parse(tagged("NP", verb))
    assert (result.status, result.beta) == (Status.PARSED, 0.01)


def test_the_less_the_tagger_knows_the_lower_the_confidence() -> None:
    parser = Parser(load_scheme("rebank"))
    sure, unsure, lost = (
        parser.parse(tagged(*[[("N/N", share), ("N", 1 - share)]] * 16, "N")) for share in (0.99, 0.9, 0.51)
    )
    confidences = [one.confidence or 0.0 for one in (sure, unsure, lost)]
    assert confidences == sorted(confidences, reverse=True) and 0 < confidences[2] < confidences[0] < 1
    assert sure.status is Status.PARSED
    assert lost.status is Status.DOUBTFUL and "confidence" in lost.reason
    assert sure.to_sentence().meta["confidence"] == f"{sure.confidence:.3f}"


def test_the_first_of_n_best_is_the_best() -> None:
    sentence = tagged("NP", r"(S[dcl]\NP)/NP", "NP", *[r"(NP\NP)/NP", "NP"] * 3)
    scheme = load_scheme("ccgbank")
    best = Parser(scheme).parse(sentence).parses[0]
    assert Parser(scheme, nbest=8).parse(sentence).parses[0].score == pytest.approx(best.score)


@pytest.mark.parametrize("scheme", ["ccgbank", "rebank", "udccg"])
@examples(15)
@given(data=st.data())
def test_derivations_are_licensed_and_normal(scheme: str, data: st.DataObject) -> None:
    categories = data.draw(st.lists(st.sampled_from(LEXICON), min_size=1, max_size=7))
    result = Parser(load_scheme(scheme), nbest=3).parse(tagged(*categories))
    for tree in result.derivations:
        assert not unlicensed(tree, load_scheme(scheme))
        assert in_normal_form(tree)
        assert [str(leaf.category) for leaf in tree.leaves()] == categories


@pytest.mark.skipif(not is_compiled(), reason="the compiled search was not built")
@pytest.mark.parametrize("scheme", ["ccgbank", "rebank", "udccg"])
@examples(15)
@given(data=st.data())
def test_the_compiled_search_finds_what_the_plain_one_finds(scheme: str, data: st.DataObject) -> None:
    tag = st.tuples(st.sampled_from(LEXICON), st.floats(0.001, 1))
    words = data.draw(st.lists(st.lists(tag, min_size=1, max_size=3), min_size=1, max_size=6))
    nbest = data.draw(st.integers(1, 3))
    sentence = tagged(*words)
    rules = load_scheme(scheme)
    one, other = (Parser(rules, nbest, compiled=compiled).parse(sentence) for compiled in (True, False))
    assert (one.status, one.items, one.reason) == (other.status, other.items, other.reason)
    assert [parse.derivations for parse in one.parses] == [parse.derivations for parse in other.parses]
    assert [parse.score for parse in one.parses] == [parse.score for parse in other.parses]


@pytest.mark.parametrize("compiled", ENGINES)
def test_a_category_given_twice_or_out_of_order_counts_once_at_its_best(compiled: bool) -> None:
    parser = Parser(load_scheme("ccgbank"), nbest=3, compiled=compiled)
    result = parser.parse(tagged([("N", 0.1), ("NP", 0.2), ("N", 0.6)]))
    turned = parser.parse(tagged([("N", 0.6), ("NP", 0.2), ("N", 0.1)]))
    assert turned.parses == result.parses
    assert str(result.derivations[0].category) == "N"
    assert result.parses[0].score == pytest.approx(math.log(0.6) - parser.scheme.roots[Category.parse("N")])


@pytest.mark.parametrize("compiled", ENGINES)
@examples(20)
@given(words=st.lists(lexical_categories(10), min_size=1, max_size=8))
def test_categories_never_seen_before_are_parsed_like_any(compiled: bool, words: list[Category]) -> None:
    sentence = Sentence(tuple(Token("w") for _ in words), tuple((Supertag(one),) for one in words))
    limits = Limits(max_items=20_000, timeout=2)
    result = Parser(load_scheme("ccgbank"), limits=limits, compiled=compiled).parse(sentence)
    trees = result.parses[0].derivations
    assert sum(len(tree.tokens) for tree in trees) == len(words)
    assert [leaf.category for tree in trees for leaf in tree.leaves()] == words


@pytest.mark.parametrize("compiled", ENGINES)
@pytest.mark.parametrize(
    "words",
    [
        ["."] * 30,
        ["NP"] * 60,
        [r"(S\NP)\(S\NP)"] * 60,
        ["conj"] * 40,
        ["N/N"] * 250,
        ["NP"],
        [","],
    ],
)
def test_odd_sentences_end_in_time(compiled: bool, words: list[str]) -> None:
    limits = Limits(max_items=30_000, timeout=2)
    start = time.monotonic()
    result = Parser(load_scheme("ccgbank"), limits=limits, compiled=compiled).parse(tagged(*words))
    assert time.monotonic() - start < 12
    assert sum(len(tree.tokens) for tree in result.parses[0].derivations) == len(words)


def test_random_supertags_on_250_words_end_in_time() -> None:
    chance = random.Random(3)
    words = [[(chance.choice(LEXICON), chance.uniform(0.01, 1)) for _ in range(4)] for _ in range(250)]
    start = time.monotonic()
    result = Parser(load_scheme("ccgbank"), limits=Limits(timeout=1.0)).parse(tagged(*words))
    assert time.monotonic() - start < 10
    assert result.status in (Status.DOUBTFUL, Status.FRAGMENTS)
    assert result.reason


@pytest.mark.parametrize("compiled", ENGINES)
def test_limits_are_reported(compiled: bool) -> None:
    scheme = load_scheme("ccgbank")
    full = Parser(scheme, limits=Limits(max_items=30), compiled=compiled).parse(tagged(*["N/N"] * 40, "N"))
    assert "chart" in full.reason
    long = Parser(scheme, limits=Limits(max_words=3), compiled=compiled).parse(tagged(*["N/N"] * 4))
    assert long.status is Status.FAILED
    assert "4 words" in long.reason


def test_the_memory_of_n_best_on_forty_words_is_bounded() -> None:
    modifiers = [r"(NP\NP)/NP", "NP", r"((S\NP)\(S\NP))/NP", "NP"]
    gold = ["NP", r"(S[dcl]\NP)/NP", "NP", *modifiers * 9, "."]
    words = [[(category, 0.7), ("N/N", 0.1), ("NP", 0.1), ("N", 0.1)] for category in gold]
    parser = Parser(load_scheme("ccgbank"), nbest=10, limits=Limits(timeout=20), costs=Costs())
    result = parser.parse(tagged(*words))
    assert len(result.derivations) == 10
    assert result.items <= 1_000_100


def test_a_bad_sentence_does_not_end_a_run() -> None:
    bare = Sentence((Token("w"),))
    odd = Sentence((Token("w"), Token("v")), ((Supertag(Category.parse("N")),), ()))
    parser = Parser(load_scheme("ccgbank"))
    results = list(parser.pipe([bare, Sentence(()), odd, tagged("N")]))
    assert [result.status.value for result in results] == ["failed", "failed", "failed", "parsed"]
    assert all(result.reason for result in results[:3])
    with pytest.raises(ParsingError, match="no supertags"):
        parser.parse(bare)


@pytest.mark.parametrize("logprob", [-math.inf, math.nan, 3.0])
@pytest.mark.parametrize("compiled", ENGINES)
def test_odd_probabilities_do_no_harm(compiled: bool, logprob: float) -> None:
    tags = (Supertag(Category.parse("N"), -0.1), Supertag(Category.parse("NP"), logprob))
    sentence = Sentence((Token("w"),), (tags,))
    assert Parser(load_scheme("ccgbank"), compiled=compiled).parse(sentence).status is Status.PARSED


def test_options_that_make_no_sense_are_refused() -> None:
    for wrong in ({"nbest": 0}, {"betas": ()}, {"betas": (2.0,)}):
        with pytest.raises(ParsingError):
            Parser(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ParsingError):
        Limits(max_words=0)


@pytest.mark.parametrize("compiled", ENGINES)
def test_threads_share_a_parser_that_has_learned_nothing_yet(compiled: bool) -> None:
    sentences = [
        tagged("NP", rf"(S[dcl]\NP)/X{number}", f"X{number}/Y{number}", f"Y{number}") for number in range(40)
    ]
    expected = [Parser(load_scheme("ccgbank")).parse(one).derivation for one in sentences]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(3):
            parser = Parser(load_scheme("ccgbank"), compiled=compiled)
            with ThreadPoolExecutor(8) as threads:
                found = list(threads.map(lambda one: parser.parse(one).derivation, sentences))  # noqa: B023
            assert found == expected
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "scheme"), [("pmb5/en.dev.auto", "rebank"), ("udccg/en_ewt.dev.auto", "udccg")]
)
def test_gold_tags_span_99_per_cent_of_the_corpora(file: str, scheme: str, corpus_folder: Path) -> None:
    from ccgkit.corpora import load

    parser = Parser(load_scheme(scheme))
    sentences = load(corpus_folder / file, on_error="skip")
    spanned = [result.spans for result in parser.pipe(sentences)]
    assert sum(spanned) >= 0.99 * len(spanned)


def test_the_time_limit_is_for_a_sentence_not_for_each_level_of_beta(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = Parser(load_scheme("rebank"), limits=Limits(timeout=0.05))
    search, allowed = parser._search, []

    class Slow:
        def __len__(self) -> int:
            return len(search)

        def __call__(self, query: Query) -> Found | None:
            allowed.append(query.seconds)
            time.sleep(0.06)
            return search(query)

    monkeypatch.setattr(parser, "_search", Slow())
    result = parser.parse(tagged([("NP", 0.9), ("N", 0.05)], [("NP", 0.9), ("PR", 0.005)]))
    assert len(allowed) == 1 and 0 < allowed[0] <= 0.05
    assert result.status is Status.FRAGMENTS and "seconds was hit" in result.reason
