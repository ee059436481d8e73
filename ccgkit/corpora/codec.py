"""What every format has in common: `load loads dump dumps`, built from what its module supplies."""

from __future__ import annotations

import gzip
import io
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum, Flag, auto
from glob import escape
from pathlib import Path
from typing import IO, Generic, Literal, TypeVar, cast, overload

from ..sentence import Sentence
from .blocks import Block, Source
from .errors import CorpusError, FormatError

__all__ = [
    "Codec",
    "Ending",
    "File",
    "OnError",
    "Part",
    "Preface",
    "Reader",
    "Unreadable",
    "clear",
    "content",
    "replacing",
]

_log = logging.getLogger(__name__)
File = str | Path | IO[bytes] | IO[str]
OnError = Literal["raise", "skip", "keep"]
Item = TypeVar("Item", bound="Sentence | Unreadable", covariant=True)


class Part(Flag):
    """What a format can say of a sentence."""

    WORDS = auto()
    POS = auto()
    TAGS = auto()
    K_BEST = auto()
    TREES = auto()
    DEPENDENCIES = auto()
    IDS = auto()


_NAMES = {
    Part.WORDS: "all the words",
    Part.TAGS: "categories",
    Part.TREES: "trees",
    Part.DEPENDENCIES: "dependencies",
}


class Preface(Flag):
    """Whether a file starts with C&C's preface: lines with `#`, then an empty line."""

    NONE = 0
    OPTIONAL = auto()
    MANDATORY = auto()


