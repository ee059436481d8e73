"""Tagged sentences written as they come: in the formats of corpora, or as a table for people."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import partial
from math import exp
from pathlib import Path
from typing import IO

from ..grammar import CCGKitError
from ..sentence import Sentence, Supertag

__all__ = ["FORMATS", "completed", "table", "write"]

#: name of a format → the codec that writes it; the table is for reading only
FORMATS = {
    "table": None, "stagged": "stagged", "candc": "multitag", "jsonl": "jsonl", "conll": "columns",
    "easyccg": "easyccg",
}  # fmt: skip
_BLOCKS = frozenset({"candc", "conll"})  # an empty line ends a sentence
_CHUNK = 1 << 20
_HEADS = ("word", "POS", "category", "p", "else")


def write(
    sentences: Iterable[Sentence],
    stream: IO[bytes],
    format: str,
    model: str,
    *,
    done: int = 0,
    colour: bool = False,
) -> int:
    """Write each sentence as soon as it comes, and return how many there were.

    `done` sentences are in the stream already. `model` is named where the format has room for it.
    """
    from ..corpora import codec

    name = FORMATS[format]
    encode = partial(table, colour=colour) if name is None else codec(name).encode
    if not done and format in ("candc", "table"):
        stream.write(f"# ccgkit tag, model {model}\n\n".encode())
    count = 0
    for count, sentence in enumerate(sentences, 1):
        if format == "jsonl":
            sentence = _with_model(sentence, model)
        stream.write(encode(sentence, done + count).encode("utf-8", "surrogateescape"))
        stream.flush()  # somebody may be waiting at the other end of a pipe
    return count


def _with_model(sentence: Sentence, model: str) -> Sentence:
    meta = {**sentence.meta, "model": model}
    return Sentence(sentence.tokens, sentence.tags, None, None, sentence.id, sentence.text, meta)


def completed(path: Path, format: str) -> tuple[int, int]:
    """How many whole sentences an interrupted file holds, and how many bytes they take."""
    end = b"\n\n" if format in _BLOCKS else b"\n"
    count = size = read = 0
    tail = b""
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            data = tail + chunk
            start = read - len(tail)
            count += data.count(end)
            if (last := data.rfind(end)) >= 0:
                size = start + last + len(end)
            read += len(chunk)
            # an end that lies across two chunks is counted once
            tail = b"\n" if end == b"\n\n" and data.endswith(b"\n") and size != read else b""
    if format == "candc":
        count = max(0, count - 1)  # the preface ends like a sentence
        size = size if count else 0
    if format == "table":
        raise CCGKitError("a table cannot be continued")
    return count, size


def table(sentence: Sentence, count: int = 1, *, colour: bool = False) -> str:
    """A sentence as aligned columns: word, POS tag, best category, probability, the runner-up.

    >>> from ccgkit import Category, Token
    >>> tags = ((Supertag(Category.parse("NP"), -0.1),),)
    >>> print(table(Sentence((Token("We", "PRP"),), tags)), end="")
    word  POS  category     p  else
    We    PRP  NP        0.90
    <BLANKLINE>
    """
    rows = [
        _row(token.word, token.pos or "_", tags)
        for token, tags in zip(sentence.tokens, sentence.tags or (), strict=True)
    ]
    widths = [max(_width(row[column]) for row in (_HEADS, *rows)) for column in range(4)]
    lines = [_painted("\x1b[2m", _line(_HEADS, widths), colour)]
    for row in rows:
        word, pos, category, probability, others = (
            _padded(cell, width, place == 3)
            for place, (cell, width) in enumerate(zip(row, [*widths, 0], strict=True))
        )
        cells = (
            _painted("\x1b[1m", word, colour),
            pos,
            _painted("\x1b[36m", category, colour),
            _painted(_trust(row[3]), probability, colour),
            _painted("\x1b[2m", others, colour and others != ""),
        )
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines) + "\n\n"


def _row(word: str, pos: str, tags: tuple[Supertag, ...]) -> tuple[str, str, str, str, str]:
    best, *others = tags
    runner_up = f"{others[0].category} {exp(others[0].logprob):.2f}" if others else ""
    return word, pos, str(best.category), f"{exp(best.logprob):.2f}", runner_up


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    padded = (
        _padded(cell, width, place == 3)
        for place, (cell, width) in enumerate(zip(cells, [*widths, 0], strict=True))
    )
    return "  ".join(padded).rstrip()


def _padded(cell: str, width: int, right: bool) -> str:
    space = " " * (width - _width(cell))
    return space + cell if right else cell + space


def _trust(probability: str) -> str:
    """Green where the model is sure, yellow, red."""
    value = float(probability)
    return "\x1b[32m" if value >= 0.9 else "\x1b[33m" if value >= 0.5 else "\x1b[31m"


def _painted(code: str, text: str, colour: bool) -> str:
    return f"{code}{text}\x1b[0m" if colour else text


def _width(text: str) -> int:
    """Columns a terminal needs."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )
