"""All formats by name, ours and other people's, and which one a file is in.

A format of somebody else's is a `Codec` that a distribution names in its entry points, group `ccgkit.codecs`,
or that a program hands to `register`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal, overload

from ..registry import Registry
from ..sentence import Sentence
from . import (
    auto,
    boxer,
    candc_xml,
    conll,
    conllu,
    depccg,
    deps,
    easyccg,
    gold_deps,
    jigg,
    jsonl,
    lambeq,
    multitag,
    parg,
    pmb_xml,
    pos,
    prolog,
    stagged,
    tokenized,
)
from .blocks import Source
from .codec import Codec, File, OnError, Reader, Unreadable, describe
from .errors import FormatError

__all__ = [
    "check_conversion",
    "codec",
    "detect",
    "dump",
    "dumps",
    "formats",
    "load",
    "loads",
    "named",
    "recognised",
    "register",
]

_MODULES = (
    auto, stagged, multitag, deps, gold_deps, parg, pos, tokenized, conll, conllu, easyccg, depccg, prolog,
    boxer, pmb_xml, candc_xml, jigg, lambeq, jsonl,
)  # fmt: skip
_CODECS = {module.CODEC.name: module.CODEC for module in _MODULES}
_OTHERS: Registry[Codec] = Registry("format", "ccgkit.codecs", {})
_ALIASES = {"candc": "multitag", "columns": "conll", "tagged": "pos", "text": "tokenized"}  # former names


def register(codec: Codec) -> None:
    """Make a format known to everything that reads and writes.

    Raises `FormatError` where there is one of that name.
    """
    if codec.name in formats() or codec.name in _ALIASES:
        raise FormatError(f"there is a format {codec.name!r} already")
    _OTHERS.register(codec.name, codec)
    _others.cache_clear()


@cache
def _others() -> Mapping[str, Codec]:
    """Other people's formats; looked for only where ours do not answer, since that takes its time."""
    found = {name: _OTHERS[name] for name in _OTHERS.names()}
    for name, value in found.items():
        if not isinstance(value, Codec) or value.name != name:
            raise FormatError(f"the format {name!r} of ccgkit.codecs is not a Codec of that name: {value!r}")
    return found


def formats() -> Mapping[str, Codec]:
    """The formats by name.

    Raises `FormatError` where one of another distribution is not a `Codec`.
    """
    return MappingProxyType({**_CODECS, **_others()})


def codec(name: str) -> Codec:
    """The format of that name.

    Raises `FormatError` where there is none.
    """
    name = _ALIASES.get(name, name)
    known = _CODECS.get(name) or formats().get(name)
    if known is None:
        raise FormatError(f"no format {name!r}; choose from {', '.join(formats())}")
    return known


def detect(file: str | Path) -> str:
    """The name of a file's format: by the end of its name, otherwise by its first lines.

    Raises `FormatError` where neither tells it.
    """
    return named(file) or _recognised(Source.open(file))


def named(file: str | Path) -> str | None:
    """The format that a file's name ends in; None if it tells nothing."""
    name = Path(file).name.lower().removesuffix(".gz")
    for known in (lambda: _CODECS, formats):
        fitting = [
            (len(suffix), codec.name) for codec in known().values() for suffix in codec.suffixes
            if name.endswith(suffix)
        ]  # fmt: skip
        if fitting:
            return max(fitting)[1]
    return None


def recognised(head: list[str]) -> str | None:
    """The format whose files start with such lines; None if it could be anything."""
    for known in (lambda: _CODECS, formats):
        for codec in known().values():
            if codec.recognise(head):
                return codec.name
    return None


def _recognised(source: Source) -> str:
    head = source.head()
    if name := recognised(head):
        return name
    what = "is empty" if not any(head) else "is not in a format that is recognised"
    raise FormatError(f"{source.name} {what}: name the format, one of {', '.join(formats())}")


@overload
def load(
    file: File, format: str | None = None, on_error: Literal["raise", "skip"] = "raise"
) -> Reader[Sentence]: ...
@overload
def load(file: File, format: str | None, on_error: OnError) -> Reader[Sentence | Unreadable]: ...
@overload
def load(file: File, *, on_error: OnError) -> Reader[Sentence | Unreadable]: ...
def load(file: File, format: str | None = None, on_error: OnError = "raise") -> Reader[Sentence | Unreadable]:
    """The sentences of a file, one after the other; gzip is read as it is.

    `file` is a path or an open stream; its `format` is found out if it is not given. `on_error` says what
    becomes of a sentence that does not read.

    Raises `FormatError` where the format is unknown or cannot be told, and `CorpusError` where a sentence
    does not read, unless it is left out ("skip") or comes as an `Unreadable` ("keep"), which `dump` writes
    back as it was.
    """
    if format is not None:
        return codec(format).load(file, on_error)
    name = named(file) if isinstance(file, str | Path) else None
    source = Source.open(file)
    return Reader(codec(name or _recognised(source)), source, on_error)


def loads(text: str, format: str | None = None) -> Reader[Sentence]:
    """The sentences of a text.

    Raises `FormatError` where the format is unknown or cannot be told, `CorpusError` where a sentence does
    not read.

    >>> [sentence.words for sentence in loads("We|PRP|NP agree|VBP|S\\\\NP", "stagged")]
    [('We', 'agree')]
    """
    return codec(format or _recognised(Source.of_text(text))).loads(text)


def dump(sentences: Iterable[Sentence | Unreadable], file: File, format: str | None = None) -> int:
    """Write the sentences and return their number; the format is that of the file's name, if not given.

    A path is replaced when all is written: after an error it is as it was before.

    Raises `FormatError` where there is no such format, or where it cannot say what a sentence holds.
    """
    name = format or (named(file) if isinstance(file, str | Path) else None)
    if name is None:
        raise FormatError(f"name a format, one of {', '.join(formats())}")
    return codec(name).dump(sentences, file)


def dumps(sentences: Iterable[Sentence | Unreadable], format: str) -> str:
    """The sentences as text in a format.

    Raises `FormatError` where there is no such format, or where it cannot say what a sentence holds.
    """
    return codec(format).dumps(sentences)


def check_conversion(origin: str, target: str) -> None:
    """See that the format `origin` holds what the format `target` needs.

    Raises `FormatError` where it does not.
    """
    missing = codec(target).needs & ~codec(origin).holds
    if missing:
        raise FormatError(f"{origin} files do not hold {describe(missing)}, which {target} needs")
