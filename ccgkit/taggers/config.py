"""What a tagger is made of and how it is trained: the tables `[encoder]`, `[decoder]` and `[training]`.

`kind` in the first two names a part of the registries, and the part says what else its table may hold. Every
default is the paper's where the paper gives one. This module imports no torch.

>>> config = read_config('[decoder]\\nkind = "cg"', "example")
>>> config.decoder.kind, config.decoder.lstm_width, config.training.learning_rate
('cg', 250, 0.002)
>>> read_config("[encoder]\\nlstm_widht = 3", "example")
Traceback (most recent call last):
ccgkit.taggers.config.ConfigError: example: [encoder] has no field 'lstm_widht'; did you mean 'lstm_width'?
>>> read_config("[training]\\nbatch = 0", "example")
Traceback (most recent call last):
ccgkit.taggers.config.ConfigError: example: [training] batch must be a whole number from 1 to 1000000, not 0
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from ccgkit.grammar import CCGKitError
from ccgkit.oracles import TAG_SETS
from ccgkit.registry import Registry

from .parts import DECODERS, ENCODERS

__all__ = [
    "BiLSTMConfig",
    "CompactConfig",
    "Config",
    "ConfigError",
    "DecoderConfig",
    "FileName",
    "OneOf",
    "Range",
    "TrainingConfig",
    "TransformerConfig",
    "from_tables",
    "load_config",
    "override",
    "read_config",
    "read_tables",
    "write_config",
]

_LONGEST = 4096  # characters of a string


class ConfigError(CCGKitError):
    """A configuration with a field or a value that means nothing."""


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers a field may have; `below` leaves out the highest."""

    low: float
    high: float
    below: bool = False

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high and not (self.below and value == self.high)

    def __str__(self) -> str:
        return f"from {self.low} to {'less than ' * self.below}{self.high}"


@dataclass(frozen=True, slots=True)
class OneOf:
    """The names of a registry, which is asked when a field is checked."""

    registry: Registry[Any]


class _File:
    """A name that may be that of a file beside the configuration."""


FileName = Annotated[str, _File()]
_Width = Annotated[int, Range(0, 4096)]  # 0 switches the part off
_Size = Annotated[int, Range(1, 4096)]
_Number = Annotated[int, Range(1, 1_000_000)]
_Share = Annotated[float, Range(0, 1, below=True)]
_Rate = Annotated[float, Range(0, 10)]
_Probability = Annotated[float, Range(0, 1)]


@dataclass(frozen=True, slots=True)
class BiLSTMConfig:
    """Word vectors and a BiLSTM over them. A width of 0 (or an empty name) switches a part off."""

    kind: Annotated[str, OneOf(ENCODERS)] = "bilstm"  #: which encoder
    word_width: _Width = 100  #: width of the random word embedding
    lowercase: bool = True  #: look words up in lower case
    digits: bool = True  #: look words up with every digit as `0`
    singletons: _Probability = 0.5  #: how often a word seen once in training becomes the unknown word
    char_filters: _Width = 100  #: number of filters of the character CNN
    char_width: _Size = 30  #: width of a character's embedding
    char_window: Annotated[int, Range(1, 32)] = 3  #: characters a filter sees
    pretrained: FileName = ""  #: file of pretrained word vectors: text, .npz or .safetensors
    pretrained_width: _Size = 50  #: their part of the word vector; vectors of another width are projected
    pretrained_scale: _Rate = 0.1  #: standard deviation the vectors are scaled to; 0 leaves them as they are
    pretrained_tuned: bool = True  #: whether the pretrained vectors of training words are trained on
    lstm_width: _Width = 400  #: BiLSTM units per direction
    lstm_layers: Annotated[int, Range(0, 16)] = 2  #: BiLSTM layers; 0 hands the word vectors on
    dropout: _Share = 0.33  #: on word vectors and between BiLSTM layers, one mask per sentence


