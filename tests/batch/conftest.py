"""A small model, and corpora for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from toy import small_tagger, toy_sentences

pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'ccgkit[parquet]'")


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The directory of an untrained tagger, which is quick."""
    folder = tmp_path_factory.mktemp("model")
    small_tagger("cg", scheme="ccgbank").save(folder / "cg")
    return str(folder / "cg")


@pytest.fixture(scope="session")
def lines() -> list[str]:
    return [" ".join(words) for words, _ in toy_sentences(60)]


@pytest.fixture
def corpus(tmp_path: Path, lines: list[str]) -> Path:
    """A text of sixty lines."""
    path = tmp_path / "corpus.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path
