"""ccgkit's own format: one JSON object a line with all that a sentence holds, what is absent left out.

    {"id": "s1", "tokens": [{"word": "We", "pos": "PRP", "tags": [{"category": "NP", "logprob": -0.1}]}]}

The schema is written down in docs/formats.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from ..grammar import Dependency, Derivation, Rule, Token
from ..grammar.category import Category
from ..sentence import Sentence, Supertag
from .blocks import Block, Source
from .codec import Codec, Ending, Part
from .errors import CorpusError

__all__ = ["CODEC", "dump", "dumps", "is_finite_number", "is_text", "load", "loads", "refuse_constant"]

_SENTENCE = ("id", "text", "tokens", "derivations", "dependencies", "meta")
_TOKEN = ("word", "pos", "lemma", "entity", "start", "end", "original_pos", "indexed_category", "tags")
_STRINGS = ("pos", "lemma", "entity", "original_pos", "indexed_category")  # of a token, besides the word
_LINK = ("head", "category", "slot", "argument", "rule", "markup", "via")
_LARGEST = 1e300
_SURROGATE = re.compile("[\ud800-\udfff]")
_RULES = {rule.value: rule for rule in Rule}


def _blocks(source: Source) -> Iterator[Block]:
    """Every line that is not blank; an object closes itself, so the last line needs no end."""
    return (Block(source, source.number, [line]) for line in source if line.strip())


def _decode(block: Block) -> Sentence:
    line = block.lines[0]
    try:
        read = json.loads(line, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        raise block.error(f"not JSON: {error.msg}", 0, error.pos + 1) from error
    except (ValueError, RecursionError) as error:
        raise block.error(f"not JSON: {error}", 0, 1) from error
    return _Object(block, "a sentence", read, _SENTENCE).sentence()


class _Object:
    """A JSON object that is being read: its members by name and type, with errors that name them."""

    def __init__(self, block: Block, what: str, value: object, names: tuple[str, ...]) -> None:
        self.block, self.what = block, what
        if not isinstance(value, dict):
            raise self.error(f"{what} must be an object")
        if unknown := [name for name in value if name not in names]:
            raise self.error(f"{what} has no member {unknown[0]!r}", json.dumps(unknown[0]))
        self.value: Mapping[str, Any] = value

    def error(self, reason: str, near: str = "{") -> CorpusError:
        return self.block.error(reason, 0, self.block.lines[0].find(near) + 1 or 1)

    def get(self, name: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
        if name not in self.value:
            return default
        value = self.value[name]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.error(f"{name!r} of {self.what} is of the wrong type", f'"{name}"')
        if isinstance(value, str) and not is_text(value):
            raise self.error(f"{name!r} of {self.what} holds half of a surrogate pair", f'"{name}"')
        if isinstance(value, int | float) and not is_finite_number(value):
            raise self.error(f"{name!r} of {self.what} is too large a number", f'"{name}"')
        return value

    def need(self, name: str, kind: type | tuple[type, ...]) -> Any:
        if name not in self.value:
            raise self.error(f"{self.what} needs {name!r}")
        return self.get(name, kind)

    def index(self, name: str, size: int) -> int:
        value = self.need(name, int)
        if not 0 <= value < size:
            raise self.error(f"{name!r} of {self.what} is {value}: there are {size}", f'"{name}"')
        return int(value)

    def category(self) -> Category:
        spelled = self.need("category", str)
        encoded = json.dumps(spelled, ensure_ascii=False)
        return self.block.category(spelled, 0, self.block.lines[0].find(encoded) + 2)

    def sentence(self) -> Sentence:
        members = [_Object(self.block, "a token", token, _TOKEN) for token in self.need("tokens", list)]
        tokens = tuple(member.token() for member in members)
        tagged = [member.tags() for member in members if "tags" in member.value]
        if tagged and len(tagged) != len(tokens):
            raise self.error("either all tokens have tags or none", '"tokens"')
        trees, links = self.get("derivations", list), self.get("dependencies", list)
        return Sentence(
            tokens,
            tuple(tagged) if tagged else None,
            None if trees is None else tuple(self.derivation(tree, tokens) for tree in trees),
            None if links is None else tuple(self.dependency(link, len(tokens)) for link in links),
            self.get("id", str),
            self.get("text", str),
            self.meta(),
        )

    def meta(self) -> dict[str, str]:
        meta: dict[str, str] = self.get("meta", dict, {})
        if not all(isinstance(value, str) and is_text(name + value) for name, value in meta.items()):
            raise self.error("'meta' of a sentence must hold strings", '"meta"')
        return meta

    def token(self) -> Token:
        known = {name: self.get(name, str) for name in _STRINGS}
        return Token(self.need("word", str), start=self.get("start", int), end=self.get("end", int), **known)

    def tags(self) -> tuple[Supertag, ...]:
        tags = []
        for tag in self.need("tags", list):
            member = _Object(self.block, "a tag", tag, ("category", "logprob"))
            tags.append(Supertag(member.category(), float(member.get("logprob", (int, float), 0.0))))
        if not tags:
            raise self.error("'tags' must hold at least one category", '"tags"')
        return tuple(tags)

    def dependency(self, link: object, size: int) -> Dependency:
        member = _Object(self.block, "a dependency", link, _LINK)
        head, argument = member.index("head", size), member.index("argument", size)
        rule, markup, via = member.get("rule", int, 0), member.get("markup", str), member.get("via", str)
        return Dependency(head, member.category(), member.need("slot", int), argument, rule, markup, via)

    def derivation(self, tree: object, tokens: tuple[Token, ...]) -> Derivation:
        """A tree out of its nodes; a node's children come after it in the list."""
        nodes = _Object(self.block, "a derivation", tree, ("nodes",)).need("nodes", list)
        built: dict[int, Derivation] = {}
        for number in range(len(nodes) - 1, -1, -1):
            names = ("category", "token", "children", "rule", "head")
            node = _Object(self.block, "a node", nodes[number], names)
            built[number] = node.node(number, built, tokens)
        if list(built) != [0] or tuple(leaf.token for leaf in built[0].leaves()) != tokens:
            raise self.error("the nodes of a derivation are not one tree over the tokens", '"nodes"')
        return built[0]

    def node(self, number: int, built: dict[int, Derivation], tokens: tuple[Token, ...]) -> Derivation:
        category = self.category()
        if "token" in self.value:
            return Derivation(category, token=tokens[self.index("token", len(tokens))])
        children = self.need("children", list)
        if not children or any(type(child) is not int or child not in built for child in children):
            raise self.error(f"node {number} needs children that come after it", '"children"')
        symbol = self.get("rule", str)
        if symbol is not None and symbol not in _RULES:
            raise self.error(f"{symbol!r} is not a rule", '"rule"')
        head = self.index("head", len(children)) if "head" in self.value else 0
        if len(set(children)) < len(children):
            raise self.error(f"node {number} has a child twice", '"children"')
        parts = tuple(built.pop(child) for child in children)
        return Derivation(category, parts, None, _RULES.get(symbol), head)


