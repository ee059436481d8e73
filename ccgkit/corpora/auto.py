"""CCGbank's `.auto`: an `ID=` line and a derivation in brackets on one line.

ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1
(<T S[dcl] 1 2> (<L NP PRP PRP We NP>) (<L S[dcl]\\NP VBP VBP agree S[dcl]\\NP_1>) )

A sentence without a derivation, NUMPARSE=0, is a node NULL over its words. depccg writes `ID=1, log
probability=-0.25000000`, and the n best of a sentence one after the other under the same id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

from ..grammar import Category, CategorySyntaxError, Derivation, Token
from ..sentence import Sentence, Supertag
from .blocks import Block, Source
from .codec import Codec, Ending, Part
from .slots import scores
from .words import field

__all__ = ["CODEC", "dump", "dumps", "load", "loads", "read_tree", "write_tree"]

_ID = re.compile(r"ID=(.*?)(,?\s.*)?")
_GOLD = " PARSER=GOLD NUMPARSE=1"
_NODE = re.compile(r"\(<T (\S+) ([0-9]{1,9}) ([0-9]{1,9})> ?|\(<L (\S+) (\S+) (\S+) (\S+) (\S+)>\)|\) ?| +")
_NUMBERS = {str(number): number for number in range(10_001)}  # of children; int() takes more than digits
_NONE = re.compile(r".*\bNUMPARSE=0(?: STATUS=(\w+))?")  # of a sentence that no derivation spans
_NULL = "NULL"
_SCORED = re.compile(r"ID=(.*), log probability=(-?[0-9]+\.[0-9]{8})")  # depccg's
_PLAIN_META = MappingProxyType({"header": _GOLD})


def _blocks(source: Source) -> Iterator[Block]:
    """The derivations of a sentence: one, or depccg's n best."""
    waiting: Block | None = None
    for block in _derivations(source):
        scored = None if block.fault or len(block.lines) != 2 else _SCORED.fullmatch(block.lines[0])
        if waiting is not None:
            if scored and waiting.payload == scored[1]:
                waiting.lines += block.lines
                continue
            yield waiting
            waiting = None
        if scored:
            block.payload = scored[1]
            waiting = block
        else:
            yield block
    if waiting is not None:
        yield waiting


def _derivations(source: Source) -> Iterator[Block]:
    """An `ID=` line with the line after it; a tree may also stand alone."""
    lines: list[str] = []
    for line in source:
        lines.append(line)
        if line.startswith("ID="):
            if len(lines) > 1 and lines[-2].startswith("ID="):
                lines.pop()
                yield Block(source, source.number - len(lines), lines, "an ID without a derivation")
                lines = [line]
        elif line and not line.startswith("#"):
            yield Block(source, source.number - len(lines) + 1, lines)
            lines = []
    if any(line.startswith("ID=") for line in lines):
        yield Block(source, source.number - len(lines) + 1, lines, "the file ends before the derivation")


def _decode(block: Block) -> Sentence:
    if block.payload is not None:
        return _scored(block)
    row = len(block.lines) - 1
    line = block.lines[row]
    tree, tokens = read_tree(line) or _explain(block, row)
    name, meta = None, {"unnumbered": "yes"}
    if row:
        found = _ID.fullmatch(block.lines[row - 1])
        if found is None:
            raise block.error("a derivation stands under an ID= line", row - 1, 1)
        name = found[1]
        if found[2] == _GOLD and row == 1 and line[-1] == ")":
            return Sentence(tokens, None, (tree,), None, name, None, _PLAIN_META)
        meta = {"header": found[2] or ""}
        none = _NONE.fullmatch(found[2] or "")
        if none and str(tree.category) == _NULL and all(child.is_leaf for child in tree.children):
            return _underived(tree, name, none[1] or "failed")
    if row > 1:
        meta["before"] = "".join(f"{text}\n" for text in block.lines[: row - 1])
    if line.endswith(" "):
        meta["after"] = " "
    return Sentence(tokens, derivations=(tree,), id=name, meta=meta)


