"""C&C's and PMB's `.stagged`: one sentence a line, tokens `word|POS|category`.

We|PRP|NP agree|VBP|S[dcl]\\NP .|.|.

An empty line is a sentence without words.
"""

from __future__ import annotations

from ..grammar import CategorySyntaxError, Token
from ..grammar.category import Category
from ..sentence import Sentence, Supertag
from .blocks import Block, single_lines
from .codec import Codec, Ending, Part, Preface
from .errors import CorpusError
from .words import field, read_pos

__all__ = ["CODEC", "dump", "dumps", "load", "loads", "read_tagged", "write_tagged"]


def read_tagged(block: Block, row: int = 0, start: int = 0) -> Sentence:
    """The tokens `word|POS|category` from column `start` (from 0) of a line on."""
    tokens, tags = [], []
    if not block.lines[row][start:]:
        return Sentence((), ())
    try:
        for piece in block.lines[row][start:].split(" "):
            word, pos, category = piece.rsplit("|", 2)
            if not word or not pos or "\t" in piece or (not start and "|" in word):
                break
            tokens.append(Token(word, read_pos(pos)))
            tags.append((Supertag(Category.parse(category)),))
        else:
            return Sentence(tuple(tokens), tuple(tags))
    except (ValueError, CategorySyntaxError):
        pass
    raise _explain(block, row, start)


def _explain(block: Block, row: int, start: int) -> CorpusError:
    """Where and why a line is not made of `word|POS|category`."""
    line = block.lines[row]
    column = start + 1
    for piece in line[start:].split(" "):
        fields = piece.rsplit("|", 2)
        if "\t" in piece or (not start and piece.count("|") > 2):
            return block.error("a tab or a bar inside a word: write ~ and -BAR-", row, column)
        if len(fields) != 3 or not (fields[0] and fields[1]):
            what = f"{piece!r} is" if piece else "two spaces, or one at the line's end:"
            return block.error(f"{what} not word|POS|category", row, column)
        try:
            block.category(fields[2], row, column + len(piece) - len(fields[2]))
        except CorpusError as error:
            return error
        column += len(piece) + 1
    return block.error("not a line of word|POS|category", row, start + 1)


def write_tagged(sentence: Sentence, bars: bool = True) -> str:
    """The tokens `word|POS|category` of the best categories, separated by spaces; `bars`: as `-BAR-`."""
    categories = sentence.categories or ()
    return " ".join(
        f"{field(token.word, bars=bars)}|{field(token.pos, bars=True)}|{category}"
        for token, category in zip(sentence.tokens, categories, strict=True)
    )


def _encode(sentence: Sentence, count: int) -> str:
    return write_tagged(sentence) + "\n"


def _recognise(head: list[str]) -> bool:
    from ..grammar import Category

    first = next((line for line in head if line and not line.startswith("#")), "")
    pieces = [piece.rsplit("|", 2) for piece in first.split(" ")]
    if not first or any(len(piece) != 3 for piece in pieces):
        return False
    try:
        return all(bool(Category.parse(piece[2])) for piece in pieces)
    except CategorySyntaxError:
        return False


CODEC = Codec(
    name="stagged", title="supertagged text, word|POS|category", suffixes=(".stagged",),
    holds=Part.WORDS | Part.POS | Part.TAGS, needs=Part.WORDS | Part.TAGS, blocks=single_lines,
    decode=read_tagged, encode=_encode, recognise=_recognise, preface=Preface.OPTIONAL, ending=Ending.LINE,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
