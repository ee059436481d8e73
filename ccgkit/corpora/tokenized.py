"""Text of tokens, one sentence a line; words are what stands between spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..grammar import Token
from ..sentence import Sentence
from .blocks import Block, Source
from .codec import Codec, Ending, Part
from .words import one_line

__all__ = ["CODEC", "dump", "dumps", "load", "loads"]

_WORD = re.compile(r"\S+")


def _blocks(source: Source) -> Iterator[Block]:
    """Every line; the last needs no end."""
    return (Block(source, source.number, [line]) for line in source)


def _decode(block: Block) -> Sentence:
    line = block.lines[0]
    tokens = (Token(found[0], None, found.start(), found.end()) for found in _WORD.finditer(line))
    return Sentence(tuple(tokens), text=line)


def _encode(sentence: Sentence, count: int) -> str:
    text = " ".join(sentence.words) if sentence.text is None else sentence.text
    return one_line(text) + "\n"


CODEC = Codec(
    name="tokenized", title="tokens between spaces, one sentence a line", suffixes=(".txt", ".raw"),
    holds=Part.WORDS, needs=Part.WORDS, blocks=_blocks, decode=_decode, encode=_encode,
    recognise=lambda head: False,  # anything could be text
    ending=Ending.LINE,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
