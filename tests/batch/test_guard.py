"""Texts that kill the process that reads them: each is a row with the reason, and its neighbours are kept."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from deadly import Deadly, Stillborn

from ccgkit.batch import BatchError, Manifest, prepare
from ccgkit.batch.guard import Guard
from ccgkit.batch.manifest import TRIES
from ccgkit.batch.shards import annotate_shard

pytestmark = pytest.mark.skipif(os.name == "nt", reason="processes are killed as on Unix")


@pytest.fixture
def deadly(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Deadly:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    return Deadly(model, tmp_path / "once")


def test_a_text_that_kills_is_a_row_of_its_shard_and_the_others_are_kept(
    deadly: Deadly, tmp_path: Path
) -> None:
    texts = ["Ada sings .", "kill me", "Bo sleeps .", "She vanished ."]
    (tmp_path / "x.txt").write_text("".join(f"{text}\n" for text in texts))
    run = prepare([str(tmp_path / "x.txt")], tmp_path / "out", deadly)
    (shard,) = run.shards
    assert Manifest(run.folder).note_try(shard.file) == 0  # as a process does that then dies
    record = annotate_shard(shard, deadly, run.folder, "parquet")
    rows = pq.read_table(tmp_path / "out" / shard.file).to_pylist()
    assert [row["text"] for row in rows] == texts
    assert [row["id"] for row in rows] == [f"x.txt:{number}" for number in (1, 2, 3, 4)]
    assert [row["status"] for row in rows] == ["tagged", "failed", "tagged", "tagged"]
    assert rows[1]["reason"] == "2 processes have died over this text alone (signal 9, SIGKILL)"
    assert (record.rows, record.failed) == (4, 1)
    assert not list((tmp_path / "out" / "_manifest").glob("*.try*"))


def test_who_was_killed_by_chance_gives_the_rows_that_it_would_have_given(deadly: Deadly) -> None:
    texts = [{"id": 1, "text": "kill once"}, {"id": 2, "text": "Ada sings ."}]
    with Guard(deadly) as guard:
        assert [row["status"] for row in guard.rows(texts)] == ["tagged", "tagged"]


def test_a_process_that_never_gets_ready_fails_the_shard(deadly: Deadly, model: str, tmp_path: Path) -> None:
    with Guard(Stillborn(model, tmp_path)) as guard, pytest.raises(BatchError, match="ready: exit code 3"):
        guard.rows([{"id": 1, "text": "Ada sings ."}])


def test_a_shard_over_which_its_own_process_dies_again_and_again_is_given_up(
    deadly: Deadly, tmp_path: Path
) -> None:
    (tmp_path / "x.txt").write_text("Ada sings .\n")
    run = prepare([str(tmp_path / "x.txt")], tmp_path / "out", deadly)
    (shard,) = run.shards
    assert [Manifest(run.folder).note_try(shard.file) for _ in range(TRIES)] == list(range(TRIES))
    with pytest.raises(BatchError, match="rows 1 to 1: 3 processes have died over it"):
        annotate_shard(shard, deadly, run.folder, "parquet")
