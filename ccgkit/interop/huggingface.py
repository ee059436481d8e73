"""Hugging Face: a tagger of ours as a token classifier that `AutoModelForTokenClassification` loads.

The other way round needs nothing: `--model` and `ccgkit.load` take the directory of a token classifier.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save

from ..taggers import ModelError
from ..taggers.decoders.classifier import Classifier
from ..taggers.directory import replacing
from ..taggers.encoders.bert import Transformer, import_transformers
from ..taggers.encoders.transformer import FOLDER, TransformerEncoder
from ..taggers.tagger import Tagger, tensors

__all__ = ["export_token_classifier"]


def export_token_classifier(model: str | Path, folder: str | Path) -> None:
    """Write the model in a directory as a token classifier, with its tokenizer, into `folder`.

    It must be the classifier CC over a transformer that is all the encoder there is, with the first piece's
    vector of the last layer for each word: then the first piece of a word gets the logits that we compute.

    Raises `ModelError` where it is any other model.
    """
    tagger = Tagger.load(model)
    transformer, decoder = _parts(tagger, Path(model))
    exported, target = _classifier(transformer, decoder), Path(folder)
    files = {path.name: path.read_bytes() for path in (Path(model) / FOLDER).iterdir()}  # the tokenizer's
    files["config.json"] = exported.config.to_json_string().encode()
    files["model.safetensors"] = save(tensors(exported), {"format": "pt"})
    target.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        with replacing(target / name) as new:
            new.write_bytes(content)


def _parts(tagger: Tagger, model: Path) -> tuple[Transformer, Classifier]:
    encoder, decoder = tagger.encoder, tagger.decoder
    if not isinstance(decoder, Classifier):
        raise ModelError(f"{model} generates categories: only a classifier (decoder cc) has a label for each")
    if not isinstance(encoder, TransformerEncoder):
        raise ModelError(f"{model} has no transformer of Hugging Face's as its encoder")
    bert = encoder.bert
    reasons = {
        "word vectors beside the transformer (word_width, char_filters)": any(
            part is not None for part in (encoder.words, encoder.pretrained, encoder.characters)
        ),
        "a BiLSTM (lstm_layers)": encoder.lstm is not None,
        "a projection (bert_width)": bert.projection is not None,
        'a mixture of layers (bert_layers = "mix")': bert.mixture is not None,
        'the mean of a word\'s pieces (bert_pooling = "mean")': bert.pooling != "first",
    }
    if found := [reason for reason, is_so in reasons.items() if is_so]:
        raise ModelError(f"{model} has {', '.join(found)}, for which a token classifier has no place")
    return bert, decoder


def _classifier(transformer: Transformer, decoder: Classifier) -> Any:
    config = transformer.model.config
    labels = list(map(str, decoder.categories))
    config.id2label = dict(enumerate(labels))
    config.label2id = {label: number for number, label in enumerate(labels)}
    made = import_transformers().AutoModelForTokenClassification.from_config(config)
    head = getattr(made, "classifier", None)
    if not isinstance(head, torch.nn.Linear) or head.weight.shape != decoder.output.weight.shape:
        raise ModelError(f"{type(made).__name__} has no linear classifier over the transformer's vectors")
    made.config.architectures = [type(made).__name__]
    made.base_model.load_state_dict(transformer.model.state_dict())
    head.load_state_dict(decoder.output.state_dict())
    return made.eval()