def _scored(block: Block) -> Sentence:
    """The sentence of depccg's n best derivations, with their log-probabilities."""
    read = [read_tree(block.lines[row]) or _explain(block, row) for row in range(1, len(block.lines), 2)]
    tokens = read[0][1]
    if any(other != tokens for _, other in read):
        raise block.error("the derivations of a sentence must be over the same words", 1, 1)
    found = (_SCORED.fullmatch(line) for line in block.lines[::2])
    meta = {"log_prob": " ".join(scored[2] for scored in found if scored)}
    return Sentence(tokens, None, tuple(tree for tree, _ in read), None, block.payload, None, meta)


def _underived(tree: Derivation, name: str, status: str) -> Sentence:
    """The words that stand under NULL, and their categories unless they are NULL, too."""
    leaves = tree.children
    tokens = tuple(leaf.token for leaf in leaves if leaf.token is not None)
    known = all(str(leaf.category) != _NULL for leaf in leaves)
    tags = tuple((Supertag(leaf.category),) for leaf in leaves) if known else None
    return Sentence(tokens, tags, (), None, name, None, {"status": status})


def read_tree(line: str) -> tuple[Derivation, tuple[Token, ...]] | None:
    """The derivation of a line and its tokens; None if anything about the line is not as it must be."""
    if "\t" in line:
        return None
    fields = line.rstrip(" ").split(" ")
    tokens: list[Token] = []
    children: list[Derivation] = []  # finished, their parents not yet
    parents: list[tuple[Category, int, int, int]] = []  # category, head, arity, finished before it
    parse = Category.parse
    position, end = 0, len(fields)
    try:
        while position < end:
            kind = fields[position]
            if kind == "(<L":
                _, spelled, pos, original, word, last = fields[position : position + 6]
                indexed = last[:-2]
                if last[-2:] != ">)" or not (pos and original and word and indexed):
                    return None
                if indexed != spelled and not spelled.isascii():  # with a space that is none here
                    return None
                token = Token(
                    word,
                    None if pos == "_" else pos,
                    None,
                    None,
                    None if original == pos else original,
                    None if indexed == spelled else indexed,
                )
                tokens.append(token)
                children.append(Derivation(parse(spelled), (), token))
                position += 6
            elif kind == "(<T":
                arity = fields[position + 3]
                if arity[-1] != ">":
                    return None
                head, count = _NUMBERS[fields[position + 2]], _NUMBERS[arity[:-1]]
                parents.append((parse(fields[position + 1]), head, count, len(children)))
                position += 4
            elif kind == ")":
                category, head, count, start = parents.pop()
                if len(children) - start != count or not 0 <= head < count:
                    return None
                node = Derivation(category, tuple(children[start:]), None, None, head)
                del children[start:]
                children.append(node)
                position += 1
            else:
                return None
            if len(children) == 1 and not parents and position < end:
                return None
    except (ValueError, LookupError, CategorySyntaxError):
        return None
    return (children[0], tuple(tokens)) if len(children) == 1 and not parents else None


