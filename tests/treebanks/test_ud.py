"""What dependencies say of a derivation: constituents and heads in any language, categories in English."""

import pytest

from ccgkit.corpora import loads
from ccgkit.treebanks.ud import ud_evidence


def sentence(rows):
    """A sentence of words `form/xpos/head/relation[/enhanced]`; the coarse tag follows from the fine one."""
    lines = []
    for number, word in enumerate(rows.split(), 1):
        form, xpos, head, relation, *enhanced = word.split("/")
        upos = "PUNCT" if not form[0].isalnum() and xpos in ".,:" else COARSE.get(xpos, xpos)
        deps = enhanced[0] if enhanced else f"{head}:{relation}"
        lines.append("\t".join([str(number), form, form, upos, xpos, "_", head, relation, deps, "_"]))
    (found,) = loads("\n".join(lines) + "\n\n", "conllu")
    return found


COARSE = {
    "NNP": "PROPN", "NN": "NOUN", "NNS": "NOUN", "PRP": "PRON", "WP": "PRON", "WDT": "PRON", "VBD": "VERB",
    "VBZ": "VERB", "VB": "VERB", "VBN": "VERB", "DT": "DET", "JJ": "ADJ", "IN": "ADP", "TO": "PART",
    "MD": "AUX", "RB": "ADV", "CC": "CCONJ", "CD": "NUM", "EX": "PRON", "RP": "ADP", "POS": "PART",
}  # fmt: skip
VERB = r"(S[dcl]\NP)/NP"
MODIFIER = r"(S\NP)\(S\NP)"
ENGLISH = {
    "transitive": (
        "Ada/NNP/2/nsubj fed/VBD/0/root the/DT/4/det cat/NN/2/obj ././2/punct",
        f"N {VERB} NP/N N .",
    ),
    "auxiliaries": ("Ada/NNP/3/nsubj will/MD/3/aux swim/VB/0/root", r"N (S[dcl]\NP)/(S[b]\NP) S[b]\NP"),
    "passive": (
        "Cats/NNS/3/nsubj:pass were/VBD/3/aux:pass fed/VBN/0/root",
        r"N (S[dcl]\NP)/(S[pss]\NP) S[pss]\NP",
    ),
    "copula": ("Ada/NNP/3/nsubj is/VBZ/3/cop old/JJ/0/root", r"N (S[dcl]\NP)/(S[adj]\NP) S[adj]\NP"),
    "inversion": (
        "Will/MD/3/aux Ada/NNP/3/nsubj swim/VB/0/root ?/./3/punct",
        r"(S[q]/(S[b]\NP))/NP N S[b]\NP .",
    ),
    "control": (
        "Ada/NNP/2/nsubj wanted/VBD/0/root to/TO/4/mark swim/VB/2/xcomp",
        r"N (S[dcl]\NP)/(S[to]\NP) (S[to]\NP)/(S[b]\NP) S[b]\NP",
    ),
    "that-clause": (
        "Ada/NNP/2/nsubj knew/VBD/0/root that/IN/5/mark Bo/NNP/5/nsubj swam/VBD/2/ccomp",
        r"N (S[dcl]\NP)/S[em] S[em]/S[dcl] N S[dcl]\NP",
    ),
    "particle": (
        "Ada/NNP/2/nsubj gave/VBD/0/root up/RP/2/compound:prt chess/NN/2/obj",
        f"N ({VERB})/PR PR N",
    ),
    "relational noun": ("the/DT/2/det size/NN/0/root of/IN/4/case cats/NNS/2/nmod", "NP/N N/PP PP/NP N"),
    "possessive": ("Ada/NNP/3/nmod:poss 's/POS/1/case cat/NN/0/root", r"N (NP/(N/PP))\NP N/PP"),
    "name": ("Ada/NNP/3/nsubj King/NNP/1/flat swam/VBD/0/root", r"N/N N S[dcl]\NP"),
    "relative": ("cats/NNS/0/root that/WDT/3/nsubj slept/VBD/1/acl:relcl", r"N (N\N)/(S[dcl]\NP) S[dcl]\NP"),
    "relative without a pronoun": (
        "cats/NNS/0/root/0:root|3:obj Ada/NNP/3/nsubj fed/VBD/1/acl:relcl",
        f"N N {VERB}",
    ),
    "shared object": (
        "Ada/NNP/2/nsubj washed/VBD/0/root and/CC/4/cc fed/VBD/2/conj cats/NNS/2/obj/2:obj|4:obj",
        f"N {VERB} conj {VERB} N",
    ),
    "there": (
        "There/EX/2/expl was/VBD/0/root a/DT/4/det cat/NN/2/nsubj",
        r"NP[thr] (S[dcl]\NP[thr])/NP NP/N N",
    ),
    "question": ("Who/WP/2/nsubj swam/VBD/0/root ?/./2/punct", r"S[wq]/(S[dcl]\NP) S[dcl]\NP ."),
    "degrees": (
        "a/DT/4/det very/RB/3/advmod old/JJ/4/amod cat/NN/0/root",
        r"NP/N (N/N)/(S[adj]\NP) S[adj]\NP N",
    ),
    "quantities": ("so/RB/2/advmod many/JJ/3/amod cats/NNS/0/root", "(N/N)/(N/N) N/N N"),
    "an adjective as a noun": (
        "Cats/NNS/4/nsubj are/VBZ/4/cop the/DT/4/det same/JJ/0/root",
        r"N (S[dcl]\NP)/NP NP/N N",
    ),
    "a place": ("Ada/NNP/2/nsubj swam/VBD/0/root from/IN/4/case there/RB/2/advmod", r"N S[dcl]\NP PP/NP NP"),
    "one of several": ("one/CD/0/root of/IN/3/case them/PRP/1/nmod", "NP/PP PP/NP NP"),
    "adverbs": (
        "Now/RB/4/advmod Ada/NNP/4/nsubj often/RB/4/advmod swims/VBZ/0/root well/RB/4/advmod",
        rf"S/S N (S\NP)/(S\NP) S[dcl]\NP {MODIFIER}",
    ),
    "clause behind": (
        "Ada/NNP/2/nsubj slept/VBD/0/root because/IN/5/mark Bo/NNP/5/nsubj swam/VBD/2/advcl",
        rf"N S[dcl]\NP ({MODIFIER})/S[dcl] N S[dcl]\NP",
    ),
    "conjunction at the front": ("But/CC/3/cc Ada/NNP/3/nsubj slept/VBD/0/root", r"S/S N S[dcl]\NP"),
}


