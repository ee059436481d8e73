"""Training data: reading, thresholds, batches, errors."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy import toy_file, toy_sentences

from ccgkit import Category
from ccgkit.training.data import (
    DataError,
    Example,
    batches,
    check_pair,
    count_categories,
    fingerprint,
    read_examples,
)

EXAMPLES = [Example(words, categories) for words, categories in toy_sentences(60)]


def test_a_corpus_becomes_examples(tmp_path):
    assert read_examples([toy_file(tmp_path / "a.stagged", 60)]) == EXAMPLES


def test_several_files_are_joined(tmp_path):
    paths = [toy_file(tmp_path / "a.stagged", 3), toy_file(tmp_path / "b.stagged", 4, seed=1)]
    assert len(read_examples(paths)) == 7


def test_rare_categories_are_unknown():
    n, np = Category.parse("N"), Category.parse("NP")
    assert Example(("a", "b"), (n, np)).gold(Counter({n: 10, np: 9}), 10) == [n, None]


@given(st.integers(1, 70), st.integers(0, 5), st.integers(1, 5))
def test_every_sentence_is_in_one_batch_of_an_epoch(size, seed, epoch):
    made = batches(EXAMPLES, size, seed, epoch)
    assert sorted(place for batch in made for place in batch) == list(range(60))
    assert all(len(batch) <= size for batch in made)
    assert made == batches(EXAMPLES, size, seed, epoch)


def test_batches_hold_like_lengths_and_change_with_the_epoch():
    made = batches(EXAMPLES, 10, 1, 1)
    assert all(
        max(lengths) - min(lengths) <= 3
        for batch in made
        if (lengths := [len(EXAMPLES[i].words) for i in batch])
    )
    assert made != batches(EXAMPLES, 10, 1, 2)
    assert made != batches(EXAMPLES, 10, 2, 1)


def test_data_without_sentences_or_categories_is_refused(tmp_path):
    (tmp_path / "empty.stagged").write_text("")
    with pytest.raises(DataError, match=r"no sentence in .*empty\.stagged"):
        read_examples([tmp_path / "empty.stagged"])


def test_data_that_cannot_be_learnt_from_is_refused():
    counts = count_categories(EXAMPLES)
    with pytest.raises(DataError, match=r"lower decoder\.threshold"):
        check_pair(counts, EXAMPLES, 10_000)
    strange = [Example(("a",), (Category.parse("QQ"),))]
    with pytest.raises(DataError, match="the same corpus"):
        check_pair(counts, strange, 1)


def test_the_fingerprint_changes_with_anything():
    other = [*EXAMPLES[:-1], Example(("x",), (Category.parse("NP"),))]
    assert len({fingerprint("a", EXAMPLES), fingerprint("b", EXAMPLES), fingerprint("a", other)}) == 3
    assert fingerprint("a", EXAMPLES) == fingerprint("a", list(EXAMPLES))
