"""Folders of tiny corpora, and settings so small that a model is trained in a moment."""

from __future__ import annotations

from dataclasses import replace

from toy import toy_file, toy_sentences

from ccgkit.corpora import dump
from ccgkit.grammar import Token, load_scheme
from ccgkit.parsing import Parser
from ccgkit.sentence import Sentence, Supertag

TINY = (
    "encoder.word_width=12", "encoder.char_filters=4", "encoder.char_width=4", "encoder.lstm_width=8",
    "encoder.lstm_layers=1", "decoder.lstm_width=8", "decoder.tag_width=4", "decoder.transition_width=8",
    "training.batch=16", "training.learning_rate=0.02", "training.epochs=1",
)  # fmt: skip
NO_BERT = "no-such-transformer-anywhere"


def tiny_data(folder):
    """The layout of the open corpora with sentences of the toy language."""
    (folder / "pmb4").mkdir(parents=True)
    for place, language in enumerate(("en", "it", "de", "nl")):
        for number, (split, count) in enumerate((("train", 40), ("dev", 12), ("test", 8))):
            toy_file(folder / "pmb4" / f"{language}.{split}.stagged", count, seed=10 * place + number)
    toy_file(folder / "pmb4" / "en.ood_questions.stagged", 6, seed=77)
    (folder / "pmb5").mkdir()
    for number, split in enumerate(("dev", "test")):
        dump(derived(5, 50 + number, "d"), folder / "pmb5" / f"en.{split}.auto")
    return folder


def tiny_ccgbank(folder):
    """The layout of LDC2005T13, all sections, with sentences of the toy language."""
    for section in range(25):
        sentences = derived(2, 100 + section, f"wsj_{section:02}00")
        for part in ("AUTO", "PARG"):
            place = folder / "data" / part / f"{section:02}"
            place.mkdir(parents=True)
            dump(sentences, place / f"wsj_{section:02}00.{part.lower()}")
    return folder


def derived(count, seed, name):
    """Sentences of the toy language with derivations and dependencies."""
    parser = Parser(load_scheme("ccgbank"))
    bare = [
        Sentence(
            tuple(Token(word, "X") for word in words),
            tuple((Supertag(category),) for category in categories),
            id=f"{name}.{number}",
        )
        for number, (words, categories) in enumerate(toy_sentences(count, seed), 1)
    ]
    return [replace(result.to_sentence(), meta={}) for result in parser.pipe(bare)]


def options(data, output, *more, seeds=1):
    """The command line after the experiment's name."""
    changes = [part for change in TINY for part in ("--set", change)]
    return [
        "--data", str(data), "--output", str(output), "--seeds", str(seeds), "--threads", "1",
        "--bert", NO_BERT, *changes, *more,
    ]  # fmt: skip