@dataclass(frozen=True, slots=True)
class TransformerConfig(BiLSTMConfig):
    """A pretrained transformer, whose vectors join the word vectors below the BiLSTM."""

    kind: Annotated[str, OneOf(ENCODERS)] = "transformer"  #: which encoder
    bert: FileName = ""  #: a directory, an installed package that holds one, or a cached name
    bert_width: _Width = 100  #: projection of the transformer's output; 0 takes it as it is
    bert_pooling: Literal["first", "mean"] = "first"  #: a word is its first piece, or the mean of all
    bert_layers: Literal["last", "mix"] = "last"  #: last layer, or a learnt mixture of all
    bert_tuned: bool = False  #: fine-tune the transformer (else its output is computed once and kept)
    bert_frozen: Annotated[int, Range(0, 48)] = 0  #: lower layers that fine-tuning leaves; computed only once


@dataclass(frozen=True, slots=True)
class CompactConfig:
    """A small BERT over word pieces, which needs no other library and can be made int8.

    Raises `ValueError` where the width cannot be divided among the heads.
    """

    kind: Annotated[str, OneOf(ENCODERS)] = "compact"  #: which encoder
    pretrained: FileName = ""  #: uncased BERT to start from: a directory or a package that holds one
    width: _Size = 384  #: width of the vectors
    inner: Annotated[int, Range(1, 16384)] = 1536  #: units inside each layer
    heads: Annotated[int, Range(1, 128)] = 12  #: attention heads, which share the width equally
    layers: Annotated[int, Range(1, 48)] = 6  #: number of layers, the lowest of the pretrained model
    positions: Annotated[int, Range(3, 8192)] = 512  #: pieces read at once, with start and end
    hide: _Share = 0.0  #: share of the pieces that are masked in training
    tune_pieces: bool = True  #: whether the vectors of the pieces are trained, too
    dropout: _Share = 0.1  #: inside the transformer
    rounded: bool = False  #: whether the large matrices are trained under the rounding of int8
    int8: bool = False  #: whether the large matrices are int8, and no longer trained

    def __post_init__(self) -> None:
        if self.heads < 1 or self.width % self.heads:
            raise ValueError(f"width = {self.width} cannot be divided among heads = {self.heads}")


