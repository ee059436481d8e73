"""The Italian CCG-TUT as the paper uses it: lines of token, POS and category, cut at periods, split 8:1:1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ccgkit.grammar import Category, CategorySyntaxError, Token
from ccgkit.sentence import Sentence, Supertag
from ccgkit.training.data import DataError

__all__ = ["load_split", "read_sentences", "split_of"]

_PERIOD = "."
_SHARES = {"train": (0, 8), "dev": (8, 9), "test": (9, 10)}  # tenths of the sentences, in the file's order

Word = tuple[Token, Supertag]


def load_split(path: Path, name: str) -> Iterator[Sentence]:
    """The training, dev or test sentences of the file."""
    return iter(split_of(list(read_sentences(path)), name))


def read_sentences(path: Path) -> Iterator[Sentence]:
    """The sentences of the file: each ends with a period, the last one with the file."""
    words: list[Word] = []
    for number, line in enumerate(_text(path).splitlines(), 1):
        if line.strip():
            words.append(_word(line, f"{path}:{number}"))
            if words[-1][0].word == _PERIOD:
                yield _sentence(words)
                words = []
    if words:
        yield _sentence(words)


def split_of(sentences: Sequence[Sentence], name: str) -> Sequence[Sentence]:
    """Eight, one or one tenth of the sentences, as they follow each other.

    >>> [len(split_of([Sentence(())] * 740, name)) for name in ("train", "dev", "test")]
    [592, 74, 74]
    """
    first, last = (len(sentences) * tenths // 10 for tenths in _SHARES[name])
    return sentences[first:last]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8 ({error}): convert it first, as with iconv") from error


def _word(line: str, where: str) -> Word:
    columns = line.split()
    if len(columns) != 3:
        raise DataError(f"{where}: expected three columns, token, POS and category, but found {len(columns)}")
    word, pos, category = columns
    try:
        return Token(word, pos), Supertag(Category.parse(category))
    except CategorySyntaxError as error:
        raise DataError(f"{where}: {error}") from error


def _sentence(words: Sequence[Word]) -> Sentence:
    return Sentence(tuple(token for token, _ in words), tuple((tag,) for _, tag in words))
