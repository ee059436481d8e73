"""Encoders: each part can be off, padding and neighbours change nothing, dropout masks are shared."""

import numpy as np
import pytest
import torch
from toy import small_config, toy_sentences

from ccgkit.taggers.encoders.bilstm import BiLSTMEncoder
from ccgkit.taggers.encoders.embeddings import CharacterCNN, PretrainedVectors, WordEmbedding, WordForm
from ccgkit.taggers.errors import ModelError
from ccgkit.taggers.layers import SharedDropout

SENTENCES = [list(words) for words, _ in toy_sentences(12, seed=5)]
OFF = {"word_width": 0, "char_filters": 0}


def encoder(**options):
    torch.manual_seed(1)
    return BiLSTMEncoder.build(small_config("cc", **options).encoder, SENTENCES).eval()


@pytest.fixture
def vectors(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("dog 1 0 0\ncat 0 1 0\n")
    return str(path)


@pytest.mark.parametrize(
    ("options", "width"),
    [
        ({}, 30),
        ({"word_width": 0}, 10),
        ({"char_filters": 0}, 20),
        ({"pretrained": "…", "pretrained_width": 3}, 33),
        ({"pretrained": "…", "pretrained_width": 5, **OFF}, 5),
    ],
)
def test_parts_are_concatenated_and_each_can_be_off(options, width, vectors):
    if "pretrained" in options:
        options = {**options, "pretrained": vectors}
    made = encoder(**options, lstm_layers=0)
    encoded = made(SENTENCES)
    assert encoded.hidden.shape == (12, max(map(len, SENTENCES)), width)
    assert made.width == width
    assert encoder(**options).width == 48


def test_an_encoder_of_nothing_is_refused():
    with pytest.raises(ModelError, match="all are off"):
        encoder(**OFF)


def test_padding_and_batch_mates_change_no_vector():
    made = encoder()
    whole = made(SENTENCES).hidden
    for i, sentence in enumerate(SENTENCES):
        alone = made([sentence])
        assert torch.allclose(whole[i, : len(sentence)], alone.hidden[0], atol=1e-6)
        assert not whole[i, len(sentence) :].any()
    backwards = made(SENTENCES[::-1]).hidden.flip(0)
    assert torch.allclose(whole, backwards, atol=1e-6)


def test_a_sentence_is_read_in_both_directions():
    made = encoder(lstm_layers=1)
    one, other = made([["the", "dog", "sleeps"]]).hidden, made([["the", "dog", "vanished"]]).hidden
    assert not torch.allclose(one[0, 0], other[0, 0])
    forward = slice(0, 24)
    assert torch.allclose(one[0, 0, forward], other[0, 0, forward])


def test_dropout_has_one_mask_a_sentence():
    torch.manual_seed(0)
    dropped = SharedDropout(0.5).train()(torch.ones(4, 7, 50))
    assert (dropped == dropped[:, :1]).all()
    assert not (dropped[0] == dropped[1]).all()
    assert set(dropped.unique().tolist()) == {0.0, 2.0}
    assert (SharedDropout(0.5).eval()(torch.ones(1, 2, 3)) == 1).all()


def test_unknown_words_share_a_vector_and_singletons_train_it():
    words = ["a", "a", "b"]
    made = WordEmbedding.build(words, 4, WordForm(lowercase=True, digits=True), rate=1.0)
    made.eval()
    assert (made(["x"]) == made(["y"])).all()
    assert not (made(["b"]) == made(["x"])).all()
    made.train()
    assert (made(["b"]) == made(["x"])).all()
    assert not (made(["a"]) == made(["x"])).all()


@pytest.mark.parametrize(("lowercase", "digits", "form"), [(True, True, "ab00"), (False, False, "Ab12")])
def test_case_and_digits_are_options(lowercase, digits, form):
    assert WordForm(lowercase, digits)("Ab12") == form


def test_characters_of_long_and_short_words():
    torch.manual_seed(0)
    cnn = CharacterCNN.build(["abc"], 6, 4, 3).eval()
    together = cnn(["a", "cab" * 30, "", "?"])
    for i, word in enumerate(["a", "cab" * 30, "", "?"]):
        assert torch.allclose(together[i], cnn([word])[0], atol=1e-6)
    assert not torch.allclose(cnn(["ab"])[0], cnn(["ba"])[0])


def test_pretrained_vectors_are_scaled_looked_up_and_tuned():
    matrix = np.array([[1, 3], [-1, -3], [2, 0]], np.float32)
    made = PretrainedVectors.build(["dog", "u.s.", "##"], matrix, 2, 0.5, ["Dog", "unseen"])
    assert made(["dog", "U.S.", "42", "none"]).detach().std(0).all()
    assert made.vectors[1:].float().std(correction=0).item() == pytest.approx(0.5, abs=1e-2)
    assert (made(["none"]) == 0).all()
    assert (made(["61"]) == made(["##"])).all()
    made(["dog", "u.s."]).sum().backward()
    assert list(made.tuned) == ["dog"]
    assert made.change.weight.grad[1].tolist() == [1.0, 1.0]
    frozen = PretrainedVectors.build(["dog"], matrix[:1], 2, 0, [])
    assert not list(frozen.parameters())
    assert frozen(["dog"]).tolist() == [[1.0, 3.0]]
