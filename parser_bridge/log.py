"""C&C's log: which sentence was reached, and why one has no parse."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .growing import GrowingFile

__all__ = ["Log", "Note"]

_SENTENCE = re.compile(r"Parsing sentence ([0-9]{1,9})\s*")
_BETA = re.compile(r"Trying beta level \d+ with beta value ([0-9]+(?:\.[0-9]+)?(?:E-?[0-9]+)?)\s*")
_TAIL = 5


@dataclass(slots=True)
class Note:
    """What the log says of a sentence: the last beta tried, and the reason of a failure."""

    beta: float | None = None
    reason: str = ""


class Log:
    """A log that is being written, with a note for each sentence begun that was not yet forgotten.

    It may be damaged: a sentence is known by the number that C&C gives it, and no other line is relied on.
    """

    def __init__(self, path: Path) -> None:
        self._file = GrowingFile(path)
        self._last: list[str] = []
        self._notes: dict[int, Note] = {}
        self.begun = 0  #: sentences

    @property
    def exists(self) -> bool:
        return self._file.exists

    @property
    def size(self) -> int:
        return self._file.size

    def read(self, sent: int) -> None:
        """Read what was written since the last time, of `sent` sentences; an older jar announces the next."""
        for line in self._file.lines():
            if line.strip():
                self._last = [*self._last[1 - _TAIL :], line]
            found = _SENTENCE.fullmatch(line)
            if found and self.begun < int(found[1]) <= sent + 1:
                self.begun = int(found[1])
                self._notes[self.begun - 1] = Note()
            elif self.begun - 1 in self._notes:
                _read_line(line, self._notes[self.begun - 1])

    def take(self, place: int) -> Note:
        """The note on a sentence (from 0), which is then forgotten; an empty one where there is none."""
        return self._notes.pop(place, Note())

    def close(self) -> None:
        self._file.close()

    def tail(self) -> str:
        """The last lines that say something."""
        return "\n".join(self._last)


def _read_line(line: str, note: Note) -> None:
    if found := _BETA.fullmatch(line):
        note.beta, note.reason = float(found[1]), ""
    elif "MAX_WORDS exceeded" in line:
        note.reason = "more words than C&C is to parse (--max-words)"
    elif "MAX_SUPERCATS exceeded" in line:
        note.reason = "its chart became too big for C&C at all betas"
    elif line.startswith("No root category"):
        note.reason = note.reason or "no category spans the sentence"
