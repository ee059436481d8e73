"""C&C's log: which sentence was reached, and why one has no parse."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Note", "read_log", "tail"]

_SENTENCE = re.compile(r"Parsing sentence (\d+)")
_BETA = re.compile(r"Trying beta level \d+ with beta value (\S+)")
_TAIL = 5


@dataclass(slots=True)
class Note:
    """What the log says of a sentence: the last beta tried, and the reason of a failure."""

    beta: float | None = None
    reason: str = ""


def read_log(path: Path) -> list[Note]:
    """A note on each sentence that was begun, in order; none where there is no log."""
    notes: list[Note] = []
    for line in _lines(path):
        if _SENTENCE.match(line):
            notes.append(Note())
        elif notes:
            _read_line(line, notes[-1])
    return notes


def _read_line(line: str, note: Note) -> None:
    if found := _BETA.match(line):
        note.beta, note.reason = float(found[1]), ""
    elif "MAX_WORDS exceeded" in line:
        note.reason = "more words than C&C is to parse (--max-words)"
    elif "MAX_SUPERCATS exceeded" in line:
        note.reason = "the chart became too big (--max-supercats)"
    elif line.startswith("No root category"):
        note.reason = note.reason or "no category spans the sentence"


def tail(path: Path) -> str:
    """The last lines of the log that say something."""
    return "\n".join([line for line in _lines(path) if line.strip()][-_TAIL:])


def _lines(path: Path) -> list[str]:
    if not path.is_file():
        return []
    return path.read_text(encoding="utf-8", errors="replace").splitlines()
