"""CoNLL-like columns: number, word, POS and category, tab-separated; an empty line after each sentence.

# id = wsj_0001.1
1⇥We⇥PRP⇥NP
2⇥agree⇥VBP⇥S[dcl]\\NP

"""

from __future__ import annotations

import re

from ..grammar import Token
from ..sentence import Sentence, Supertag
from .blocks import Block, paragraphs
from .codec import Codec, Part
from .words import field, one_line, read_pos

__all__ = ["CODEC", "dump", "dumps", "load", "loads"]

_COMMENT = re.compile(r"# (id|text) = (.*)")


def _decode(block: Block) -> Sentence:
    tokens: list[Token] = []
    tags: list[tuple[Supertag, ...]] = []
    known: dict[str, str] = {}
    other: list[str] = []
    for row, line in enumerate(block.lines):
        if line.startswith("#") and not tokens:
            found = _COMMENT.fullmatch(line)
            known.update({found[1]: found[2]} if found else {})
            other += [] if found else [line]
        elif line:
            fields = line.split("\t")
            if len(fields) != 4 or not all(fields) or " " in fields[1] or " " in fields[2]:
                raise block.error(
                    "expected four columns: number, word, POS, category, without spaces", row, 1
                )
            if fields[0] != str(len(tokens) + 1):
                raise block.error(f"word {len(tokens) + 1} was expected here", row, 1)
            tokens.append(Token(fields[1], read_pos(fields[2])))
            if fields[3] != "_":
                tags.append((Supertag(block.category(fields[3], row, len(line) - len(fields[3]) + 1)),))
            if len(tags) not in (0, len(tokens)):
                raise block.error("either all words have a category or none", row, 1)
    if not tokens:
        raise block.error("a sentence without words", 0, 1)
    meta = {"comments": "".join(f"{line}\n" for line in other)} if other else {}
    return Sentence(tuple(tokens), tuple(tags) or None, id=known.get("id"), text=known.get("text"), meta=meta)


def _encode(sentence: Sentence, count: int) -> str:
    lines = [sentence.meta.get("comments", "")]
    if sentence.id is not None:
        lines.append(f"# id = {sentence.id}\n")
    if sentence.text is not None:
        lines.append(f"# text = {one_line(sentence.text)}\n")
    categories = sentence.categories or ("_",) * len(sentence.tokens)
    for number, (token, category) in enumerate(zip(sentence.tokens, categories, strict=True), 1):
        lines.append(f"{number}\t{field(token.word)}\t{field(token.pos)}\t{category}\n")
    return "".join(lines) + "\n"


def _recognise(head: list[str]) -> bool:
    first = next((line for line in head if line and not line.startswith("#")), "")
    return re.fullmatch(r"1\t[^\t]+\t[^\t]+\t[^\t]+", first) is not None


CODEC = Codec(
    name="columns",
    title="tab-separated columns: number, word, POS, category",
    suffixes=(".conll", ".tsv", ".columns"),
    holds=Part.WORDS | Part.POS | Part.TAGS | Part.IDS,
    needs=Part.WORDS,
    blocks=paragraphs(mandatory=False),
    decode=_decode,
    encode=_encode,
    recognise=_recognise,
)
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
