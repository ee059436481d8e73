"""Derivations from CCGrebank's notation into CCGbank's and back: one sentence for each difference."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgkit.corpora import loads
from ccgkit.grammar import Rule, load_scheme, unlicensed
from ccgkit.grammar.notations import NotationError, in_notation
from ccgkit.parsing import Parser


def derive(tagged, scheme="rebank"):
    """The derivation of words, each with a category after a bar and perhaps a POS tag between."""
    words = [word if word.count("|") == 2 else word.replace("|", "|_|") for word in tagged.split()]
    (sentence,) = loads(" ".join(words), "stagged")
    result = Parser(load_scheme(scheme)).parse(sentence)
    assert result.status.value == "parsed", result.reason
    return result.derivation


def categories(derivation):
    return [f"{leaf.token.word}|{leaf.category}" for leaf in derivation.leaves()]


KING = "The|NP/N king|N/PP of|PP/NP France|N laughed|S[dcl]\\NP .|."

DIFFERENCES = {
    "nouns have no arguments; what follows them modifies the noun phrase": (
        KING,
        "The|NP[nb]/N king|N of|(NP\\NP)/NP France|N laughed|S[dcl]\\NP .|.",
    ),
    "nor do noun phrases": (
        "Some|NP/PP of|PP/NP us|NP agree|S[dcl]\\NP .|.",
        "Some|NP of|(NP\\NP)/NP us|NP agree|S[dcl]\\NP .|.",
    ),
    "possessives take a noun": (
        "My|NP/(N/PP) old|(N/PP)/(N/PP) aunt|N/PP 's|(NP/(N/PP))\\NP hat|N/PP fell|S[dcl]\\NP",
        "My|NP[nb]/N old|N/N aunt|N 's|(NP[nb]/N)\\NP hat|N fell|S[dcl]\\NP",
    ),
    "modifiers of nouns stand above the determiner": (
        "A|NP/N man|N with|(N\\N)/NP hats|N who|(N\\N)/(S[dcl]\\NP) sang|S[dcl]\\NP fell|S[dcl]\\NP",
        "A|NP[nb]/N man|N with|(NP\\NP)/NP hats|N who|(NP\\NP)/(S[dcl]\\NP) sang|S[dcl]\\NP fell|S[dcl]\\NP",
    ),
    "but a noun that is no noun phrase keeps its own": (
        "Which|(S[wq]/(S[dcl]\\NP))/N clown|N with|(N\\N)/NP boots|N sang|S[dcl]\\NP ?|.",
        "Which|(S[wq]/(S[dcl]\\NP))/N clown|N with|(N\\N)/NP boots|N sang|S[dcl]\\NP ?|.",
    ),
    "particles are adverbs": (
        "Ann|N took|((S[dcl]\\NP)/NP)/PR off|PR her|NP/(N/PP) hat|N/PP",
        "Ann|N took|(S[dcl]\\NP)/NP off|(S\\NP)\\(S\\NP) her|NP[nb]/N hat|N",
    ),
    "also after an object": (
        "Ann|N took|((S[dcl]\\NP)/PR)/NP it|NP off|PR",
        "Ann|N took|(S[dcl]\\NP)/NP it|NP off|(S\\NP)\\(S\\NP)",
    ),
    "a copula is inverted in questions": (
        "What|S[wq]/(S[dcl]\\NP) is|(S[dcl]\\NP)/NP a|NP/N quark|N ?|.",
        "What|S[wq]/(S[q]/NP) is|(S[q]/NP)/NP a|NP[nb]/N quark|N ?|.",
    ),
    "another verb is not": (
        "What|S[wq]/(S[dcl]\\NP) ate|(S[dcl]\\NP)/NP the|NP/N cheese|N ?|.",
        "What|S[wq]/(S[dcl]\\NP) ate|(S[dcl]\\NP)/NP the|NP[nb]/N cheese|N ?|.",
    ),
    "infinitives modify nouns": (
        "The|NP/N plan|N/(S[to]\\NP) to|(S[to]\\NP)/(S[b]\\NP) sing|S[b]\\NP failed|S[dcl]\\NP",
        "The|NP[nb]/N plan|N to|(S[to]\\NP)/(S[b]\\NP) sing|S[b]\\NP failed|S[dcl]\\NP",
    ),
    "prepositions before relative pronouns modify noun phrases": (
        "The|NP/N hall|N in|(N\\N)/NP which|((N\\N)/S[dcl])\\((N\\N)/NP) Ann|N sang|S[dcl]\\NP",
        "The|NP[nb]/N hall|N in|(NP\\NP)/NP which|((NP\\NP)/S[dcl])\\((NP\\NP)/NP) Ann|N sang|S[dcl]\\NP",
    ),
    "where somebody is is asked as what somebody is": (
        "Where|S[wq]/(S[q]/PP) is|(S[q]/PP)/NP Rome|N ?|.",
        "Where|S[wq]/(S[q]/NP) is|(S[q]/NP)/NP Rome|N ?|.",
    ),
    "where and when something is done is an adjunct": (
        "What|(S[wq]/(S[q]/PP))/N year|N did|(S[q]/(S[b]\\NP))/NP Ann|N see|((S[b]\\NP)/PP)/NP Rome|N ?|.",
        "What|(S[wq]/S[q])/N year|N did|(S[q]/(S[b]\\NP))/NP Ann|N see|(S[b]\\NP)/NP Rome|N ?|.",
    ),
    "in which is too": (
        "In|(S[wq]/(S[q]/PP))/(S[wq]/(S[q]/NP)) what|(S[wq]/(S[q]/NP))/N year|N did|(S[q]/(S[b]\\NP))/NP "
        "Ann|N sing|(S[b]\\NP)/PP ?|.",
        "In|(S[wq]/S[q])/(S[wq]/(S[q]/NP)) what|(S[wq]/(S[q]/NP))/N year|N did|(S[q]/(S[b]\\NP))/NP Ann|N "
        "sing|S[b]\\NP ?|.",
    ),
    "for whom is not": (
        "For|(S[wq]/(S[q]/PP))/(S[wq]/(S[q]/NP)) whom|S[wq]/(S[q]/NP) did|(S[q]/(S[b]\\NP))/NP Ann|N "
        "sing|(S[b]\\NP)/PP ?|.",
        "For|(S[wq]/(S[q]/PP))/(S[wq]/(S[q]/NP)) whom|S[wq]/(S[q]/NP) did|(S[q]/(S[b]\\NP))/NP Ann|N "
        "sing|(S[b]\\NP)/PP ?|.",
    ),
    "many is what how takes": (
        "How|(S[wq]/(S[dcl]\\NP))/N many|N/N men|N of|(N\\N)/NP Rome|N sang|S[dcl]\\NP ?|.",
        "How|((S[wq]/(S[dcl]\\NP))/N)/(NP/N) many|NP/N men|N of|(N\\N)/NP Rome|N sang|S[dcl]\\NP ?|.",
    ),
    "a name or number behind a noun is its head": (
        "The|NP/N red|N/N flight|N 201|N\\N left|S[dcl]\\NP",
        "The|NP[nb]/N red|N/N flight|N/N 201|N left|S[dcl]\\NP",
    ),
    "a year behind a month is a number": (
        "March|N 1994|N\\N passed|S[dcl]\\NP",
        "March|N/N[num] 1994|N[num] passed|S[dcl]\\NP",
    ),
    "adverbs repeat no features": (
        "Ann|N sang|S[dcl]\\NP in|((S[dcl]\\NP)\\(S[dcl]\\NP))/NP Rome|N because|(S[dcl]\\S[dcl])/S[dcl] "
        "it|NP rained|S[dcl]\\NP",
        "Ann|N sang|S[dcl]\\NP in|((S\\NP)\\(S\\NP))/NP Rome|N because|(S\\S)/S[dcl] it|NP rained|S[dcl]\\NP",
    ),
    "auxiliaries keep theirs": (
        "Do|(S[b]\\NP)/(S[b]\\NP) sing|S[b]\\NP !|.",
        "Do|(S[b]\\NP)/(S[b]\\NP) sing|S[b]\\NP !|.",
    ),
    "reporting verbs keep theirs": (
        "It|NP rains|S[dcl]\\NP said|VBD|(S[dcl]\\S[dcl])/NP Ann|N",
        "It|NP rains|S[dcl]\\NP said|(S[dcl]\\S[dcl])/NP Ann|N",
    ),
    "a comma that coordinates is a comma": (
        "Ann|N ,|conj Bob|N and|conj Cy|N sang|S[dcl]\\NP",
        "Ann|N ,|, Bob|N and|conj Cy|N sang|S[dcl]\\NP",
    ),
}


@pytest.mark.parametrize("before, after", DIFFERENCES.values(), ids=DIFFERENCES)
def test_each_difference(before, after):
    found = in_notation(derive(before), "ccgbank")
    assert categories(found) == after.split()
    assert not unlicensed(found, load_scheme("ccgbank"))


def test_marks():
    sentence = 'Ann|N read|(S[dcl]\\NP)/NP "|NP/NP Emma|N "|NP\\NP .|S[dcl]\\S[dcl]'
    assert categories(in_notation(derive(sentence), "ccgbank")) == (
        ["Ann|N", "read|(S[dcl]\\NP)/NP", '"|LQU', "Emma|N", '"|RQU', ".|."]
    )


def test_modifiers_keep_their_order_and_what_they_modify():
    found = in_notation(derive("A|NP/N red|N/N hat|N of|(N\\N)/NP Ann|N from|(N\\N)/NP Rome|N"), "ccgbank")
    first = next(node for node in found.nodes() if node.words == ("A", "red", "hat"))
    assert str(first.category) == "NP"
    assert [str(node.category) for node in found.children] == ["NP", "NP\\NP"]


def test_final_stops_stand_at_the_top():
    tree = in_notation(derive(KING), "ccgbank")
    assert tree.rule is Rule.RIGHT_PUNCTUATION
    assert tree.children[1].token.word == "."


def test_conjuncts_are_marked():
    tree = in_notation(derive("Ann|N and|conj Bob|N"), "ccgbank")
    assert any(node.category.conj for node in tree.nodes())
    assert not any(node.category.conj for node in in_notation(tree, "rebank").nodes())


BACK = [
    "The|NP/N man|N with|(N\\N)/NP a|NP/N hat|N who|(N\\N)/(S[dcl]\\NP) sang|S[dcl]\\NP left|S[dcl]\\NP",
    "What|S[wq]/(S[dcl]\\NP) is|(S[dcl]\\NP)/NP a|NP/N quark|N ?|.",
    "Ann|N and|conj Bob|N saw|(S[dcl]\\NP)/NP and|conj heard|(S[dcl]\\NP)/NP it|NP",
]


@pytest.mark.parametrize("tagged", BACK)
def test_there_and_back_again(tagged):
    back = in_notation(in_notation(derive(tagged), "ccgbank"), "rebank")
    assert categories(back) == tagged.split()
    assert not unlicensed(back, load_scheme("rebank"))


def test_what_ccgbank_does_not_say_is_not_made_up():
    back = in_notation(in_notation(derive(KING), "ccgbank"), "rebank")
    assert categories(back)[:3] == ["The|NP/N", "king|N", "of|(N\\N)/NP"]


@given(st.lists(st.sampled_from(["old|N/N", "very|(N/N)/(N/N) old|N/N"]), max_size=4), st.integers(0, 4))
def test_noun_phrases_of_any_length(adjectives, phrases):
    words = [
        "the|NP/N",
        *adjectives,
        "king|N/PP",
        *["of|PP/NP the|NP/N king|N/PP"] * phrases,
        "of|PP/NP Spain|N",
    ]
    found = in_notation(derive(" ".join(words)), "ccgbank")
    assert not unlicensed(found, load_scheme("ccgbank"))
    assert {str(leaf.category) for leaf in found.leaves() if leaf.token.word == "king"} == {"N"}


def test_an_unknown_notation_is_named():
    with pytest.raises(NotationError, match="no notation 'penn'"):
        in_notation(derive(KING), "penn")


def test_what_cannot_be_said_is_an_error_with_the_words():
    (sentence,) = loads("(<T S[dcl] 0 2> (<L NP _ _ Ann NP>) (<L NP _ _ Bob NP>) )", "auto")
    with pytest.raises(NotationError, match="NP NP do not make S"):
        in_notation(sentence.derivations[0], "ccgbank")