@dataclass(frozen=True, slots=True)
class DecoderConfig:
    """How vectors become categories."""

    kind: Annotated[str, OneOf(DECODERS)] = "cc"  #: classifier, tag-wise or transition-based generator
    threshold: Annotated[int, Range(1, 10**9)] = 10  #: categories seen fewer times in training are UNK
    dropout: _Share = 0.33  #: on the encoder's vectors, one mask per sentence
    oracle: Annotated[str, OneOf(TAG_SETS)] = "AC"  #: cg: the atomic tag set
    ngram: Annotated[int, Range(1, 64)] = 2  #: cg with NG: length of the n-grams
    top: Annotated[int, Range(0, 100_000)] = 10  #: cg with PA or NG: how many expressions become tags (k)
    count: Literal["tokens", "types"] = "tokens"  #: cg: what "most frequent" counts, tokens or categories
    deterministic: bool = True  #: cg: one decomposition per category, or one drawn at each occurrence
    attention: Literal["none", "step", "word"] = "none"  #: cg: none, or the paper's eq. 2 or eq. 3
    lstm_width: _Size = 250  #: cg: units of the decoder's LSTM
    tag_width: _Width = 30  #: cg: width of a tag's embedding; 0 leaves out the last tag
    transition_width: _Size = 128  #: ct: units of the LSTMs of stack, buffer, history and composition
    action_width: _Width = 0  #: ct: width of the embeddings of actions and stack; 0: as the LSTMs
    hidden_width: _Width = 0  #: ct: hidden layer over state and word; 0 for none, as in the paper
    softmax: Literal["legal", "all"] = "legal"  #: ct: over the legal actions only, or over all of them
    beam: Annotated[int, Range(1, 1024)] = 4  #: cg, ct: smallest beam of a k-best search; 1-best is greedy
    max_steps: Annotated[int, Range(1, 1000)] = 60  #: cg, ct: most tags or actions of a category


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How a tagger is trained."""

    learning_rate: _Rate = 0.002  #: Adam's, for everything but a fine-tuned transformer
    beta1: _Share = 0.9  #: Adam's
    beta2: _Share = 0.9  #: Adam's
    bert_learning_rate: _Rate = 2e-4  #: Adam's, for a fine-tuned transformer
    weight_decay: _Rate = 0.0  #: decoupled (AdamW)
    schedule: Literal["decay", "linear"] = "decay"  #: r/(1 + decay·epoch), or linearly down to 0
    decay: Annotated[float, Range(0, 1000)] = 0.05  #: of the schedule `decay`
    warmup: _Share = 0.0  #: share of all steps in which the rates rise from 0
    clip: Annotated[float, Range(0, 1_000_000)] = 5.0  #: norm to which gradients are clipped; 0 for none
    average: _Share = 0.0  #: decay of a moving average of the weights, which is then evaluated; 0 for none
    batch: _Number = 200  #: sentences per step and process
    epochs: _Number = 60  #: the most epochs
    patience: _Number = 10  #: epochs without a better dev accuracy before training stops
    seed: Annotated[int, Range(0, 2**31 - 1)] = 1  #: from which all random choices follow
    precision: Literal["auto", "float32", "bfloat16"] = "auto"  #: auto: bfloat16 on a GPU that has it
    checkpoint_minutes: Annotated[float, Range(0, 1_000_000)] = 5.0  #: longest time between two checkpoints


@dataclass(frozen=True, slots=True)
class Config:
    """A whole configuration; the encoder's and the decoder's are of the type that their kind asks for."""

    encoder: Any = field(default_factory=BiLSTMConfig)
    decoder: Any = field(default_factory=DecoderConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)

    @property
    def threshold(self) -> int:
        """How often a category must be seen in training to be learnt."""
        return int(getattr(self.decoder, "threshold", 1))


_TABLES = ("encoder", "decoder", "training")
_TYPES: Mapping[str, type[Any]] = {
    "bilstm": BiLSTMConfig, "transformer": TransformerConfig, "compact": CompactConfig,
    "cc": DecoderConfig, "cg": DecoderConfig, "ct": DecoderConfig,
}  # fmt: skip


def load_config(path: Path) -> Config:
    """The configuration in a TOML file; file names in it are relative to the file.

    Raises `ConfigError` where it cannot be read, for unknown names and for values out of range.
    """
    try:
        config = read_config(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the configuration {path}: {error}") from error
    return _resolved(config, path.parent)


def read_config(text: str, where: str) -> Config:
    """The configuration written in `text`; `where` names it in errors.

    Raises `ConfigError`, which says `where`, for unknown names and for values out of range.
    """
    return from_tables(read_tables(text, where), where)


def read_tables(text: str, where: str) -> dict[str, Any]:
    """The tables of a configuration, not yet checked.

    Raises `ConfigError` where it is not TOML.
    """
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{where} is not valid TOML: {error}") from error


def from_tables(tables: Mapping[str, Any], where: str) -> Config:
    """The configuration that the tables make up.

    Raises `ConfigError`, which says `where`, for unknown names and for values out of range.
    """
    _refuse_unknown(tables, _TABLES, f"{where}: there is no table")
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise ConfigError(f"{where}: {name} must be a table, [{name}]")
    return Config(**{name: _table(name, table, f"{where}: [{name}]") for name, table in tables.items()})


def write_config(config: Config) -> str:
    """The configuration as TOML, with every field."""
    import tomli_w

    return tomli_w.dumps(asdict(config))


def override(config: Config, changes: Sequence[str]) -> Config:
    """The configuration with changes such as `training.epochs=3`; a new kind of part has its defaults.

    Raises `ConfigError` where one cannot be read, for unknown names and for values out of range.
    """
    for change in changes:
        name, equals, value = change.partition("=")
        table, dot, key = name.strip().partition(".")
        if not (equals and dot):
            raise ConfigError(f"cannot read {change!r}: write table.field=value, as in training.epochs=3")
        _refuse_unknown([table], _TABLES, f"{change}: there is no table")
        old = asdict(getattr(config, table))
        new = {**old, key: _value(value.strip())}
        where = f"{change}: [{table}]"
        if key == "kind" and _type(table, new, where) is not type(getattr(config, table)):
            new = {key: new[key]}
        config = replace(config, **{table: _table(table, new, where)})
    return config


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text  # an unquoted word is a string


def _type(name: str, table: Mapping[str, Any], where: str) -> type[Any]:
    """The dataclass of a table's fields, which for an encoder or a decoder depends on its kind."""
    if name == "training":
        return TrainingConfig
    registry, usual = (ENCODERS, "bilstm") if name == "encoder" else (DECODERS, "cc")
    kind = table.get("kind", usual)
    _checked(kind, Annotated[str, OneOf(registry)], f"{where} kind")
    return _TYPES[kind] if registry.is_own(kind) else registry[kind].config_type


