"""What tests of several commands need."""

from pathlib import Path

import pytest

from ccgkit.cli import drawing


@pytest.fixture
def auto(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file of derivations: what the test's module calls AUTO."""
    path = tmp_path / "in.auto"
    path.write_text(request.module.AUTO, encoding="utf-8")
    return path


@pytest.fixture
def without_browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A terminal on a machine where no browser opens: what is said of a drawing there."""
    monkeypatch.setattr(drawing, "is_terminal", lambda: True)
    monkeypatch.setattr(drawing.webbrowser, "open", lambda url: False)
    monkeypatch.setattr(drawing.tempfile, "mkdtemp", lambda prefix: str(tmp_path))
    return f"written to {tmp_path}"
