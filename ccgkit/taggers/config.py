"""What a tagger is made of and how it is trained: the tables `[encoder]`, `[decoder]` and `[training]`.

Every default is the paper's where the paper gives one. This module imports no torch.

>>> config = read_config('[decoder]\\nkind = "cg"', "example")
>>> config.decoder.kind, config.decoder.lstm_width, config.training.learning_rate
('cg', 250, 0.002)
>>> read_config("[encoder]\\nlstm_widht = 3", "example")
Traceback (most recent call last):
ccgkit.taggers.config.ConfigError: example: [encoder] has no field 'lstm_widht'; did you mean 'lstm_width'?
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from ccgkit.grammar import CCGKitError

__all__ = [
    "Config",
    "ConfigError",
    "DecoderConfig",
    "EncoderConfig",
    "TrainingConfig",
    "load_config",
    "override",
    "read_config",
    "write_config",
]


class ConfigError(CCGKitError):
    """A configuration with a field or a value that means nothing."""


@dataclass(frozen=True, slots=True)
class EncoderConfig:
    """How words become vectors. A width of 0 (or an empty name) switches a part off."""

    word_width: int = 100  #: random word embedding
    lowercase: bool = True  #: look words up in lower case
    digits: bool = True  #: look words up with every digit as `0`
    singletons: float = 0.5  #: probability to replace a word seen once in training by the unknown word
    char_filters: int = 100  #: filters of the character CNN
    char_width: int = 30  #: embedding of a character
    char_window: int = 3  #: characters a filter sees
    pretrained: str = ""  #: file of pretrained word vectors: text, .npz or .safetensors
    pretrained_width: int = 50  #: width in the word vector; a file of another width is projected to it
    pretrained_scale: float = 0.1  #: standard deviation the vectors are scaled to; 0 leaves them as they are
    pretrained_tuned: bool = True  #: whether the pretrained vectors of training words are trained on
    bert: str = ""  #: transformer: a directory, an installed package that holds one, or a cached name
    bert_width: int = 100  #: projection of the transformer's output; 0 takes it as it is
    bert_pooling: Literal["first", "mean"] = "first"  #: which pieces stand for a word
    bert_layers: Literal["last", "mix"] = "last"  #: last layer, or a learnt mixture of all
    bert_tuned: bool = False  #: fine-tune the transformer (else its output is computed once and kept)
    lstm_width: int = 400  #: BiLSTM units per direction
    lstm_layers: int = 2  #: BiLSTM layers; 0 hands the word vectors on
    dropout: float = 0.33  #: on word vectors and between the BiLSTM layers; one mask a sentence


@dataclass(frozen=True, slots=True)
class DecoderConfig:
    """How vectors become categories."""

    kind: Literal["cc", "cg", "ct"] = "cc"  #: classifier, tag-wise or transition-based generator
    threshold: int = 10  #: categories seen fewer times in training are UNK; 1 keeps all
    dropout: float = 0.33  #: on what the decoder reads of the encoder; one mask a sentence
    oracle: Literal["AC", "PA", "NG", "OR"] = "AC"  #: cg: the atomic tag set
    ngram: int = 2  #: cg with NG: tags an n-gram may join
    top: int = 10  #: cg with PA or NG: how many of the most frequent expressions become tags (the paper's k)
    count: Literal["tokens", "types"] = "tokens"  #: cg: what "most frequent" counts, tokens or categories
    deterministic: bool = True  #: cg: one decomposition a category, or one sampled every epoch
    attention: Literal["none", "step", "word"] = "none"  #: cg: over the sentence, eq. 2 or eq. 3
    lstm_width: int = 250  #: cg: decoder LSTM
    tag_width: int = 30  #: cg: embedding of an atomic tag; 0 tells the decoder only what its state remembers
    transition_width: int = 128  #: ct: stack, output buffer, action history and composition LSTMs
    beam: int = 4  #: cg, ct: least beam of a k-best search; 1-best is greedy
    max_steps: int = 60  #: cg, ct: tags or actions after which a category is given up


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How a tagger is trained."""

    learning_rate: float = 0.002  #: of Adam, for all but a fine-tuned transformer
    beta1: float = 0.9  #: of Adam
    beta2: float = 0.9  #: of Adam
    bert_learning_rate: float = 2e-4  #: for a fine-tuned transformer
    weight_decay: float = 0.0  #: decoupled (AdamW)
    schedule: Literal["decay", "linear"] = "decay"  #: r/(1 + decay·epoch), or straight to 0 in the last epoch
    decay: float = 0.05  #: of the schedule `decay`
    warmup: float = 0.0  #: part of all steps over which the rates rise from 0
    clip: float = 5.0  #: norm to which gradients are clipped; 0 does not clip
    average: float = 0.0  #: decay of a moving average of the weights, which is then evaluated; 0 for none
    batch: int = 200  #: sentences a step and process
    epochs: int = 60  #: at most
    patience: int = 10  #: epochs without a better dev accuracy before training stops
    seed: int = 1  #: of everything that is random
    precision: Literal["auto", "float32", "bfloat16"] = "auto"  #: auto: bfloat16 on a GPU that has it
    checkpoint_minutes: float = 5.0  #: longest time between two checkpoints


