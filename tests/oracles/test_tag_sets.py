"""Atomic tag sets: what is in them, and the sequences that spell a category with them."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import categories, examples, lexical_categories

from ccgkit import Category, CCGKitError
from ccgkit.oracles import AC, EOS, NG, OR, PA, TAG_SETS, TagSet, make_tag_set
from ccgkit.oracles.errors import IllegalSequenceError, InexpressibleError, OracleError
from ccgkit.oracles.tag_set import CountBy
from ccgkit.registry import RegistryError

SMALL = {
    Category.parse(r"(NP/NP)\NP"): 2,
    Category.parse("NP/NP"): 5,
    Category.parse(r"(S\NP)/NP"): 1,
    Category.parse(r"((S\NP)/NP)/(S\NP)"): 1,
}
MODIFIER = Category.parse(r"(NP/NP)\NP")


#: a few categories, some with a [conj] mark, each with a frequency
counted = st.dictionaries(categories(), st.integers(1, 50), min_size=1, max_size=6)


@st.composite
def tag_sets(draw: st.DrawFn) -> tuple[TagSet, list[Category]]:
    """A tag set of any kind with the categories it was counted on."""
    counts = draw(counted)
    tag_set = make_tag_set(
        draw(st.sampled_from(TAG_SETS.names())),
        counts,
        k=draw(st.integers(0, 12)),
        n=draw(st.integers(1, 5)),
        count=draw(st.sampled_from(["tokens", "types"])),
    )
    return tag_set, list(counts)


def brute_force(tag_set: TagSet, category: Category) -> set[tuple[str, ...]]:
    """Every sequence of tags for a category, by cutting its lexemes in all ways."""
    lexemes = tuple(category.tokens())
    known = dict(zip(tag_set.pieces[1:], tag_set.tags[1:], strict=True))
    sequences: set[tuple[str, ...]] = set()
    for cuts in range(1 << (len(lexemes) - 1)):
        ends = [i + 1 for i in range(len(lexemes) - 1) if cuts >> i & 1] + [len(lexemes)]
        pieces = [lexemes[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        if all(piece in known for piece in pieces):
            sequences.add((*(known[piece] for piece in pieces), EOS))
    return sequences


class TestContents:
    def test_the_end_is_first_and_every_set_has_the_operators_and_atoms(self) -> None:
        for name in ("AC", "PA", "NG", "OR"):
            tags = make_tag_set(name, SMALL).tags
            assert tags[:7] == (EOS, "(", ")", "/", "\\", "NP", "S")

    def test_ac_has_nothing_else(self) -> None:
        assert len(AC.from_counts(SMALL)) == 7

    def test_pa_adds_expressions_without_their_parentheses_and_no_whole_category(self) -> None:
        assert PA.from_counts(SMALL).tags[7:] == ("S\\NP", "NP/NP", r"(S\NP)/NP")

    def test_ng_adds_exactly_n_lexemes(self) -> None:
        assert NG.from_counts(SMALL, n=3, k=2).tags[7:] == ("NP/NP", "(S\\")
        assert {len(piece) for piece in NG.from_counts(SMALL, n=3, k=9).pieces[7:]} == {3}

    def test_or_adds_all_whole_categories_whatever_k(self) -> None:
        assert set(OR.from_counts(SMALL, k=1).tags[7:]) == set(map(str, SMALL))

    def test_frequencies_count_tokens_or_types(self) -> None:
        by_tokens = {Category.parse(r"(S\NP)/NP"): 9, Category.parse("(NP/NP)/NP"): 1}
        by_tokens[Category.parse(r"(NP/NP)\NP")] = 1
        assert PA.from_counts(by_tokens, k=1).tags[-1] == r"S\NP"
        assert PA.from_counts(by_tokens, k=1, count="types").tags[-1] == "NP/NP"

    def test_features_are_part_of_the_atom(self) -> None:
        assert AC.from_counts({Category.parse(r"S[dcl]\NP"): 1}).tags[5:] == ("NP", "S[dcl]")

    def test_a_set_does_not_depend_on_the_order_of_counting(self) -> None:
        backwards = dict(reversed(SMALL.items()))
        for name in TAG_SETS.names():
            for k in range(8):
                assert make_tag_set(name, SMALL, k=k) == make_tag_set(name, backwards, k=k)

    def test_a_mark_is_a_lexeme(self) -> None:
        marked = Category.parse(r"S\NP[conj]")
        tag_set = AC.from_counts({marked: 1})
        assert tag_set.decompose(marked) == ("S", "\\", "NP", "[conj]", EOS)
        assert tag_set.compose(("S", "\\", "NP", "[conj]")) is marked

    @pytest.mark.parametrize("wrong", [{"k": -1}, {"n": 0}, {"count": "words"}])
    def test_impossible_options_are_refused(self, wrong: dict[str, int]) -> None:
        with pytest.raises(OracleError, match=next(iter(wrong))):
            NG.from_counts(SMALL, **wrong)  # type: ignore[arg-type]

    def test_an_unknown_name_is_answered_with_the_known_ones(self) -> None:
        with pytest.raises(RegistryError, match="AC, PA, NG, OR"):
            make_tag_set("XX", SMALL)


class TestLongestMatch:
    def test_the_paper_s_example(self) -> None:
        tag_set = PA.from_counts(SMALL)
        assert tag_set.decompose(MODIFIER) == ("(", "NP/NP", ")", "\\", "NP", EOS)
        assert list(tag_set.decompositions(MODIFIER)) == [
            ("(", "NP/NP", ")", "\\", "NP", EOS),
            ("(", "NP", "/", "NP", ")", "\\", "NP", EOS),
        ]

    def test_a_longer_tag_that_leads_nowhere_is_not_taken(self) -> None:
        tag_set = NG([["("], [")"], ["/"], ["NP"], ["NP", "/"], ["/", "S"], ["NP", "/", "S"]])
        assert tag_set.decompose(Category.parse("NP/S")) == ("NP/S", EOS)
        without = NG([["NP"], ["NP", "/"], ["/", "S"]])
        assert without.decompose(Category.parse("NP/S")) == ("NP", "/S", EOS)

    @examples(25)
    @given(tag_sets())
    def test_compose_undoes_decompose(self, made: tuple[TagSet, list[Category]]) -> None:
        tag_set, counted_on = made
        for category in counted_on:
            assert tag_set.compose(tag_set.decompose(category)) is category
            assert tag_set.encode_tags(tag_set.decompose(category)) == tag_set.encode(category)

    @examples(25)
    @given(counted, lexical_categories())
    def test_a_category_outside_the_counts_is_spelt_if_its_atoms_are_known(
        self, counts: dict[Category, int], other: Category
    ) -> None:
        for name in TAG_SETS.names():
            tag_set = make_tag_set(name, counts)
            if all(lexeme in tag_set.index for lexeme in other.tokens()):
                assert tag_set.compose(tag_set.decompose(other)) is other
            else:
                assert not tag_set.can_express(other)
                with pytest.raises(InexpressibleError, match="no tag has"):
                    tag_set.decompose(other)

    @examples(25)
    @given(tag_sets())
    def test_it_is_never_longer_than_that_of_ac(self, made: tuple[TagSet, list[Category]]) -> None:
        tag_set, counted_on = made
        for category in counted_on:
            assert len(tag_set.decompose(category)) <= len(category.tokens()) + 1

    @examples(25)
    @given(counted)
    def test_or_needs_one_tag(self, counts: dict[Category, int]) -> None:
        tag_set = OR.from_counts(counts)
        assert all(tag_set.decompose(category) == (str(category), EOS) for category in counts)


class TestAllSequences:
    @examples(25)
    @given(tag_sets())
    def test_counting_enumeration_and_brute_force_agree(self, made: tuple[TagSet, list[Category]]) -> None:
        tag_set, counted_on = made
        for category in counted_on:
            if len(category.tokens()) > 11 or tag_set.count(category) > 500:
                continue
            found = list(tag_set.decompositions(category))
            assert found[0] == tag_set.decompose(category)
            assert tag_set.count(category) == len(found) == len(set(found))
            assert set(found) == brute_force(tag_set, category)

    def test_counts_are_exact_beyond_enumeration(self) -> None:
        category = Category.parse("NP")
        for _ in range(300):
            category = category / "NP"
        lexemes = tuple(category.tokens())
        every_bigram = NG.from_counts({category: 1}, n=2, k=99)
        before, ways = 1, 1
        for _ in lexemes[1:]:
            before, ways = ways, before + ways  # as Fibonacci: the last tag has one lexeme or two
        assert every_bigram.count(category) == ways > 10**250
        assert every_bigram.compose(every_bigram.sample(category, random.Random(1))) is category

    def test_sampling_is_uniform(self) -> None:
        tag_set = NG.from_counts({MODIFIER: 1}, n=2)
        total, draws = tag_set.count(MODIFIER), 21_000
        rng = random.Random(7)
        drawn = Counter(tag_set.sample(MODIFIER, rng) for _ in range(draws))
        assert set(drawn) == set(tag_set.decompositions(MODIFIER))
        expected = draws / total
        chi_square = sum((count - expected) ** 2 / expected for count in drawn.values())
        assert total == 21
        assert chi_square < 45.3  # the 0.999 quantile with 20 degrees of freedom

    def test_a_seed_repeats_a_sample(self) -> None:
        tag_set = NG.from_counts(SMALL, n=2)
        first, second = (
            [tag_set.sample(c, rng) for c in list(SMALL) * 5] for rng in (random.Random(3), random.Random(3))
        )
        assert first == second


class TestComposition:
    @pytest.mark.parametrize(
        ("tags", "reason"),
        [
            ((), "not a whole category"),
            ((EOS,), "not a whole category"),
            (("NP", EOS, "/", "NP"), "before the end"),
            (("NP", "NP"), r"NP \(tag 2\) cannot follow NP; legal: / \\ <eos>"),
            (("S", "\\"), "takes 1 more"),
            (("(", "NP", ")"), r"\) \(tag 3\) cannot follow \( NP"),
            (("S", "\\", "NP", "/", "NP"), r"/ \(tag 4\)"),
            (("N", "/", "NP"), "'N' is not a tag .* did you mean NP"),
        ],
    )
    def test_an_illegal_sequence_is_refused_with_the_reason(self, tags: tuple[str, ...], reason: str) -> None:
        with pytest.raises(IllegalSequenceError, match=reason):
            AC.from_counts(SMALL).compose(tags)

    @examples(25)
    @given(tag_sets(), st.data())
    def test_whatever_is_composed_is_spelt_by_the_tags(
        self, made: tuple[TagSet, list[Category]], data: st.DataObject
    ) -> None:
        tag_set, _ = made
        tags = tuple(data.draw(st.lists(st.sampled_from(tag_set.tags[1:]), max_size=6)))
        try:
            category = tag_set.compose(tags)
        except CCGKitError:
            return
        assert (*tags, EOS) in brute_force(tag_set, category)

    @examples(25)
    @given(tag_sets(), st.randoms(use_true_random=False))
    def test_every_sample_composes_to_its_category(
        self, made: tuple[TagSet, list[Category]], rng: random.Random
    ) -> None:
        tag_set, counted_on = made
        for category in counted_on:
            assert tag_set.compose(tag_set.sample(category, rng)) is category


def test_a_new_tag_set_is_one_subclass(monkeypatch: pytest.MonkeyPatch) -> None:
    class Arguments(TagSet):
        """AC and slashes with the atom after them."""

        @classmethod
        def expressions(cls, lexemes, n):  # type: ignore[no-untyped-def]
            return (pair for pair in pairwise(lexemes) if pair[0] in "/\\" and pair[1] != "(")

    monkeypatch.setattr(TAG_SETS, "_registered", {})
    TAG_SETS.register("arguments", Arguments)
    assert TAG_SETS.names() == ["AC", "PA", "NG", "OR", "arguments"]
    assert make_tag_set("arguments", SMALL).decompose(MODIFIER) == ("(", "NP", "/NP", ")", "\\NP", EOS)


@pytest.mark.slow
@pytest.mark.parametrize("count", ["tokens", "types"])
def test_every_category_of_every_corpus_under_every_oracle(
    corpora: dict[str, Counter[Category]], count: CountBy
) -> None:
    rng = random.Random(0)
    for counts in corpora.values():
        for name in TAG_SETS.names():
            tag_set = make_tag_set(name, counts, count=count)
            for category in counts:
                longest = tag_set.decompose(category)
                assert tag_set.compose(longest) is category
                assert tag_set.compose(tag_set.sample(category, rng)) is category
                assert len(longest) <= (2 if name == "OR" else len(category.tokens()) + 1)
