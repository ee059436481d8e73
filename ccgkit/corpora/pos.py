"""POS-tagged text: one sentence a line, tokens `word|POS`.

We|PRP agree|VBP .|.
"""

from __future__ import annotations

from ..grammar import Token
from ..sentence import Sentence
from .blocks import Block, single_lines
from .codec import Codec, Part, Preface
from .words import field, read_pos

__all__ = ["CODEC", "dump", "dumps", "load", "loads"]


def _decode(block: Block) -> Sentence:
    tokens, column = [], 1
    for piece in block.lines[0].split(" "):
        word, _, pos = piece.rpartition("|")
        if not word or not pos or "\t" in piece or "|" in word:
            what = f"{piece!r} is" if piece else "two spaces, a space at the end or an empty line:"
            raise block.error(f"{what} not word|POS", 0, column)
        tokens.append(Token(word, read_pos(pos)))
        column += len(piece) + 1
    return Sentence(tuple(tokens))


def _encode(sentence: Sentence, count: int) -> str:
    tokens = sentence.tokens
    return " ".join(f"{field(t.word, bars=True)}|{field(t.pos, bars=True)}" for t in tokens) + "\n"


def _recognise(head: list[str]) -> bool:
    first = next((line for line in head if line and not line.startswith("#")), "")
    return bool(first) and all(piece.count("|") == 1 for piece in first.split(" "))


CODEC = Codec(
    name="pos",
    title="POS-tagged text, word|POS",
    suffixes=(".pos",),
    holds=Part.WORDS | Part.POS,
    needs=Part.WORDS,
    blocks=single_lines,
    decode=_decode,
    encode=_encode,
    recognise=_recognise,
    preface=Preface.OPTIONAL,
)
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
