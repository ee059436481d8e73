"""Files of all kinds: found by paths, folders, patterns and addresses, and read piece by piece."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ccgkit.batch import BatchError
from ccgkit.batch.inputs import ENDINGS, cut, read
from ccgkit.batch.places import Place, find_files

ROWS = [{"id": f"r{number}", "text": f"Text {number}."} for number in range(25)]


def written(folder: Path, name: str) -> Place:
    """The rows in a file of the kind that its name tells."""
    path = folder / name
    if name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(ROWS), path, row_group_size=7)
        return Place.of(path)
    rows = [row["text"] if ".txt" in name else json.dumps(row) for row in ROWS]
    content = "".join(f"{row}\n" for row in rows).encode()
    kind = {".gz": "gzip", ".zst": "zstd"}.get(path.suffix)
    with pa.output_stream(str(path), compression=kind) as stream:
        stream.write(content)
    return Place.of(path)


@pytest.mark.parametrize("rows", [1, 7, 10, 25, 100])
@pytest.mark.parametrize("name", ["x.parquet", "x.jsonl", "x.jsonl.gz", "x.ndjson.zst", "x.txt", "x.txt.gz"])
def test_the_pieces_of_a_file_are_all_of_it(name: str, rows: int, tmp_path: Path) -> None:
    place = written(tmp_path, name)
    pieces = cut(place, rows)
    assert all(piece.stop - piece.start <= rows for piece in pieces) and len(pieces) == -(-25 // rows)
    found = [row for piece in pieces for row in read(place, piece, "x")]
    assert [row["text"] for row in found] == [row["text"] for row in ROWS]
    assert [row["id"] for row in found] == [
        f"x:{number}" if "txt" in name else row["id"] for number, row in enumerate(ROWS, 1)
    ]


line = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=5).map(str.encode)


@examples(30)
@given(
    lines=st.lists(line | st.binary(max_size=4)), rows=st.integers(1, 5), end=st.sampled_from([b"", b"\n"])
)
def test_lines_of_anything_are_read_in_pieces_as_in_one(lines, rows, end, tmp_path_factory) -> None:
    path = tmp_path_factory.mktemp("lines") / "x.txt"
    path.write_bytes(b"\n".join(lines) + end)
    place = Place.of(path)
    (whole,) = cut(place, 10**6) or [None]
    expected = list(read(place, whole, "x")) if whole else []
    assert [row for piece in cut(place, rows) for row in read(place, piece, "x")] == expected


def test_zipped_files_that_were_put_together_are_read_to_their_end(tmp_path: Path) -> None:
    path = tmp_path / "x.txt.gz"
    path.write_bytes(gzip.compress(b"One.\n") + gzip.compress(b"Two.\n"))
    (piece,) = cut(Place.of(path), 10)
    assert [row["text"] for row in read(Place.of(path), piece, "x")] == ["One.", "Two."]


def test_lines_that_do_not_read_come_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"\xef\xbb\xbfOne.\r\n\n\xff\xfe\nTwo.")
    (tmp_path / "x.jsonl").write_bytes(b'{"text": "One."}\n{"text": \n[1]\n{"id": 7, "words": ["a"], "x": 1}')
    texts, objects = (
        list(read(place, cut(place, 10)[0], "x"))
        for place in (Place.of(tmp_path / "x.txt"), Place.of(tmp_path / "x.jsonl"))
    )
    assert [row.get("text") for row in texts] == ["One.", None, "Two."]
    assert texts[1]["id"] == "x:3" and "not UTF-8 at byte 1" in texts[1]["reason"]
    assert objects[0] == {"text": "One.", "id": "x:1"} and objects[3] == {"id": 7, "words": ["a"]}
    assert "not JSON" in objects[1]["reason"] and "not a JSON object" in objects[2]["reason"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.txt", "a.jsonl.gz", "deep/c.parquet", "notes.md", "_manifest/d.jsonl", "deep/.e.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        written(tmp_path, name) if name[-2:] != "md" else (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["."], ["a.jsonl.gz", "b.txt", "deep/c.parquet"]),
        (["*"], ["a.jsonl.gz", "b.txt"]),
        (["**/*.parquet"], ["deep/c.parquet"]),
        (["[ab].*", "b.txt"], ["a.jsonl.gz", "b.txt"]),
        (["[!a].*"], ["b.txt"]),
        (["deep", "?.txt"], ["deep/c.parquet", "b.txt"]),
        (["_manifest/d.jsonl"], ["_manifest/d.jsonl"]),
        (["FOLDER"], ["a.jsonl.gz", "b.txt", "deep/c.parquet"]),
        (["FOLDER/*/*.parquet", "FOLDER/b.txt"], ["deep/c.parquet", "b.txt"]),
    ],
)
def test_files_are_found(names, expected, folder: Path, monkeypatch) -> None:
    monkeypatch.chdir(folder)
    found = find_files([name.replace("FOLDER", folder.as_uri()) for name in names], ENDINGS)
    assert [place.path for place in found] == [f"{folder.as_posix()}/{name}" for name in expected]
    assert all(place.exists() and Place(place.address).path == place.path for place in found)


def test_what_is_not_there_or_not_known_is_said(folder: Path) -> None:
    for name, said in {
        "z.txt": "no file or folder",
        "notes.md": "must show the format",
        "*.md": "no file whose name ends in",
        "gopher://x/y.txt": "no such filesystem",
        "s3://key:secret@bucket/x": "credentials",
    }.items():
        with pytest.raises(BatchError, match=said):
            find_files([name if "://" in name else f"{folder}/{name}"], ENDINGS)


def test_an_address_of_a_bucket_is_put_together_again() -> None:
    place = Place("s3://bucket/a%20folder?region=eu-central-1")
    assert place.path == "bucket/a folder"
    assert (place / "x 1.txt").address == "s3://bucket/a%20folder/x%201.txt?region=eu-central-1"


def test_a_file_that_is_cut_off_or_has_no_texts_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    (tmp_path / "x.txt.gz").write_bytes(gzip.compress(b"One. Two. Three.\n" * 1000)[:-20])
    with pytest.raises(BatchError, match=r"x\.txt\.gz cannot be read"):
        cut(Place.of(tmp_path / "x.txt.gz"), 10)
    pq.write_table(pa.table({"body": ["One."]}), tmp_path / "x.parquet")
    (tmp_path / "x.jsonl").write_text('{"tokens": [{"word": "One"}]}\n')
    for name in ("x.parquet", "x.jsonl"):
        with pytest.raises(BatchError, match="no column text, or words"):
            cut(Place.of(tmp_path / name), 10)


def test_a_place_is_written_as_a_whole(tmp_path: Path) -> None:
    place = Place.of(tmp_path / "new" / "x")
    for content in (b"one", b"two"):
        place.write(content)
        assert place.read() == content
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["x"]
    (tmp_path / "y").mkdir()
    with pytest.raises(BatchError, match="cannot be written"):
        Place.of(tmp_path / "y").write(b"one")
    assert not list(tmp_path.glob(".*"))
