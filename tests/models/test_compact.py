"""The small transformer, its pieces of words, and the tagger that is shipped on it."""

from collections import Counter

import pytest
import torch

from ccgkit import Category
from ccgkit.models.compact import CompactTagger, build
from ccgkit.models.transformer import ByteLinear, Shape, SmallBert
from ccgkit.models.wordpiece import WordPiece
from ccgkit.taggers.config import DecoderConfig
from ccgkit.taggers.interface import ModelError

PIECES = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "un",
    "##likely",
    "##s",
    "the",
    "dog",
    "brad",
    "pitt",
    "!",
    "'",
    "cafe",
]
INFO = {"name": "toy", "notation": "rebank/PMB", "language": "en"}
TEXT = [["the", "dog"], ["Brad~Pitt", "unlikely"], ["the", "dogs", "'s", "cafe", "unlikely", "xyz"]]
WILD = ["!", "!!!", "THE!"]  # far from what the toy sees in TEXT
LONG = ["the", "dog", "unlikely", "!"] * 30


def small(pos=("NN", "DT")):
    torch.manual_seed(1)
    shape = Shape(pieces=len(PIECES), width=24, inner=32, heads=2, layers=2, positions=512)
    bert = SmallBert(shape)
    bert.pieces.weight.data[PIECES.index("!")] = torch.eye(24)[0] * 50
    counts = Counter(map(Category.parse, ["NP/N", "N", "N", r"S[dcl]\NP", r"(S[dcl]\NP)/NP"]))
    config = DecoderConfig(kind="cg", threshold=1, lstm_width=16, tag_width=8)
    return build(WordPiece(PIECES), bert, config, counts, pos).eval()


def compressed():
    tagger = small()
    tagger.compress(TEXT)
    return tagger


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("toy")
    compressed().save(path, "# Toy\n", INFO)
    return path


def test_pieces_are_the_longest_known_in_lower_case_without_accents():
    pieces = WordPiece(PIECES)
    assert pieces("Unlikely") == (4, 5)
    assert pieces("DOGS!") == (8, 6, 11)
    assert pieces("Café") == (13,)
    assert pieces("Brad Pitt") == (9, 10)
    assert pieces("xyz") == pieces("\u200b") == pieces("") == (1,)


def test_int8_weights_give_nearly_the_same():
    linear = torch.nn.Linear(64, 32)
    vectors = torch.randn(10, 64)
    limits = torch.stack([vectors.min(), vectors.max()])
    exact, rounded = linear(vectors), ByteLinear.of(linear, limits)(vectors)
    assert (exact - rounded).abs().max() < 0.05


def test_a_compressed_transformer_expects_what_it_has_seen():
    tagger = small()
    inputs = []
    hook = tagger.encoder.bert.layers[1].narrow.register_forward_hook(
        lambda _, seen, __: inputs.append(*seen)
    )
    tagger.read(TEXT)
    hook.remove()
    tagger.compress(TEXT)
    low, high = tagger.encoder.bert.layers[1].narrow.limits.tolist()
    assert low == min(float(seen.min()) for seen in inputs)
    assert high == max(float(seen.max()) for seen in inputs)


def test_only_a_compressed_tagger_is_saved(tmp_path):
    with pytest.raises(ModelError, match="compress"):
        small().save(tmp_path / "toy", "# Toy\n", INFO)
    assert not (tmp_path / "toy").exists()


def test_a_failed_save_leaves_nothing_behind(tmp_path):
    with pytest.raises(TypeError):
        compressed().save(tmp_path, "# Toy\n", {"name": object()})
    assert not list(tmp_path.iterdir())


def test_a_saved_tagger_says_the_same_when_loaded(folder):
    tagger = compressed()
    sentences = [["the", "dog"], ["Brad~Pitt", "!"], []]
    again = CompactTagger.load(folder)
    assert tagger.read(sentences, 2) == again.read(sentences, 2)


def said(reading):
    """What is said of the words, log p apart."""
    return reading.pos, [[tag.category for tag in word] for word in reading.tags]


def logprobs(reading):
    return [tag.logprob for word in reading.tags for tag in word]


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize(
    ("mates", "batch"),
    [
        ([WILD], 32),
        ([LONG], 32),
        ([TEXT[1], WILD, LONG, TEXT[0]], 32),
        ([LONG, TEXT[2], TEXT[1], TEXT[1]], 2),
    ],
    ids=["beside an outlier", "beside a long one", "in the middle", "in small batches"],
)
@pytest.mark.parametrize("int8", [True, False], ids=["int8", "float"])
def test_what_a_word_gets_never_depends_on_its_batch(mates, batch, k, int8):
    tagger = compressed() if int8 else small()
    for sentence in (*TEXT, WILD):
        (alone,) = tagger.read([sentence], k)
        for place in (0, len(mates) // 2, len(mates)):
            together = tagger.read([*mates[:place], sentence, *mates[place:]], k, batch)[place]
            assert said(together) == said(alone)
            assert logprobs(together) == pytest.approx(logprobs(alone), rel=1e-6, abs=1e-5)


def test_an_unsorted_batch_is_encoded_in_its_own_order():
    encoder = compressed().encoder
    runs = [encoder.runs(words)[0] for words in (TEXT[0], LONG, TEXT[2], TEXT[0])]
    with torch.inference_mode():
        together = encoder(runs)
        for row, run in enumerate(runs):
            alone = encoder([run])
            assert together.mask[row].sum() == len(run)
            assert torch.allclose(together.hidden[row, : len(run)], alone.hidden[0], atol=1e-6)


def test_a_sentence_longer_than_the_transformer_is_read_in_parts(folder):
    (reading,) = CompactTagger.load(folder).read([["the", "dog", "unlikely"] * 600])
    assert len(reading.tags) == len(reading.pos) == 1800


def test_what_beta_rules_out_is_not_searched_for_and_nothing_else_changes(folder):
    tagger = CompactTagger.load(folder)
    sentences = [["the", "dog", "unlikely", "!"], ["Brad~Pitt"]]
    full, kept = tagger.read(sentences, 4), tagger.read(sentences, 4, beta=0.3)
    for one, two in zip(full, kept, strict=True):
        for every, some in zip(one.tags, two.tags, strict=True):
            probable = [t.category for t in every if t.logprob >= every[0].logprob - 1.2039]
            assert [t.category for t in some][: len(probable)] == probable


def test_a_damaged_or_newer_model_is_refused(folder, tmp_path):
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    index = copy / "model.json"
    index.write_text(index.read_text().replace('"version": 1', '"version": 99'))
    with pytest.raises(ModelError, match="version 99"):
        CompactTagger.load(copy)
    shutil.copytree(folder, copy, dirs_exist_ok=True)
    (copy / "pieces.txt").write_text("[PAD]\n")
    with pytest.raises(ModelError, match="damaged"):
        CompactTagger.load(copy)
