"""The recipe of the German, Italian and Dutch models."""

import json
import random

import pytest
import torch
from click.testing import CliRunner

from ccgkit import Category
from ccgkit.models.registry import find
from ccgkit.pipeline import load
from ccgkit.taggers.config import override
from ccgkit.training.data import Example
from recipes import german_italian_dutch
from recipes.corpora import TaggedWords
from recipes.german_italian_dutch import CONFIG, LANGUAGES, augmented, trained

GOLD = [
    r"Der|_|NP/N Hund|_|N schläft|_|S[dcl]\NP .|_|S[dcl]\S[dcl]",
    r"Ada|_|N singt|_|S[dcl]\NP ?|_|S[dcl]\S[dcl]",
]

AUTO = (
    r"""ID=1 PARSER=GOLD NUMPARSE=1
(<T S 1 2> (<L NP PROPN PROPN Ada NP>) (<L S\NP VERB VERB dorme S\NP>) )
"""
    * 6
)


def examples(*tagged):
    pairs = [[token.split("|") for token in sentence.split()] for sentence in tagged]
    return [
        Example(tuple(word for word, _ in one), tuple(Category.parse(spelled) for _, spelled in one))
        for one in pairs
    ]


def test_an_epoch_shows_every_sentence_once_in_some_form():
    given = examples(*(rf"Ada~Rossi{n}|N singt{n}|S[dcl]\NP .|S[dcl]\S[dcl]" for n in range(200)))
    view = augmented(given, random.Random(1))
    assert len(view) < len(given)  # some are joined
    assert all(len(one.words) == len(one.categories) for one in view)
    shown = sorted(word.lower() for one in view for word in one.words if word.startswith("singt"))
    assert shown == sorted(f"singt{n}" for n in range(200))
    written = {word for one in view for word in one.words}
    assert "Ada" in written and any("~" in word for word in written)


def test_the_recipe_learns(tmp_path):
    given = examples(
        r"Der|NP/N Hund|N schläft|S[dcl]\NP .|S[dcl]\S[dcl]", r"Ada|N singt|S[dcl]\NP .|S[dcl]\S[dcl]"
    )
    small = override(CONFIG, ["training.epochs=12", "training.batch=2", "training.average=0.5"])
    torch.set_num_threads(1)
    others = [TaggedWords(("Ada", "dorme"), ("PROPN", "VERB"), ("NP", r"S\NP"))] * 6
    tagger = trained(small, given * 6, others, given, tmp_path)
    found = tagger.kbest([one.words for one in given], k=1)
    assert [reading.categories for reading in found] == [list(one.categories) for one in given]
    assert list(tagger.heads) == [] and "dorme" in tagger.encoder.to_json()["words"]["words"]


def test_the_command_makes_the_models_of_three_languages(tmp_path, monkeypatch):
    monkeypatch.setattr(german_italian_dutch, "CONFIG", override(CONFIG, ["training.epochs=1"]))
    for name in ("pmb4", "udccg"):
        (tmp_path / name).mkdir()
    (tmp_path / "udccg/it_vit.train.auto").write_text(AUTO, encoding="utf-8")
    for language in LANGUAGES:
        for part in ("train", "dev", "test"):
            text = "\n".join(GOLD * 3) if part == "train" else GOLD[1].replace("Ada", "Ida")
            (tmp_path / f"pmb4/{language}.{part}.stagged").write_text(text + "\n", encoding="utf-8")
    folders = {"--data": tmp_path, "--work": tmp_path / "work", "--output": tmp_path / "model"}
    options = [str(part) for pair in folders.items() for part in pair]
    result = CliRunner().invoke(german_italian_dutch.command, options, catch_exceptions=False)
    assert "de  PMB dev" in result.stdout
    info = json.loads((tmp_path / "model/info.json").read_text())
    assert [one["name"] for one in info] == ["de-pmb", "it-pmb", "nl-pmb"]
    assert "6 German" in (tmp_path / "model/README.md").read_text()
    nlp = load(find(tmp_path / "model", "it"), threads=1)
    assert nlp.info.notation == "rebank/PMB" and all(nlp.tag("Ada singt.")[0].tags)


@pytest.mark.slow
def test_the_card_tells_the_truth(corpus_folder):
    from ccgkit.taggers.tagger import Tagger

    models = {language: find(language=language) for language in LANGUAGES}
    found = german_italian_dutch.measure(Tagger.load(models["de"].path), corpus_folder)
    for language, model in models.items():
        assert found[language] == pytest.approx(dict(model.figures), abs=0.05)
