"""Ray with real raylets and actors, which are killed; what comes out is what the local engine makes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ccgkit.batch import Annotator, BatchError, Failure, Record, Rows, Run, prepare

unix = pytest.mark.skipif(os.name == "nt", reason="processes are killed as on Unix")
SHARD_ROWS = 3


@pytest.fixture(scope="module")
def ray() -> Any:
    return pytest.importorskip("ray", reason="Ray is not installed: pip install 'ccgkit[ray]'")


@pytest.fixture(scope="module")
def expected(model: str, lines: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus, and what the local engine makes of it."""
    folder = tmp_path_factory.mktemp("expected")
    (folder / "corpus.txt").write_text("".join(f"{line}\n" for line in lines))
    list(planned(folder, folder / "out", model).work(workers=1))
    return folder


def planned(folder: Path, output: Path, model: str, resume: bool = False) -> Run:
    annotator = Annotator(model, "tag")
    return prepare([str(folder / "corpus.txt")], output, annotator, resume=resume, shard_rows=SHARD_ROWS)


def shards_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*"))}


def parent(process: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


def actors_of(process: int) -> list[int]:
    """The actors at work that descend from a process."""
    found = []
    for path in Path("/proc").iterdir():
        with suppress(OSError):
            if path.name.isdecimal() and b"ray::MapWorker" in (path / "cmdline").read_bytes():
                above = number = int(path.name)
                while above not in (0, process):
                    above = parent(above)
                found += [number] if above == process else []
    return found


@contextmanager
def joined(ray: Any, **options: object) -> Iterator[None]:
    ray.init(log_to_driver=False, include_dashboard=False, **options)
    try:
        yield
    finally:
        ray.shutdown()


@pytest.mark.slow
@unix
def test_two_actors_on_two_cores_come_to_an_end_though_one_is_killed(ray, expected, model, tmp_path) -> None:
    run = planned(expected, tmp_path / "out", model)
    killed, rows, records = 0, 0, []
    with joined(ray, num_cpus=2):
        for event in run.work("ray", 2):
            assert not isinstance(event, Failure)
            if isinstance(event, Rows):
                rows += event.count
                continue
            records.append(event)
            for actor in actors_of(os.getpid())[: 1 - killed]:
                os.kill(actor, signal.SIGKILL)
                killed += 1
    assert killed == 1 and rows == 60 and len({record.file for record in records}) == len(records) == 20
    assert shards_of(tmp_path / "out") == shards_of(expected / "out")


@pytest.mark.slow
@unix
def test_nodes_come_and_go_and_the_bytes_are_those_of_the_local_engine(
    ray, expected, model, tmp_path
) -> None:
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
    run = planned(expected, tmp_path / "out", model)
    seen: list[int] = []
    try:
        with joined(ray, address=cluster.address):
            for event in run.work("ray", 2):
                assert not isinstance(event, Failure)
                seen += [1] if isinstance(event, Record) else []
                if len(seen) == 2 and nodes:
                    cluster.remove_node(nodes.pop(), allow_graceful=False)  # kills the raylet
                    cluster.add_node(num_cpus=1)
                    nodes.clear()
    finally:
        cluster.shutdown()
    assert len(seen) == 20
    assert shards_of(tmp_path / "out") == shards_of(expected / "out")
    assert not list((tmp_path / "out").rglob("*.part"))


def command(folder: Path, output: Path, model: str) -> list[str]:
    """Two actors, on a Ray that is started with two cores."""
    return [
        sys.executable, "-c", "from ccgkit.cli.main import main; main()", "annotate",
        str(folder / "corpus.txt"), "--output", str(output), "--task", "tag", "--model", model,
        "--engine", "ray", "--workers", "2", "--shard-rows", str(SHARD_ROWS),
    ]  # fmt: skip


@pytest.mark.slow
def test_actors_that_hold_every_core_come_to_an_end(ray, expected, model, tmp_path) -> None:
    """After a repartition they would not: it would wait for ever for a core."""
    subprocess.run(command(expected, tmp_path / "out", model), check=True, timeout=1200)
    assert shards_of(tmp_path / "out") == shards_of(expected / "out")


@pytest.mark.slow
@unix
def test_nothing_is_lost_when_the_driver_is_killed(ray, expected, model, tmp_path) -> None:
    output = tmp_path / "out"
    process = subprocess.Popen(command(expected, output, model))
    while not shards_of(output):
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    subprocess.run([*command(expected, output, model), "--resume"], check=True, timeout=1200)
    assert shards_of(output) == shards_of(expected / "out")


@pytest.mark.slow
@unix
def test_a_text_that_kills_every_actor_is_a_row_with_the_reason(
    ray, model, tmp_path, lines, killing_site
) -> None:
    texts = [*lines[:4], "kill me", *lines[4:8]]
    (tmp_path / "corpus.txt").write_text("".join(f"{text}\n" for text in texts))
    run = planned(tmp_path, tmp_path / "out", model)
    with joined(ray, num_cpus=1, runtime_env={"env_vars": {"PYTHONPATH": killing_site}}):
        events = [event for event in run.work("ray", 1) if not isinstance(event, Rows)]
    assert [type(event) for event in events] == [Record] * 3
    rows = [
        row for file in sorted((tmp_path / "out").glob("part-*")) for row in pq.read_table(file).to_pylist()
    ]
    assert [row["text"] for row in rows] == texts
    (failed,) = [row for row in rows if row["status"] == "failed"]
    assert failed["id"] == "corpus.txt:5" and "signal 9, SIGKILL" in failed["reason"]


@pytest.mark.slow
def test_a_cluster_that_is_not_there_is_told_of(ray, expected, model, tmp_path) -> None:
    with pytest.raises(BatchError, match=r"no Ray cluster at 127\.0\.0\.1:9"):
        list(planned(expected, tmp_path / "out", model).work("ray", 1, "127.0.0.1:9"))


def test_without_ray_it_is_said_how_to_install_it(corpus, model, tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BatchError, match=r"pip install 'ccgkit\[ray\]'"):
        list(planned(corpus.parent, tmp_path / "out", model).work("ray", 1))
