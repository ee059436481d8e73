"""What people want tagged or parsed: files and streams of text, or in a corpus's format, as they come."""

from __future__ import annotations

import gzip
import io
import re
import select
import zlib
from collections.abc import Iterator
from functools import partial
from typing import IO, cast

from ..constraints import ConstraintError
from ..corpora import Part, Reader, codec, formats
from ..corpora.codec import content
from ..corpora.registry import named, recognised
from ..grammar import CCGKitError, Token
from ..sentence import Sentence
from .brackets import read_brackets
from .sentences import paragraphs, split_text
from .tokens import tokenize

__all__ = ["RAW", "Input", "InputError", "detect", "input_format", "unzipped"]

#: running text, a sentence a line, that with tokens between spaces, and that partly bracketed
RAW = ("text", "lines", "tokenized", "brackets")
_GZIP = b"\x1f\x8b"
_BUFFER = 1 << 16  # bytes, of which the first tell the format
_WORD = re.compile(r"\S+")
#: what our commands draw for people, by how it begins: nothing that is to be tagged or parsed
_DRAWINGS = {
    "a table of ccgkit tag": re.compile(r"# ccgkit tag, model .*\n\nword +(lemma +)?POS +category "),
    "a drawing of derivations": re.compile(r"# .*\n.*\n.*\n *-+[^- \n]+( +-+[^- \n]+)*\n"),
    "HTML": re.compile(r"\s*<(!DOCTYPE html|html)\b", re.I),
    "SVG": re.compile(r"\s*(<\?xml.*\?>\s*)?<svg\b"),
    "LaTeX": re.compile(r"(%.*\n|\s)*\\documentclass\b"),
    "trees for NLTK": re.compile(r"\{\S+ (\{|\S+\})"),
}


class InputError(CCGKitError):
    """Input that is not what it should be: which, and where."""


def input_format(name: str) -> str:
    """The name of a format that can be tagged or parsed, checked; former names are known."""
    if name in RAW:
        return name
    found = codec(name)
    if Part.WORDS not in found.holds:
        raise InputError(f"{found.name} files do not hold all the words: there is nothing to tag or parse")
    return found.name


def detect(name: str, head: bytes) -> str:
    """The format of a file by the end of its name, or by its beginning where that is safe; else text.

    A drawing, which is not text, is an `InputError`.

    >>> detect("-", b'We|PRP agree|VBP .|.\\n'), detect("novel.txt", b"It was late.\\n")
    ('pos', 'text')
    """
    by_name = named(name)
    if by_name not in (None, "tokenized"):
        return str(by_name)
    text = head.decode("utf-8", "replace")
    if form := recognised(text.splitlines()):
        return form
    for what, beginning in _DRAWINGS.items():
        if beginning.match(text):
            raise InputError(f"{name} is {what}, not text: use a format such as jsonl or auto")
    return "text"


def unzipped(stream: IO[bytes]) -> io.BufferedReader:
    """The stream, decompressed if it is gzip's; its beginning can be looked at with `peek`."""
    buffered = stream if isinstance(stream, io.BufferedReader) else _buffered(stream)
    return _buffered(gzip.GzipFile(fileobj=buffered)) if buffered.peek(2)[:2] == _GZIP else buffered


def _buffered(stream: object) -> io.BufferedReader:
    return io.BufferedReader(cast(io.RawIOBase, stream), _BUFFER)


class Input:
    """The sentences of a stream, of a format that is given or detected; None where it waits for more.

    What does not read is left out and counted: `skipped`, and the first `error`.
    """

    def __init__(self, stream: IO[bytes], name: str, format: str | None = None, language: str = "en") -> None:
        self.name = name
        self._language = language
        try:
            self._stream = unzipped(stream)
            self.zipped = self._stream is not stream and isinstance(self._stream.raw, gzip.GzipFile)
            self.format = input_format(format or detect(name, self._stream.peek(_BUFFER)[:_BUFFER]))
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise _damaged(name, error) from error
        self._reader: Reader[Sentence] | None = None
        self._skipped = 0
        self._error: InputError | None = None

    @property
    def skipped(self) -> int:
        return self._reader.skipped if self._reader else self._skipped

    @property
    def error(self) -> CCGKitError | None:
        return next(iter(self._reader.errors), None) if self._reader else self._error

    def __iter__(self) -> Iterator[Sentence | None]:
        if self.format not in RAW:
            self._reader = formats()[self.format].load(self._stream, "skip")
            return map(content, self._reader)
        if self.format == "text":
            return self._running_text()
        return self._bracketed_lines() if self.format == "brackets" else self._sentence_lines()

    def _running_text(self) -> Iterator[Sentence]:
        lines = (line for line in _lines(self._stream, self.name) if line is not None)
        for start, paragraph in paragraphs(lines):
            yield from split_text(paragraph, start, self._language)

    def _sentence_lines(self) -> Iterator[Sentence | None]:
        split = partial(tokenize, language=self._language) if self.format == "lines" else _given_tokens
        for line in _lines(self._stream, self.name):
            text = line and line.rstrip("\r\n")
            if text is None:
                yield None
            elif (
                text.strip() or self.format == "tokenized"
            ):  # a line of tokens is a sentence, even without any
                yield Sentence(split(text), text=text)

    def _bracketed_lines(self) -> Iterator[Sentence | None]:
        number = 0
        for line in _lines(self._stream, self.name):
            if line is None:
                yield None
                continue
            number += 1
            try:
                words, known = read_brackets(line.rstrip("\r\n"))
            except ConstraintError as error:
                self._skipped += 1
                self._error = self._error or InputError(f"{self.name}, line {number}: {error}")
            else:
                yield Sentence(tuple(map(Token, words)), constraints=known or None)


def _given_tokens(line: str) -> tuple[Token, ...]:
    return tuple(Token(found[0], None, found.start(), found.end()) for found in _WORD.finditer(line))


def _lines(stream: io.BufferedReader, name: str) -> Iterator[str | None]:
    """The lines with their ends, None before waiting for more; they must be UTF-8 text."""
    number = 0
    try:
        for line in _raw_lines(stream):
            if line is None:
                yield None
                continue
            number += 1
            if b"\0" in line:
                raise InputError(f"{name} is not text: line {number} holds a zero byte")
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        found = error.object[error.start : error.start + 1].hex()
        raise InputError(
            f"{name}, line {number}, byte {error.start + 1}: 0x{found} is not UTF-8; "
            "convert the file first, as in: iconv -f latin1 -t utf-8"
        ) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise _damaged(name, error) from error


def _damaged(name: str, error: Exception) -> InputError:
    return InputError(f"{name} is a damaged gzip file ({error})")


def _raw_lines(stream: io.BufferedReader) -> Iterator[bytes | None]:
    """Lines as they come; a stream that would make us wait says so with None."""
    if stream.seekable() or not hasattr(select, "poll"):
        yield from stream
        return
    rest = b""
    while chunk := stream.read1(_BUFFER):  # more than its buffer holds: afterwards that is empty
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line + b"\n" for line in lines)
        if not select.select([stream], [], [], 0)[0]:
            yield None
    if rest:
        yield rest
