"""The small configurations learn a real corpus: better than the most frequent category of each word."""

from pathlib import Path

import pytest
import toy  # noqa: F401  (one thread)

from ccgkit.evaluation.tags import accuracy
from ccgkit.taggers.config import load_config
from ccgkit.training.data import read_examples
from ccgkit.training.trainer import train

CONFIGS = Path(__file__).parents[2] / "configs"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cc-small", "cg-small", "cgng2-small", "ct-small"])
def test_a_small_configuration_beats_the_most_frequent_category(name, corpus_folder, tmp_path):
    corpus = corpus_folder / "pmb4"
    training = read_examples([corpus / "en.train.stagged"])
    dev = read_examples([corpus / "en.dev.stagged"])
    tagger = train(load_config(CONFIGS / f"{name}.toml"), training, dev, tmp_path)
    found = tagger.kbest([example.words for example in dev], k=1)
    assert accuracy([e.categories for e in dev], [reading.categories for reading in found]) > 84
