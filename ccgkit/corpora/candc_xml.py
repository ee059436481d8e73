"""C&C's XML, which depccg prints and reads, too: a `<ccg>` for each derivation.

    <candc>
    <ccg sentence="1" id="1">
    <rule type="ba" cat="S[dcl]">
    <lf start="0" span="1" word="We" lemma="we" pos="PRP" chunk="O" entity="O" cat="NP" />
    <lf start="1" span="1" word="agree" lemma="agree" pos="VBP" chunk="O" entity="O" cat="S[dcl]\\NP" />
    </rule>
    </ccg>
    </candc>

The derivations of a sentence have the same `sentence`. Coordination is `X\\X`, and heads are not in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree as XML

from ..grammar import Derivation, Token
from ..sentence import Sentence
from .blocks import Block, Source
from .codec import Codec, Part
from .elements import elements, remark, written_attributes
from .rule_names import candc_name, named_rule, written_tree
from .slots import category_of, known, slots

__all__ = ["CODEC", "dump", "dumps", "load", "loads"]

_NODES = ("rule", "lf")
_split = elements("ccg", ("candc", "ccg"), "C&C's XML")


def _blocks(source: Source) -> Iterator[Block]:
    """The derivations of one sentence after the other."""
    waiting: Block | None = None
    for block in _split(source):
        if waiting is not None and block.fault is None and _same(waiting.payload[0], block.payload):
            waiting.payload.append(block.payload)
            continue
        if waiting is not None:
            yield waiting
        waiting = block
        waiting.payload = [block.payload]
    if waiting is not None:
        yield waiting


def _same(first: XML.Element, other: XML.Element) -> bool:
    """Whether two derivations are of one sentence; the first of each has the id 1."""
    name = first.get("sentence")
    return name is not None and name == other.get("sentence") and other.get("id") != "1"


def _decode(block: Block) -> Sentence:
    trees = tuple(_tree(block, element) for element in block.payload)
    tokens = trees[0].tokens
    if any(tree.tokens != tokens for tree in trees):
        raise block.error("the derivations of a sentence must be over the same words")
    return Sentence(tokens, derivations=trees, id=block.payload[0].get("sentence") or None)


def _tree(block: Block, ccg: XML.Element) -> Derivation:
    done: list[Derivation] = []
    for element in reversed([part for part in ccg.iter() if part.tag in _NODES]):
        category = category_of(block, element.attrib, "cat")
        if element.tag == "lf":
            done.append(Derivation(category, token=_token(block, element)))
            continue
        count = sum(child.tag in _NODES for child in element)
        if count not in (1, 2):
            raise block.error(f"<rule> over {count} constituents: it needs one or two")
        children = tuple(done.pop() for _ in range(count))
        done.append(Derivation(category, children, None, named_rule(element.get("type", ""), category)))
    if len(done) != 1:
        raise block.error(f"<ccg> needs one derivation but has {len(done)}")
    return done[0]


def _token(block: Block, element: XML.Element) -> Token:
    word = element.get("word")
    if not word:
        raise block.error("<lf> needs a word")
    pos, lemma, entity = (known(element.attrib, name) for name in ("pos", "lemma", "entity"))
    return Token(word, pos, lemma=lemma or word, entity=entity)  # as an unknown lemma is written


def _encode(sentence: Sentence, count: int) -> str:
    if not sentence.derivations:
        return remark(sentence, count)
    name = sentence.id or str(count)
    return "".join(
        f"<ccg{written_attributes({'sentence': name, 'id': str(rank)})}>\n{_written(tree)}</ccg>\n"
        for rank, tree in enumerate(sentence.derivations, 1)
    )


def _written(tree: Derivation) -> str:
    written: list[str] = []
    leaves = 0
    agenda: list[Derivation | str] = [written_tree(tree)]
    while agenda:
        node = agenda.pop()
        if isinstance(node, str):
            written.append(node)
        elif node.token is not None:
            place = {"start": str(leaves), "span": "1"}
            said = {**place, **slots(node.token), "cat": str(node.category)}
            written.append(f"<lf{written_attributes(said)} />\n")
            leaves += 1
        else:
            said = {"type": candc_name(node), "cat": str(node.category)}
            written.append(f"<rule{written_attributes(said)}>\n")
            agenda.append("</rule>\n")
            agenda.extend(reversed(node.children))
    return "".join(written)


CODEC = Codec(
    name="candc_xml", title="C&C's XML derivations, also depccg's", suffixes=(".candc.xml",),
    holds=Part.WORDS | Part.POS | Part.TAGS | Part.TREES | Part.IDS, needs=Part.WORDS | Part.TREES,
    blocks=_blocks, decode=_decode, encode=_encode,
    recognise=lambda head: any("<candc" in line or "<ccg>" in line for line in head),
    header='<?xml version="1.0" encoding="UTF-8"?>\n<candc>\n', footer="</candc>\n", verbatim=False,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
