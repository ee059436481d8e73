"""Questions made from gold sentences: what is asked, and which categories stay."""

import random

import pytest

from ccgkit import Category
from ccgkit.parsing import Parser
from ccgkit.training.data import Example
from recipes.questions import Phrases, Questions, ask, find_phrases, replace_phrase

WHO = r"S[wq]/(S[dcl]\NP)"
WHICH = rf"({WHO})/N"


def example(text):
    pairs = [pair.split("|") for pair in text.split()]
    return Example(tuple(word for word, _ in pairs), tuple(Category.parse(spelt) for _, spelt in pairs))


def spelt(question):
    return " ".join(f"{word}|{c}" for word, c in zip(question.words, question.categories, strict=True))


DOG = example(r"The|NP/N old|N/N dog|N saw|(S[dcl]\NP)/NP a|NP/N cat|N .|.")
TOM = example(r"Tom|N left|S[dcl]\NP .|.")
IS_IT = example(r"Is|(S[q]/NP)/NP this|NP the|NP/N house|N ?|.")
GIVEN = example(r"He|NP gave|((S[dcl]\NP)/NP)/NP her|NP the|NP/N red|N/N book|N .|.")

INSIDE = example(r"Tom|N is|(S[dcl]\NP)/PP in|PP/NP the|NP/N house|N .|.")
WENT = example(r"Tom|N went|(S[dcl]\NP)/PP to|PP/NP the|NP/N house|N .|.")


@pytest.fixture(scope="module")
def parser():
    return Parser()


def test_phrases_are_those_of_the_derivation_without_the_final_stop(parser):
    assert find_phrases(parser, DOG) == Phrases(DOG, ((4, 6), (0, 3)), (0, 3))


def test_pronouns_are_no_phrases_to_be_changed_over(parser):
    assert find_phrases(parser, GIVEN).nouns == ((3, 6),)


def test_a_sentence_without_a_derivation_gives_nothing(parser):
    assert find_phrases(parser, example("the|NP/N the|NP/N .|.")) is None


def asked(parser, statement, bases=("see", "go", "bark")):
    """All questions that may be asked."""
    phrases, chance = find_phrases(parser, statement), random.Random(1)
    found = [ask(phrases, bases, chance) for _ in range(200)]
    return {spelt(question) for question in found if question is not None}


@pytest.mark.parametrize(
    ("statement", "question"),
    [
        (TOM, rf"Who|{WHO} left|S[dcl]\NP ?|."),
        (example(r"He|NP left|S[dcl]\NP !|."), rf"Who|{WHO} left|S[dcl]\NP ?|."),
        (example(r"It|NP fell|S[dcl]\NP .|."), rf"What|{WHO} fell|S[dcl]\NP ?|."),
    ],
)
def test_a_subject_is_asked_for(parser, statement, question):
    assert asked(parser, statement) == {question}


def test_a_noun_with_a_determiner_is_asked_for_by_which_what_or_how_many(parser):
    assert asked(parser, example(r"The|NP/N dogs|N bark|S[dcl]\NP .|."), bases=()) == {
        rf"Which|{WHICH} dogs|N bark|S[dcl]\NP ?|.",
        rf"What|{WHICH} dogs|N bark|S[dcl]\NP ?|.",
        rf"How|{WHICH} many|N/N dogs|N bark|S[dcl]\NP ?|.",
    }


def test_an_auxiliary_comes_before_its_subject(parser):
    found = asked(parser, example(r"The|NP/N dog|N was|(S[dcl]\NP)/(S[adj]\NP) wet|S[adj]\NP .|."))
    polar = r"was|(S[q]/(S[adj]\NP))/NP the|NP/N dog|N wet|S[adj]\NP ?|."
    assert {f"W{polar[1:]}", f"Why|S[wq]/S[q] {polar}"} < found


def test_another_verb_gets_do_and_its_base_form(parser):
    found = asked(parser, DOG)
    did = r"did|(S[q]/(S[b]\NP))/NP the|NP/N old|N/N dog|N"
    assert rf"D{did[1:]} see|(S[b]\NP)/NP a|NP/N cat|N ?|." in found
    assert rf"Which|(S[wq]/(S[q]/NP))/N cat|N {did} see|(S[b]\NP)/NP ?|." in found
    assert rf"When|S[wq]/S[q] {did} see|(S[b]\NP)/NP a|NP/N cat|N ?|." in found
    assert rf"What|(S[wq]/(S[q]/PP))/N year|N {did} see|((S[b]\NP)/PP)/NP a|NP/N cat|N ?|." in found
    assert not any("see|" in question for question in asked(parser, DOG, bases=("go",)))


def test_how_and_where_somebody_is(parser):
    wet = asked(parser, example(r"The|NP/N dog|N was|(S[dcl]\NP)/(S[adj]\NP) wet|S[adj]\NP .|."))
    was = r"was|(S[q]/(S[adj]\NP))/NP the|NP/N dog|N"
    assert rf"How|S[wq]/(S[q]/(S[adj]\NP)) {was} ?|." in wet
    assert rf"How|(S[wq]/(S[q]/(S[adj]\NP)))/(S[adj]\NP) wet|S[adj]\NP {was} ?|." in wet
    inside = asked(parser, INSIDE)
    assert r"Where|S[wq]/(S[q]/PP) is|(S[q]/PP)/NP Tom|N ?|." in inside
    assert r"Which|(S[wq]/(S[q]/NP))/N house|N is|(S[q]/PP)/NP Tom|N in|PP/NP ?|." in inside


def test_a_preposition_is_left_behind_or_comes_first(parser):
    found = asked(parser, WENT)
    went = r"did|(S[q]/(S[b]\NP))/NP Tom|N go|(S[b]\NP)/PP"
    assert rf"Which|(S[wq]/(S[q]/NP))/N house|N {went} to|PP/NP ?|." in found
    assert rf"To|(S[wq]/(S[q]/PP))/(S[wq]/(S[q]/NP)) which|(S[wq]/(S[q]/NP))/N house|N {went} ?|." in found


def test_what_is_asked_can_be_parsed(parser):
    for statement in (DOG, TOM, GIVEN, INSIDE, WENT):
        for question in asked(parser, statement, ("see", "leave", "give")):
            assert find_phrases(parser, example(question)) is not None, question


@pytest.mark.parametrize(
    "sentence",
    [IS_IT, example(r"They|NP left|S[dcl]\NP .|."), example(r"Tom|N left|S[dcl]\NP"), example(r"Tom|N .|.")],
)
def test_what_has_no_subject_to_ask_for_is_not_asked(parser, sentence):
    assert asked(parser, sentence) == set()


def test_a_phrase_in_the_place_of_another_brings_its_categories():
    guest = Example(DOG.words[:3], DOG.categories[:3])
    assert spelt(replace_phrase(IS_IT, (2, 4), guest)) == (
        r"Is|(S[q]/NP)/NP this|NP The|NP/N old|N/N dog|N ?|."
    )


def test_a_lesson_has_every_question_and_twice_as_many_statements_asked(parser):
    made = Questions([DOG, TOM, IS_IT, GIVEN])
    first, again = (made.lesson(random.Random(5)) for _ in range(2))
    assert first == again and len(first) == 3
    lessons = [one for seed in range(30) for one in made.lesson(random.Random(seed))]
    assert all(one.words[-1] == "?" for one in lessons)
    assert any(one.words == ("Is", "this", "a", "cat", "?") for one in lessons)
    for one in lessons:  # whatever was changed over, it can still be parsed
        assert find_phrases(parser, one) is not None, spelt(one)
