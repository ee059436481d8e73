"""Token classifiers of Hugging Face: with categories as labels they are taggers; ours become such."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from invocation import invoke
from toy import ALONE, small_tagger, tiny_bert, toy_sentences

pytest.importorskip("transformers")

import transformers

from ccgkit import Category, load
from ccgkit.cli.main import main
from ccgkit.interop.huggingface import export_token_classifier
from ccgkit.models.registry import UnknownModelError, find
from ccgkit.taggers import ModelError, load_tagger
from ccgkit.taggers.token_classifier import TokenClassifier

TOY = toy_sentences(60)
LABELS = ["O", *sorted({str(category) for _, categories in TOY for category in categories}), "LABEL_99"]


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A token classifier that was fine-tuned on the toy language by Hugging Face's means alone."""
    folder = tmp_path_factory.mktemp("tuned")
    named = {"id2label": dict(enumerate(LABELS)), "label2id": {label: i for i, label in enumerate(LABELS)}}
    model = transformers.BertForTokenClassification(tiny_bert(folder / "bert", **named))
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder / "bert")
    optimiser = torch.optim.AdamW(model.parameters(), 3e-3)
    batch = tokenizer([list(words) for words, _ in TOY], is_split_into_words=True, padding=True,
                      return_tensors="pt")  # fmt: skip
    gold = torch.full(batch["input_ids"].shape, -100)
    for row, (_, categories) in enumerate(TOY):
        for place, word in enumerate(batch.word_ids(row)):
            if word is not None:
                gold[row, place] = LABELS.index(str(categories[word]))
    for _ in range(60):
        optimiser.zero_grad()
        model(**batch, labels=gold).loss.backward()
        optimiser.step()
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_a_fine_tuned_token_classifier_is_a_tagger(tuned: Path) -> None:
    tagger = load_tagger(tuned)
    assert isinstance(tagger, TokenClassifier) and tagger.scheme == find(tuned).scheme == "rebank"
    readings = tagger.kbest([words for words, _ in TOY[:20]], k=3, batch_size=7)
    right = [
        found is gold
        for reading, (_, categories) in zip(readings, TOY[:20], strict=True)
        for found, gold in zip(reading.categories, categories, strict=True)
    ]
    assert sum(right) / len(right) > 0.9
    assert all(len(tags) == 3 and tags[0].logprob >= tags[1].logprob for r in readings for tags in r.tags)


def test_labels_that_are_no_categories_are_never_chosen(tuned: Path) -> None:
    (reading,) = load_tagger(tuned).kbest([["she", "sleeps", "."]], k=len(LABELS))
    assert {str(tag.category) for tag in reading.tags[0]} == set(LABELS) - {"O", "LABEL_99"}
    total = torch.tensor([tag.logprob for tag in reading.tags[0]]).exp().sum()
    assert total == pytest.approx(1)


def test_sentences_that_are_longer_than_the_transformer_and_those_without_words_are_read(tuned: Path) -> None:
    long, none = load_tagger(tuned).kbest([["she", "sleeps"] * 30, []])
    assert len(long.tags) == 60 and none.tags == []


def test_the_pipeline_and_the_commands_parse_with_it(tuned: Path) -> None:
    (parsed,) = load(tuned, language="en").parse("She sees the old dog.")
    assert parsed.derivation is not None and str(parsed.derivation.category) == "S[dcl]"
    shown = invoke(main, "parse", "--model", tuned, "--lang", "en", "--format", "auto", "She sees the dog.")
    assert r"(<L (S[dcl]\NP)/NP VBZ VBZ sees (S[dcl]\NP)/NP>)" in shown.stdout


def test_a_classifier_of_ours_is_exported_and_says_the_same(tmp_path: Path) -> None:
    tiny_bert(tmp_path / "bert")
    ours = small_tagger("cc", bert=str(tmp_path / "bert"), **ALONE)
    ours.save(tmp_path / "ours")
    invoke(main, "export-huggingface", tmp_path / "ours", tmp_path / "theirs")
    theirs = transformers.AutoModelForTokenClassification.from_pretrained(tmp_path / "theirs").eval()
    words = ["the", "old", "dog", "sleeps", "."]
    encoded = transformers.AutoTokenizer.from_pretrained(tmp_path / "theirs")(
        words, is_split_into_words=True, return_tensors="pt"
    )
    best = theirs(**encoded).logits[0, 1:-1].argmax(1).tolist()
    (reading,) = ours.kbest([words], k=3)
    assert [Category.parse(theirs.config.id2label[i]) for i in best] == reading.categories
    (again,) = load_tagger(tmp_path / "theirs").kbest([words], k=3)
    for mine, other in zip(reading.tags, again.tags, strict=True):
        assert [tag.category for tag in mine] == [tag.category for tag in other]
        assert [tag.logprob for tag in mine] == pytest.approx([tag.logprob for tag in other], abs=1e-5)


@pytest.mark.parametrize(
    ("kind", "change", "reason"),
    [
        ("cg", {}, "generates categories: only a classifier"),
        ("cc", {"bert_pooling": "mean", "bert_layers": "mix"}, "a mixture of layers .* the mean of a word's"),
        ("cc", {"lstm_layers": 1, "word_width": 4}, "word vectors .* a BiLSTM"),
    ],
)
def test_what_a_token_classifier_has_no_place_for_is_not_exported(
    kind: str, change: dict[str, object], reason: str, tmp_path: Path
) -> None:
    tiny_bert(tmp_path / "bert")
    small_tagger(kind, bert=str(tmp_path / "bert"), **(ALONE | change)).save(tmp_path / "ours")
    with pytest.raises(ModelError, match=reason):
        export_token_classifier(tmp_path / "ours", tmp_path / "theirs")
    assert not (tmp_path / "theirs").exists()


def test_a_model_without_a_transformer_is_not_exported(tmp_path: Path) -> None:
    small_tagger("cc").save(tmp_path / "ours")
    with pytest.raises(ModelError, match="no transformer of Hugging Face's"):
        export_token_classifier(tmp_path / "ours", tmp_path / "theirs")


def test_a_classifier_of_something_else_is_refused(tuned: Path, tmp_path: Path) -> None:
    config = json.loads((tuned / "config.json").read_text())
    labels = {number: f"LABEL_{number}" for number in config["id2label"]}
    (tmp_path / "config.json").write_text(json.dumps(config | {"id2label": labels}))
    with pytest.raises(ModelError, match=r"no label in .* is a category: LABEL_0"):
        load(tmp_path, language="en")
    (tmp_path / "config.json").write_text(json.dumps(config | {"architectures": ["BertModel"]}))
    with pytest.raises(UnknownModelError, match="not a token classifier"):
        load(tmp_path, language="en")
