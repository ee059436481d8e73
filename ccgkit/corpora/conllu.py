"""CoNLL-U, Universal Dependencies' format, in which categories stand in MISC as `CCG=…`.

# sent_id = reviews-1
# text = We agree
1⇥We⇥we⇥PRON⇥PRP⇥_⇥2⇥nsubj⇥2:nsubj⇥CCG=NP
2⇥agree⇥agree⇥VERB⇥VBP⇥_⇥0⇥root⇥0:root⇥CCG=S[dcl]\\NP

All that a file says is kept: multiword tokens, empty nodes, enhanced dependencies, comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..grammar import Category, Token
from ..sentence import Sentence, Supertag
from .blocks import Block, is_number, paragraphs
from .codec import Codec, Part
from .errors import FormatError
from .words import field, one_line, read_pos

__all__ = ["CODEC", "Word", "dump", "dumps", "load", "loads", "tree"]

_COMMENT = re.compile(r"# ?(sent_id|text) ?= ?(.*)")
_NAMED = ("# sent_id", "# text")
_NUMBER = re.compile(r"[1-9][0-9]*")
_OTHER = re.compile(r"[0-9]+[-.][0-9]+")
_CATEGORY = "CCG="
_LEMMA, _HEAD, _MISC = 2, 6, 9


class Word(NamedTuple):
    """A word of a dependency tree; `head` is the place of its head from 0, -1 at the root.

    `enhanced` has the head and relation of each enhanced dependency; empty nodes are left out.
    """

    form: str
    lemma: str
    upos: str
    xpos: str
    head: int
    relation: str
    enhanced: tuple[tuple[int, str], ...] = ()


def tree(sentence: Sentence) -> tuple[Word, ...]:
    """The words of a sentence read from CoNLL-U, with their dependencies.

    Raises `FormatError` where there are none.
    """
    rows = [row for row in _rows(sentence) if _NUMBER.fullmatch(row[0])]
    if not rows or any(row[_HEAD] == "_" for row in rows):
        raise FormatError(f"sentence {sentence.id or ''} has no dependencies of CoNLL-U")
    return tuple(
        Word(row[1], row[2], row[3], row[4], int(row[_HEAD]) - 1, row[7], _enhanced(row[8])) for row in rows
    )


def _enhanced(text: str) -> tuple[tuple[int, str], ...]:
    pairs = (part.partition(":") for part in text.split("|") if text != "_")
    return tuple((int(head) - 1, relation) for head, _, relation in pairs if head.isdigit())


def _rows(sentence: Sentence) -> list[list[str]]:
    return [line.split("\t") for line in sentence.meta.get("conllu", "").split("\n") if line]


def _decode(block: Block) -> Sentence:
    known: dict[str, str] = {}
    comments: list[str] = []
    rows: list[tuple[int, list[str]]] = []
    for place, line in enumerate(block.lines):
        if line.startswith("#") and not rows:
            found = _COMMENT.fullmatch(line)
            known.update({found[1]: found[2]} if found else {})
            comments.append(f"# {found[1]}" if found else line)
        elif line:
            rows.append((place, _columns(block, place, line)))
    words = [(place, row) for place, row in rows if _NUMBER.fullmatch(row[0])]
    if not words and (rows or not comments):
        raise block.error("a sentence without words", 0, 1)
    for number, (place, row) in enumerate(words, 1):
        if row[0] != str(number):
            raise block.error(f"word {number} was expected here", place, 1)
    _check_tree(block, words)
    tokens = tuple(_token(row) for _, row in words)
    meta = {"conllu": "\n".join("\t".join(row) for _, row in rows)}
    if comments != list(_NAMED):
        meta["comments"] = "\n".join(comments)
    tags = _categories(block, words)
    return Sentence(tokens, tags, id=known.get("sent_id"), text=known.get("text"), meta=meta)


def _token(row: list[str]) -> Token:
    return Token(row[1], read_pos(row[4]) or read_pos(row[3]), lemma=read_pos(row[_LEMMA]))


def _columns(block: Block, place: int, line: str) -> list[str]:
    row = line.split("\t")
    if len(row) != 10 or not all(row):
        raise block.error(f"expected ten columns, none of them empty, not {len(row)}", place, 1)
    if not (_NUMBER.fullmatch(row[0]) or _OTHER.fullmatch(row[0])):
        raise block.error(f"'{row[0]}' is not the number of a word", place, 1)
    return row


def _categories(
    block: Block, words: Sequence[tuple[int, list[str]]]
) -> tuple[tuple[Supertag, ...], ...] | None:
    """The categories in MISC, None if there are none."""
    tags: list[tuple[Supertag, ...]] = []
    for place, row in words:
        spelled = next((part for part in row[_MISC].split("|") if part.startswith(_CATEGORY)), None)
        if spelled is not None:
            column = block.lines[place].rindex(spelled) + len(_CATEGORY) + 1
            tags.append((Supertag(block.category(spelled.removeprefix(_CATEGORY), place, column)),))
    if tags and len(tags) != len(words):
        raise block.error("either all words have a category or none", words[0][0], 1)
    return tuple(tags) or None


def _check_tree(block: Block, words: Sequence[tuple[int, list[str]]]) -> None:
    """Raise where the basic dependencies are no tree; a sentence may be without any."""
    heads = [row[_HEAD] for _, row in words]
    if all(head == "_" for head in heads):
        return
    for place, row in words:
        if not is_number(row[_HEAD]) or not 0 <= int(row[_HEAD]) <= len(words):
            reason = f"'{row[_HEAD]}' is not a valid head: the words are 1 to {len(words)}"
            raise block.error(reason, place, _head_column(row))
    if "0" not in heads:
        raise block.error("no word is the root: one must have the head 0", words[0][0], 1)
    fine = {0}
    for place, row in words:
        path: list[int] = []
        number = int(row[0])
        while number not in fine:
            if number in path:
                cycle = " → ".join(map(str, [*path[path.index(number) :], number]))
                raise block.error(f"a cycle of heads: {cycle}", place, _head_column(row))
            path.append(number)
            number = int(heads[number - 1])
        fine.update(path)


def _head_column(row: list[str]) -> int:
    return sum(len(cell) + 1 for cell in row[:_HEAD]) + 1


def _encode(sentence: Sentence, count: int) -> str:
    lines = list(_comments(sentence))
    if not sentence.tokens and not lines:
        lines.append("# no words\n")  # something must stand for it
    categories = iter(sentence.categories or ())
    lemmas = (token.lemma for token in sentence.tokens)
    for row in _known_rows(sentence) or _bare_rows(sentence):
        if _NUMBER.fullmatch(row[0]):
            row[_LEMMA] = field(next(lemmas))
            row[_MISC] = _misc(row[_MISC], next(categories, None))
        lines.append("\t".join(row) + "\n")
    return "".join(lines) + "\n"


def _comments(sentence: Sentence) -> Iterator[str]:
    """The comments in their order, with the sentence's id and text as they are now."""
    text = None if sentence.text is None else one_line(sentence.text)
    now = {"# sent_id": sentence.id, "# text": text}
    known = [line for line in sentence.meta.get("comments", "").split("\n") if line]
    for line in [*known, *(name for name in _NAMED if name not in known)]:
        if line not in now:
            yield f"{line}\n"
        elif now[line] is not None:
            yield f"{line} = {now[line]}\n"


