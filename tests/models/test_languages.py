"""The models of languages other than English."""

import json

import pytest
from click.testing import CliRunner

import ccgkit
from ccgkit.cli.models import command as models
from ccgkit.cli.parse import command as parse
from ccgkit.cli.tag import command as tag
from ccgkit.models.registry import UnknownModelError, find, installed

LANGUAGES = ("de", "it", "nl")
_LOADED: dict[str, ccgkit.Pipeline] = {}


def nlp(language):
    if language not in _LOADED:
        _LOADED[language] = ccgkit.load(f"{language}-pmb", threads=1)
    return _LOADED[language]


def categories(language, text):
    (sentence,) = nlp(language).tag(text)
    return dict(zip(sentence.words, map(str, sentence.categories), strict=True))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_a_model_that_says_what_it_is(language):
    model = find(language=language)
    assert (model.name, model.language, model.notation) == (f"{language}-pmb", language, "rebank/PMB")
    assert model == find(f"{language}-pmb") == find(f"{language}-pmb", language) == find(model.path, language)
    assert model.figures["PMB test"] > model.figures["PMB test, most frequent category"] + 5
    card = (model.path / "README.md").read_text(encoding="utf-8")
    assert f"{model.figures['PMB test']:.2f}" in card and "not CCGbank" in card and "Tatoeba" in card


def test_together_they_are_small():
    assert sum({m.path: m.size for m in installed() if m.language in LANGUAGES}.values()) < 10_000_000


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Ich sehe den Hund.", {"Ich": "NP", "sehe": r"(S[dcl]\NP)/NP", "den": "NP/N", "Hund": "N"}),
        ("it", "L’uomo ha un libro.", {"L'": "NP/N", "uomo": "N", "ha": r"(S[dcl]\NP)/NP", "un": "NP/N"}),
        ("nl", "De man leest een boek.", {"De": "NP/N", "man": "N", "een": "NP/N", "boek": "N"}),
    ],
)
def test_a_plain_sentence(language, text, expected):
    assert expected.items() <= categories(language, text).items()


@pytest.mark.parametrize("language", LANGUAGES)
def test_odd_text_is_tagged_all_the_same_and_has_no_pos_tags(language):
    for text in ("ALLES!", "¡¿!?", "雨", "a" * 300, "😀 \u200b", "„«»“"):
        for sentence in nlp(language).tag(text):
            assert all(sentence.tags) and all(token.pos is None for token in sentence.tokens)


def test_a_model_and_another_language_do_not_go_together():
    with pytest.raises(UnknownModelError, match="de-pmb is a model for the language de: not for it"):
        find("de-pmb", "it")
    with pytest.raises(UnknownModelError, match="for the language de, it, nl: name one"):
        find(find("de-pmb").path)


def test_a_trained_model_is_of_the_language_that_is_said(tmp_path):
    (tmp_path / "model.json").write_text('{"format": "ccgkit model", "scheme": "rebank"}')
    assert find(tmp_path, "de").language == "de"
    assert find(tmp_path).language == ""


def test_models_lists_each_with_its_own_figures():
    lines = CliRunner().invoke(models, ["--json"]).output.splitlines()
    listed = {line["language"]: line for line in map(json.loads, lines)}
    assert {"en", *LANGUAGES} <= listed.keys()
    assert len({listed[language]["figures"]["PMB test"] for language in LANGUAGES}) == 3
    assert "the same files as it-pmb and nl-pmb" in CliRunner().invoke(models).output


def test_tag_chooses_model_and_tokens_by_language():
    result = CliRunner().invoke(tag, ["--lang", "it", "--threads", "1", "Vedo l'amico."])
    assert [token.split("|")[:2] for token in result.stdout.split()] == [
        ["Vedo", "_"], ["l'", "_"], ["amico", "_"], [".", "_"],
    ]  # fmt: skip
    line = CliRunner().invoke(tag, ["--lang", "de", "--threads", "1", "--format", "jsonl", "Es regnet."])
    assert json.loads(line.stdout)["meta"]["model"] == "de-pmb (rebank/PMB notation)"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--lang", "tlh"], "languages: de, en, it, nl"),
        (["--lang", "nl", "--model", "en-pmb"], "for the language en: not for nl"),
    ],
)
def test_a_language_that_is_not_there_is_wrong_use(arguments, message):
    result = CliRunner().invoke(tag, [*arguments, "Es regnet."])
    assert result.exit_code == 2 and not result.stdout
    assert message in result.stderr


def test_text_is_parsed_with_the_scheme_of_its_notation():
    result = CliRunner().invoke(parse, ["--lang", "de", "--format", "auto", "Ich sehe den Hund."])
    assert result.exit_code == 0 and not result.stderr
    assert "<T S[dcl]" in result.stdout
