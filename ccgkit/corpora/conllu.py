"""CoNLL-U, Universal Dependencies' format, with categories, supertags and slots in MISC and DEPS::

    # sent_id = reviews-1
    # text = We agree
    1⇥We⇥we⇥PRON⇥PRP⇥_⇥2⇥nsubj⇥2:nsubj⇥CCG=NP|CCGDeps=2:1
    2⇥agree⇥agree⇥VERB⇥VBP⇥_⇥0⇥root⇥0:root⇥CCG=S[dcl]\\NP|Supertags=S[dcl]\\NP 0.9 (S[dcl]\\NP)/PP 0.1

The slots that a word fills are in DEPS, as `2:ccg:1`, where the file has no dependencies of its own there.
All else that a file says is kept: multiword tokens, empty nodes, enhanced dependencies, comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..grammar import Dependency, Token
from ..sentence import Sentence, Supertag
from .blocks import Block, is_number, paragraphs
from .codec import Codec, Part
from .errors import FormatError
from .words import field, one_line, read_pos, read_probability, write_probability

__all__ = ["CODEC", "Word", "dump", "dumps", "load", "loads", "tree"]

_COMMENT = re.compile(r"# ?(sent_id|text) ?= ?(.*)")
_NAMED = ("# sent_id", "# text")
_NUMBER = re.compile(r"[1-9][0-9]*")
_OTHER = re.compile(r"[0-9]+[-.][0-9]+")
_CATEGORY, _SUPERTAGS, _SLOTS = "CCG=", "Supertags=", "CCGDeps="
_OURS = (_CATEGORY, _SUPERTAGS, _SLOTS)
_ENHANCED = re.compile(r"([1-9][0-9]{0,8}):ccg:([1-9][0-9]?)")  # a slot in DEPS
_FILLED = re.compile(r"([1-9][0-9]{0,8}):([1-9][0-9]?)(?::(.+))?")  # in MISC; the category if not the head's
_LEMMA, _HEAD, _DEPS, _MISC = 2, 6, 8, 9


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
    links = tuple(_dependencies(block, words, tags)) or None
    return Sentence(tokens, tags, None, links, known.get("sent_id"), known.get("text"), meta)


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
        spelled = _value(row, _CATEGORY)
        if spelled is not None:
            column = block.lines[place].rindex(_CATEGORY) + len(_CATEGORY) + 1
            category = block.category(spelled, place, column)
            tags.append(_k_best(block, place, row) or (Supertag(category),))
    if tags and len(tags) != len(words):
        raise block.error("either all words have a category or none", words[0][0], 1)
    return tuple(tags) or None


def _value(row: list[str], name: str) -> str | None:
    """What stands in MISC under a name that ends in `=`."""
    found = (part.removeprefix(name) for part in row[_MISC].split("|") if part.startswith(name))
    return next(found, None)


def _k_best(block: Block, place: int, row: list[str]) -> tuple[Supertag, ...]:
    """The supertags with their probabilities, if there are any."""
    fields = (_value(row, _SUPERTAGS) or "").split()
    logprobs = [read_probability(text) for text in fields[1::2]]
    if len(fields) % 2 or None in logprobs:
        raise block.error("Supertags are categories and probabilities in turn, with spaces between", place, 1)
    found = zip(fields[::2], logprobs, strict=True)
    return tuple(Supertag(block.category(text, place, 1), p) for text, p in found if p is not None)


def _dependencies(
    block: Block,
    words: Sequence[tuple[int, list[str]]],
    tags: tuple[tuple[Supertag, ...], ...] | None,
) -> Iterator[Dependency]:
    """The slots that are filled, of DEPS and of MISC."""
    for argument, (place, row) in enumerate(words):
        enhanced = (found for part in row[_DEPS].split("|") if (found := _ENHANCED.fullmatch(part)))
        told = [f"{found[1]}:{found[2]}" for found in enhanced] + (_value(row, _SLOTS) or "").split()
        links = (_dependency(block, place, argument, text, tags or (), len(words)) for text in told)
        yield from sorted(links, key=lambda link: (link.head, link.slot))


def _dependency(
    block: Block, place: int, argument: int, text: str, tags: Sequence[tuple[Supertag, ...]], size: int
) -> Dependency:
    found = _FILLED.fullmatch(text)
    if found is None or int(found[1]) > size or not (found[3] or tags):
        reason = f"{text!r} is not a word's number and a slot of its category, as in 2:1"
        raise block.error(reason, place, 1)
    head = int(found[1]) - 1
    category = block.category(found[3], place, 1) if found[3] else tags[head][0].category
    return Dependency(head, category, int(found[2]), argument)


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
    rows = _known_rows(sentence) or _bare_rows(sentence)
    _write_parse(sentence, [row for row in rows if _NUMBER.fullmatch(row[0])])
    return "".join([*lines, *("\t".join(row) + "\n" for row in rows), "\n"])


def _write_parse(sentence: Sentence, rows: list[list[str]]) -> None:
    """Put lemmas, categories, supertags and slots into the rows of the words, in place of those there."""
    categories = sentence.categories or ()
    for row in rows:
        row[_DEPS] = "|".join(p for p in row[_DEPS].split("|") if not _ENHANCED.fullmatch(p)) or "_"
    free = all(row[_DEPS] == "_" for row in rows)
    enhanced: list[list[str]] = [[] for _ in rows]
    slots: list[list[str]] = [[] for _ in rows]
    for link in sorted(sentence.dependencies or (), key=lambda link: (link.head, link.slot)):
        own = bool(categories) and link.category is categories[link.head]
        if free and own:
            enhanced[link.argument].append(f"{link.head + 1}:ccg:{link.slot}")
        else:
            spelled = "" if own else f":{link.category}"
            slots[link.argument].append(f"{link.head + 1}:{link.slot}{spelled}")
    for place, row in enumerate(rows):
        row[_LEMMA] = field(sentence.tokens[place].lemma)
        row[_DEPS] = "|".join(enhanced[place]) or row[_DEPS]
        said = [f"{_CATEGORY}{categories[place]}"] if categories else []
        said += _written_tags(sentence.tags[place]) if sentence.tags else []
        said += [f"{_SLOTS}{' '.join(slots[place])}"] if slots[place] else []
        kept = (part for part in row[_MISC].split("|") if part != "_" and not part.startswith(_OURS))
        row[_MISC] = "|".join([*kept, *said]) or "_"


def _written_tags(tags: tuple[Supertag, ...]) -> list[str]:
    """The supertags, unless there is one that is simply given."""
    written = " ".join(f"{tag.category} {write_probability(tag.logprob)}" for tag in tags)
    return [] if len(tags) == 1 and written.endswith(" 1.0") else [_SUPERTAGS + written]


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


def _recognise(head: list[str]) -> bool:
    first = next((line for line in head if line and not line.startswith("#")), "")
    return re.match(r"1(?:-[0-9]+)?(?:\t[^\t]+){9}$", first) is not None


CODEC = Codec(
    name="conllu", title="CoNLL-U of Universal Dependencies, categories in MISC as CCG=…",
    suffixes=(".conllu",), needs=Part.WORDS,
    holds=Part.WORDS | Part.POS | Part.TAGS | Part.K_BEST | Part.DEPENDENCIES | Part.IDS,
    blocks=paragraphs(mandatory=False), decode=_decode, encode=_encode, recognise=_recognise,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