def refuse_constant(constant: str) -> NoReturn:
    """For `json`: NaN and Infinity, which JSON does not have."""
    raise ValueError(f"{constant} is not a number")


def is_finite_number(value: object) -> bool:
    """Whether a JSON value is a number that a float can hold."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST


def is_text(value: str) -> bool:
    """Whether a string can be written as UTF-8: JSON may escape half of a surrogate pair."""
    return value.isascii() or not _SURROGATE.search(value)


def _encode(sentence: Sentence, count: int) -> str:
    members = sentence.to_dict()
    meta = {name: value for name, value in sentence.meta.items() if name != "newline"}
    if meta != sentence.meta:
        members = {name: value for name, value in {**members, "meta": meta}.items() if value}
    return json.dumps(members, ensure_ascii=False) + "\n"


def _recognise(head: list[str]) -> bool:
    first = next((line for line in head if line.strip()), "")
    return first.startswith("{") and '"tokens"' in first


CODEC = Codec(
    name="jsonl", title="ccgkit's own: one JSON object a sentence", suffixes=(".jsonl",),
    holds=Part.WORDS | Part.POS | Part.TAGS | Part.K_BEST | Part.TREES | Part.DEPENDENCIES | Part.IDS,
    needs=Part.WORDS, blocks=_blocks, decode=_decode, encode=_encode, recognise=_recognise,
    ending=Ending.LINE,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
