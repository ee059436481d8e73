"""Derivations under evidence: proposals are preferred, constituents hold, the doubtful is not kept whole."""

from dataclasses import replace
from itertools import islice

import pytest

import ccgkit
from ccgkit.grammar import Category, Token, load_scheme, unlicensed
from ccgkit.parsing import Constraints, Span
from ccgkit.sentence import Sentence, Supertag
from ccgkit.treebanks import erg
from ccgkit.treebanks.evidence import NOMINAL, Evidence, erg_evidence
from ccgkit.treebanks.making import Kept, Maker, preferring

NEAR = r"(N\N)/NP"
FAR = r"((S\NP)\(S\NP))/NP"
MEN = Span(2, 5, categories=NOMINAL)
WORDS = ["We", "saw", "men", "with", "dogs"]
TAGS = [{"NP": 0}, {r"(S[dcl]\NP)/NP": 0}, {"N": 0}, {FAR: -0.1, NEAR: -2.5}, {"N": 0}]


def tagged(words=WORDS, tags=TAGS):
    return Sentence(
        tuple(map(Token, words)),
        tuple(tuple(Supertag(Category.parse(c), float(p)) for c, p in one.items()) for one in tags),
        id="s1",
    )


def evidence(spans=(), proposals=None):
    known = [tuple(Category.parse(category) for category in tags) for tags in TAGS]
    for place, categories in (proposals or {}).items():
        known[place] = tuple(map(Category.parse, categories))
    return Evidence(Sentence(tuple(map(Token, WORDS))), tuple(known), Constraints(tuple(spans)))


NOTHING = replace(evidence(), proposals=((),) * len(WORDS))


@pytest.fixture(scope="module")
def maker():
    return Maker()


def category_of(outcome, place):
    return str(outcome.sentence.categories[place])


def test_without_evidence_the_tagger_decides(maker):
    outcome = maker.derive(evidence(), tagged())
    assert (outcome.kept, outcome.cost, category_of(outcome, 3)) == (Kept.WHOLE, 0.0, FAR)


def test_a_constituent_decides_against_the_tagger(maker):
    outcome = maker.derive(evidence([MEN]), tagged())
    assert (outcome.kept, category_of(outcome, 3)) == (Kept.WHOLE, NEAR)
    assert outcome.cost == pytest.approx(2.4 / 9)
    (derivation,) = outcome.sentence.derivations
    assert unlicensed(derivation, load_scheme("rebank")) == []


def test_a_proposal_decides_against_the_tagger(maker):
    assert category_of(maker.derive(evidence(proposals={3: [NEAR]}), tagged()), 3) == NEAR


def test_a_proposal_need_not_be_among_the_taggers(maker):
    tags = [*TAGS[:3], {FAR: 0}, TAGS[4]]
    outcome = maker.derive(evidence([MEN], {3: [NEAR]}), tagged(tags=tags))
    assert category_of(outcome, 3) == NEAR
    assert (outcome.kept, outcome.reason) == (Kept.PART, "doubtful to the tagger")
    assert outcome.cost == pytest.approx(8 / 9)


def test_proposals_keep_the_taggers_order_among_themselves():
    (first, second, third), = preferring(
        tagged(["with"], [{"PP/NP": -0.1, FAR: -3, NEAR: -4}]), [tuple(map(Category.parse, (NEAR, FAR)))]
    )  # fmt: skip
    assert [str(tag.category) for tag in (first, second, third)] == [FAR, NEAR, "PP/NP"]
    assert first.logprob - second.logprob == pytest.approx(1)


def test_what_cannot_all_hold_is_kept_in_part_or_dropped(maker):
    tags = [*TAGS[:3], {FAR: 0}, TAGS[4]]
    crossing = [MEN, *(Span(3, 5) for _ in range(9))]
    outcome = maker.derive(evidence(crossing, {3: [FAR]}), tagged(tags=tags))
    assert (outcome.kept, outcome.reason) == (Kept.PART, "constituents crossed")
    outcome = maker.derive(evidence([MEN], {3: [FAR]}), tagged(tags=tags))
    assert (outcome.kept, outcome.reason) == (Kept.DROPPED, "too many constituents crossed")


def test_what_does_not_derive_is_dropped(maker):
    outcome = maker.derive(NOTHING, tagged(tags=[{"PP": 0}] * 5))
    assert (outcome.kept, outcome.reason) == (Kept.DROPPED, "no derivation")


def test_where_little_is_known_nothing_is_kept_whole(maker):
    outcome = maker.derive(NOTHING, tagged())
    assert (outcome.kept, outcome.reason) == (Kept.PART, "too little is known")


def test_what_is_no_utterance_is_dropped(maker):
    outcome = maker.derive(replace(evidence(), proposals=((),)), tagged(["with"], [{FAR: 0}]))
    assert (outcome.kept, outcome.reason) == (Kept.DROPPED, "no derivation")


def test_what_the_tagger_finds_improbable_is_dropped():
    strict = Maker(whole=0.1, part=0.2)
    outcome = strict.derive(evidence([MEN]), tagged())
    assert (outcome.kept, outcome.reason) == (Kept.DROPPED, "improbable to the tagger")


def test_nothing_comes_of_no_words(maker):
    empty = replace(evidence(), proposals=())
    assert maker.derive(empty, Sentence((), ())).kept is Kept.DROPPED


@pytest.mark.slow
def test_wikipedia_is_kept_for_the_most_part_and_derives(corpus_folder):
    nlp = ccgkit.load(threads=1)
    items = list(islice(erg.load(corpus_folder / "erg" / "wescience.dev.jsonl.gz"), 150))
    known = [erg_evidence(item) for item in items]
    tagged = nlp.pipe_sentences((one.sentence for one in known), k=20, beta=1e-4)
    outcomes = [Maker().derive(*pair) for pair in zip(known, tagged, strict=True)]
    kept = [one for one in outcomes if one.kept is not Kept.DROPPED]
    assert sum(one.kept is Kept.WHOLE for one in outcomes) >= 0.6 * len(items)
    scheme = load_scheme("rebank")
    assert all(not unlicensed(tree, scheme) for one in kept for tree in one.sentence.derivations)
