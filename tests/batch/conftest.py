"""A small model, and corpora for it."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
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


@pytest.fixture(scope="session")
def killing_site(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder for PYTHONPATH: in processes that have it, the text "kill me" kills whoever reads it."""
    folder = tmp_path_factory.mktemp("deadly")
    (folder / "sitecustomize.py").write_text(
        "import os, ccgkit.batch.annotator as a\n"
        "read = a.split_text\n"
        "def split_text(text, **more):\n"
        "    if text == 'kill me': os.kill(os.getpid(), 9)\n"
        "    return read(text, **more)\n"
        "a.split_text = split_text\n"
    )
    return str(folder)


@pytest.fixture
def light(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that annotate without a model, and so start soon: for what does not depend on the rows."""
    (tmp_path / "light").mkdir()
    (tmp_path / "light" / "sitecustomize.py").write_text(
        "from ccgkit.batch.annotator import Annotator\n"
        "Annotator.load = lambda self: self\n"
        "Annotator.rows = lambda self, rows: (\n"
        "    {'id': str(row['id']), 'text': row['text'], 'status': 'tagged'} for row in rows\n"
        ")\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "light"))


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards are made in this process: for what does not depend on there being others, which start slowly."""
    from ccgkit.batch.events import Event
    from ccgkit.batch.manifest import Plan, Shard
    from ccgkit.batch.places import Place
    from ccgkit.batch.shards import annotate_shard

    def run(plan: Plan, shards: list[Shard], folder: Place, workers: int) -> Iterator[Event]:
        for shard in shards:
            annotator = pickle.loads(pickle.dumps(plan.annotator()))  # the one of this process
            yield annotate_shard(shard, annotator, folder, plan.form)

    monkeypatch.setattr("ccgkit.batch.local.run_locally", run)
