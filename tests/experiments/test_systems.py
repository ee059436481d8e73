"""Named systems are the configurations that a person trains by hand."""

import pytest

from ccgkit import CCGKitError
from ccgkit.experiments import paper
from ccgkit.experiments.accuracy import SYSTEMS, WITH_BERT
from ccgkit.experiments.systems import (
    CONFIGS,
    MINILM,
    compose,
    config_of,
    differences,
    label,
    parts,
    scaled,
    system,
)
from ccgkit.taggers.config import load_config

FILES = sorted(CONFIGS.glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_system_is_the_configuration_of_its_name(path):
    assert system(path.stem) == load_config(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_variant_changes_the_same_in_every_file(path):
    assert compose(path.stem) == load_config(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_configuration_names_its_word_vectors(path):
    heading = path.read_text(encoding="utf-8").partition("\n[")[0]
    assert "glove50.safetensors" in heading or "Word vectors: none" in heading


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_configuration_that_names_no_other_transformer_has_minilm(path):
    encoder = system(path.stem).encoder
    assert encoder.kind != "transformer" or encoder.bert == MINILM


def test_the_papers_systems_have_files_to_train_by_hand():
    names = {f"{kind}{rest}" for kind in ("cc", "cg", "cgng2", "ct") for rest in ("", "-bert", "-small")}
    assert names <= {path.stem for path in FILES}


def test_the_settings_of_a_run_come_after_the_systems_own():
    config = config_of("ct-bert", "another", ("training.batch=50", "encoder.pretrained=v.txt"), 4)
    assert config.encoder.bert == "another" and config.encoder.pretrained == "v.txt"
    assert config.training.batch == 50 and config.training.seed == 4
    assert config_of("ct", "another", (), 1).encoder.kind == "bilstm"


@pytest.mark.parametrize("name", ["cc", "cc-bert"])
def test_all_that_was_set_is_told_by_the_names_of_files(name):
    changes = ("encoder.pretrained=/data/glove50.safetensors", "training.batch=25", "decoder.dropout=0.4")
    found = differences(system(name), config_of(name, MINILM, changes, 3))
    assert found == ["encoder.pretrained=glove50.safetensors", "decoder.dropout=0.4", "training.batch=25"]


def test_variants_may_stand_in_any_order():
    assert system("cg-nocnn-bert") == system("cg-bert-nocnn")
    assert system("cg-nocnn-bert").encoder.kind == "transformer"


def test_the_supplements_sizes_for_small_corpora():
    config = system("cg-low")
    assert (config.encoder.word_width, config.encoder.char_filters, config.encoder.pretrained_width) == (
        50,
    ) * 3
    assert (config.encoder.lstm_width, config.decoder.lstm_width) == (200, 100)


def test_attention_is_tried_at_the_smaller_sizes_of_the_paper():
    for name, kind in (("cg-300-eq2", "step"), ("cg-300-eq3", "word"), ("cg-300", "none")):
        config = system(name)
        assert config.decoder.attention == kind
        assert (config.training.batch, config.encoder.lstm_width, config.decoder.lstm_width) == (
            128,
            300,
            200,
        )


@pytest.mark.parametrize(
    "name", ["cx", "cg-tiny", "", "CC", "variants/nd", "cg-bert-tune", "cg-ndsmall", "cg-", "../cc"]
)
def test_an_unknown_name_is_told_with_the_known_ones(name):
    with pytest.raises(CCGKitError, match=r"cgng2.*small"):
        system(name)


def test_names_of_reranked_pairs():
    assert parts("cg-bert+cc-bert") == ("cg-bert", "cc-bert")
    assert scaled("cg+cc", "small") == "cg-small+cc-small"
    assert label("cg+cgng2") == "rerank CG + CGNG2"


def test_every_row_of_the_papers_main_table_has_one_of_ours():
    assert paper.MAIN.keys() <= {*SYSTEMS, *WITH_BERT}