class Ending(Enum):
    """What tells where a sentence ends in a file that was cut off, so that writing can go on there."""

    LINE = auto()  # a line is a sentence
    EMPTY_LINE = auto()
    TREES = auto()  # a line of each derivation, under an `ID=` line


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A sentence that does not read: its lines as they stand in the file, and the error.

    `dump` writes the lines back in the same format.
    """

    lines: tuple[str, ...]
    error: CorpusError
    format: str
    crlf: bool = False


@dataclass(frozen=True)
class Codec:
    """A format: how a file falls into sentences, how one is read and how one is written.

    `encode` gets the sentence's number in the file, from 1. `holds` is what the format can say, `needs`
    what it cannot be written without; `encode` must find something to write for a sentence without words, and
    for one whose `meta` has a `status` because it was parsed in vain. `verbatim` formats give back damaged
    sentences as they were. A file whose format has an `ending` can be continued.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    holds: Part
    needs: Part
    blocks: Callable[[Source], Iterator[Block]]
    decode: Callable[[Block], Sentence]
    encode: Callable[[Sentence, int], str]
    recognise: Callable[[list[str]], bool]
    preface: Preface = Preface.NONE
    header: str = ""
    footer: str = ""
    verbatim: bool = True
    ending: Ending | None = None

    @overload
    def load(self, file: File, on_error: Literal["raise", "skip"] = "raise") -> Reader[Sentence]: ...
    @overload
    def load(self, file: File, on_error: OnError) -> Reader[Sentence | Unreadable]: ...
    def load(self, file: File, on_error: OnError = "raise") -> Reader[Sentence | Unreadable]:
        """The sentences of a path or stream, one by one; `on_error` is as in `ccgkit.corpora.load`."""
        return Reader(self, Source.open(file), on_error)

    @overload
    def loads(self, text: str, on_error: Literal["raise", "skip"] = "raise") -> Reader[Sentence]: ...
    @overload
    def loads(self, text: str, on_error: OnError) -> Reader[Sentence | Unreadable]: ...
    def loads(self, text: str, on_error: OnError = "raise") -> Reader[Sentence | Unreadable]:
        """The sentences of a string; `on_error` is as in `ccgkit.corpora.load`."""
        return Reader(self, Source.of_text(text), on_error)

    def dump(self, sentences: Iterable[Sentence | Unreadable], file: File) -> int:
        """Write to a path or stream and return the number of sentences.

        A path is replaced when all is written: after an error it is as it was before.

        Raises `FormatError` where the format cannot say what a sentence holds.
        """
        count = 0
        with _opened(file) as write:
            for count, text in enumerate(self.texts(sentences)):  # noqa: B007
                write(text)
        return max(0, count - 1)

    def dumps(self, sentences: Iterable[Sentence | Unreadable]) -> str:
        """The file as a string.

        Raises `FormatError` where the format cannot say what a sentence holds.
        """
        return "".join(self.texts(sentences))

    def check(self, sentence: Sentence | Unreadable) -> None:
        """See that the sentence can be written in this format.

        Raises `FormatError` where it cannot.
        """
        self._text(sentence, 1)

    def missing(self, sentence: Sentence) -> Part:
        """What the sentence lacks to be written in this format."""
        has = Part.WORDS if all(token.word for token in sentence.tokens) else Part(0)
        if sentence.tags is not None:
            has |= Part.TAGS
        if sentence.derivations:
            has |= Part.TREES | Part.TAGS
        if sentence.dependencies is not None:
            has |= Part.DEPENDENCIES
        if "status" in sentence.meta:  # a parser has told why there are none
            has |= Part.TREES | Part.DEPENDENCIES
        return self.needs & ~has

    def texts(self, sentences: Iterable[Sentence | Unreadable], done: int = 0) -> Iterator[str]:
        """The pieces of a file: header, sentence by sentence, footer; `done` sentences are there already.

        Raises `FormatError` where the format cannot say what a sentence holds.
        """
        items = iter(sentences)
        first = next(items, None)
        yield "" if done else self._header(first)
        count = done
        while first is not None:
            count += 1
            yield self._text(first, count)
            first = next(items, None)
        yield self.footer

    def _header(self, first: Sentence | Unreadable | None) -> str:
        if isinstance(first, Unreadable):
            return "" if self.preface else self.header
        if self.preface and first is not None and "preface" in first.meta:
            return _ended(first.meta["preface"], first.meta.get("newline") == "\r\n")
        return self.header

    def _text(self, sentence: Sentence | Unreadable, count: int) -> str:
        if isinstance(sentence, Unreadable):
            if sentence.format != self.name:
                raise FormatError(f"unreadable {sentence.format} cannot be written as {self.name}")
            return _ended("".join(f"{line}\n" for line in sentence.lines), sentence.crlf)
        if sentence.tokens and (missing := self.missing(sentence)):
            raise FormatError(
                f"{self.name} needs {describe(missing)}, which sentence {sentence.id or count} lacks"
            )
        text = self._encoded(sentence, count)
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise FormatError(
                f"sentence {sentence.id or count} holds half of a surrogate pair, which is not a character"
            ) from error
        return _ended(text, sentence.meta.get("newline") == "\r\n")

    def _encoded(self, sentence: Sentence, count: int) -> str:
        """The text; a parse that cannot be written in this format becomes a failed one."""
        try:
            return self.encode(sentence, count)
        except FormatError as error:
            if "status" not in sentence.meta or not (sentence.derivations or sentence.dependencies):
                raise
            _log.warning("sentence %s: %s", sentence.id or count, error)
            meta = {**sentence.meta, "status": "failed", "reason": str(error)}
            return self.encode(replace(sentence, derivations=(), dependencies=None, meta=meta), count)


