"""Which ccgkit this is."""

from __future__ import annotations

from pathlib import Path

__version__ = "0.2.0"


def commit() -> str | None:
    """The commit that a distribution was built from or that is checked out, if that can be told."""
    package = Path(__file__).parent
    written = package / "commit.txt"  # by setup.py
    if written.is_file():
        return written.read_text(encoding="utf-8").strip()
    return _checked_out(package.parent) if (package.parent / ".git").exists() else None


def _checked_out(folder: Path) -> str | None:
    import subprocess

    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
