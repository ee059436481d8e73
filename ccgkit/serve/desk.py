"""Questions that need no model: of categories, of files' content, of pictures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..corpora import CorpusError, dumps, loads
from ..grammar import Category, Derivation, Functor
from ..grammar.dependencies import dependencies
from ..grammar.verdict import Verdict, check, draw, scheme_inventory
from ..oracles import TAG_SETS, TagSet, make_tag_set
from ..oracles.account import count_text, exact_count, transitions
from ..render import latex_document, page, svg, with_rules
from ..sentence import Sentence
from .refusal import Refusal
from .settings import Limits

__all__ = ["account", "read", "read_sentence", "render", "validate"]

_MOST_SEQUENCES = 1000


def validate(body: dict[str, Any]) -> dict[str, Any]:
    """What there is to say of each category: whether it is one, its tree, its slots."""
    inventory = scheme_inventory(body["inventory"]) if "inventory" in body else None
    left = body.get("left_associative", False)
    return {
        "categories": [
            _explained(check(text, inventory, left_associative=left)) for text in body["categories"]
        ]
    }


def _explained(verdict: Verdict) -> dict[str, Any]:
    found = verdict.to_dict()
    if verdict.category is not None:
        found |= {
            "tree": draw(verdict.category),
            "target": str(verdict.category.target),
            "slots": [
                {"slot": slot, "slash": slash, "category": category}
                for slot, (slash, category) in enumerate(reversed(list(_arguments(verdict.category))), 1)
            ],
            "modifier": verdict.category.is_modifier,
            "type_raised": verdict.category.is_type_raised,
        }
    return found


def _arguments(category: Category) -> Iterator[tuple[str, str]]:
    """Slashes and arguments, the outermost first."""
    while isinstance(category, Functor):
        yield category.slash.value, str(category.argument)
        category = category.result


def account(body: dict[str, Any]) -> dict[str, Any]:
    """How a generator writes each category: as atomic tags, and as transitions."""
    categories = [Category.parse(text) for text in body["categories"]]
    counts = Counter(categories)
    sets = {
        name: make_tag_set(name, counts, k=body.get("k", 10), n=body.get("n", 2))
        for name in body.get("sets") or TAG_SETS.names()
    }
    every = body.get("all", False)
    return {
        "categories": [
            {
                "category": str(category),
                "atoms": category.size,
                "sets": {name: _sequences(category, one, every) for name, one in sets.items()},
                "transitions": transitions(category),
            }
            for category in categories
        ]
    }


def _sequences(category: Category, tag_set: TagSet, every: bool) -> dict[str, Any]:
    count = tag_set.count(category)
    if every and count > _MOST_SEQUENCES:
        reason = f"{category} has {count_text(count)} sequences, more than {_MOST_SEQUENCES}: leave out 'all'"
        raise Refusal(422, reason, where="/all")
    shown = tag_set.decompositions(category) if every else iter((tag_set.decompose(category),))
    return {
        "tags": len(tag_set),
        "count": exact_count(count),
        "sequences": [list(tags) for tags in shown] if count else [],
    }


def read(body: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """The sentences of a file's content, their derivations with rules, and the dependencies of the first."""
    found: list[Sentence] = []
    for sentence in loads(body["text"], body.get("format", "auto")):
        if len(found) == limits.sentences or len(sentence) > limits.words:
            raise Refusal(422, _beyond(limits), where="/text")
        found.append(_with_dependencies(sentence))
    return {"sentences": [sentence.to_dict() for sentence in found]}


def _beyond(limits: Limits) -> str:
    return f"more than {limits.sentences} sentences, or one of more than {limits.words} words"


def _with_dependencies(sentence: Sentence) -> Sentence:
    trees = tuple(with_rules(sentence.derivations or ()))
    if not trees:
        return sentence
    return replace(sentence, derivations=trees, dependencies=tuple(dependencies(trees[:1])))


def read_sentence(value: dict[str, Any], where: str) -> Sentence:
    """A sentence as JSONL has it; a `Refusal` where it is none."""
    try:
        (sentence,) = loads(json.dumps(value, ensure_ascii=False), "jsonl")
    except CorpusError as error:
        raise Refusal(422, error.reason, where=where) from error
    return sentence


def render(body: dict[str, Any]) -> str:
    """The first derivation of each sentence, drawn or written; SVG is a picture of one sentence."""
    form, places = body["format"], enumerate(body["sentences"])
    sentences = [read_sentence(one, f"/sentences/{place}") for place, one in places]
    if form == "jsonl":
        return dumps(sentences, form)
    trees = [_first_derivation(one, f"/sentences/{place}") for place, one in enumerate(sentences)]
    if form == "auto":
        pairs = zip(sentences, trees, strict=True)
        return dumps((replace(one, derivations=(tree,)) for one, tree in pairs), form)
    if form == "svg":
        if len(trees) > 1:
            raise Refusal(422, "a picture is of one sentence", where="/sentences")
        return svg(trees[0])
    names = (one.id or str(number) for number, one in enumerate(sentences, 1))
    draw_all = latex_document if form == "latex" else page
    return "".join(draw_all(zip(names, trees, strict=True)))


def _first_derivation(sentence: Sentence, where: str) -> Derivation:
    if not sentence.derivations:
        raise Refusal(422, "a sentence without a derivation", where=where)
    return sentence.derivations[0]
