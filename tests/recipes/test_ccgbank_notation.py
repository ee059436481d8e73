"""The recipe of the English model in CCGbank's notation."""

from dataclasses import replace

import pytest
from click.testing import CliRunner
from toy import compact_tagger

from ccgkit.corpora import loads
from ccgkit.models.registry import describe
from ccgkit.taggers import load_tagger
from ccgkit.training.data import Example
from recipes import ccgbank_notation
from recipes.ccgbank_notation import Mapped, command, without_rare

KING = r"The|_|NP/N king|_|N/PP of|_|PP/NP Spain|_|N sings|_|S[dcl]\NP .|_|."
KING_IN_CCGBANK = ["NP[nb]/N", "N", r"(NP\NP)/NP", "N", r"S[dcl]\NP", "."]
NONSENSE = "The|_|NP/N the|_|NP/N"
TREE = (
    r"(<T S[dcl] 1 2> (<T NP 1 2> (<L NP/N DT DT The NP/N>) (<L N NN NN dog N>) ) "
    r"(<L S[dcl]\NP VBZ VBZ sings S[dcl]\NP>) )"
)


def example(tagged):
    (sentence,) = loads(tagged, "stagged")
    return Example(sentence.words, sentence.categories)


def test_gold_categories_are_parsed_and_mapped_and_what_cannot_be_is_counted():
    mapped = Mapped()
    (king,) = mapped.tagged(map(example, (KING, NONSENSE)))
    assert list(map(str, king.categories)) == KING_IN_CCGBANK
    assert (mapped.done, mapped.tried) == (1, 2)


def test_categories_seen_once_are_not_learnt():
    counts, gold = without_rare([example("a|_|NP/N dog|_|N"), example("dogs|_|N")])
    assert {str(one): n for one, n in counts.items()} == {"N": 2}
    assert [[one if one is None else str(one) for one in row] for row in gold] == [[None, "N"], ["N"]]


@pytest.fixture
def corpora(tmp_path):
    for folder in ("pmb4", "pmb5", "ccgbank_notation", "treebank"):
        (tmp_path / folder).mkdir()
    for part in ("pmb4/en.train", "pmb4/en.dev", "ccgbank_notation/questions"):
        (tmp_path / f"{part}.stagged").write_text(f"{KING}\n" * 4)
    for part in ("pmb5/en.train", "treebank/a.train", "treebank/a.dev", "ccgbank_notation/geometry"):
        (tmp_path / f"{part}.auto").write_text("".join(f"ID={n}\n{TREE}\n" for n in range(4)))
    return tmp_path


def test_the_command_makes_a_decoder_over_the_encoder_of_another_model(corpora, monkeypatch):
    quick = replace(ccgbank_notation._TRAINING, epochs=40, learning_rate=0.05, average=0.5)
    monkeypatch.setattr(ccgbank_notation, "_TRAINING", quick)
    compact_tagger().save(corpora / "lender")
    options = {"data": "", "treebank": "treebank", "model": "lender", "work": "work", "output": "made"}
    named = [f"--{name}={corpora / place}" for name, place in options.items()]
    result = CliRunner().invoke(command, named, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    info = describe(corpora / "made")
    assert (info.notation, info.encoder) == ("CCGbank", "lender")
    assert len(info.figures) == 4
    (found,) = load_tagger(corpora / "made").kbest([["the", "dog"]], k=1)
    assert list(map(str, found.categories)) == ["NP[nb]/N", "N"]