@pytest.mark.parametrize("construction", ENGLISH)
def test_english_words_are_given_categories(construction):
    rows, expected = ENGLISH[construction]
    found = [str(proposal[0]) for proposal in ud_evidence(sentence(rows)).proposals]
    assert found == expected.split(" ")


def test_an_oblique_is_left_open():
    rows = "Ada/NNP/2/nsubj slept/VBD/0/root in/IN/4/case May/NNP/2/obl"
    verb, preposition = ud_evidence(sentence(rows)).proposals[1:3]
    assert list(map(str, verb)) == [r"S[dcl]\NP", r"(S[dcl]\NP)/PP"]
    assert list(map(str, preposition)) == [f"({MODIFIER})/NP", "PP/NP"]


GERMAN = sentence(
    "Der/ART/3/det alte/ADJA/3/amod Hund/NN/4/nsubj schläft/VVFIN/0/root "
    "in/APPR/7/case dem/ART/7/det Garten/NN/4/obl ./$./4/punct"
)


def test_phrases_are_constituents_in_any_language():
    constraints = ud_evidence(GERMAN).constraints
    assert [(span.start, span.end) for span in constraints.spans] == [(0, 3), (4, 7), (5, 7)]
    pairs = {(pair.head, pair.dependent, pair.kind) for pair in constraints.pairs}
    assert pairs == {(2, 0, None), (2, 1, None), (4, 6, "argument"), (6, 5, None)}


def test_words_that_are_not_in_a_row_are_no_constituent():
    rows = "Ada/NNP/2/nsubj saw/VBD/0/root cats/NNS/2/obj yesterday/RB/2/advmod old/JJ/3/amod"
    assert ud_evidence(sentence(rows)).constraints.spans == ()
