"""Runs in real processes, which are killed; nothing is lost and nothing comes twice."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from invocation import invoke

from ccgkit.batch import Annotator, BatchError, Manifest, Record, Rows, prepare, to_sentence
from ccgkit.batch.places import Place
from ccgkit.cli.main import main
from ccgkit.corpora import dump, load

unix = pytest.mark.skipif(os.name == "nt", reason="processes are killed as on Unix")


def shards_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*"))}


def rows_of(folder: Path) -> list[dict[str, object]]:
    return [row for name in shards_of(folder) for row in pq.read_table(folder / name).to_pylist()]


@pytest.fixture(scope="module")
def expected(model: str, lines: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus annotated in one go, beside it."""
    folder = tmp_path_factory.mktemp("expected")
    (folder / "corpus.txt").write_text("".join(f"{line}\n" for line in lines))
    result = annotate(model, folder / "corpus.txt", folder / "out")
    assert result.exit_code == 0, result.output
    return folder


def annotate(model: str, corpus: Path, output: Path, *more: object):
    return invoke(
        main, "annotate", corpus, "--output", output, "--task", "tag", "--model", model,
        "--workers", 1, "--shard-rows", 13, *more,
    )  # fmt: skip


def test_every_line_is_in_a_shard_and_every_shard_in_the_manifest(expected: Path, lines: list[str]) -> None:
    check_whole(expected / "out", lines)
    manifest = Manifest(Place.of(expected / "out"))
    records = manifest.records()
    assert [(one.start, one.stop, one.rows) for one in records] == [
        (0, 13, 13), (13, 26, 13), (26, 39, 13), (39, 52, 13), (52, 60, 8)
    ]  # fmt: skip
    for record in records:
        assert record.input == str(expected / "corpus.txt") and record.model == "cg" and not record.failed
    assert manifest.plan().shards()[-1].file == records[-1].file


@pytest.mark.usefixtures("at_once")
def test_jsonl_has_the_same_fields(expected: Path, model: str, tmp_path: Path) -> None:
    assert annotate(model, expected / "corpus.txt", tmp_path / "out", "--format", "jsonl").exit_code == 0
    found = [
        json.loads(line)
        for path in sorted((tmp_path / "out").glob("*.jsonl.gz"))
        for line in gzip.decompress(path.read_bytes()).splitlines()
    ]
    known = [
        {name: value for name, value in row.items() if value is not None} for row in rows_of(expected / "out")
    ]
    assert found == known
    dump(map(to_sentence, found), tmp_path / "x.stagged")
    assert len(list(load(tmp_path / "x.stagged"))) == 60


