"""The open corpora: every file comes back byte for byte."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ccgkit.corpora import detect, dump, load

DATA = os.environ.get("CCGKIT_DATA")
FILES = sorted(
    path
    for suffix in ("auto", "stagged", "pos", "txt")
    for path in (Path(DATA).glob(f"*/*.{suffix}") if DATA else ())
)

pytestmark = pytest.mark.slow


@pytest.mark.skipif(not FILES, reason="CCGKIT_DATA names no folder with corpora")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_corpus_is_written_as_it_was_read(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / path.name
    reader = load(path, on_error="keep")
    assert dump(reader, copy, detect(path)) > 0
    assert copy.read_bytes() == path.read_bytes()
    assert reader.skipped < 50


@pytest.mark.skipif(not FILES, reason="CCGKIT_DATA names no folder with corpora")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_corpus_survives_jsonl(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    dump(load(path, on_error="skip"), copy)
    for before, after in zip(load(path, on_error="skip"), load(copy), strict=True):
        assert before == after
