"""Training sentences as users write them, and the variants of dev that model cards tell of."""

import random

from ccgkit import Category
from ccgkit.training.data import Example
from recipes.augmentation import VARIANTS, augmented, drop_stop, mistype, split_names


def example(text):
    pairs = [token.split("|") for token in text.split()]
    return Example(tuple(word for word, _ in pairs), tuple(Category.parse(category) for _, category in pairs))


def show(sentence):
    return " ".join(
        f"{word}|{category}" for word, category in zip(sentence.words, sentence.categories, strict=True)
    )


def test_joined_names_become_modifiers_and_a_noun():
    assert show(split_names(example("Brad~Pitt|N smiles|S"))) == "Brad|N/N Pitt|N smiles|S"
    assert show(split_names(example("last~name|N/PP"))) == "last|N/N name|N/PP"
    assert show(split_names(example("goat~cheese|N/N"))) == "goat|(N/N)/(N/N) cheese|N/N"


def test_what_is_no_name_stays_joined():
    for text in ("at~all|(S\\NP)\\(S\\NP)", "a~quarter~past~nine|N", "out~of|PP/NP"):
        assert show(split_names(example(text))) == text


def test_only_a_final_stop_is_dropped():
    assert drop_stop(example("Oh|N .|.")).words == ("Oh",)
    assert drop_stop(example("Oh|N dear|N")).words == ("Oh", "dear")
    assert drop_stop(example(".|.")).words == (".",)


def test_a_typo_changes_two_letters_of_one_word():
    wrong = mistype(example("the|N elephants|N"), random.Random(1))
    assert wrong.words[0] == "the" and wrong.words[1] != "elephants"
    assert sorted(wrong.words[1]) == sorted("elephants")


def test_no_word_is_lost_or_made_but_by_splitting_and_dropping():
    examples = [example("Brad~Pitt|N saw|S\\NP elephants|N .|.")] * 200
    changed = augmented(examples, random.Random(1))
    assert len(changed) < 200  # some are joined
    assert all(len(one.words) == len(one.categories) for one in changed)
    assert 600 <= sum(len(one.words) for one in changed) <= 1000


def test_variants_keep_words_and_categories_together():
    examples = [example("New~York|N grows|S\\NP .|.")] * 12
    for change in VARIANTS.values():
        assert all(len(one.words) == len(one.categories) for one in change(examples))
    assert len(VARIANTS["ten sentences joined"](examples)) == 2
