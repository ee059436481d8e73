"""What docs/cluster.md says of the schema, and the examples beside it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ccgkit.batch import SCHEMA, Annotator, arrow_schema, prepare

DOCS = Path(__file__).parents[2] / "docs"


def spelled(kind: object) -> str:
    if isinstance(kind, list):
        return f"list of {spelled(kind[0])}"
    if isinstance(kind, dict):
        return "{" + ", ".join(f"`{name}`" for name in kind) + "}"
    return str(kind)


def test_the_page_has_the_fields_of_the_schema() -> None:
    page = (DOCS / "cluster.md").read_text(encoding="utf-8")
    table = page.split("| field |")[1].split("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \| (.*?) \|", table, re.M) == [
        (name, spelled(kind)) for name, kind in SCHEMA.items()
    ]


@pytest.fixture
def path_of_ccgkit(tmp_path: Path) -> str:
    """A search path on which the command is this Python's ccgkit."""
    command = tmp_path / "bin" / "ccgkit"
    command.parent.mkdir()
    command.write_text(f"#!{sys.executable}\nfrom ccgkit.cli.main import main\nmain()\n")
    command.chmod(0o755)
    return f"{command.parent}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_the_array_of_slurm_does_all_parts(
    model: str, corpus: Path, tmp_path: Path, path_of_ccgkit: str
) -> None:
    output = tmp_path / "out"
    given = ["--task", "tag", "--model", model, "--shard-rows", "13"]
    environment = {**os.environ, "PATH": path_of_ccgkit, "SLURM_CPUS_PER_TASK": "1"}
    plan = ["ccgkit", "annotate", str(corpus), "--output", str(output), "--plan", *given]
    subprocess.run(plan, check=True, env=environment)
    tasks = [
        subprocess.Popen(
            ["bash", str(DOCS / "examples" / "annotate.sbatch"), str(corpus), str(output), "2", *given],
            env={**environment, "SLURM_ARRAY_TASK_ID": task},
        )
        for task in ("1", "2")
    ]
    assert [task.wait() for task in tasks] == [0, 0]
    assert pq.read_table(output).num_rows == 60


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java, which is not there")
def test_spark_makes_the_same_rows(model: str, lines: list[str], tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    texts = [*lines[:20], None]
    ids = [str(number) for number in range(len(texts))]
    pq.write_table(pa.table({"id": ids, "text": texts}), tmp_path / "texts.parquet")
    subprocess.run(
        [
            sys.executable, str(DOCS / "examples" / "annotate_spark.py"), str(tmp_path / "texts.parquet"),
            str(tmp_path / "spark"), "tag", model,
        ],
        check=True, env={**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
    )  # fmt: skip
    run = prepare([str(tmp_path / "texts.parquet")], tmp_path / "local", Annotator(model, "tag"))
    list(run.work(workers=1))
    found, expected = (
        pq.read_table(tmp_path / name, schema=arrow_schema()).sort_by("id") for name in ("spark", "local")
    )
    assert found.to_pylist() == expected.to_pylist()
    assert found.num_rows == 21
