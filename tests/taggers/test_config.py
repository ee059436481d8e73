"""Configurations: defaults of the paper, TOML there and back, errors that name what was meant."""

from dataclasses import asdict, fields
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgkit.taggers.config import (
    BiLSTMConfig,
    CompactConfig,
    Config,
    ConfigError,
    DecoderConfig,
    Range,
    TrainingConfig,
    TransformerConfig,
    load_config,
    override,
    read_config,
    write_config,
)

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.toml"))


def test_the_defaults_are_the_papers():
    encoder, decoder, training = BiLSTMConfig(), DecoderConfig(), TrainingConfig()
    assert (encoder.word_width, encoder.pretrained_width, encoder.char_filters, encoder.char_window) == (
        100,
        50,
        100,
        3,
    )
    assert (encoder.lstm_layers, encoder.lstm_width, TransformerConfig().bert_width) == (2, 400, 100)
    assert encoder.dropout == decoder.dropout == 0.33
    assert (decoder.lstm_width, decoder.tag_width, decoder.transition_width) == (250, 30, 128)
    assert (decoder.threshold, decoder.ngram, decoder.top) == (10, 2, 10)
    assert (training.learning_rate, training.beta1, training.beta2, training.batch) == (0.002, 0.9, 0.9, 200)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_ready_configuration_can_be_read(path):
    assert load_config(path).decoder.kind == path.stem[:2]


def test_there_is_a_ready_configuration_for_each_model():
    names = {path.stem for path in CONFIGS}
    for model in ("cc", "cg", "cgng2", "ct"):
        assert {model, f"{model}-bert", f"{model}-bert-tuned", f"{model}-small"} <= names


NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


@given(
    NAMES,
    st.floats(0, 0.99),
    st.integers(0, 4096),
    st.booleans(),
)
def test_what_is_written_is_read_again(text, number, width, flag):
    config = Config(
        BiLSTMConfig(pretrained=text, dropout=number, word_width=width, lowercase=flag),
        DecoderConfig(kind="ct"),
        TrainingConfig(learning_rate=number),
    )
    assert read_config(write_config(config), "here") == config


def test_every_field_is_documented():
    source = (Path(__file__).parents[2] / "ccgkit/taggers/config.py").read_text()
    for table in (BiLSTMConfig, TransformerConfig, CompactConfig, DecoderConfig, TrainingConfig):
        for field in fields(table):
            line = next(line for line in source.splitlines() if line.startswith(f"    {field.name}: "))
            assert "#:" in line, field.name


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[encoder]\nword_wdth = 3", "did you mean 'word_width'?"),
        ("[encodr]", "did you mean 'encoder'?"),
        ("encoder = 3", "must be a table"),
        ("[decoder]\nkind = 'crf'", 'kind must be one of cc, cg, ct, not "crf"'),
        ("[training]\nbatch = 'many'", 'must be a whole number from 1 to 1000000, not "many"'),
        ("[training]\nbatch = 0", "from 1 to 1000000, not 0"),
        ("[training]\nclip = -1", "a number from 0 to 1000000, not -1"),
        ("[training]\nlearning_rate = nan", "from 0 to 10"),
        ("[training]\nseed = 100000000000000000000000000", "a whole number from 0"),
        ("[encoder]\ndropout = 1.0", "from 0 to less than 1, not 1.0"),
        ("[encoder]\nlstm_layers = 1000000000", "from 0 to 16"),
        ("[encoder]\nkind = 3", "kind must be a string, not 3"),
        ("[encoder]\nkind = 'compact'\nheads = 0", "heads must be a whole number from 1 to 128, not 0"),
        ("[encoder]\nkind = 'compact'\nheads = 7", "width = 384 cannot be divided among heads = 7"),
        ("[encoder]\nkind = 'compact'\nlstm_width = 7", "has no field 'lstm_width'"),
        ("[encoder]\nbert = 'here'", "has no field 'bert'"),
        ("[decoder]\nbeam = 1000000", "from 1 to 1024, not 1000000"),
        ("[decoder]\nmax_steps = 1000000000000000", "from 1 to 1000"),
        ("[decoder]\noracle = 'XX'", 'oracle must be one of AC, PA, NG, OR, not "XX"'),
        ('[encoder]\nkind = "transformer"\nbert = "\\u0000"', "none of them NUL"),
        ("[encoder]\nlowercase = 1", "true or false"),
        ("[encoder", "is not valid TOML"),
        ("x = " + "[" * 100_000, "is not valid TOML"),
    ],
)
def test_errors_say_what_is_wanted(text, told):
    with pytest.raises(ConfigError) as error:
        read_config(text, "some.toml")
    assert told in str(error.value) and "some.toml" in str(error.value)


def test_changes_override_single_fields():
    config = override(Config(), ["training.epochs=3", "encoder.pretrained=v.txt", "encoder.lowercase=false"])
    assert config.training.epochs == 3
    assert config.encoder.pretrained == "v.txt"
    assert config.encoder.lowercase is False
    assert asdict(config)["decoder"] == asdict(DecoderConfig())
    for wrong in ("epochs=3", "training.epochs", "training.epoch=3", "trainin.epochs=3"):
        with pytest.raises(ConfigError):
            override(config, [wrong])


def test_another_kind_of_part_starts_from_its_own_defaults():
    config = override(Config(), ["encoder.kind=compact", "encoder.layers=3", "decoder.kind=ct"])
    assert config.encoder == CompactConfig(layers=3)
    assert config.decoder == DecoderConfig(kind="ct")
    assert read_config(write_config(config), "here") == config
    config = override(Config(), ["encoder.kind=transformer", "encoder.bert=some-name"])
    assert config.encoder == TransformerConfig(bert="some-name")


@pytest.mark.parametrize(
    "table", [BiLSTMConfig, TransformerConfig, CompactConfig, DecoderConfig, TrainingConfig]
)
def test_every_number_has_a_range(table):
    for name, hint in get_type_hints(table, include_extras=True).items():
        if hint in (int, float) or get_args(hint)[:1] in ((int,), (float,)):
            assert any(isinstance(mark, Range) for mark in get_args(hint)), name


def test_files_are_found_beside_the_configuration(tmp_path):
    (tmp_path / "vectors.txt").write_text("a 1 2\n")
    (tmp_path / "c.toml").write_text('[encoder]\npretrained = "vectors.txt"')
    assert load_config(tmp_path / "c.toml").encoder.pretrained == str(tmp_path / "vectors.txt")
    with pytest.raises(ConfigError, match="cannot read"):
        load_config(tmp_path / "none.toml")