class Reader(Iterator[Item], Generic[Item]):
    """An iterator over the sentences of a file; `skipped` counts those left out as unreadable.

    Raises `CorpusError` where a sentence does not read and none is left out or kept, `FormatError` where the
    format cannot keep any, `ValueError` where `on_error` is none of the three.
    """

    def __init__(self, codec: Codec, source: Source, on_error: OnError) -> None:
        if on_error not in ("raise", "skip", "keep"):
            raise ValueError(f"on_error must be 'raise', 'skip' or 'keep', not {on_error!r}")
        if on_error == "keep" and not codec.verbatim:
            raise FormatError(f"{codec.name} has no lines of its own for each sentence to keep")
        self.codec = codec
        self.skipped = 0
        self.errors: list[CorpusError] = []  #: the first few errors skipped or kept
        self._on_error = on_error
        self._items = self._read(source)

    def __iter__(self) -> Reader[Item]:
        return self

    def __next__(self) -> Item:
        return next(self._items)

    def _read(self, source: Source) -> Iterator[Item]:
        preface = _read_preface(self.codec, source)
        for block in self.codec.blocks(source):
            item = self._item(block)
            if preface and item is not None:
                item, preface = _with_preface(item, preface), []
            if item is not None:
                yield cast(Item, item)

    def _item(self, block: Block) -> Sentence | Unreadable | None:
        crlf = block.source.crlf
        try:
            if block.fault or block.source.flaws:
                block.check()
            sentence = self.codec.decode(block)
        except CorpusError as error:
            if self._on_error == "raise":
                raise
            self.skipped += 1
            if len(self.errors) < _FEW:
                self.errors.append(error)
            return Unreadable(tuple(block.lines), error, self.codec.name, crlf) if self._keeps else None
        return replace(sentence, meta={**sentence.meta, "newline": "\r\n"}) if crlf else sentence

    @property
    def _keeps(self) -> bool:
        return self._on_error == "keep"


_FEW = 5


def describe(parts: Part) -> str:
    """The parts in words: `trees and dependencies`."""
    return " and ".join(name for part, name in _NAMES.items() if part in parts)


def _read_preface(codec: Codec, source: Source) -> list[str]:
    """The preface's lines, which the first sentence carries; nothing is taken where there is none."""
    if not codec.preface:
        return []
    lines: list[str] = []
    for line in source:
        lines.append(line)
        if not line.startswith("#"):
            break
    if len(lines) > 1 and not lines[-1]:
        return lines
    if codec.preface is Preface.MANDATORY:
        reason = "no preface: the file must start with lines of '#' and then an empty line"
        if len(lines) > 1:
            reason = "a preface of '#' lines must end in an empty line"
        raise CorpusError(reason, source.name, max(1, len(lines)), 1, lines[-1] if lines else "")
    source.push_back(lines)
    return []


def _with_preface(item: Sentence | Unreadable, preface: list[str]) -> Sentence | Unreadable:
    if isinstance(item, Unreadable):
        return replace(item, lines=(*preface, *item.lines))
    return replace(item, meta={**item.meta, "preface": "".join(f"{line}\n" for line in preface)})


def _ended(text: str, crlf: bool) -> str:
    return text.replace("\n", "\r\n") if crlf else text


_LAYOUT = frozenset({"header", "before", "after", "unnumbered", "preface", "newline", "comments", "heads"})


def content(sentence: Sentence) -> Sentence:
    """The sentence without what says how its file was laid out, for writing it somewhere else."""
    if _LAYOUT.isdisjoint(sentence.meta):
        return sentence
    kept = {name: value for name, value in sentence.meta.items() if name not in _LAYOUT}
    return replace(sentence, meta=kept)


@contextmanager
def _opened(file: File) -> Iterator[Callable[[str], object]]:
    """A function that writes text to the file; a path is written beside and renamed at the end."""
    if isinstance(file, str | Path):
        with replacing(Path(file)) as stream:
            yield lambda text: stream.write(text.encode("utf-8", "surrogateescape"))
    elif isinstance(file, io.TextIOBase):
        yield file.write
    else:
        binary = cast("IO[bytes]", file)
        yield lambda text: binary.write(text.encode("utf-8", "surrogateescape"))


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A stream that takes the path's place when all is written, zipped if its name says so."""
    if path.exists() and not path.is_file():  # a pipe or a device
        with path.open("wb") as stream:
            yield stream
        return
    clear(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as raw:
            if path.suffix == ".gz":
                with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as zipped:
                    yield cast("IO[bytes]", zipped)
            else:
                yield raw
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def clear(path: Path) -> None:
    """Remove what runs that were killed have left beside the path."""
    for part in path.parent.glob(f".{escape(path.name)}.*.part"):
        number = part.name.removesuffix(".part").rpartition(".")[2]
        if number.isdecimal() and not _is_running(int(number)):
            part.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    if os.name == "nt":  # where asking would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
