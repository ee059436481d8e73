"""Input and output on S3: a real server on this machine, which speaks its protocol."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from invocation import invoke

from ccgkit.batch import BatchError, Place
from ccgkit.cli.main import main

pytest.importorskip("moto.server", reason="moto is not installed: pip install 'moto[server]'")
pytestmark = pytest.mark.usefixtures("at_once")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The host and port of a server with a bucket called corpora; its credentials are in the environment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = "127.0.0.1:{1}".format(*free.getsockname())
    port = address.rpartition(":")[2]
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", port], stderr=subprocess.DEVNULL
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "somebody")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "a secret")
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        try:
            _make_bucket(address, process)
            yield address
        finally:
            process.kill()
            process.wait()


def _make_bucket(address: str, process: subprocess.Popen[bytes]) -> None:
    host, _, port = address.partition(":")
    while True:
        assert process.poll() is None
        try:
            socket.create_connection((host, int(port))).close()
            break
        except OSError:
            time.sleep(0.1)
    filesystem(address).create_dir("corpora")


def filesystem(server: str) -> Any:
    from pyarrow.fs import S3FileSystem

    return S3FileSystem(endpoint_override=server, scheme="http", allow_bucket_creation=True)


@pytest.fixture
def bucket(server: str, request: pytest.FixtureRequest) -> Any:
    """Addresses in a folder of the test's own."""
    folder = request.node.name.replace("[", "-").replace("]", "")
    return lambda name: Place.of(
        f"s3://corpora/{folder}/{name}?endpoint_override={server}&scheme=http&region=us-east-1"
    )


def annotate(model: str, corpus: object, output: object, *more: str):
    return invoke(
        main, "annotate", corpus, "--output", output, "--task", "tag", "--model", model,
        "--shard-rows", 13, *more,
    )  # fmt: skip


def test_a_bucket_gives_the_texts_and_takes_the_shards(
    bucket: Any, model: str, corpus: Path, tmp_path: Path
) -> None:
    assert annotate(model, corpus, tmp_path / "here").exit_code == 0
    bucket("texts/corpus.txt").write(corpus.read_bytes())
    output = bucket("out")
    result = annotate(model, bucket("texts/*.txt"), output)
    assert result.exit_code == 0, result.output
    expected = {path.name: path.read_bytes() for path in (tmp_path / "here").glob("part-*")}
    assert {file.name: file.read() for file in output.files()} == expected
    again = annotate(model, bucket("texts/*.txt"), output, "--resume")
    assert again.exit_code == 0 and "0 of 5 shards to do" in again.output


def test_what_is_missing_or_cut_off_is_made_again(bucket: Any, model: str, corpus: Path) -> None:
    bucket("corpus.txt").write(corpus.read_bytes())
    output = bucket("out")
    assert annotate(model, bucket("corpus.txt"), output).exit_code == 0
    whole = {file.name: file.read() for file in output.files()}
    (output / "part-000001.parquet").delete()
    (output / "part-000003.parquet").write(whole["part-000003.parquet"][:-1])
    result = annotate(model, bucket("corpus.txt"), output, "--resume")
    assert result.exit_code == 0 and "2 of 5 shards to do" in result.output
    assert {file.name: file.read() for file in output.files()} == whole


@pytest.mark.skipif(os.name == "nt", reason="processes are killed as on Unix")
def test_who_is_killed_while_writing_leaves_nothing_under_the_name(
    bucket: Any, server: str, tmp_path: Path
) -> None:
    import boto3

    client = boto3.client("s3", endpoint_url=f"http://{server}", region_name="us-east-1")
    place, content = bucket("x"), os.urandom(12_000_000)
    (tmp_path / "content").write_bytes(content)
    script = "import sys; from pathlib import Path; from ccgkit.batch import Place; "
    script += "Place(sys.argv[1]).write(Path(sys.argv[2]).read_bytes())"
    command = [sys.executable, "-c", script, place.address, str(tmp_path / "content")]
    writer = subprocess.Popen(command)
    while not client.list_multipart_uploads(Bucket="corpora").get("Uploads"):
        assert writer.poll() is None
    writer.kill()
    writer.wait()
    assert not place.exists()
    subprocess.run(command, check=True)
    assert place.read() == content


def test_the_manifest_keeps_no_secret_and_a_missing_bucket_is_told_of(
    bucket: Any, server: str, model: str, corpus: Path
) -> None:
    assert annotate(model, corpus, bucket("out"), "--plan").exit_code == 0
    plan = (bucket("out") / "_manifest" / "plan.json").read()
    assert b"somebody" not in plan and b"secret" not in plan
    with pytest.raises(BatchError, match="'nowhere' not found"):
        Place.of(f"s3://nowhere/out?endpoint_override={server}&scheme=http").write(b"")


def test_tables_are_read_by_their_row_groups(
    bucket: Any, model: str, lines: list[str], tmp_path: Path
) -> None:
    import pyarrow as pa

    pq.write_table(pa.table({"text": lines}), tmp_path / "x.parquet", row_group_size=20)
    bucket("x.parquet").write((tmp_path / "x.parquet").read_bytes())
    assert annotate(model, bucket("x.parquet"), tmp_path / "out").exit_code == 0
    assert pq.read_table(tmp_path / "out")["text"].to_pylist() == lines
