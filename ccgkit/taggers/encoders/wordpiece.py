"""WordPiece, the pieces of words that an uncased BERT reads.

The library `tokenizers` knows them, too; this takes less than half as long to start (10 ms, not 23),
remembers the pieces of a word, and spares the package a dependency.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

__all__ = ["WordPiece"]

_LONGEST = 100  # characters; a longer run of letters is unknown as a whole
_REMEMBERED = 100_000  # words whose pieces are kept
_CJK = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2EBEF),
    (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class WordPiece:
    """Words as numbers of the longest pieces of a vocabulary, from left to right.

    >>> pieces = WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##likely", "!"])
    >>> pieces("Unlikely!"), pieces("zzz")
    ((4, 5, 6), (1,))
    """

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.vocabulary = tuple(vocabulary)
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self.pad, self.unknown, self.start, self.end = (
            self._numbers[name] for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
        )
        self.mask = self._numbers.get("[MASK]", self.unknown)
        self._known: dict[str, tuple[int, ...]] = {}

    def __call__(self, word: str) -> tuple[int, ...]:
        """The pieces of a word, at least one."""
        found = self._known.get(word)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = tuple(piece for run in _runs(word) for piece in self._pieces(run)) or (self.unknown,)
            self._known[word] = found
        return found

    def _pieces(self, run: str) -> list[int]:
        if len(run) > _LONGEST:
            return [self.unknown]
        pieces: list[int] = []
        start = 0
        while start < len(run):
            for end in range(len(run), start, -1):
                number = self._numbers.get(("##" if start else "") + run[start:end])
                if number is not None:
                    break
            else:
                return [self.unknown]
            pieces.append(number)
            start = end
        return pieces


def _runs(word: str) -> Iterator[str]:
    """Runs of letters and single signs, in lower case and without accents."""
    plain = unicodedata.normalize("NFD", "".join(_cleaned(word)).lower())
    run: list[str] = []
    for character in plain:
        if unicodedata.category(character) == "Mn":
            continue
        alone = _is_sign(character)
        if (alone or character.isspace()) and run:
            yield "".join(run)
            run = []
        if alone:
            yield character
        elif not character.isspace():
            run.append(character)
    if run:
        yield "".join(run)


def _cleaned(word: str) -> Iterator[str]:
    """Without control characters, ideographs apart."""
    for character in word:
        if any(low <= ord(character) <= high for low, high in _CJK):
            yield f" {character} "
        elif character.isspace():
            yield " "
        elif character != "\ufffd" and unicodedata.category(character) not in ("Cc", "Cf"):
            yield character


def _is_sign(character: str) -> bool:
    code = ord(character)
    ascii_sign = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    return ascii_sign or unicodedata.category(character).startswith("P")
