"""Fuzzing that follows what a codec does, with atheris: `python coverage_guided.py jsonl -runs=100000`."""

from __future__ import annotations

import sys
import tempfile
from io import BytesIO
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1]))

with atheris.instrument_imports(include=["ccgkit.corpora"], enable_loader_override=False):
    from ccgkit.corpora import CorpusError, codec

from test_codecs import check_kept, sample

if __name__ == "__main__":
    wanted = codec(sys.argv.pop(1))

    def read(data: bytes) -> None:
        try:
            found = list(wanted.load(BytesIO(data)))
        except CorpusError:
            return
        check_kept(wanted, found, repr(data))

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sample").write_text(wanted.dumps(sample()), encoding="utf-8")
        atheris.Setup([*sys.argv, folder], read)
        atheris.Fuzz()
