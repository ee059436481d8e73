"""The coverage-guided fuzzer, where it is installed, finds nothing at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ccgkit.corpora import formats

RUNS = 2000


@pytest.mark.parametrize("name", sorted(formats()))
def test_guided_damage(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="atheris is not installed")
    runs = request.config.getoption("--fuzz") or RUNS
    script = Path(__file__).with_name("coverage_guided.py")
    ended = subprocess.run(
        [sys.executable, script, name, f"-runs={runs}", "-timeout=10", "-rss_limit_mb=2048"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr[-3000:]
