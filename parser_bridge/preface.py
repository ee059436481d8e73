"""The preface of C&C's files: lines that start with `#`, and an empty one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

__all__ = ["after_preface", "has_preface"]


def has_preface(path: Path) -> bool:
    """Whether a file starts with a preface."""
    with path.open("rb") as file:
        if not file.readline().startswith(b"#"):
            return False
        for line in file:
            if not line.startswith(b"#"):
                return not line.strip()
    return False


def after_preface(path: Path) -> Iterator[list[str]]:
    """The fields of each line after the preface, if there is one; empty lines are passed over.

    As for C&C, only ASCII's white space separates fields.
    """
    with path.open("rb") as file:
        preface = True
        for line in file:
            preface = preface and line.startswith(b"#")
            if not preface and (fields := line.split()):
                yield [field.decode("utf-8", "surrogateescape") for field in fields]
