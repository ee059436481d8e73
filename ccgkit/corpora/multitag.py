"""C&C's multi-tag input: a token a line with its k best categories, an empty line after each sentence.

# any text

We PRP 1 NP 1.0
agree VBP 2 S[dcl]\\NP 0.9 (S[dcl]\\NP)/PP 0.1

"""

from __future__ import annotations

import re

from ..grammar import Token
from ..sentence import Sentence, Supertag
from .blocks import Block, is_number, paragraphs
from .codec import Codec, Ending, Part, Preface
from .errors import FormatError
from .words import field, read_pos, read_probability, write_probability

__all__ = ["CODEC", "dump", "dumps", "load", "loads", "ranked"]

_SEPARATOR = re.compile(r"[ \t]")


def _decode(block: Block) -> Sentence:
    rows = block.lines[:-1] if not block.lines[-1] else block.lines
    if not rows:
        raise block.error("an empty sentence: two empty lines in a row", 0, 1)
    read = [_token(block, row) for row in range(len(rows))]
    return Sentence(tuple(token for token, _ in read), tuple(tags for _, tags in read))


def _token(block: Block, row: int) -> tuple[Token, tuple[Supertag, ...]]:
    """`WORD POS n category probability …` with one space or tab between any two."""
    line = block.lines[row].rstrip()
    fields = _SEPARATOR.split(line)
    if "" in fields:
        column = sum(len(part) + 1 for part in fields[: fields.index("")]) + 1
        raise block.error("fields are separated by exactly one space or tab", row, column)
    if len(fields) < 3 or not is_number(fields[2]):
        raise block.error("expected WORD POS n category probability …", row, 1)
    given = fields[3:]
    if not int(fields[2]) or len(given) != 2 * int(fields[2]):
        reason = f"announces {fields[2]} categories but has {len(given) // 2}"
        reason = reason if len(given) % 2 == 0 else "a category without a probability"
        raise block.error(reason, row, len(fields[0]) + len(fields[1]) + 3)
    column = len(line) - len(" ".join(given)) + 1
    return Token(fields[0], read_pos(fields[1])), read_supertags(block, row, column, given)


def read_supertags(block: Block, row: int, column: int, given: list[str]) -> tuple[Supertag, ...]:
    """Pairs of category and probability, the first at `column` of the line; best first."""
    tags = []
    for spelled, probability in zip(given[::2], given[1::2], strict=True):
        category = block.category(spelled, row, column)
        column += len(spelled) + 1
        logprob = read_probability(probability)
        if logprob is None:
            raise block.error(f"{probability!r} is not a probability above 0", row, column)
        column += len(probability) + 1
        tags.append(Supertag(category, logprob))
    return tuple(sorted(tags, key=lambda tag: -tag.logprob))


def ranked(sentence: Sentence) -> tuple[tuple[Supertag, ...], ...]:
    """The k best supertags of each token, taken from the derivation where there are no others."""
    tags = sentence.tags
    if tags is None:
        tags = tuple((Supertag(category),) for category in sentence.categories or ())
    if not all(tags):
        raise FormatError("every word needs at least one category")
    return tuple(tuple(sorted(k_best, key=lambda tag: -tag.logprob)) for k_best in tags)


def _encode(sentence: Sentence, count: int) -> str:
    if not sentence.tokens:
        return "_ _ 1 N 1.0\n\n"  # C&C reads no empty sentence, and answers must stay aligned
    lines = []
    for token, tags in zip(sentence.tokens, ranked(sentence), strict=True):
        pairs = " ".join(f"{tag.category} {write_probability(tag.logprob)}" for tag in tags)
        lines.append(f"{field(token.word)} {field(token.pos)} {len(tags)} {pairs}\n")
    return "".join(lines) + "\n"


def _recognise(head: list[str]) -> bool:
    """A preface, and a first line whose fields are as many as it announces."""
    after = head[head.index("") + 1 :] if head and head[0].startswith("#") and "" in head else []
    fields = _SEPARATOR.split(after[0]) if after else []
    if len(fields) < 5 or not is_number(fields[2]) or len(fields) != 3 + 2 * int(fields[2]):
        return False
    return all(read_probability(text) is not None for text in fields[4::2])


CODEC = Codec(
    name="multitag", title="C&C multi-tag input, k best categories a word",
    suffixes=(".multitag", ".mtagged"), holds=Part.WORDS | Part.POS | Part.TAGS | Part.K_BEST,
    needs=Part.WORDS | Part.TAGS, blocks=paragraphs(mandatory=True), decode=_decode, encode=_encode,
    recognise=_recognise, preface=Preface.MANDATORY, header="# supertags\n\n", ending=Ending.EMPTY_LINE,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
