"""Soft labels: what several teachers think of a word, and learning from it."""

import random
from collections import Counter
from math import log

import pytest

from ccgkit.grammar import Category
from ccgkit.sentence import Supertag
from ccgkit.taggers import Reading
from recipes.distillation import Labelled, agreed, label, read_labels

N, NP, ADJECTIVE = map(Category.parse, ("N", "NP", "N/N"))


class Always:
    """A teacher that says the same of every word, and counts what it is asked."""

    def __init__(self, *tags):
        self.tags = tuple(Supertag(category, log(share)) for category, share in tags)
        self.asked = 0

    def kbest(self, sentences, k, beta):
        self.asked += len(sentences)
        return [Reading([self.tags[:k] for _ in words]) for words in sentences]


def test_opinions_are_averaged_after_each_sums_to_one():
    opinions = [[Supertag(N, log(0.3)), Supertag(NP, log(0.1))], [Supertag(ADJECTIVE, log(0.2))]]
    assert dict(agreed(opinions)) == pytest.approx({ADJECTIVE: 0.5, N: 0.375, NP: 0.125})


def test_what_next_to_nobody_believes_is_left_out():
    assert agreed([[Supertag(N, log(0.995)), Supertag(NP, log(0.005))]]) == ((N, 1.0),)


def test_samples_follow_the_shares():
    sentence = Labelled(("box",), (((N, 0.8), (NP, 0.2)),))
    chance = random.Random(1)
    drawn = Counter(sentence.sample(chance).categories[0] for _ in range(2000))
    assert drawn[N] / 2000 == pytest.approx(0.8, abs=0.03)
    assert drawn[N] + drawn[NP] == 2000


def test_labels_are_written_read_and_gone_on_with(tmp_path):
    path = tmp_path / "labels.jsonl"
    sentences = [("A", "dog"), ("Café",), ("It", "rains", ".")]
    label([Always((N, 0.5), (NP, 0.5))], sentences[:1], path)
    with path.open("a") as file:
        file.write('{"words": ["Caf')  # stopped in the middle of a line
    teacher = Always((N, 1.0))
    label([teacher], sentences, path)
    found = read_labels(path)
    assert [sentence.words for sentence in found] == sentences
    assert found[0].choices[0] == ((N, 0.5), (NP, 0.5))  # not labelled again
    assert found[2].choices == (((N, 1.0),),) * 3
    assert teacher.asked == 2


def test_teachers_that_know_the_word_differently_both_count(tmp_path):
    path = tmp_path / "labels.jsonl"
    label([Always((N, 0.9), (NP, 0.1)), Always((NP, 1.0))], [("box",)], path)
    assert dict(read_labels(path)[0].choices[0]) == pytest.approx({NP: 0.55, N: 0.45})
