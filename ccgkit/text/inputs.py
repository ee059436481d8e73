"""What people want tagged: files and streams of text, lines, tokens or tagged tokens, read as they come."""

from __future__ import annotations

import re
import select
from collections.abc import Iterator
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import IO, Literal, get_args

from ..grammar import CCGKitError, Token
from ..sentence import Sentence
from .sentences import paragraphs, split_text
from .tokens import tokenize

__all__ = ["FORMATS", "InputError", "InputFormat", "detect", "read"]

InputFormat = Literal["text", "lines", "tokenized", "tagged", "stagged", "jsonl"]
FORMATS: tuple[InputFormat, ...] = get_args(InputFormat)

_CODECS = {"tagged": "pos", "stagged": "stagged", "jsonl": "jsonl"}
_SUFFIXES: dict[str, InputFormat] = {
    ".pos": "tagged", ".tagged": "tagged", ".stagged": "stagged", ".jsonl": "jsonl",
}  # fmt: skip
_WORD = re.compile(r"\S+")
_TAGGED = re.compile(r"[^\s|]+\|[A-Z$.,:`'#-]{1,5}")
_CHUNK = 1 << 16


class InputError(CCGKitError):
    """Input that is not what it should be: which, and where."""


def detect(name: str, head: bytes) -> InputFormat:
    """The format of a file by the end of its name, or by its beginning where that is safe; else text.

    >>> detect("-", b'We|PRP agree|VBP .|.\\n'), detect("novel.txt", b"It was late.\\n")
    ('tagged', 'text')
    """
    suffix = Path(name.removesuffix(".gz")).suffix
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    first = next((line for line in head.decode("utf-8", "replace").splitlines() if line.strip()), "")
    if first.startswith("{") and '"tokens"' in first:
        return "jsonl"
    words = first.split(" ")
    if len(words) > 1 and all(word.count("|") == 2 for word in words):
        return "stagged"
    if len(words) > 1 and all(map(_TAGGED.fullmatch, words)):
        return "tagged"
    return "text"


def read(
    stream: IO[bytes], name: str, format: InputFormat, language: str = "en"
) -> Iterator[Sentence | None]:
    """The sentences of a stream, whose text is in the language; None where it waits for more."""
    if format in _CODECS:
        from ..corpora import load

        yield from load(stream, _CODECS[format])
        return
    lines = _lines(stream, name)
    if format == "text":
        yield from _running_text(lines, language)
    else:
        split = partial(tokenize, language=language) if format == "lines" else _given_tokens
        for line in lines:
            text = line and line.rstrip("\r\n")
            if text is None:
                yield None
            elif text.strip() or format == "tokenized":  # a line of tokens is a sentence, even without any
                yield Sentence(split(text), text=text)


def _running_text(lines: Iterator[str | None], language: str) -> Iterator[Sentence | None]:
    def whole() -> Iterator[str]:
        return (line for line in lines if line is not None)

    for start, paragraph in paragraphs(whole()):
        yield from split_text(paragraph, start, language)


def _given_tokens(line: str) -> tuple[Token, ...]:
    return tuple(Token(found[0], None, found.start(), found.end()) for found in _WORD.finditer(line))


def _lines(stream: IO[bytes], name: str) -> Iterator[str | None]:
    """The lines with their ends, None before waiting for more; they must be UTF-8 text."""
    number = 0
    for line in _raw_lines(stream):
        if line is None:
            yield None
            continue
        number += 1
        if b"\0" in line:
            raise InputError(f"{name} is no text: line {number} holds a zero byte")
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            found = line[error.start : error.start + 1].hex()
            raise InputError(
                f"{name}, line {number}, byte {error.start + 1}: 0x{found} is not UTF-8; "
                "convert the file first, as in: iconv -f latin1 -t utf-8"
            ) from None


def _raw_lines(stream: IO[bytes]) -> Iterator[bytes | None]:
    """Lines as they come; a stream that would make us wait says so with None."""
    if not isinstance(stream, BufferedReader) or stream.seekable() or not hasattr(select, "poll"):
        yield from stream
        return
    rest = b""
    while chunk := stream.read1(_CHUNK):  # more than its buffer holds: afterwards that is empty
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line + b"\n" for line in lines)
        if not select.select([stream], [], [], 0)[0]:
            yield None
    if rest:
        yield rest
