"""Measurements are kept exactly, and only as long as they are of the same model and sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import categories

from ccgkit import CCGKitError
from ccgkit.experiments.results import Predictions, ResultStore, Trial
from ccgkit.sentence import Supertag

TRIAL = Trial("pmb-en", "cg", 2)
tags = st.builds(Supertag, categories(), st.floats(-50, 0).map(lambda p: round(p, 4)))
sentences = st.lists(st.lists(st.lists(tags, min_size=1, max_size=3).map(tuple), max_size=3), max_size=3)


@given(sentences)
def test_predictions_survive_the_file(kbest):
    best = [[word[0].category for word in sentence] for sentence in kbest]
    given = Predictions(best, kbest, {"seconds": 1.5})
    assert Predictions.from_json(given.to_json()) == given


def test_a_measurement_is_found_by_model_and_sentences(tmp_path):
    store = ResultStore(tmp_path)
    store.write(TRIAL, "speed-dev", "m", "d", {"x": 1})
    assert store.read(TRIAL, "speed-dev", "m", "d") == {"x": 1}
    assert store.read(TRIAL, "speed-dev", None, "d") == {"x": 1}  # its model is no longer there
    assert store.read(TRIAL, "speed-dev", "other", "d") is None
    assert store.read(TRIAL, "speed-dev", "m", "other") is None
    assert store.read(TRIAL, "speed-test", "m", "d") is None
    assert [path.name for path in tmp_path.rglob("*.*")] == ["speed-dev.json"]


def test_a_damaged_file_is_named(tmp_path):
    store = ResultStore(tmp_path)
    store.write(TRIAL, "a", "m", "d", {})
    (tmp_path / TRIAL.folder / "a.json").write_text("{")
    with pytest.raises(CCGKitError, match="delete it"):
        store.read(TRIAL, "a", "m", "d")