def _explain(block: Block, row: int) -> tuple[Derivation, tuple[Token, ...]]:
    """Raise the error that says where and why a line is no derivation."""
    line = block.lines[row].rstrip(" ")
    parents: list[tuple[int, int, int]] = []  # column, arity, children so far
    position = 0
    if "\t" in line:
        raise block.error("fields must be separated by a space, not a tab", row, line.index("\t") + 1)
    while position < len(line):
        found = _NODE.match(line, position)
        if found is None or found[0].isspace():
            raise block.error("expected (<T category head children> or (<L …>) or )", row, position + 1)
        if found[0].startswith("(<"):
            if parents:
                column, arity, seen = parents.pop()
                parents.append((column, arity, seen + 1))
            elif position:
                raise block.error("a second tree after the end of the first", row, position + 1)
            group = 4 if found[4] else 1
            block.category(found[group], row, found.start(group) + 1)
            if group == 1:
                if int(found[2]) >= int(found[3]):
                    raise block.error(f"no child {found[2]} to be the head", row, found.start(2) + 1)
                parents.append((position + 1, int(found[3]), 0))
        else:
            if not parents:
                raise block.error("one closing parenthesis too many", row, position + 1)
            column, arity, seen = parents.pop()
            if arity != seen:
                raise block.error(f"this node announces {arity} children but has {seen}", row, column)
        position = found.end() + (1 if found[4] and line[found.end() : found.end() + 1] == " " else 0)
    if parents:
        raise block.error("the line ends before this node is closed", row, parents[-1][0])
    raise block.error("fields must be separated by exactly one space", row, 1)


def write_tree(derivation: Derivation) -> str:
    """The derivation on one line."""
    written: list[str] = []
    agenda: list[Derivation | None] = [derivation]
    while agenda:
        node = agenda.pop()
        if node is None:
            written.append(")")
        elif node.token is not None:
            token, pos = node.token, field(node.token.pos)
            original = field(token.original_pos) if token.original_pos else pos
            indexed = token.indexed_category or node.category
            written.append(f"(<L {node.category} {pos} {original} {field(token.word)} {indexed}>)")
        else:
            written.append(f"(<T {node.category} {node.head} {len(node.children)}>")
            agenda.append(None)
            agenda.extend(reversed(node.children))
    return " ".join(written)


def _encode(sentence: Sentence, count: int) -> str:
    if not sentence.derivations:
        return _placeholder(sentence, count)
    meta = sentence.meta
    if "parser" in meta:
        header = (
            f"ID={sentence.id or count} PARSER={field(meta['parser'])} NUMPARSE={len(sentence.derivations)}"
        )
        return "".join(f"{header}\n{write_tree(tree)}\n" for tree in sentence.derivations)
    if "header" not in meta and (probabilities := scores(sentence)):
        found = zip(sentence.derivations, probabilities, strict=True)
        name = sentence.id or count
        return "".join(f"ID={name}, log probability={p:.8f}\n{write_tree(tree)}\n" for tree, p in found)
    named = "" if "unnumbered" in meta else f"ID={sentence.id or count}{meta.get('header', _GOLD)}\n"
    after = meta.get("after", "") + "\n"
    trees = (named + write_tree(tree) + after for tree in sentence.derivations or ())
    return meta.get("before", "") + "".join(trees)


def _placeholder(sentence: Sentence, count: int) -> str:
    """A line where a derivation would stand; other programs see one node over all the words."""
    categories = sentence.categories or (_NULL,) * len(sentence.tokens)
    leaves = [
        f"(<L {category} {field(token.pos)} {field(token.pos)} {field(token.word)} {category}>)"
        for token, category in zip(sentence.tokens, categories, strict=True)
    ]
    line = f"(<T {_NULL} 0 {len(leaves)}> {' '.join(leaves)} )" if leaves else f"(<L {_NULL} _ _ _ {_NULL}>)"
    parser, status = sentence.meta.get("parser", "ccgkit"), sentence.meta.get("status", "failed")
    return f"ID={sentence.id or count} PARSER={field(parser)} NUMPARSE=0 STATUS={field(status)}\n{line}\n"


def _recognise(head: list[str]) -> bool:
    return any(line.startswith(("(<T ", "(<L ")) for line in head)


CODEC = Codec(
    name="auto", title="CCGbank derivations", suffixes=(".auto",),
    holds=Part.WORDS | Part.POS | Part.TAGS | Part.TREES | Part.IDS, needs=Part.WORDS | Part.TREES,
    blocks=_blocks, decode=_decode, encode=_encode, recognise=_recognise, ending=Ending.TREES,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
