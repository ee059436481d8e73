"""Dependencies as C&C's `generate` prints them for trees: C&C's lines, but no `<c>` line with the words.

    # any text

    agree_2 (S[dcl]{_}\\NP{Y}<1>){_} 1 We_1 0

Only words in a dependency are named: the others are tokens with an empty word, or none at the end. Blocks
with a `<c>` line are read like C&C's output.
"""

from __future__ import annotations

from dataclasses import replace

from ccgkit.corpora import deps, gold_deps
from ccgkit.corpora.blocks import Block
from ccgkit.corpora.deps import plain_category, read_indexed
from ccgkit.grammar import Dependency
from ccgkit.sentence import Sentence

__all__ = ["CODEC"]


def _decode(block: Block) -> Sentence:
    rows = [row for row, line in enumerate(block.lines) if line]
    if not rows or block.lines[rows[-1]].startswith("<c> "):
        return deps.CODEC.decode(block)
    links: list[Dependency] = []
    named: list[tuple[int, int, int, str]] = []
    for row in rows:
        fields = block.lines[row].split(" ")
        if len(fields) < 5 or not (fields[2].isdecimal() and fields[4].isdecimal()):
            raise block.error("expected HEAD_i CATEGORY SLOT ARGUMENT_j RULE", row, 1)
        head, head_index = read_indexed(block, row, 1, fields[0])
        argument, index = read_indexed(block, row, 1, fields[3])
        named += ((row, 1, head_index, head), (row, 1, index, argument))
        category = block.category(plain_category(fields[1]), row, len(fields[0]) + 2)
        links.append(Dependency(head_index, category, int(fields[2]), index, int(fields[4]), fields[1]))
    return Sentence(gold_deps.named_tokens(block, named, 0), dependencies=tuple(links))


CODEC = replace(deps.CODEC, name="generated", title="C&C's dependency lines, words or not", decode=_decode)