@pytest.mark.usefixtures("at_once")
def test_rows_that_do_not_read_are_in_the_output_with_their_reasons(model: str, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"text": "Ada sings ."}\n{"text"\n\n{"id": "d", "text": 4}\n')
    result = annotate(model, tmp_path / "x.jsonl", tmp_path / "out")
    assert result.exit_code == 0 and "2 of them without an annotation" in result.output
    rows = rows_of(tmp_path / "out")
    assert [(row["id"], row["status"]) for row in rows] == [
        ("x.jsonl:1", "tagged"), ("x.jsonl:2", "failed"), ("d", "failed")
    ]  # fmt: skip


def test_a_finished_run_is_not_done_again(expected: Path, model: str) -> None:
    before = {path: path.stat().st_mtime_ns for path in (expected / "out").rglob("*")}
    result = annotate(model, expected / "corpus.txt", expected / "out", "--resume")
    assert result.exit_code == 0 and "0 of 5 shards to do" in result.output
    assert {path: path.stat().st_mtime_ns for path in (expected / "out").rglob("*")} == before


@pytest.mark.usefixtures("at_once")
def test_parts_are_done_apart_and_make_the_whole(expected: Path, model: str, tmp_path: Path) -> None:
    corpus, output = expected / "corpus.txt", tmp_path / "out"
    planned = annotate(model, corpus, output, "--plan")
    assert planned.exit_code == 0 and not shards_of(output)
    assert annotate(model, corpus, output, "--part", "2/2", "--resume").exit_code == 0
    assert list(shards_of(output)) == ["part-000001.parquet", "part-000003.parquet"]
    assert annotate(model, corpus, output, "--part", "1/2", "--resume").exit_code == 0
    assert shards_of(output) == shards_of(expected / "out")


@pytest.mark.usefixtures("at_once")
def test_a_shard_that_was_lost_or_cut_off_is_made_again(expected: Path, model: str, tmp_path: Path) -> None:
    corpus, output = expected / "corpus.txt", tmp_path / "out"
    assert annotate(model, corpus, output).exit_code == 0
    whole = shards_of(output)
    (output / "part-000000.parquet").unlink()
    (output / "part-000001.parquet").write_bytes(whole["part-000001.parquet"][:-1])
    (output / "_manifest" / "part-000002.parquet.json").write_text("{")
    result = annotate(model, corpus, output, "--resume")
    assert result.exit_code == 0 and "3 of 5 shards to do" in result.output
    assert shards_of(output) == whole


@pytest.mark.usefixtures("at_once")
def test_another_run_is_not_mixed_with_the_one_that_is_there(
    expected: Path, model: str, tmp_path: Path
) -> None:
    corpus, output = expected / "corpus.txt", expected / "out"
    assert "--resume goes on with it" in annotate(model, corpus, output).output
    other = annotate(model, corpus, output, "--resume", "--shard-rows", 7)
    assert other.exit_code == 1 and "shard_rows: 13 then, 7 now" in other.output
    changed = tmp_path / "corpus.txt"
    changed.write_text("Ada sings .\n")
    assert annotate(model, changed, tmp_path / "out").exit_code == 0
    changed.write_text("Bo vanished .\nAda sings .\n")
    again = annotate(model, changed, tmp_path / "out", "--resume")
    assert again.exit_code == 1 and "was changed" in again.output
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    assert "not empty" in annotate(model, changed, tmp_path / "full").output


def children(process: int) -> list[int]:
    """Those of all its threads."""
    found = list(Path(f"/proc/{process}/task").glob("*/children"))
    if not found:
        pytest.skip("this system does not tell the children of a process")
    return [int(number) for path in found for number in path.read_text().split()]


@unix
@pytest.mark.usefixtures("light")
def test_a_killed_worker_is_replaced(corpus: Path, lines: list[str], model: str, tmp_path: Path) -> None:
    run = prepare([str(corpus)], tmp_path / "out", Annotator(model, "tag"), shard_rows=13)
    killed, rows, others = 0, 0, children(os.getpid())
    for event in run.work(workers=1):
        if isinstance(event, Rows):
            rows += event.count
        elif not killed:
            (worker,) = {*children(os.getpid())} - {*others}
            os.kill(worker, signal.SIGKILL)
            killed += 1
    assert killed == 1 and rows == 60
    check_whole(tmp_path / "out", lines)


def check_whole(folder: Path, lines: list[str]) -> None:
    """Every line is in one shard, in order, every shard in the manifest, and nothing half done is left."""
    rows = rows_of(folder)
    assert [row["id"] for row in rows] == [f"corpus.txt:{number}" for number in range(1, len(lines) + 1)]
    assert [row["text"] for row in rows] == lines
    shards = shards_of(folder)
    assert {one.file: one.sha256 for one in Manifest(Place.of(folder)).records()} == {
        name: hashlib.sha256(content).hexdigest() for name, content in shards.items()
    }
    assert not list(folder.rglob("*.part"))


@pytest.mark.slow
@unix
def test_a_text_that_kills_every_process_is_a_row_with_the_reason(
    model: str, tmp_path: Path, lines: list[str], killing_site: str, monkeypatch
) -> None:
    texts = [*lines[:30], "kill me", *lines[30:]]
    (tmp_path / "x.txt").write_text("".join(f"{text}\n" for text in texts))
    monkeypatch.setenv("PYTHONPATH", killing_site)
    run = prepare([str(tmp_path / "x.txt")], tmp_path / "out", Annotator(model, "tag"), shard_rows=20)
    events = list(run.work(workers=2))
    assert sum(event.count for event in events if isinstance(event, Rows)) == 61
    assert sum(isinstance(event, Record) for event in events) == 4
    rows = rows_of(tmp_path / "out")
    assert [row["text"] for row in rows] == texts
    (failed,) = [row for row in rows if row["status"] == "failed"]
    assert failed["id"] == "x.txt:31" and "signal 9, SIGKILL" in failed["reason"]


@unix
@pytest.mark.usefixtures("light")
def test_nothing_is_lost_when_the_driver_is_killed_and_its_workers_go_with_it(
    corpus: Path, lines: list[str], model: str, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    script = tmp_path / "script.py"  # which needs no guard for its `__main__`
    script.write_text(
        "from ccgkit.batch import Annotator, prepare\n"
        f"run = prepare([{str(corpus)!r}], {str(output)!r}, Annotator({model!r}, 'tag'), shard_rows=13)\n"
        "for _ in run.work(workers=1): pass\n"
    )
    process = subprocess.Popen([sys.executable, str(script)])
    while not shards_of(output):
        assert process.poll() is None
        time.sleep(0.01)
    workers = children(process.pid)
    assert workers
    process.kill()
    process.wait()
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert annotate(model, corpus, output, "--resume").exit_code == 0
    check_whole(output, lines)


@unix
def test_a_run_whose_processes_cannot_start_ends(
    expected: Path, model: str, tmp_path: Path, monkeypatch
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("import os; os._exit(7)")
    run = prepare([str(expected / "corpus.txt")], tmp_path / "out", Annotator(model, "tag"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    with pytest.raises(BatchError, match="3 processes have died before they were ready: exit code 7"):
        list(run.work(workers=2))


@pytest.mark.usefixtures("light")
def test_a_folder_that_cannot_be_written_ends_the_run(corpus: Path, model: str, tmp_path: Path) -> None:
    run = prepare([str(corpus)], tmp_path / "out", Annotator(model, "tag"), shard_rows=13)
    for shard in run.shards:
        (tmp_path / "out" / shard.file).mkdir()
    with pytest.raises(BatchError, match=r"part-00000\d\.parquet cannot be written"):
        list(run.work(workers=1))
