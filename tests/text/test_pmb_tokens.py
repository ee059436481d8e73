"""Tokens and sentences of German, Italian and Dutch: the Parallel Meaning Bank's."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgkit.text import split_text, tokenize
from ccgkit.text.sentences import sentence_spans

LANGUAGES = ("de", "it", "nl", "fr")
SIGNS = "abZ .,'\"’‘“”„«»…!?()-@#&/:;%€~`\n\t07\u00a0éÄ"
texts = st.one_of(st.text(st.sampled_from(SIGNS), max_size=40), st.text(max_size=30))


def words(text, language):
    return [token.word for token in tokenize(text, language=language)]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "„Ich gehe“, sagte sie.", "„ Ich gehe “ , sagte sie ."),
        ("de", "Das Brot kostet z.B. 1.000 € (ca. 5 %).", "Das Brot kostet z.B. 1.000 € ( ca. 5 % ) ."),
        ("de", "Wir kamen am 3. Mai um 8:30 Uhr.", "Wir kamen am 3. Mai um 8:30 Uhr ."),
        ("de", "Sie war die 3.", "Sie war die 3 ."),
        ("de", "Dr. Vogt wägt Vor- und Nachteile ab.", "Dr. Vogt wägt Vor- und Nachteile ab ."),
        ("de", "Wie geht’s?", "Wie geht's ?"),
        ("it", "L'amico beve dell'acqua.", "L' amico beve dell' acqua ."),
        ("it", "L’Italia vince all’ultimo minuto.", "L' Italia vince all' ultimo minuto ."),
        ("it", "C'è un po' di pane?", "C' è un po' di pane ?"),
        ("it", "Dopo mezz' ora l' acqua bolle.", "Dopo mezz' ora l' acqua bolle ."),
        ("it", "Il sig. Neri legge D'Annunzio.", "Il sig. Neri legge D'Annunzio ."),
        ("it", "«Vieni», disse l'uomo.", "« Vieni » , disse l' uomo ."),
        ("nl", "'t Regent 's avonds.", "'t Regent 's avonds ."),
        ("nl", "Zo'n foto’s kosten € 30,- per stuk.", "Zo'n foto's kosten € 30,- per stuk ."),
        ("nl", "Mevr. Bos las 'Oorlog'.", "Mevr. Bos las ' Oorlog ' ."),
        ("de", "Siehe http://example.org/a?b=1, bitte.", "Siehe http://example.org/a?b=1 , bitte ."),
        ("fr", "Il ne peut, dit-elle.", "Il ne peut , dit-elle ."),
    ],
)
def test_words_are_those_of_the_parallel_meaning_bank(language, text, expected):
    assert words(text, language) == expected.split()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_english_contraction_is_taken_apart(language):
    assert words("cannot gonna don", language) == ["cannot", "gonna", "don"]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("de", ["„Ich gehe.“", "Dr. Vogt kam am 3. Mai z. B. zu Fuß.", "Sie aßen Brot, Käse usw. bei uns."]),
        ("it", ["Il sig. Neri vide la dott.ssa Verdi.", "«Vengo.»", "Comprò pane, latte ecc. per noi."]),
        ("nl", ["Dhr. Bos kocht bijv. Goudse kaas.", "Zij, d.w.z. wij, bleven.", "'s Avonds regent het."]),
    ],
)
def test_abbreviations_and_quotation_marks_of_the_language_end_no_sentence(language, sentences):
    text = " ".join(sentences)
    assert [text[start:end] for start, end in sentence_spans(text, language)] == sentences


@given(texts, st.sampled_from(LANGUAGES))
def test_tokens_cover_the_text_in_order(text, language):
    tokens = [token for sentence in split_text(text, language=language) for token in sentence.tokens]
    assert all(before.end <= after.start for before, after in pairwise(tokens))
    covered = "".join(text[token.start : token.end] for token in tokens)
    assert "".join(covered.split()) == "".join(text.split())


@given(texts, st.sampled_from(LANGUAGES))
def test_no_word_is_empty_or_holds_a_space(text, language):
    for sentence in split_text(text, language=language):
        assert all(word and not any(map(str.isspace, word)) for word in sentence.words)


def test_tokens_of_the_bank_stay_as_they_are():
    bank = "Ada~Rossi kommt nach New~York ."
    assert words(bank, "de") == bank.split()
