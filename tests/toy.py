"""A toy language for the tests of taggers and training, and small taggers over it."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from ccgkit import Category
from ccgkit.grammar import is_legal
from ccgkit.taggers.config import (
    BiLSTMConfig,
    CompactConfig,
    Config,
    DecoderConfig,
    TrainingConfig,
    TransformerConfig,
)
from ccgkit.taggers.decoders.generator import Generator
from ccgkit.taggers.encoders.compact import CompactEncoder
from ccgkit.taggers.encoders.wordpiece import WordPiece
from ccgkit.taggers.interface import Decoder, Encoded
from ccgkit.taggers.tagger import Tagger

torch.set_num_threads(1)  # small matrices: more threads only wait for each other

Sentences = list[tuple[tuple[str, ...], tuple[Category, ...]]]

_LEXICON = {
    "NP/N": ["the", "a", "every", "this"],
    "N/N": ["old", "green", "tiny"],
    "N": ["dog", "cat", "garden", "piano", "letter", "bird"],
    r"S[dcl]\NP": ["sleeps", "sings", "vanished"],
    r"(S[dcl]\NP)/NP": ["sees", "wrote", "likes", "sings"],
    r"((S[dcl]\NP)/NP)/NP": ["gave", "wrote"],
    r"(NP\NP)/NP": ["near", "with"],
    r"((S\NP)\(S\NP))/NP": ["near", "with", "in"],
    "NP": ["Ada", "Bo", "she"],
    ".": ["."],
}
_PATTERNS = [
    r"NP S[dcl]\NP .",
    r"NP/N N S[dcl]\NP .",
    r"NP/N N/N N (S[dcl]\NP)/NP NP .",
    r"NP (S[dcl]\NP)/NP NP/N N .",
    r"NP ((S[dcl]\NP)/NP)/NP NP NP/N N .",
    r"NP/N N (NP\NP)/NP NP S[dcl]\NP .",
    r"NP S[dcl]\NP ((S\NP)\(S\NP))/NP NP/N N/N N .",
]

PIECES = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##likely", "##s", "the", "dog", "brad", "pitt", "!", "'",
    "cafe",
]  # fmt: skip
SHAPE = CompactConfig(width=24, inner=32, heads=2, layers=2)
STEPS = 24  # of decoders that have learnt nothing and so do not end by themselves
DECODER = DecoderConfig(kind="cg", threshold=1, lstm_width=16, tag_width=8, max_steps=STEPS)


#: of an encoder that is a transformer and nothing else, so that a token classifier can be made of it
ALONE = {
    "bert_width": 0, "word_width": 0, "char_filters": 0, "lstm_layers": 0, "bert_pooling": "first",
    "bert_layers": "last", "bert_tuned": True,
}  # fmt: skip


def tiny_bert(folder: Path, **settings):
    """A BERT for the words of the toy language with random weights in a folder, and its configuration."""
    import transformers

    folder.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *sorted({w.lower() for ws in _LEXICON.values() for w in ws})]
    (folder / "vocab.txt").write_text("\n".join(words))
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=64, max_position_embeddings=24, hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0, **settings,
    )  # fmt: skip
    torch.manual_seed(1)
    transformers.BertModel(config).save_pretrained(folder)
    transformers.BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    return config


def toy_sentences(count: int, seed: int = 0) -> Sentences:
    """Sentences of a small unambiguous-in-context language, with the category of each word."""
    chance = random.Random(seed)
    sentences = []
    for _ in range(count):
        categories = chance.choice(_PATTERNS).split()
        words = tuple(chance.choice(_LEXICON[category]) for category in categories)
        sentences.append((words, tuple(map(Category.parse, categories))))
    return sentences


def toy_file(path: Path, count: int, seed: int = 0) -> Path:
    """The sentences written as a corpus."""
    lines = [
        " ".join(f"{word}|_|{category}" for word, category in zip(*sentence, strict=True))
        for sentence in toy_sentences(count, seed)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def small_config(kind, dropout=0.0, **encoder):
    """A configuration that trains in a second; one that names a `bert` is of a transformer."""
    parts = (TransformerConfig if "bert" in encoder else BiLSTMConfig)(
        word_width=20, char_filters=10, char_width=8, lstm_width=24, lstm_layers=2,
        dropout=dropout, singletons=0.5 if dropout else 0.0,
    )  # fmt: skip
    decoder = DecoderConfig(
        kind=kind, threshold=1, dropout=dropout, lstm_width=32, tag_width=12, transition_width=24,
        max_steps=STEPS,
    )  # fmt: skip
    training = TrainingConfig(batch=16, learning_rate=0.01, beta2=0.99, epochs=3)
    return Config(replace(parts, **encoder), decoder, training)


def small_tagger(kind, scheme=None, more=(), **options):
    """An untrained tagger over fifty sentences of the toy language."""
    torch.manual_seed(3)
    sentences = toy_sentences(50)
    counts = Counter(category for _, categories in sentences for category in categories)
    counts.update(map(Category.parse, more))
    words = [words for words, _ in sentences]
    return Tagger.build(small_config(kind, **options), words, counts, scheme=scheme).eval()


def compact_tagger(encoder=SHAPE):
    """An untrained tagger over word pieces, with a POS head, in floating point."""
    torch.manual_seed(1)
    made = CompactEncoder(encoder, WordPiece(PIECES))
    made.bert.pieces.weight.data[PIECES.index("!")] = torch.eye(24)[0] * 50
    counts = Counter(map(Category.parse, ["NP/N", "N", "N", r"S[dcl]\NP", r"(S[dcl]\NP)/NP"]))
    decoder = Generator.build(24, DECODER, counts)
    return Tagger(Config(encoder, DECODER), made, decoder, "rebank", {"pos": ("NN", "DT")}).eval()


def tags_of(tagger, sentences, k=1, **options):
    """For each sentence, for each word: up to `k` categories, best first."""
    return [reading.tags for reading in tagger.kbest(sentences, k, **options)]


def loss_of(tagger, words, gold):
    """The decoder's loss, summed over the words."""
    return tagger.decoder.loss(tagger.encode(words), gold)


@torch.inference_mode()
def scores_of(tagger, sentences, candidates):
    """log p of the given categories of each word."""
    return tagger.decoder.scores(tagger.encode(sentences), candidates)


def check_order_and_padding(
    decoder: Decoder, encoded: Encoded, padded: Encoded, order: list[int], k: int
) -> None:
    """Sentences in another order and with more padding get what they get otherwise."""
    mixed = decoder.kbest(Encoded(padded.hidden[list(order)], padded.mask[list(order)]), k)
    alone = decoder.kbest(encoded, k)
    for place, row in zip(order, mixed, strict=True):
        for one, other in zip(row, alone[place], strict=True):
            assert [tag.category for tag in one] == [tag.category for tag in other]
            assert [tag.logprob for tag in one] == pytest.approx([tag.logprob for tag in other], abs=1e-4)


def check_categories(decoder: Decoder, encoded: Encoded, k: int, limit: int) -> None:
    """Up to `k` legal categories a word, all distinct, best first, none of more than `limit` tags."""
    for row in decoder.kbest(encoded, k):
        for tags in row:
            assert 1 <= len(tags) <= k
            assert len({tag.category for tag in tags}) == len(tags)
            assert [tag.logprob for tag in tags] == sorted((tag.logprob for tag in tags), reverse=True)
            for tag in tags:
                assert is_legal(tag.category.tokens())
                assert len(tag.category.tokens()) <= limit
