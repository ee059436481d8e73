"""The recipe of the small POS tagger."""

import pytest
from click.testing import CliRunner

from ccgkit.text.pos import PosTagger
from recipes.pos_tagger import command, measure

CORPUS = "the|DT dog|NN barks|VBZ\na|DT cat|NN sleeps|VBZ\n" * 5


def test_it_learns_what_it_is_shown(tmp_path):
    (tmp_path / "ud").mkdir()
    for part in ("train", "dev", "test"):
        (tmp_path / f"ud/en_ewt.{part}.pos").write_text(CORPUS)
    weights = tmp_path / "w.safetensors"
    result = CliRunner().invoke(command, ["--data", str(tmp_path), "--output", str(weights)])
    assert result.exit_code == 0 and result.stdout == "dev 100.00\ntest 100.00\n"
    assert PosTagger.load(weights).tag(["a", "dog", "sleeps"]) == ["DT", "NN", "VBZ"]


@pytest.mark.slow
def test_accuracy_on_held_out_text(corpus_folder):
    assert measure(PosTagger.load(), corpus_folder / "ud/en_ewt.dev.pos") > 93.0