@dataclass(frozen=True, slots=True)
class Config:
    """A whole configuration."""

    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    decoder: DecoderConfig = field(default_factory=DecoderConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)


_TABLES: dict[str, type[Any]] = {
    "encoder": EncoderConfig,
    "decoder": DecoderConfig,
    "training": TrainingConfig,
}
_LEAST = {  # of numbers; everything else must be 0 or more
    "threshold": 1, "char_window": 1, "ngram": 1, "beam": 1, "max_steps": 1, "batch": 1, "epochs": 1,
    "patience": 1, "char_width": 1, "transition_width": 1, "pretrained_width": 1,
}  # fmt: skip
_BELOW_ONE = ("singletons", "dropout", "beta1", "beta2", "warmup", "average")
_T = TypeVar("_T")


def load_config(path: Path) -> Config:
    """The configuration in a TOML file; file names in it are relative to the file."""
    try:
        config = read_config(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the configuration {path}: {error}") from error
    return _resolved(config, path.parent)


def read_config(text: str, where: str) -> Config:
    """The configuration written in `text`; `where` names it in errors."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{where} is no TOML: {error}") from error
    _refuse_unknown(tables, list(_TABLES), f"{where}: there is no table {{}}")
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise ConfigError(f"{where}: {name} must be a table, [{name}]")
    return Config(
        **{name: _table(_TABLES[name], table, f"{where}: [{name}]") for name, table in tables.items()}
    )


def write_config(config: Config) -> str:
    """The configuration as TOML, with every field."""
    lines: list[str] = []
    for name, table in asdict(config).items():
        lines += [f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in table.items()), ""]
    return "\n".join(lines)


def override(config: Config, changes: Sequence[str]) -> Config:
    """The configuration with changes such as `training.epochs=3`."""
    for change in changes:
        name, equals, value = change.partition("=")
        table, dot, key = name.strip().partition(".")
        if not (equals and dot):
            raise ConfigError(f"{change!r} is no change: write table.field=value, as in training.epochs=3")
        _refuse_unknown([table], list(_TABLES), f"{change}: there is no table {{}}")
        read = _table(_TABLES[table], {key: _value(value.strip())}, f"{change}: [{table}]")
        config = replace(config, **{table: replace(getattr(config, table), **{key: getattr(read, key)})})
    return config


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text  # an unquoted word is a string


def _table(kind: type[_T], table: Mapping[str, Any], where: str) -> _T:
    hints = get_type_hints(kind)
    _refuse_unknown(table, list(hints), f"{where} has no field {{}}")
    return kind(**{key: _checked(value, hints[key], key, where) for key, value in table.items()})


def _checked(value: Any, hint: Any, key: str, where: str) -> Any:
    refuse = partial(_refuse, f"{where} {key} = {_toml(value)}")
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            refuse(f"it must be one of {', '.join(map(str, get_args(hint)))}")
        return value
    if hint is float and type(value) is int:
        value = float(value)
    if type(value) is not hint:
        refuse({int: "a whole number", float: "a number", bool: "true or false", str: "a string"}[hint])
    if hint in (int, float):
        least = _LEAST.get(key, 0)
        if not least <= value < float("inf"):
            refuse(f"a number from {least} on")
        if key in _BELOW_ONE and value >= 1 and key != "singletons":
            refuse("a number below 1")
    return value


def _refuse(what: str, wanted: str) -> None:
    raise ConfigError(f"{what}: wanted is {wanted}")


def _refuse_unknown(given: Mapping[str, Any] | Sequence[str], known: Sequence[str], message: str) -> None:
    for name in given:
        if name not in known:
            close = get_close_matches(name, known, 1)
            hint = f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(known)}"
            raise ConfigError(message.format(repr(name)) + hint)


def _resolved(config: Config, folder: Path) -> Config:
    """File names of the encoder's table made relative to the configuration's folder, where they exist."""
    paths: dict[str, Any] = {
        name: str(folder / value)
        for name in ("pretrained", "bert")
        if (value := getattr(config.encoder, name)) and (folder / value).exists()
    }
    return replace(config, encoder=replace(config.encoder, **paths)) if paths else config


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'
    return repr(value)
