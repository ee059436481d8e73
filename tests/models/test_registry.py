"""Which models there are."""

import json

import pytest

from ccgkit.models.registry import UnknownModelError, describe, find, installed


def make(folder, spelled, **info):
    folder.mkdir()
    (folder / "model.json").write_text(json.dumps({"files": {"vocabulary.json": ""}}))
    (folder / "vocabulary.json").write_text(spelled)
    if info:
        (folder / "info.json").write_text(json.dumps(info))
    return folder


@pytest.mark.parametrize(
    ("spelled", "expected"),
    [('["NP[nb]/N"]', "CCGbank"), ('["NP/N", "S[dcl]"]', "rebank/PMB"), ('["NP/NP", "S"]', "UD-CCG")],
)
def test_the_notation_of_a_trained_model_is_told_from_its_categories(tmp_path, spelled, expected):
    model = describe(make(tmp_path / "mine", spelled))
    assert (model.name, model.notation) == ("mine", expected)
    assert str(model) == f"mine ({expected} notation)"


def test_a_directory_is_a_model(tmp_path):
    folder = make(tmp_path / "mine", "[]", name="own", notation="CCGbank", language="nl")
    assert find(folder).language == "nl"
    assert find(folder).size == sum(
        file.stat().st_size for file in folder.iterdir() if file.name != "info.json"
    )


def test_what_is_not_there_is_told_with_what_is(tmp_path):
    with pytest.raises(UnknownModelError, match="no model 'nonsense'; in the package: "):
        find("nonsense")
    with pytest.raises(UnknownModelError, match=r"without model\.json"):
        find(tmp_path)
    with pytest.raises(UnknownModelError, match="language 'tlh'"):
        find(language="tlh")


def test_models_of_the_package_say_what_they_are():
    for model in installed():
        assert model.language and model.data and model.licence and model.figures
        assert model.notation in ("CCGbank", "rebank/PMB", "UD-CCG")
        assert model.size < 40_000_000
        card = (model.path / "README.md").read_text(encoding="utf-8")
        assert model.notation in card
