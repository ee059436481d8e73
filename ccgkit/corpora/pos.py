"""POS-tagged text: one sentence a line, tokens `word|POS`.

We|PRP agree|VBP .|.

An empty line is a sentence without words.
"""

from __future__ import annotations

import re

from ..grammar import Token
from ..sentence import Sentence
from .blocks import Block, single_lines
from .codec import Codec, Ending, Part, Preface
from .words import field, read_pos

__all__ = ["CODEC", "dump", "dumps", "load", "loads"]


_TAGGED = re.compile(r"[^\s|]+\|[A-Z$.,:`'#_-]{1,5}")


def _decode(block: Block) -> Sentence:
    tokens, column = [], 1
    if not block.lines[0]:
        return Sentence(())
    for piece in block.lines[0].split(" "):
        word, _, pos = piece.rpartition("|")
        if not word or not pos or "\t" in piece or "|" in word:
            what = f"{piece!r} is" if piece else "two spaces, or one at the line's end:"
            raise block.error(f"{what} not word|POS", 0, column)
        tokens.append(Token(word, read_pos(pos)))
        column += len(piece) + 1
    return Sentence(tuple(tokens))


def _encode(sentence: Sentence, count: int) -> str:
    tokens = sentence.tokens
    return " ".join(f"{field(t.word, bars=True)}|{field(t.pos, bars=True)}" for t in tokens) + "\n"


def _recognise(head: list[str]) -> bool:
    first = next((line for line in head if line and not line.startswith("#")), "")
    return all(map(_TAGGED.fullmatch, first.split(" ")))


CODEC = Codec(
    name="pos", title="POS-tagged text, word|POS", suffixes=(".pos",), holds=Part.WORDS | Part.POS,
    needs=Part.WORDS, blocks=single_lines, decode=_decode, encode=_encode, recognise=_recognise,
    preface=Preface.OPTIONAL, ending=Ending.LINE,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
