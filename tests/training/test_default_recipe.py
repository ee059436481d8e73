"""The recipe of the default model: which sentences teachers label, and how many are questions."""

from ccgkit.training import default_model
from ccgkit.training.default_model import sentences_to_label, tokenize


def test_quotation_marks_are_those_of_the_training_data():
    assert tokenize('He said "no".') == ["He", "said", '"', "no", '"', "."]


def test_sentences_with_names_of_several_words_are_left_out():
    text = ["We saw New York.", "Tom sleeps.", "Does Tom sleep?", "a " * 60, ""]
    assert sorted(sentences_to_label(text)) == [["Does", "Tom", "sleep", "?"], ["Tom", "sleeps", "."]]


def test_all_questions_are_drawn_and_no_more_is_labelled_than_wanted(monkeypatch):
    monkeypatch.setattr(default_model, "_DRAWN", 12)
    monkeypatch.setattr(default_model, "_LABELLED", 9)
    text = [f"Is it {n}?" for n in range(5)] + [f"It is {n}." for n in range(50)]
    drawn = sentences_to_label(text)
    assert len(drawn) == 9
    monkeypatch.setattr(default_model, "_LABELLED", 99)
    whole = sentences_to_label(text)
    assert len(whole) == 12 and whole[:9] == drawn
    assert sum(words[-1] == "?" for words in whole) == 5
