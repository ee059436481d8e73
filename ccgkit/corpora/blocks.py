"""Files as numbered lines, and lines as blocks: the raw text of one sentence each."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

from ..grammar import Category, CategorySyntaxError
from .errors import CorpusError

__all__ = ["Block", "Source", "is_number", "paragraphs", "single_lines"]

_GZIP = b"\x1f\x8b"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")  # all but the tab
_DIGITS = 9  # of the largest number in a file: offsets, places of words, slots
_HEAD = 50  # lines that detection and the preface may look at


class Source:
    """The lines of a corpus, without their ends; `number` is that of the line delivered last.

    Lines that are not UTF-8 or hold a control character are noted in `flaws`, by number, with column and
    reason, and delivered with odd bytes escaped, so that the sentence around them can be reported, skipped or
    kept like any other damage.

    Raises `CorpusError` where a zipped file is damaged or ends too early.
    """

    def __init__(self, name: str, lines: Iterable[bytes], *, complete: bool = False) -> None:
        self.name = name
        self.number = 0
        self.flaws: dict[int, tuple[int, str]] = {}
        self.crlf = False
        self.unfinished = 0  #: number of the last line, if it has no end
        self._complete = complete
        self._lines = self._decoded(lines)
        self._ahead: list[str] = []

    @classmethod
    def open(cls, file: str | Path | IO[bytes] | IO[str]) -> Source:
        """The lines of a path or an open stream; gzip is recognised by its content."""
        if isinstance(file, str | Path):
            return cls(str(file), _closing(Path(file).open("rb")))  # open now: a missing file is told at once
        name = str(getattr(file, "name", "<stream>"))
        if isinstance(file, io.TextIOBase):
            buffer = getattr(file, "buffer", None)
            if buffer is None:
                return cls(name, (line.encode("utf-8", "surrogateescape") for line in file))
            file = buffer
        return cls(name, _lines_of(file))  # type: ignore[arg-type]

    @classmethod
    def of_text(cls, text: str) -> Source:
        """The lines of a string; its last line needs no end."""
        lines = io.BytesIO(text.encode("utf-8", "surrogateescape"))
        return cls("<text>", lines, complete=True)

    def head(self) -> list[str]:
        """The first lines, which are delivered again."""
        if not self._ahead and not self.number:
            self._ahead = list(islice(self._lines, _HEAD))
        return self._ahead

    def push_back(self, lines: list[str]) -> None:
        """Deliver these lines, taken last, once more."""
        self.number -= len(lines)
        self._ahead = lines + self._ahead

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._ahead.pop(0) if self._ahead else next(self._lines)
        self.number += 1
        return line

    def _decoded(self, lines: Iterable[bytes]) -> Iterator[str]:
        for number, raw in enumerate(self._intact(lines), 1):
            try:
                text = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                self.flaws[number] = len(raw[: error.start].decode("utf-8")) + 1, "not UTF-8"
                text = raw.decode("utf-8", "surrogateescape")
            if number == 1:
                text = text.removeprefix("\ufeff")
                self.crlf = text.endswith("\r\n")
            if text.endswith("\n"):
                text = text[:-2] if self.crlf and text.endswith("\r\n") else text[:-1]
            elif not self._complete:
                self.unfinished = number
            if (odd := _CONTROL.search(text)) is not None and number not in self.flaws:
                self.flaws[number] = odd.start() + 1, f"a control character, U+{ord(odd[0]):04X}"
            yield text

    def _intact(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        try:
            yield from lines
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise CorpusError(f"damaged gzip file ({error})", self.name) from error


def _closing(stream: IO[bytes]) -> Iterator[bytes]:
    with stream:
        yield from _lines_of(stream)


def _lines_of(stream: IO[bytes]) -> Iterator[bytes]:
    """Lines of a byte stream, unzipped if need be."""
    start = stream.read(2)
    if start == _GZIP:
        with gzip.GzipFile(fileobj=_Rejoined(start, stream)) as unzipped:  # type: ignore[call-overload]
            yield from unzipped
        return
    first = start if start.endswith(b"\n") else start + stream.readline()
    if first.startswith(b"\n"):  # the two bytes read may span lines
        yield b"\n"
        first = first[1:]
    yield from chain([first] if first else [], stream)


class _Rejoined:
    """A byte stream whose first bytes have been read already."""

    def __init__(self, start: bytes, stream: IO[bytes]) -> None:
        self._start, self._stream = start, stream

    def read(self, size: int = -1) -> bytes:
        if not self._start:
            return self._stream.read(size)
        size = len(self._start) if size < 0 else size
        taken, self._start = self._start[:size], self._start[size:]
        return taken


@dataclass(slots=True)
class Block:
    """The lines of one sentence as they stand in the file, the first being line `start`.

    `fault` is what the splitting into blocks has found wrong, `payload` what it has read already.
    """

    source: Source
    start: int
    lines: list[str]
    fault: str | None = None
    payload: Any = None

    def check(self) -> None:
        """See that the lines are sound.

        Raises `CorpusError` where one has a flaw, or the block is not whole.
        """
        if self.source.flaws:
            for row in range(len(self.lines)):
                if flaw := self.source.flaws.get(self.start + row):
                    raise self.error(flaw[1], row, flaw[0])
        if self.fault:
            raise self.error(self.fault, len(self.lines) - 1, len(self.lines[-1]) + 1)

    def error(self, reason: str, row: int = 0, column: int | None = None) -> CorpusError:
        """An error at a line of the block (from 0) and a column (from 1)."""
        text = self.lines[row] if row < len(self.lines) else ""
        return CorpusError(reason, self.source.name, self.start + row, column, text)

    def number(self, text: str, row: int, column: int) -> int:
        """The whole number spelled in ASCII digits at a column (from 1) of a line.

        Raises `CorpusError` where there is none.
        """
        if not is_number(text):
            raise self.error(f"'{_clip(text)}' is not a number from 0 to {10**_DIGITS - 1}", row, column)
        return int(text)

    def category(self, text: str, row: int, column: int) -> Category:
        """The category spelled at a column (from 1) of a line.

        Raises `CorpusError`, which shows the place in that line, where there is none.
        """
        try:
            return Category.parse(text)
        except CategorySyntaxError as error:
            reason = error.reason + (f": expected {error.expected}" if error.expected else "")
            raise self.error(
                f"'{_clip(text)}' is not a category: {reason}", row, column + error.position
            ) from error


def is_number(text: str) -> bool:
    """Whether a field is a whole number within reason; `isdecimal` alone takes other scripts' digits."""
    return text.isascii() and text.isdecimal() and len(text) <= _DIGITS


def _clip(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


_UNFINISHED = (
    "the last line has no end, so the file may be cut off here (if it is whole, end it with a newline)"
)


def single_lines(source: Source) -> Iterator[Block]:
    """One sentence a line."""
    for line in source:
        fault = _UNFINISHED if source.number == source.unfinished else None
        yield Block(source, source.number, [line], fault)


def paragraphs(mandatory: bool) -> Callable[[Source], Iterator[Block]]:
    """Sentences of several lines with an empty line after each; after the last it may be `mandatory`.

    The empty line is the last of its block.
    """

    def split(source: Source) -> Iterator[Block]:
        lines: list[str] = []
        for line in source:
            lines.append(line)
            if not line:
                yield Block(source, source.number - len(lines) + 1, lines)
                lines = []
        if lines:
            fault = (
                "no empty line after the last sentence: the file may be cut off here" if mandatory else None
            )
            fault = _UNFINISHED if source.unfinished else fault
            yield Block(source, source.number - len(lines) + 1, lines, fault)

    return split