def _table(name: str, table: Mapping[str, Any], where: str) -> Any:
    kind = _type(name, table, where)
    hints = get_type_hints(kind, include_extras=True)
    names = [one.name for one in fields(kind)]
    _refuse_unknown(table, names, f"{where} has no field")
    checked = {key: _checked(value, hints[key], f"{where} {key}") for key, value in table.items()}
    try:
        return kind(**checked)
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from error


_NOUNS = {int: "a whole number", float: "a number", bool: "true or false", str: "a string"}


def _checked(value: Any, hint: Any, where: str) -> Any:
    """The value, if the field's type, range and names allow it."""
    limits: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *rest = get_args(hint)
        limits = tuple(rest)
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise _not_among(value, get_args(hint), where)
        return value
    if hint is float and type(value) is int:
        value = float(value) if abs(value) < 1 << 53 else value
    ranges = [limit for limit in limits if isinstance(limit, Range)]
    noun = " ".join([_NOUNS.get(hint, "something else"), *map(str, ranges)])
    if hint in _NOUNS and (type(value) is not hint or not all(value in limit for limit in ranges)):
        raise ConfigError(f"{where} must be {noun}, not {_shown(value)}")
    if hint is str and (len(value) > _LONGEST or "\0" in value):
        raise ConfigError(f"{where} must have no more than {_LONGEST} characters, none of them NUL")
    for limit in limits:
        if isinstance(limit, OneOf) and value not in limit.registry:
            raise _not_among(value, limit.registry.names(), where)
    return value


def _not_among(value: Any, names: Iterable[str], where: str) -> ConfigError:
    return ConfigError(f"{where} must be one of {', '.join(names)}, not {_shown(value)}")


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _refuse_unknown(given: Iterable[str], known: Sequence[str], message: str) -> None:
    for name in given:
        if name not in known:
            close = get_close_matches(name, known, 1)
            hint = f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(known)}"
            raise ConfigError(f"{message} {name!r}{hint}")


def _resolved(config: Config, folder: Path) -> Config:
    """File names made relative to the configuration's folder, where they exist."""
    return replace(
        config, **{name: _beside(getattr(config, name), folder) for name in ("encoder", "decoder")}
    )


def _beside(part: Any, folder: Path) -> Any:
    hints = get_type_hints(type(part), include_extras=True)
    names = {
        one.name: str(folder / value)
        for one in fields(part)
        if any(isinstance(mark, _File) for mark in get_args(hints[one.name]))
        and (value := getattr(part, one.name))
        and (folder / value).exists()
    }
    return replace(part, **names) if names else part
