"""Which models there are."""

import json

import pytest

from ccgkit.models.registry import UnknownModelError, describe, find, installed
from ccgkit.taggers import ModelError
from ccgkit.taggers.directory import Lender, read_index


def make(folder, scheme=None, **info):
    folder.mkdir()
    index = {"format": "ccgkit model", "files": {"vocabulary.json": ""}}
    (folder / "model.json").write_text(json.dumps(index if scheme is None else {**index, "scheme": scheme}))
    (folder / "vocabulary.json").write_text("{}")
    if info:
        (folder / "info.json").write_text(json.dumps(info))
    return folder


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [("ccgbank", "CCGbank"), ("rebank", "rebank/PMB"), ("udccg", "UD-CCG"), (None, "unknown")],
)
def test_the_notation_is_that_of_the_scheme_a_model_says(tmp_path, scheme, expected):
    model = describe(make(tmp_path / "mine", scheme))
    assert (model.name, model.notation) == ("mine", expected)
    assert str(model) == f"mine ({expected} notation)"


def test_an_ensemble_has_the_scheme_of_its_generator(tmp_path):
    make(tmp_path / "generator", "udccg")
    (tmp_path / "ensemble.toml").write_text('generator = "generator"\nscorer = "scorer"\n')
    assert describe(tmp_path).scheme == "udccg"


@pytest.mark.parametrize("text", ["[", "[[[[" * 50_000, "3", '{"size": 3}', '{"name": "a", "scheme": "b"}'])
def test_a_damaged_info_is_told(tmp_path, text):
    folder = make(tmp_path / "mine", "rebank")
    (folder / "info.json").write_text(text)
    with pytest.raises(ModelError, match=r"cannot read .*info\.json"):
        describe(folder)


def test_a_directory_is_a_model(tmp_path):
    folder = make(tmp_path / "mine", "ccgbank", name="own", language="nl")
    assert find(folder).language == "nl"
    assert find(folder).size == sum(
        file.stat().st_size for file in folder.iterdir() if file.name != "info.json"
    )


def test_of_several_models_for_a_language_the_scheme_decides(tmp_path, monkeypatch):
    models = [
        describe(make(tmp_path / name, scheme, name=name, language="en"))
        for name, scheme in (("a", "ccgbank"), ("b", "rebank"), ("c", "udccg"))
    ]
    monkeypatch.setattr("ccgkit.models.registry.installed", lambda: models)
    assert find().name == "b"
    assert find(scheme="ccgbank").name == "a"
    assert find("c", scheme="ccgbank").name == "c"
    monkeypatch.setattr("ccgkit.models.registry.installed", lambda: models[2:])
    assert find(scheme="ccgbank").name == "c"


def test_a_model_says_whose_encoder_it_uses_even_if_that_has_changed(tmp_path):
    folder = make(tmp_path / "mine", "ccgbank")
    index = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps({**index, "encoder": {"model": "other", "weights": ""}}))
    assert describe(folder).encoder == "other"


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
        if lender := Lender.named(model.path, read_index(model.path)):
            lender.check(model.path)  # made anew with the model whose encoder it uses
