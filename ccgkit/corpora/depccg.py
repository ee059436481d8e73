"""depccg's JSON: one object for the file, under each sentence's number its derivations, best first.

    {"1": [{"type": "ba", "cat": "S[dcl]", "children": [{"word": "We", "lemma": "we", "pos": "PRP", …}, …],
            "log_prob": -0.2}]}

Coordination is `X\\X`, as depccg has it. Heads are not in it, nor are chunks kept. A file is read as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..grammar import Derivation, Token
from ..sentence import Sentence
from .blocks import Block, Source
from .codec import Codec, Part
from .errors import FormatError
from .jsonl import is_finite_number, is_text, refuse_constant
from .rule_names import candc_name, named_rule, written_tree
from .slots import UNKNOWN, scores

__all__ = ["CODEC", "dump", "dumps", "load", "loads"]

_SLOTS = ("lemma", "pos", "entity")
_NAMES = {"ltc": "lp", "rtc": "rp"}  # with a comma that changes a category, depccg sees the comma alone
_DECODER = json.JSONDecoder(parse_constant=refuse_constant)


def _blocks(source: Source) -> Iterator[Block]:
    """The members of the object: the key and the text of the value."""
    lines = list(source)
    text = "\n".join(lines)
    position = _skip(text, 0)
    if position == len(text):
        raise Block(source, 1, lines or [""]).error("an empty file: depccg writes at least {}", 0, 1)
    expected = "{"
    while text[position : position + 1] == expected:
        position = _skip(text, position + 1)
        if expected == "{" and text[position : position + 1] == "}":
            break
        start = position
        try:
            key, position = _DECODER.raw_decode(text, position)
            position = _skip(text, position)
            if text[position : position + 1] != ":" or not isinstance(key, str):
                break
            value = _skip(text, position + 1)
            trees, position = _DECODER.raw_decode(text, value)
        except (ValueError, RecursionError) as error:
            row = text.count("\n", 0, start)
            yield Block(source, row + 1, lines[row:], f"not JSON: {error}")
            return
        first = text.count("\n", 0, value)
        last = first + text.count("\n", value, position)
        yield Block(source, first + 1, lines[first : last + 1], payload=(key, trees))
        position, expected = _skip(text, position), ","
    if text[position : position + 1] != "}":
        row = text.count("\n", 0, position)
        yield Block(source, row + 1, lines[row : row + 1], "not JSON: expected , or }")


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _decode(block: Block) -> Sentence:
    name, trees = block.payload
    if not isinstance(trees, list):
        raise block.error("expected a list of derivations", 0, 1)
    if not trees:
        return Sentence((), derivations=(), id=name, meta={"status": "failed"})
    derivations = tuple(_tree(block, tree) for tree in trees)
    tokens = derivations[0].tokens
    if any(tree.tokens != tokens for tree in derivations):
        raise block.error("the derivations of a sentence must be over the same words", 0, 1)
    scores = [_score(block, tree) for tree in trees]
    meta = {"log_prob": " ".join(scores)} if all(scores) else {}
    return Sentence(tokens, derivations=derivations, id=name, meta=meta)


def _score(block: Block, tree: dict[str, Any]) -> str:
    score = tree.get("log_prob")
    if score is None:
        return ""
    if not is_finite_number(score):
        raise block.error("'log_prob' must be a number", 0, 1)
    return str(float(score))


def _tree(block: Block, tree: Any) -> Derivation:
    """Nodes are built children first; what waits for its children lies on a stack."""
    done: list[Derivation] = []
    agenda: list[tuple[Any, bool]] = [(tree, False)]
    while agenda:
        node, visited = agenda.pop()
        if not isinstance(node, dict) or not isinstance(node.get("cat"), str):
            raise block.error("a node must be an object with 'cat', a string", 0, 1)
        children = node.get("children")
        if children is None:
            done.append(_leaf(block, node))
        elif visited:
            category = _category(block, node["cat"])
            parts = tuple(done[len(done) - len(children) :])
            del done[len(done) - len(children) :]
            done.append(Derivation(category, parts, None, named_rule(str(node.get("type")), category)))
        elif not isinstance(children, list) or not children:
            raise block.error("'children' must be a list of nodes", 0, 1)
        else:
            agenda.append((node, True))
            agenda.extend((child, False) for child in reversed(children))
    return done.pop()


def _leaf(block: Block, node: dict[str, Any]) -> Derivation:
    word = node.get("word", 0)
    known = [node.get(name, UNKNOWN) for name in _SLOTS]
    if not all(isinstance(text, str) and is_text(text) for text in (word, *known)):
        raise block.error(
            f"a leaf needs 'word', a string; {', '.join(map(repr, _SLOTS))} are strings, too", 0, 1
        )
    lemma, pos, entity = (None if text == UNKNOWN else text for text in known)
    return Derivation(_category(block, node["cat"]), token=Token(word, pos, lemma=lemma, entity=entity))


def _category(block: Block, spelled: str) -> Any:
    encoded = json.dumps(spelled)
    row = next((row for row, line in enumerate(block.lines) if f": {encoded}" in line), 0)
    return block.category(spelled, row, block.lines[row].find(encoded) + 2)


def _encode(sentence: Sentence, count: int) -> str:
    probabilities = scores(sentence)
    trees = []
    for rank, tree in enumerate(sentence.derivations or ()):
        score = {"log_prob": probabilities[rank]} if probabilities else {}
        trees.append({**_nested(written_tree(tree)), **score})
    try:
        text = json.dumps(trees, indent=4)
    except RecursionError:
        raise FormatError(f"sentence {sentence.id or count} is nested too deeply for JSON") from None
    key = json.dumps(sentence.id or str(count))
    return (",\n" if count > 1 else "\n") + f"{' ' * 4}{key}: " + text.replace("\n", "\n" + " " * 4)


def _nested(tree: Derivation) -> dict[str, Any]:
    def nested(node: Derivation, children: tuple[dict[str, Any], ...]) -> dict[str, Any]:
        category = str(node.category)
        if node.token is None:
            return {"type": _NAMES.get(name := candc_name(node), name), "cat": category, "children": children}
        known = {name: getattr(node.token, name) for name in _SLOTS}
        slots = {name: UNKNOWN if text is None else text for name, text in known.items()}
        return {"word": node.token.word, **slots, "chunk": UNKNOWN, "cat": category}

    return tree.fold(nested)


def _recognise(head: list[str]) -> bool:
    text = "".join(head).replace(" ", "")
    return text.startswith('{"') and '":[{' in text and '"cat":' in text


CODEC = Codec(
    name="depccg", title="depccg's JSON derivations", suffixes=(".json",),
    holds=Part.WORDS | Part.POS | Part.TAGS | Part.TREES | Part.IDS, needs=Part.WORDS | Part.TREES,
    blocks=_blocks, decode=_decode, encode=_encode, recognise=_recognise, header="{", footer="\n}\n",
    verbatim=False,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
