"""Where a jar looks for its files, and how it reads its weights: both are found in its classes.

Older jars have fixed places under the current folder. The first of them take the first weight for that of
the supertags, and want a preface in all files; newer ones look for a line with `logp:`.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Layout"]

_CLASSES = ("Parser.class", "model/Features.class", "model/Weights.class")
_ENDINGS = {"grammar": "grammar", "lexicon": ".wordsPos", "features": ".feats.1-22"}
_STRING = 1  # the tag of a string in a class file, before its length and its bytes


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of a jar's files under its home."""

    grammar: str = "grammar"
    lexicon: str = "words_feats/wsj02-21.wordsPos"
    features: str = "words_feats/wsj02-21.feats.1-22"
    weights: str = "model/weights"
    early: bool = False  #: whether weights have no names, and type-raised categories a preface

    @classmethod
    def of(cls, jar: Path) -> Layout:
        """What the classes of a jar, or of a folder, say; the usual where they say nothing."""
        strings = {text for data in _classes(jar) for text in _strings(data)}
        found = {
            name: text
            for name, ending in _ENDINGS.items()
            for text in strings
            if text == ending or text.endswith((f"/{ending}", f"-21{ending}"))
        }
        usual = cls()
        return cls(
            found.get("grammar", usual.grammar),
            found.get("lexicon", usual.lexicon),
            found.get("features", usual.features),
            early=bool(found) and "logp" not in strings,
        )


def _classes(jar: Path) -> Iterator[bytes]:
    if jar.is_dir():
        yield from ((jar / name).read_bytes() for name in _CLASSES if (jar / name).is_file())
    elif zipfile.is_zipfile(jar):
        with zipfile.ZipFile(jar) as archive:
            there = set(archive.namelist())
            yield from (archive.read(name) for name in _CLASSES if name in there)


def _strings(data: bytes) -> Iterator[str]:
    """What can be a string among the constants of a class."""
    for start in range(3, len(data)):
        if data[start - 3] == _STRING:
            text = data[start : start + int.from_bytes(data[start - 2 : start])]
            if text.isascii():
                yield text.decode("ascii")
