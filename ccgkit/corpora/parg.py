"""CCGbank's `.parg`: the dependencies of a sentence, words counted from 0, the argument first.

    <s id="wsj_0001.1"> 2
    0⇥1⇥S[dcl]\\NP⇥1⇥We agree
    <\\s>

The number after the id is that of the last word. Only words in a dependency are named: the others are
here tokens with an empty word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..grammar import Dependency
from ..sentence import Sentence
from .blocks import Block, Source
from .codec import Codec, Part
from .gold_deps import LONGEST, named_tokens
from .words import field

__all__ = ["CODEC", "dump", "dumps", "load", "loads"]

_START = re.compile(r'<s id="([^"]*)">\s*(-1|[0-9]{1,9})\s*')
_END = re.compile(r"<\\s>\s*")
_LINK = re.compile(r"\s*([0-9]{1,9})\s+([0-9]{1,9})\s+(\S+)\s+([0-9]{1,9})\s+(\S+)\s+(\S+)(?:\s+(\S.*?))?\s*")


def _blocks(source: Source) -> Iterator[Block]:
    """From `<s …>` to `<\\s>`."""
    lines: list[str] = []
    for line in source:
        if line.startswith("<s") and lines:
            start = source.number - len(lines)
            yield Block(source, start, lines, "a new sentence before <\\s> has closed this one")
            lines = []
        lines.append(line)
        if _END.fullmatch(line):
            yield Block(source, source.number - len(lines) + 1, lines)
            lines = []
    if any(lines):
        yield Block(source, source.number - len(lines) + 1, lines, "the file ends before <\\s>")


def _decode(block: Block) -> Sentence:
    opening = _START.fullmatch(block.lines[0])
    if opening is None:
        raise block.error('expected <s id="…"> and the number of the last word', 0, 1)
    size = int(opening[2]) + 1
    if size > LONGEST:
        raise block.error(f"no sentence has {size} words", 0, opening.start(2) + 1)
    links: list[Dependency] = []
    named: list[tuple[int, int, int, str]] = []
    for row, line in enumerate(block.lines[1:-1], 1):
        found = _LINK.fullmatch(line)
        if found is None:
            raise block.error("expected argument, head, category, slot, argument's word, head's word", row, 1)
        argument, head = int(found[1]), int(found[2])
        for group, index in ((1, argument), (2, head)):
            if index >= size:
                raise block.error(f"no word {index}: the last is {size - 1}", row, found.start(group) + 1)
        named.append((row, found.start(5) + 1, argument, found[5]))
        named.append((row, found.start(6) + 1, head, found[6]))
        category = block.category(found[3], row, found.start(3) + 1)
        links.append(Dependency(head, category, int(found[4]), argument, via=found[7]))
    return Sentence(named_tokens(block, named, size), dependencies=tuple(links), id=opening[1])


def _encode(sentence: Sentence, count: int) -> str:
    words = [field(token.word) if token.word else "" for token in sentence.tokens]
    lines = [f'<s id="{sentence.id or count}"> {len(words) - 1}\n']
    for link in sentence.dependencies or ():
        via = f" {link.via}" if link.via else ""
        numbers = f"{link.argument}\t{link.head}\t{link.category}\t{link.slot}"
        lines.append(f"{numbers}\t{words[link.argument]} {words[link.head]}{via}\n")
    return "".join(lines) + "<\\s>\n"


def _recognise(head: list[str]) -> bool:
    return bool(head) and _START.fullmatch(head[0]) is not None


CODEC = Codec(
    name="parg", title="CCGbank predicate-argument dependencies", suffixes=(".parg",),
    holds=Part.DEPENDENCIES | Part.IDS, needs=Part.DEPENDENCIES, blocks=_blocks, decode=_decode,
    encode=_encode, recognise=_recognise,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
