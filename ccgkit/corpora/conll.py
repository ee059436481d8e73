"""CoNLL's ten tab-separated columns, an empty line after each sentence.

# id = wsj_0001.1
1⇥We⇥we⇥PRP⇥PRP⇥_⇥2⇥NP⇥2:1⇥_
2⇥agree⇥agree⇥VBP⇥VBP⇥_⇥0⇥S[dcl]\\NP⇥_⇥_

The columns are number, word, lemma, POS, POS, (features), the head in the derivation, the category, the
slots that the word fills as `head:slot`, and the word's place in the text. Four columns are read, too:
number, word, POS, category.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from ..grammar import Category, Dependency, Derivation, Token
from ..sentence import Sentence, Supertag
from .blocks import Block, is_number, paragraphs
from .codec import Codec, Ending, Part
from .words import field, one_line, read_pos

__all__ = ["CODEC", "dump", "dumps", "load", "loads"]

_KNOWN = ("id", "text", "status", "confidence", "reason")
_COMMENT = re.compile(rf"# ({'|'.join(_KNOWN)}) = (.*)")
_PLACE = re.compile(r"TokenRange=([0-9]{1,9}):([0-9]{1,9})")
_FILLED = re.compile(r"([0-9]{1,9}):([0-9]{1,9})(?::(.+))?")
_UNKNOWN = "_"
_FOUR = re.compile(r"1\t[^\t]+\t[^\t]+\t[^\ta-z]\S*")
_TEN = re.compile(r"1\t[^\t]+\t(?:_|[^\t]+(?!\t_\t))\t([^\t]+)\t\1\t_\t[\d_]+\t[^\ta-z]\S*\t\S+\t\S+")


class _Rows:
    """The rows of a sentence, read into tokens, tags, heads and dependencies."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.tokens: list[Token] = []
        self.tags: list[tuple[Supertag, ...]] = []
        self.heads: list[str] = []
        self._widths: set[int] = set()  # of the rows
        self._filled: list[tuple[int, int, str]] = []  # row, argument, what it fills

    def add(self, row: int, line: str) -> None:
        fields = line.split("\t")
        self._widths.add(len(fields))
        if len(self._widths) > 1:
            raise self.block.error("rows of four and of ten columns in one sentence", row, 1)
        if len(fields) not in (4, 10) or not all(fields) or " " in "".join(fields):
            raise self.block.error("expected ten columns, or four, without spaces in them", row, 1)
        if fields[0] != str(len(self.tokens) + 1):
            raise self.block.error(f"word {len(self.tokens) + 1} was expected here", row, 1)
        if len(fields) == 4:
            self.tokens.append(Token(fields[1], read_pos(fields[2])))
            spelled, column = fields[3], len(line) - len(fields[3]) + 1
        else:
            place = _PLACE.fullmatch(fields[9])
            start, end = (int(place[1]), int(place[2])) if place else (None, None)
            self.tokens.append(Token(fields[1], read_pos(fields[3]), start, end, lemma=read_pos(fields[2])))
            spelled, column = fields[7], len("\t".join(fields[:7])) + 2
            if fields[6] != _UNKNOWN and not is_number(fields[6]):
                raise self.block.error(f"{fields[6]!r} is not the number of a head", row, 1)
            self.heads.append(fields[6])
            self._filled += [(row, len(self.tokens) - 1, one) for one in _listed(fields[8])]
        if spelled != _UNKNOWN:
            self.tags.append((Supertag(self.block.category(spelled, row, column)),))
        if len(self.tags) not in (0, len(self.tokens)):
            raise self.block.error("either all words have a category or none", row, 1)

    def dependencies(self) -> tuple[Dependency, ...]:
        return tuple(self._dependency(*one) for one in self._filled)

    def _dependency(self, row: int, argument: int, text: str) -> Dependency:
        found = _FILLED.fullmatch(text)
        if found is None or not 1 <= int(found[1]) <= len(self.tokens) or not (found[3] or self.tags):
            reason = f"{text!r} is not a word's number and a slot of its category, as in 2:1"
            raise self.block.error(reason, row, 1)
        head = int(found[1]) - 1
        category = self.block.category(found[3], row, 1) if found[3] else self.tags[head][0].category
        return Dependency(head, category, int(found[2]), argument)


def _listed(text: str) -> list[str]:
    return [] if text == _UNKNOWN else text.split("|")


