"""The small configurations learn a real corpus: better than the most frequent category of each word."""

import os
from pathlib import Path

import pytest
import toy  # noqa: F401  (one thread)

from ccgkit.evaluation.tags import accuracy
from ccgkit.taggers.config import load_config
from ccgkit.training.data import read_examples
from ccgkit.training.trainer import train

CONFIGS = Path(__file__).parents[2] / "configs"
DATA = os.environ.get("CCGKIT_DATA")


@pytest.mark.slow
@pytest.mark.skipif(DATA is None, reason="CCGKIT_DATA does not name the folder of the corpora")
@pytest.mark.parametrize("name", ["cc-small", "cg-small", "cgng2-small", "ct-small"])
def test_a_small_configuration_beats_the_most_frequent_category(name, tmp_path):
    corpus = Path(str(DATA)) / "pmb4"
    training = read_examples([corpus / "en.train.stagged"])
    dev = read_examples([corpus / "en.dev.stagged"])
    tagger = train(load_config(CONFIGS / f"{name}.toml"), training, dev, tmp_path)
    found = tagger.kbest([example.words for example in dev], k=1)
    assert accuracy([e.categories for e in dev], [reading.categories for reading in found]) > 84
