"""EasyCCG's `-i supertagged`: a sentence a line, tokens joined by `|`, their fields by tabs.

We⇥PRP⇥0⇥NP⇥1.0|agree⇥VBP⇥0⇥S[dcl]\\NP⇥0.9⇥(S[dcl]\\NP)/PP⇥0.1
"""

from __future__ import annotations

import re

from ..grammar import Token
from ..sentence import Sentence, Supertag
from .blocks import Block, single_lines
from .codec import Codec, Ending, Part
from .multitag import ranked, read_supertags
from .words import field, read_pos, write_probability

__all__ = ["CODEC", "dump", "dumps", "load", "loads"]

_TOKEN = re.compile(r"\S+[\t ]\S+[\t ][0-9]+(?:[\t ]\S+[\t ]\S+)+")

_SURE = re.compile(r"\S+[\t ]\S+[\t ]0(?:[\t ]\S+[\t ][01]\.[\deE+-]+)+")  # and no prose


def _decode(block: Block) -> Sentence:
    tokens: list[Token] = []
    tags: list[tuple[Supertag, ...]] = []
    column = 1
    if not block.lines[0]:
        return Sentence((), ())
    for piece in block.lines[0].split("|"):
        if not _TOKEN.fullmatch(piece):
            raise block.error("expected word, POS, a number and pairs of category and probability", 0, column)
        word, pos, number, *given = re.split(r"[\t ]", piece)
        start = column + len(word) + len(pos) + len(number) + 3
        tokens.append(Token(word, read_pos(pos)))
        tags.append(read_supertags(block, 0, start, given))
        column += len(piece) + 1
    return Sentence(tuple(tokens), tuple(tags))


def _encode(sentence: Sentence, count: int) -> str:
    pieces = []
    for token, tags in zip(sentence.tokens, ranked(sentence), strict=True):
        fields = [field(token.word, bars=True), field(token.pos, bars=True), "0"]
        for tag in tags:
            fields += (str(tag.category), write_probability(tag.logprob))
        pieces.append("\t".join(fields))
    return "|".join(pieces) + "\n"


def _recognise(head: list[str]) -> bool:
    return bool(head) and all(map(_SURE.fullmatch, head[0].split("|")))


CODEC = Codec(
    name="easyccg", title="EasyCCG's supertagged input, k best categories a word", suffixes=(".easyccg",),
    holds=Part.WORDS | Part.POS | Part.TAGS | Part.K_BEST, needs=Part.WORDS | Part.TAGS, blocks=single_lines,
    decode=_decode, encode=_encode, recognise=_recognise, ending=Ending.LINE,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