def _decode(block: Block) -> Sentence:
    rows = _Rows(block)
    known: dict[str, str] = {}
    other: list[str] = []
    for row, line in enumerate(block.lines):
        if line.startswith("#") and not rows.tokens:
            found = _COMMENT.fullmatch(line)
            known.update({found[1]: found[2]} if found else {})
            other += [] if found else [line]
        elif line:
            rows.add(row, line)
    if not rows.tokens and not known:
        raise block.error("a sentence without words", 0, 1)
    name, text = known.pop("id", None), known.pop("text", None)
    meta = {**known, **({"comments": "".join(f"{line}\n" for line in other)} if other else {})}
    if any(head != _UNKNOWN for head in rows.heads):
        meta["heads"] = " ".join(rows.heads)
    links = rows.dependencies() or (() if meta.get("status", "failed") != "failed" else None)
    return Sentence(tuple(rows.tokens), tuple(rows.tags) or None, None, links, name, text, meta)


def _encode(sentence: Sentence, count: int) -> str:
    return "".join(_lines(sentence)) + "\n"


def _lines(sentence: Sentence) -> Iterator[str]:
    yield sentence.meta.get("comments", "")
    known = {**sentence.meta, "id": sentence.id, "text": sentence.text}
    if not sentence.tokens and not any(known.get(name) for name in _KNOWN):
        known["status"] = "failed"  # something must stand for a sentence without words
    for name in _KNOWN:
        if value := known.get(name):
            yield f"# {name} = {one_line(value)}\n"
    heads = _heads(sentence)
    categories = sentence.categories or (_UNKNOWN,) * len(sentence.tokens)
    filled = _filled(sentence.dependencies or (), categories)
    for place, (token, category) in enumerate(zip(sentence.tokens, categories, strict=True)):
        pos = field(token.pos)
        slots = "|".join(filled[place]) or _UNKNOWN
        span = _UNKNOWN if token.start is None or token.end is None else f"{token.start}:{token.end}"
        misc = span if span == _UNKNOWN else f"TokenRange={span}"
        word = (str(place + 1), field(token.word), field(token.lemma), pos, pos, _UNKNOWN)
        yield "\t".join((*word, heads[place], str(category), slots, misc)) + "\n"


def _filled(
    links: tuple[Dependency, ...], categories: tuple[Category | str, ...]
) -> defaultdict[int, list[str]]:
    """For each word the slots that it fills; the category is named where it is not the head's."""
    filled: defaultdict[int, list[str]] = defaultdict(list)
    for link in links:
        spelled = "" if link.category is categories[link.head] else f":{link.category}"
        filled[link.argument].append(f"{link.head + 1}:{link.slot}{spelled}")
    return filled


def _heads(sentence: Sentence) -> list[str]:
    """For each word the number of its head in the best derivation, 0 for the root."""
    if sentence.derivations:
        return [str(head + 1) for head in heads(sentence.derivations[0])]
    known = sentence.meta.get("heads", "").split()
    return known if len(known) == len(sentence.tokens) else [_UNKNOWN] * len(sentence.tokens)


def heads(derivation: Derivation) -> list[int]:
    """For each word the place of its head, -1 for the head of all."""
    found = [-1] * len(derivation.tokens)
    word = len(found)
    done: list[int] = []
    for node in reversed(list(derivation.nodes())):
        if not node.children:
            word -= 1
            done.append(word)
            continue
        children = [done.pop() for _ in node.children]
        chosen = children[node.head]
        for child in children:
            if child != chosen:
                found[child] = chosen
        done.append(chosen)
    return found


def _recognise(head: list[str]) -> bool:
    """Not every file of ten columns: those of Universal Dependencies have no categories."""
    first = next((line for line in head if line and not line.startswith("#")), "")
    return _FOUR.fullmatch(first) is not None or _TEN.fullmatch(first) is not None


CODEC = Codec(
    name="conll", title="CoNLL's ten columns, with categories, heads and slots",
    suffixes=(".conll", ".tsv", ".columns"),
    holds=Part.WORDS | Part.POS | Part.TAGS | Part.DEPENDENCIES | Part.IDS, needs=Part.WORDS,
    blocks=paragraphs(mandatory=False), decode=_decode, encode=_encode, recognise=_recognise,
    ending=Ending.EMPTY_LINE,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
