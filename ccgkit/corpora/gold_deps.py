"""C&C's gold dependencies, `.ccgbank_deps`: `HEAD_i CATEGORY SLOT ARGUMENT_j`, an empty line after each.

    # any text

    agree_2 S[dcl]\\NP 1 We_1

Only words in a dependency are named: the others are here tokens with an empty word.
"""

from __future__ import annotations

import re

from ..grammar import Dependency, Token
from ..sentence import Sentence
from .blocks import Block, is_number, paragraphs
from .codec import Codec, Ending, Part, Preface
from .deps import read_indexed
from .words import field

__all__ = ["CODEC", "dump", "dumps", "load", "loads", "named_tokens"]


LONGEST = 10_000  # words of a sentence; beyond that an index is damaged


def named_tokens(block: Block, named: list[tuple[int, int, int, str]], size: int) -> tuple[Token, ...]:
    """At least `size` tokens, out of (row, column, index, word); the same index has the same word."""
    words: dict[int, str] = {}
    for row, column, index, word in named:
        if words.setdefault(index, word) != word:
            raise block.error(f"word {index} was {words[index]!r} before but is {word!r} here", row, column)
        if index >= LONGEST:
            raise block.error(f"no sentence has {index + 1} words", row, column)
    return tuple(Token(words.get(index, "")) for index in range(max(size, max(words, default=-1) + 1)))


def _decode(block: Block) -> Sentence:
    links: list[Dependency] = []
    named: list[tuple[int, int, int, str]] = []
    for row, line in enumerate(block.lines):
        if not line:
            continue
        fields = line.split(" ")
        if len(fields) != 4 or not is_number(fields[2]) or "\t" in line:
            raise block.error("expected HEAD_i CATEGORY SLOT ARGUMENT_j", row, 1)
        column = len(line) - len(fields[3]) + 1
        head, head_index = read_indexed(block, row, 1, fields[0])
        argument, argument_index = read_indexed(block, row, column, fields[3])
        named += ((row, 1, head_index, head), (row, column, argument_index, argument))
        category = block.category(fields[1], row, len(fields[0]) + 2)
        links.append(Dependency(head_index, category, int(fields[2]), argument_index))
    return Sentence(named_tokens(block, named, 0), dependencies=tuple(links))


def _encode(sentence: Sentence, count: int) -> str:
    words = [field(token.word) if token.word else "" for token in sentence.tokens]
    lines = (
        f"{words[link.head]}_{link.head + 1} {link.category} {link.slot} "
        f"{words[link.argument]}_{link.argument + 1}\n"
        for link in sentence.dependencies or ()
    )
    return "".join(lines) + "\n"


def _recognise(head: list[str]) -> bool:
    after = head[head.index("") + 1 :] if head and head[0].startswith("#") and "" in head else []
    first = next((line for line in after if line), "")
    return re.fullmatch(r"\S+_[0-9]+ \S+ [0-9]+ \S+_[0-9]+", first) is not None


CODEC = Codec(
    name="gold_deps", title="C&C gold dependencies", suffixes=(".ccgbank_deps",), holds=Part.DEPENDENCIES,
    needs=Part.DEPENDENCIES, blocks=paragraphs(mandatory=True), decode=_decode, encode=_encode,
    recognise=_recognise, preface=Preface.MANDATORY, header="# gold dependencies\n\n",
    ending=Ending.EMPTY_LINE,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
