"""Jigg's XML, which ccg2lambda reads: tokens, and derivations as a list of spans that name their children.

    <root><document><sentences>
    <sentence id="s0">
    <tokens>
    <token start="0" cat="NP" id="s0_0" pos="PRP" entity="O" chunk="O" surf="We" base="we"/>
    …
    </tokens>
    <ccg id="s0_ccg0" root="s0_sp0" score="-0.25">
    <span category="S[dcl=true]" id="s0_sp0" child="s0_sp1 s0_sp2" rule="ba" begin="0" end="2" root="true"/>
    <span category="NP" id="s0_sp1" terminal="s0_0" begin="0" end="1"/>
    …

Coordination is `X\\X`, and heads are not in it. A sentence without a parse has tokens alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as XML

from ..grammar import Category, Derivation, Token
from ..sentence import Sentence, Supertag
from .blocks import Block
from .codec import Codec, Part
from .elements import elements, written_attributes
from .rule_names import candc_name, named_rule, written_tree
from .slots import category_of, known, scores, slots

__all__ = ["CODEC", "dump", "dumps", "load", "loads"]

_FEATURE = re.compile(r"\[(\w+)\]")
_ABSENT = "*"  # a lemma for which ccg2lambda takes the word
_STATUS = ("status", "reason")


def _decode(block: Block) -> Sentence:
    sentence = block.payload
    tokens = {element.get("id", ""): element for element in sentence.iterfind("tokens/token")}
    words = {name: _token(block, element) for name, element in tokens.items()}
    parses = sentence.findall("ccg")
    trees = tuple(_Spans(block, ccg, words).tree() for ccg in parses)
    if any(tree.tokens != tuple(words.values()) for tree in trees):
        raise block.error("a derivation must be over all the tokens of its sentence")
    meta = {name: sentence.get(name, "") for name in _STATUS if sentence.get(name) and not trees}
    told = [ccg.get("score", "") for ccg in parses]
    if trees and all(map(_is_number, told)):
        meta["log_prob"] = " ".join(str(float(score)) for score in told)
    tags = None if trees else _tags(block, list(tokens.values()))
    return Sentence(tuple(words.values()), tags, trees, id=_name(sentence), meta=meta)


def _name(sentence: XML.Element) -> str | None:
    """The id of the sentence, unless it is the number that Jigg gives each."""
    name = sentence.get("id")
    return None if not name or re.fullmatch(r"s[0-9]+", name) else name


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?[0-9]{1,30}(?:\.[0-9]{1,30})?(?:[eE][-+]?[0-9]{1,2})?", text) is not None


def _tags(block: Block, tokens: list[XML.Element]) -> tuple[tuple[Supertag, ...], ...] | None:
    """The categories of tokens that no derivation has."""
    if not tokens or not all("cat" in token.attrib for token in tokens):
        return None
    return tuple((Supertag(category_of(block, token.attrib, "cat")),) for token in tokens)


def _token(block: Block, element: XML.Element) -> Token:
    word = element.get("surf") or element.get("word")
    if not word or not element.get("id"):
        raise block.error("<token> needs an id, and its word as surf")
    lemma = known(element.attrib, "base") or known(element.attrib, "lemma")
    return Token(word, known(element.attrib, "pos"), lemma=lemma, entity=known(element.attrib, "entity"))


class _Spans:
    """The spans of a derivation that is being read, by their ids."""

    def __init__(self, block: Block, ccg: XML.Element, tokens: dict[str, Token]) -> None:
        self.block, self.tokens = block, tokens
        self.spans = {span.get("id", ""): span for span in ccg.iterfind("span")}
        self.root = ccg.get("root", "")

    def tree(self) -> Derivation:
        """Parents are listed before their children, and built after them."""
        order: list[str] = []
        agenda = [self.root]
        while agenda:
            name = agenda.pop()
            if name not in self.spans or len(order) > len(self.spans):
                raise self.block.error(f"no span {name!r}, or one that is its own part")
            order.append(name)
            agenda.extend(self.children(name))
        done: list[Derivation] = []
        for name in reversed(order):
            done.append(self.node(name, [done.pop() for _ in self.children(name)]))
        return done.pop()

    def children(self, name: str) -> list[str]:
        return self.spans[name].get("child", "").split()

    def node(self, name: str, children: list[Derivation]) -> Derivation:
        span = self.spans[name]
        category = category_of(self.block, span.attrib, "category")
        if children:
            rule = named_rule(span.get("rule", ""), category)
            return Derivation(category, tuple(reversed(children)), None, rule)
        token = self.tokens.get(span.get("terminal", ""))
        if token is None:
            raise self.block.error(f"the span {name!r} has no child, and no token as its terminal")
        return Derivation(category, token=token)


def _encode(sentence: Sentence, count: int) -> str:
    prefix = f"s{count - 1}"
    told = {} if sentence.derivations else {name: sentence.meta.get(name, "") for name in _STATUS}
    said = {"id": sentence.id or prefix, **{name: value for name, value in told.items() if value}}
    lines = [f"<sentence{written_attributes(said)}>\n<tokens>\n"]
    categories = sentence.categories or (None,) * len(sentence.tokens)
    for place, (token, category) in enumerate(zip(sentence.tokens, categories, strict=True)):
        lines.append(f"<token{written_attributes(_attributes(token, category, place, prefix))}/>\n")
    return "".join([*lines, "</tokens>\n", *_parses(sentence, prefix), "</sentence>\n"])


def _attributes(token: Token, category: Category | None, place: int, prefix: str) -> dict[str, str]:
    tag = {} if category is None else {"cat": str(category)}
    said = slots(token)
    lemma = _ABSENT if token.lemma is None else token.lemma
    kept = {name: said[name] for name in ("pos", "entity", "chunk")}
    return {
        "start": str(place),
        **tag,
        "id": f"{prefix}_{place}",
        **kept,
        "surf": said["word"],
        "base": lemma,
    }


def _parses(sentence: Sentence, prefix: str) -> Iterator[str]:
    """The derivations, whose spans are numbered through."""
    probabilities = scores(sentence)
    first = 0
    for rank, tree in enumerate(sentence.derivations or ()):
        said = {"id": f"{prefix}_ccg{rank}", "root": f"{prefix}_sp{first}"}
        if probabilities:
            said["score"] = str(probabilities[rank])
        spans = _spans(written_tree(tree), prefix, first)
        yield f"<ccg{written_attributes(said)}>\n{''.join(spans)}</ccg>\n"
        first += len(spans)


def _spans(tree: Derivation, prefix: str, first: int) -> list[str]:
    """The nodes, parents before their children: each begins where the one before has ended, or begun."""
    lines: list[str] = []
    sizes = _sizes(tree)
    begin = 0
    for number, node in enumerate(tree.nodes()):
        said = {
            "category": _FEATURE.sub(r"[\1=true]", str(node.category)),
            "id": f"{prefix}_sp{first + number}",
        }
        if node.children:
            places = [number + 1]
            for _ in node.children[1:]:
                places.append(places[-1] + sizes[places[-1]][0])
            said["child"] = " ".join(f"{prefix}_sp{first + place}" for place in places)
            said["rule"] = candc_name(node)
        else:
            said["terminal"] = f"{prefix}_{begin}"
        said |= {"begin": str(begin), "end": str(begin + sizes[number][1])}
        said |= {} if number else {"root": "true"}
        lines.append(f"<span{written_attributes(said)}/>\n")
        begin += not node.children
    return lines


def _sizes(tree: Derivation) -> list[tuple[int, int]]:
    """The number of nodes and that of words under each node, in the order of `nodes`."""
    sizes: list[tuple[int, int]] = []
    waiting: list[tuple[int, int]] = []
    for node in reversed(list(tree.nodes())):
        parts = [waiting.pop() for _ in node.children]
        words = sum(part[1] for part in parts) if parts else 1
        waiting.append((1 + sum(part[0] for part in parts), words))
        sizes.append(waiting[-1])
    return sizes[::-1]


_FRAME = ("root", "document", "sentences")
CODEC = Codec(
    name="jigg", title="Jigg's XML, for ccg2lambda", suffixes=(".jigg.xml", ".jigg"),
    holds=Part.WORDS | Part.POS | Part.TAGS | Part.TREES | Part.IDS, needs=Part.WORDS | Part.TREES,
    blocks=elements("sentence", (*_FRAME, "sentence"), "Jigg's XML"), decode=_decode, encode=_encode,
    recognise=lambda head: any("<sentences" in line or "<tokens" in line for line in head),
    header='<?xml version="1.0" encoding="UTF-8"?>\n' + "".join(f"<{tag}>" for tag in _FRAME) + "\n",
    footer="".join(f"</{tag}>" for tag in reversed(_FRAME)) + "\n", verbatim=False,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
