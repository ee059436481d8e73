"""The recipe of the default model, from nothing to the end, on a few sentences."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from toy import tiny_bert

from ccgkit.pipeline import load
from ccgkit.taggers.config import CompactConfig, load_config
from recipes import corpora, distillation, english, reading, shipping
from recipes.distillation import sentences_to_label, tokenize

GOLD = [
    r"Tom|_|N sleeps|_|S[dcl]\NP .|_|.",
    r"The|_|NP/N dog|_|N saw|_|(S[dcl]\NP)/NP Ann|_|N .|_|.",
    r"Tom|_|N ;|_|; Ann|_|N .|_|.",
    r"Who|_|S[wq]/(S[dcl]\NP) sleeps|_|S[dcl]\NP ?|_|.",
    r"Is|_|(S[q]/(S[adj]\NP))/NP the|_|NP/N house|_|N old|_|S[adj]\NP ?|_|.",
]
TREE = (
    r"ID=a PARSER=GOLD NUMPARSE=1"
    "\n"
    r"(<T S 0 2> (<L NP PROPN PROPN Tom NP>) (<L S\NP VERB VERB sleeps S\NP>) )"
)


@pytest.fixture
def data(tmp_path):
    files = {f"pmb4/en.{name}.stagged": GOLD * 2 for name in ("train", "dev", "test", "ood_questions")}
    files |= {f"ud/en_ewt.{name}.pos": ["Tom|NNP sleeps|VBZ"] * 8 for name in ("train", "dev", "test")}
    files |= {"udccg/en_ewt.train.auto": [TREE] * 8}
    files |= {"text/tatoeba.en.txt": ["Dogs sleep.", "Is it Tom?", "We saw a house."]}
    for name, lines in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
    return tmp_path


def make(data, output):
    folders = {"--data": data, "--work": data / "work", "--output": output}
    options = [str(part) for pair in folders.items() for part in pair]
    return CliRunner().invoke(english.command, options, catch_exceptions=False)


def test_the_command_makes_a_model_and_does_nothing_twice(data, monkeypatch, caplog):
    tiny_bert(data / "bert")
    small = CompactConfig(pretrained=str(data / "bert"), width=32, inner=64, heads=2, layers=2, positions=24)
    training = replace(english._CONFIG.training, epochs=2)
    monkeypatch.setattr(english, "_CONFIG", replace(english._CONFIG, encoder=small, training=training))
    monkeypatch.setattr(english, "_INNER", 32)
    monkeypatch.setattr(english, "_WATCHED", 1)
    monkeypatch.setattr(corpora, "_SEEN", 1)
    monkeypatch.setattr(reading, "_ROUNDS", ())  # a toy's derivations are not to be learnt from
    for module in (reading, shipping):
        monkeypatch.setattr(module, "hand_checked", lambda data, split: corpora.Corpora.read(data).dev)
    caplog.set_level("INFO", "ccgkit")
    first = make(data, data / "model")
    assert first.exit_code == 0 and "PMB questions (TREC, CLEF)" in first.stdout
    config = load_config(data / "model/config.toml").encoder
    assert config.inner == 32 and config.int8 and not config.tune_pieces
    nlp = load(data / "model", threads=1)
    (sentence,) = nlp.tag("The dog sleeps.")
    assert len(sentence.categories) == 4 and all(token.pos for token in sentence.tokens)
    assert nlp.info.notation == "rebank/PMB"
    figures = json.loads((data / "model/info.json").read_text())["figures"]
    caplog.clear()
    make(data, data / "again")
    assert json.loads((data / "again/info.json").read_text())["figures"] == figures
    assert all(record.getMessage().startswith("resuming in epoch") for record in caplog.records)


def test_an_epoch_teaches_gold_questions_and_auxiliary_tasks(data, monkeypatch):
    monkeypatch.setattr(english, "_AUXILIARY", 0.5)
    known = corpora.Corpora.read(data)
    lessons = english.Lessons(known).epoch(1)
    assert sum(len(lesson.sentences) for lesson in lessons if lesson.labels) == 4
    words = [words for lesson in lessons if lesson.categories for words in lesson.sentences]
    assert any(text[0] in ("Which", "What", "Why", "Does", "Did") for text in words)
    assert lessons == english.Lessons(known).epoch(1) != english.Lessons(known).epoch(2)


def test_quotation_marks_are_those_of_the_training_data():
    assert tokenize('He said "no".') == ["He", "said", '"', "no", '"', "."]


def test_sentences_with_names_of_several_words_are_left_out():
    text = ["We saw New York.", "Tom sleeps.", "Does Tom sleep?", "a " * 60, ""]
    assert sorted(sentences_to_label(text)) == [["Does", "Tom", "sleep", "?"], ["Tom", "sleeps", "."]]


def test_all_questions_are_drawn_and_no_more_is_labelled_than_wanted(monkeypatch):
    monkeypatch.setattr(distillation, "_DRAWN", 12)
    monkeypatch.setattr(distillation, "_LABELLED", 9)
    text = [f"Is it {n}?" for n in range(5)] + [f"It is {n}." for n in range(50)]
    drawn = sentences_to_label(text)
    assert len(drawn) == 9
    monkeypatch.setattr(distillation, "_LABELLED", 99)
    whole = sentences_to_label(text)
    assert len(whole) == 12 and whole[:9] == drawn
    assert sum(words[-1] == "?" for words in whole) == 5
