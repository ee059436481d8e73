"""C&C's output: a header, then for each sentence its dependencies, a `<c>` line and an empty line.

    # mandatory preface
    # mandatory preface

    agree_2 (S[dcl]{_}\\NP{Y}<1>){_} 1 We_1 0
    <c> We|PRP|NP agree|VBP|S[dcl]\\NP

A sentence without a parse is an empty line only: here a sentence without tokens. Fragments are no parse.
"""

from __future__ import annotations

import re

from ..grammar import Dependency
from ..sentence import Sentence
from .blocks import Block, is_number, paragraphs
from .codec import Codec, Ending, Part, Preface
from .stagged import read_tagged, write_tagged
from .words import field

__all__ = ["CODEC", "dump", "dumps", "load", "loads", "plain_category", "read_indexed"]

_MARKUP = re.compile(r"\{[A-Z_]\*?\}|<\d+>|\[X\]")


def plain_category(markup: str) -> str:
    """The plain spelling of one of C&C's marked-up categories.

    >>> plain_category(r"((S[dcl]{_}\\NP{Y}<1>){_}/NP{Z}<2>){_}")
    '(S[dcl]\\\\NP)/NP'
    """
    if "{" not in markup:
        return markup
    plain = _MARKUP.sub("", markup)
    return plain[1:-1] if plain.startswith("(") else plain


def read_indexed(block: Block, row: int, column: int, text: str) -> tuple[str, int]:
    """A word and its index from 0, of `word_3` in the file."""
    word, _, index = text.rpartition("_")
    if not word or not is_number(index) or not int(index):
        raise block.error(f"{text!r} is not a word and its number, as in word_1", row, column)
    return word, int(index) - 1


def _decode(block: Block) -> Sentence:
    rows = [row for row, line in enumerate(block.lines) if line]
    if not rows:
        return Sentence(())
    last = rows[-1]
    if not block.lines[last].startswith("<c> "):
        raise block.error(
            "the dependencies of a sentence end in a <c> line "
            "(gold ones, without it, are in .ccgbank_deps files)",
            last,
            1,
        )
    tagged = read_tagged(block, last, len("<c> "))
    links = tuple(_dependency(block, row, tagged) for row in rows[:-1])
    return Sentence(tagged.tokens, tagged.tags, None, links)


def _dependency(block: Block, row: int, tagged: Sentence) -> Dependency:
    line = block.lines[row]
    fields = line.split(" ", 5)
    if len(fields) < 5 or not (is_number(fields[2]) and is_number(fields[4])) or "\t" in line:
        raise block.error("expected HEAD_i CATEGORY SLOT ARGUMENT_j RULE", row, 1)
    head_text, markup, slot, argument_text, rule = fields[:5]
    columns = (1, line.index(argument_text, len(head_text) + len(markup) + len(slot) + 3) + 1)
    ends = []
    for text, column in zip((head_text, argument_text), columns, strict=True):
        word, index = read_indexed(block, row, column, text)
        if index >= len(tagged.tokens) or tagged.tokens[index].word != word:
            raise block.error(f"the <c> line has no {text!r}", row, column)
        ends.append(index)
    plain = plain_category(markup)
    category = block.category(plain, row, len(head_text) + 2)
    marked = markup if markup != plain else None
    via = fields[5] if len(fields) > 5 else None
    return Dependency(ends[0], category, int(slot), ends[1], int(rule), marked, via)


def _encode(sentence: Sentence, count: int) -> str:
    if not sentence.tokens or sentence.dependencies is None or sentence.meta.get("status") == "fragments":
        return "\n"
    words = [field(token.word) for token in sentence.tokens]
    lines = []
    for link in sentence.dependencies or ():
        fields = (
            f"{words[link.head]}_{link.head + 1}",
            link.markup or str(link.category),
            str(link.slot),
            f"{words[link.argument]}_{link.argument + 1}",
            str(link.rule),
            *([link.via] if link.via else []),
        )
        lines.append(" ".join(fields) + "\n")
    return "".join(lines) + f"<c> {write_tagged(sentence, bars=False)}\n\n"


def _recognise(head: list[str]) -> bool:
    return any(line.startswith("<c> ") for line in head)


CODEC = Codec(
    name="deps", title="C&C output, dependencies and categories", suffixes=(".deps",),
    holds=Part.WORDS | Part.POS | Part.TAGS | Part.DEPENDENCIES,
    needs=Part.WORDS | Part.TAGS | Part.DEPENDENCIES, blocks=paragraphs(mandatory=True), decode=_decode,
    encode=_encode, recognise=_recognise, preface=Preface.MANDATORY,
    header="# mandatory preface\n# mandatory preface\n\n", ending=Ending.EMPTY_LINE,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
