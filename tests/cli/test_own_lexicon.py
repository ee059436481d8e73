"""`ccgkit parse --lexicon`: all derivations of sentences under a lexicon in a file."""

import pytest
from invocation import invoke
from lexica import TOY

from ccgkit.cli.parse import command
from ccgkit.corpora import loads


@pytest.fixture
def lexicon(tmp_path):
    path = tmp_path / "toy.lex"
    path.write_text(str(TOY), encoding="utf-8")
    return path


def test_all_derivations_are_drawn(lexicon):
    result = invoke(command, "--lexicon", lexicon, "--format", "pretty", "I saw the man with a telescope")
    assert result.exit_code == 0
    assert result.stdout.count("I      saw     the   man") == 2


def test_sentences_come_from_a_pipe_and_go_to_any_format(lexicon):
    result = invoke(
        command, "--lexicon", lexicon, "--format", "jsonl", stdin="John sleeps\nMary likes Bill\n"
    )
    sentences = list(loads(result.stdout, "jsonl"))
    assert [len(sentence.derivations) for sentence in sentences] == [1, 1]
    assert sentences[1].words == ("Mary", "likes", "Bill")


def test_what_has_no_derivation_is_told_and_ends_nothing(lexicon):
    result = invoke(
        command, "--lexicon", lexicon, "--format", "jsonl", stdin="John John\nJohn slept\nJohn sleeps\n"
    )
    assert result.exit_code == 0 and len(result.stdout.splitlines()) == 3
    assert "the words do not combine to S" in result.stderr
    assert "not in the lexicon: 'slept' (did you mean 'sleeps'?)" in result.stderr


def test_nbest_limits_them(lexicon):
    sentence = "I saw the man with a telescope"
    result = invoke(command, "--lexicon", lexicon, "--format", "jsonl", "--nbest", 1, sentence)
    (found,) = loads(result.stdout, "jsonl")
    assert len(found.derivations) == 1
    assert "2 derivations, only 1 given" in result.stderr


@pytest.mark.parametrize(
    ("sentence", "switches", "count"),
    [
        ("John likes Mary", ["--no-composition", "--no-type-raising"], 1),
        ("John likes and Mary hates Bill", [], 1),
        ("John likes and Mary hates Bill", ["--no-composition"], 0),
        ("John likes and Mary hates Bill", ["--no-type-raising"], 0),
        ("John likes Mary", ["--no-normal-form"], 5),
        ("John likes Mary", ["--no-normal-form", "--no-composition", "--no-type-raising"], 1),
        ("John saw today the man", [], 0),
        ("John saw today the man", ["--crossed"], 1),
    ],
)
def test_rules_are_switched_by_name(tmp_path, sentence, switches, count):
    path = tmp_path / "own.lex"
    path.write_text(
        "John Mary Bill := NP\nlikes hates saw := (S\\NP)/NP\nand := conj\nthe := NP/N\nman := N\n"
        "today := (S\\NP)\\(S\\NP)\n"
    )
    result = invoke(command, "--lexicon", path, *switches, "--format", "jsonl", sentence)
    (found,) = loads(result.stdout, "jsonl")
    assert len(found.derivations) == count, result.stderr


def test_a_switch_without_a_lexicon_is_wrong_use():
    result = invoke(command, "--no-composition", "John sleeps")
    assert result.exit_code == 2 and "--composition is a switch of a grammar of your own" in result.stderr


def test_an_error_in_the_lexicon_shows_where(tmp_path):
    path = tmp_path / "bad.lex"
    path.write_text("likes := (S\\NP/NP", encoding="utf-8")
    result = invoke(command, "--lexicon", path, "John likes Mary")
    assert result.exit_code == 1 and "bad.lex:1:10: unclosed parenthesis" in str(result.exception)


def test_a_model_and_a_lexicon_are_one_too_many(lexicon):
    result = invoke(command, "--lexicon", lexicon, "--model", "en-pmb", "John sleeps")
    assert result.exit_code == 2 and "--lexicon cannot be combined with --model" in result.stderr
