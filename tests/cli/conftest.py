"""What tests of several commands need."""

from pathlib import Path

import pytest


@pytest.fixture
def auto(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file of derivations: what the test's module calls AUTO."""
    path = tmp_path / "in.auto"
    path.write_text(request.module.AUTO)
    return path
