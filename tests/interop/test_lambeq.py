"""lambeq itself, where it is installed: our trees are its trees, and its diagrams are made of them."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest

pytest.importorskip("lambeq", reason="lambeq is not installed: pip install 'ccgkit[lambeq]'")

from parses import SENTENCES
from trees import COMPOSED

from ccgkit import Derivation
from ccgkit.corpora.lambeq import tree_json
from ccgkit.interop.lambeq import CCGKitParser, LambeqError, derivation_of_tree, tree_of_derivation


@pytest.fixture(scope="module")
def parser() -> CCGKitParser:
    return CCGKitParser()


def test_a_derivation_is_lambeqs_tree_and_back() -> None:
    tree = tree_of_derivation(COMPOSED)
    assert tree.to_json() == tree_json(COMPOSED)
    back = derivation_of_tree(tree)
    assert back.words == COMPOSED.words and tree_of_derivation(back) == tree
    assert isinstance(back, Derivation)


def test_sentences_become_diagrams_of_a_sentence(parser: CCGKitParser, tmp_path: Path) -> None:
    diagrams = parser.sentences2diagrams(SENTENCES)
    assert [str(diagram.cod) for diagram in diagrams] == ["s"] * len(SENTENCES)
    diagrams[0].draw(path=str(tmp_path / "drawn.png"))
    assert (tmp_path / "drawn.png").stat().st_size > 1000


def test_sentences_that_are_split_already_stay_so(parser: CCGKitParser) -> None:
    tree = parser.sentence2tree(["Alice", "does", "n't", "run"], tokenised=True)
    assert tree.text == "Alice does n't run"
    with pytest.raises(LambeqError, match="each sentence is a string"):
        parser.sentences2trees([["Alice", "runs"]])


def test_a_sentence_without_a_tree_is_named_or_none_and_the_rest_goes_on(parser: CCGKitParser) -> None:
    with pytest.raises(LambeqError, match="sentence 2, '': failed: a sentence without words"):
        parser.sentences2trees(["Alice runs", ""])
    trees = parser.sentences2trees(["Alice runs", "", "Bob sleeps"], suppress_exceptions=True)
    assert [tree and tree.text for tree in trees] == ["Alice runs", None, "Bob sleeps"]


def test_the_cells_of_the_notebook_print_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib.pyplot

    monkeypatch.setattr(matplotlib.pyplot, "show", lambda *_, **__: None)
    path = Path(__file__).parents[2] / "docs" / "lambeq.ipynb"
    names: dict[str, object] = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            shown = "".join("".join(one["text"]) for one in cell["outputs"] if one["output_type"] == "stream")
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec("".join(cell["source"]), names)
            assert printed.getvalue() == shown