def _known_rows(sentence: Sentence) -> list[list[str]]:
    """The rows that the sentence was read from, if its words are still those."""
    rows = _rows(sentence)
    words = tuple(row[1] for row in rows if _NUMBER.fullmatch(row[0]))
    return rows if words == sentence.words else []


def _bare_rows(sentence: Sentence) -> list[list[str]]:
    return [
        [str(number), field(token.word), "_", "_", field(token.pos), *"_____"]
        for number, token in enumerate(sentence.tokens, 1)
    ]


def _misc(misc: str, category: Category | None) -> str:
    parts = [part for part in misc.split("|") if part != "_" and not part.startswith(_CATEGORY)]
    return "|".join([*parts, *([f"{_CATEGORY}{category}"] if category is not None else [])]) or "_"


def _recognise(head: list[str]) -> bool:
    first = next((line for line in head if line and not line.startswith("#")), "")
    return re.match(r"1(?:-[0-9]+)?(?:\t[^\t]+){9}$", first) is not None


CODEC = Codec(
    name="conllu", title="CoNLL-U of Universal Dependencies, categories in MISC as CCG=…",
    suffixes=(".conllu",), holds=Part.WORDS | Part.POS | Part.TAGS | Part.IDS, needs=Part.WORDS,
    blocks=paragraphs(mandatory=False), decode=_decode, encode=_encode, recognise=_recognise,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
