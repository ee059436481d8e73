"""Lemmas: regular endings by rule, the irregular from a table, names and abbreviations as they are."""

import gzip

import pytest

from ccgkit.text.lemmas import known_lemma, lemma

FORMS = {
    "NNS": "dogs:dog boxes:box churches:church ladies:lady toys:toy buses:bus "
    "women:woman wolves:wolf analyses:analysis houses:house "
    "shoes:shoe firemen:fireman news:news 1970s:1970s potatoes:potato",
    "VBZ": "runs:run goes:go watches:watch flies:fly is:be has:have 's:be passes:pass",
    "VBD": "walked:walk stopped:stop hoped:hope tried:try went:go was:be agreed:agree "
    "played:play created:create",
    "VBN": "seen:see written:write visited:visit travelled:travel described:describe needed:need",
    "VBG": "making:make running:run lying:lie being:be opening:open singing:sing seeing:see writing:write",
    "JJR": "bigger:big nicer:nice happier:happy better:good older:old",
    "RBS": "best:well fastest:fast",
    "MD": "wo:will ca:can 'll:will must:must",
    "RB": "n't:not Quickly:quickly",
    "PRP": "me:I them:they It:it",
    "PRP$": "his:his my:my",
    "NNP": "Paris:Paris Jones:Jones",
    "NN": "Dog:dog TV:TV gas:gas",
    "POS": "':'s 's:'s",
    "DT": "an:a These:this",
    ".": ".:.",
}


@pytest.mark.parametrize("pos", FORMS)
def test_forms(pos):
    for pair in FORMS[pos].split():
        word, _, expected = pair.rpartition(":")
        assert lemma(word, pos) == expected, word


def test_only_the_penn_treebanks_tags_tell_a_lemma():
    assert known_lemma("dogs", "NNS") == "dog"
    assert [known_lemma("dogs", pos) for pos in (None, "NOUN", "XX")] == [None] * 3


@pytest.mark.slow
def test_running_text(corpus_folder):
    path = corpus_folder / "ud" / "en_ewt.dev.conllu.gz"
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        rows = [line.split("\t") for line in stream if line[0].isdigit()]
    known = [(row[1], row[4], row[2]) for row in rows if row[0].isdigit() and row[2] != "_"]
    right = sum(lemma(word, pos).lower() == gold.lower() for word, pos, gold in known)
    assert right / len(known) > 0.988
