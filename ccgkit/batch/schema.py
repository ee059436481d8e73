"""The rows of an annotated corpus: one a sentence, the same fields in Parquet and JSONL (docs/cluster.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import exp, log
from typing import Any

from ..corpora import jsonl
from ..sentence import Sentence, Supertag

__all__ = ["SCHEMA", "arrow_schema", "describe", "present", "to_sentence"]

Row = dict[str, Any]

#: the fields and their types as Arrow calls them; [x] is a list of x, a dict is a struct
SCHEMA: Mapping[str, Any] = {
    "id": "string",
    "sentence": "int32",
    "text": "string",
    "words": ["string"],
    "pos": ["string"],
    "lemmas": ["string"],
    "starts": ["int32"],
    "ends": ["int32"],
    "categories": ["string"],
    "probabilities": ["float64"],
    "supertags": [[{"category": "string", "probability": "float64"}]],
    "derivation": [
        {"category": "string", "rule": "string", "head": "int32", "children": ["int32"], "token": "int32"}
    ],
    "dependencies": [
        {
            "head": "int32",
            "category": "string",
            "slot": "int32",
            "argument": "int32",
            "rule": "int32",
            "markup": "string",
            "via": "string",
        }
    ],
    "status": "string",
    "reason": "string",
    "confidence": "float64",
    "model": "string",
    "version": "string",
}
_TOKENS = {"words": "word", "pos": "pos", "lemmas": "lemma", "starts": "start", "ends": "end"}
_TINY = 1e-300


def arrow_schema() -> Any:
    """The schema as a `pyarrow.Schema`."""
    import pyarrow as pa

    return pa.schema([(name, _arrow(kind)) for name, kind in SCHEMA.items()])


def _arrow(kind: Any) -> Any:
    import pyarrow as pa

    if isinstance(kind, list):
        return pa.list_(_arrow(kind[0]))
    if isinstance(kind, dict):
        return pa.struct([(name, _arrow(member)) for name, member in kind.items()])
    return pa.type_for_alias(kind)


def describe(sentence: Sentence) -> Row:
    """What is known of a sentence, as fields; of several derivations the first."""
    known = sentence.to_dict()
    row: Row = {field: _column(sentence, name) for field, name in _TOKENS.items()}
    trees = known.get("derivations")
    tags = sentence.tags
    if tags is not None:
        row["categories"] = [str(best[0].category) for best in tags]
        row["probabilities"] = [_probability(best[0]) for best in tags]
        row["supertags"] = [[_supertag(tag) for tag in k_best] for k_best in tags]
    return {
        **row,
        "text": sentence.text,
        "derivation": trees[0]["nodes"] if trees else None,
        "dependencies": known.get("dependencies"),
    }


def to_sentence(row: Mapping[str, Any]) -> Sentence:
    """The sentence that a row describes, for the codecs and everything else that takes one."""
    known = present(row)
    count = len(known.get("words", ()))
    columns = {name: list(known[field]) for field, name in _TOKENS.items() if field in known}
    tokens = [
        present({name: column[place] for name, column in columns.items()}, present(_tags(known, place)))
        for place in range(count)
    ]
    nodes = known.get("derivation")
    members = {
        "id": _name(known),
        "text": known.get("text"),
        "tokens": tokens,
        "derivations": None if nodes is None else [{"nodes": [present(node) for node in nodes]}],
        "dependencies": [present(link) for link in known["dependencies"]]
        if "dependencies" in known
        else None,
        "meta": {name: str(known[name]) for name in ("status", "reason", "model") if name in known},
    }
    (sentence,) = jsonl.loads(json.dumps(present(members)))
    return sentence


def present(members: Mapping[str, Any], *more: Mapping[str, Any]) -> Row:
    """The members that are known."""
    return {name: value for some in (members, *more) for name, value in some.items() if value is not None}


def _name(known: Row) -> str | None:
    """The text's id, and the number of the sentence where it is not the first."""
    number = known.get("sentence") or 0
    return f"{known['id']}/{number}" if "id" in known and number else known.get("id")


def _column(sentence: Sentence, name: str) -> list[Any] | None:
    found = [getattr(token, name) for token in sentence.tokens]
    return None if found and all(value is None for value in found) else found


def _tags(known: Row, place: int) -> Row:
    if "supertags" in known:
        tags = known["supertags"][place]
    elif "categories" in known:
        pairs = zip(known["categories"], known["probabilities"], strict=True)
        tags = [dict(zip(("category", "probability"), pair, strict=True)) for pair in pairs][
            place : place + 1
        ]
    else:
        return {}
    logs = [{"category": tag["category"], "logprob": log(max(tag["probability"], _TINY))} for tag in tags]
    return {"tags": logs}


def _supertag(tag: Supertag) -> Row:
    return {"category": str(tag.category), "probability": _probability(tag)}


def _probability(tag: Supertag) -> float:
    return float(f"{exp(tag.logprob):.6g}")  # more digits say nothing and do not compress
