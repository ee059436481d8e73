"""All formats by name, and which one a file is in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal, overload

from ..sentence import Sentence
from . import (
    auto,
    columns,
    conllu,
    depccg,
    deps,
    easyccg,
    gold_deps,
    jsonl,
    multitag,
    parg,
    pmb_xml,
    pos,
    prolog,
    stagged,
    text,
)
from .blocks import Source
from .codec import Codec, File, OnError, Reader, Unreadable, describe
from .errors import FormatError

__all__ = ["check_conversion", "codec", "detect", "dump", "dumps", "formats", "load", "loads", "named"]

_MODULES = (
    auto, stagged, multitag, deps, gold_deps, parg, pos, text, columns, conllu, easyccg, depccg, prolog,
    pmb_xml, jsonl,
)  # fmt: skip
_CODECS: Mapping[str, Codec] = MappingProxyType({module.CODEC.name: module.CODEC for module in _MODULES})


def formats() -> Mapping[str, Codec]:
    """The formats by name."""
    return _CODECS


def codec(name: str) -> Codec:
    """The format of that name."""
    if name not in _CODECS:
        raise FormatError(f"no format {name!r}; there are {', '.join(_CODECS)}")
    return _CODECS[name]


def detect(file: str | Path) -> str:
    """The name of a file's format: by the end of its name, otherwise by its first lines."""
    return named(file) or _recognised(Source.open(file))


def named(file: str | Path) -> str | None:
    """The format that a file's name ends in; None if it tells nothing."""
    name = Path(file).name.lower().removesuffix(".gz")
    fitting = [
        (len(suffix), codec.name) for codec in _CODECS.values() for suffix in codec.suffixes
        if name.endswith(suffix)
    ]  # fmt: skip
    return max(fitting)[1] if fitting else None


def _recognised(source: Source) -> str:
    head = source.head()
    for codec in _CODECS.values():
        if codec.recognise(head):
            return codec.name
    what = "is empty, so its format" if not any(head) else "is in no format that is recognised: it"
    raise FormatError(f"{source.name} {what} must be named, one of {', '.join(_CODECS)}")


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

    A sentence that does not read raises `CorpusError`, or is left out ("skip"), or comes as an `Unreadable`
    ("keep"), which `dump` writes back as it was.
    """
    if format is not None:
        return codec(format).load(file, on_error)
    name = named(file) if isinstance(file, str | Path) else None
    source = Source.open(file)
    return Reader(codec(name or _recognised(source)), source, on_error)


def loads(text: str, format: str | None = None) -> Reader[Sentence]:
    """The sentences of a string.

    >>> [sentence.words for sentence in loads("We|PRP|NP agree|VBP|S\\\\NP", "stagged")]
    [('We', 'agree')]
    """
    return codec(format or _recognised(Source.of_text(text))).loads(text)


def dump(sentences: Iterable[Sentence | Unreadable], file: File, format: str | None = None) -> int:
    """Write the sentences and return their number; the format is that of the file's name, if not given.

    A path is replaced when all is written: after an error it is as it was before.
    """
    name = format or (named(file) if isinstance(file, str | Path) else None)
    if name is None:
        raise FormatError(f"a format must be named, one of {', '.join(_CODECS)}")
    return codec(name).dump(sentences, file)


def dumps(sentences: Iterable[Sentence | Unreadable], format: str) -> str:
    """The sentences as text in a format."""
    return codec(format).dumps(sentences)


def check_conversion(origin: str, target: str) -> None:
    """Raise `FormatError` if the one format cannot say what the other needs."""
    missing = codec(target).needs & ~codec(origin).holds
    if missing:
        raise FormatError(f"{origin} files have no {describe(missing)}; {target} needs them")
