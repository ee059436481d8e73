"""Bodies checked against the JSON Schema of the service's description: the part of it that is used there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ..corpora.jsonl import is_finite_number, is_text, refuse_constant
from .refusal import Refusal

__all__ = ["check", "decode"]

Schema = Mapping[str, Any]

_TYPES: dict[str, Callable[[object], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and is_finite_number(value),
    "number": is_finite_number,
}


def decode(body: bytes) -> Any:
    """The JSON value of a body; a `Refusal` where it is none."""
    try:
        return json.loads(body.decode("utf-8"), parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Refusal(400, f"the body is not JSON: {error}") from error


def check(value: Any, schema: Schema, components: Mapping[str, Schema], where: str = "") -> None:
    """A `Refusal` that says where and why, unless the value is as the schema has it."""
    if "$ref" in schema:
        schema = components[schema["$ref"].rsplit("/", 1)[1]]
    if "oneOf" in schema:
        schema = _alternative(value, schema["oneOf"], components, where)
    kind = schema.get("type")
    if kind is not None and not _TYPES[kind](value):
        raise Refusal(422, f"this must be {_article(kind)}", where=where)
    if "enum" in schema and value not in schema["enum"]:
        raise Refusal(422, f"this must be one of {', '.join(map(str, schema['enum']))}", where=where)
    if isinstance(value, dict):
        _check_object(value, schema, components, where)
    elif isinstance(value, list):
        _check_size(len(value), schema, "Items", "items", where)
        for place, item in enumerate(value):
            check(item, schema.get("items", {}), components, f"{where}/{place}")
    elif isinstance(value, str):
        _check_size(len(value), schema, "Length", "characters", where)
        if not is_text(value):
            raise Refusal(422, "this holds half of a surrogate pair", where=where)
    elif isinstance(value, int | float):
        _check_range(value, schema, where)


def _alternative(
    value: Any, alternatives: list[Schema], components: Mapping[str, Schema], where: str
) -> Schema:
    """The one that is of the value's type: they are of different ones."""
    for one in alternatives:
        meant = components[one["$ref"].rsplit("/", 1)[1]] if "$ref" in one else one
        if _TYPES[meant["type"]](value):
            return meant
    raise Refusal(422, "this is of the wrong type", where=where)


def _check_object(
    value: dict[str, Any], schema: Schema, components: Mapping[str, Schema], where: str
) -> None:
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            raise Refusal(422, f"{name!r} is missing", where=where)
    for name, member in value.items():
        if name in known:
            check(member, known[name], components, f"{where}/{name}")
        elif schema.get("additionalProperties") is False:
            raise Refusal(422, f"nothing here is called {name[:40]!r}", where=where)


def _check_size(size: int, schema: Schema, suffix: str, unit: str, where: str) -> None:
    if size > schema.get(f"max{suffix}", size):
        raise Refusal(422, f"{size} {unit}: more than {schema[f'max{suffix}']}", where=where)
    if size < schema.get(f"min{suffix}", 0):
        raise Refusal(422, f"{size} {unit}: fewer than {schema[f'min{suffix}']}", where=where)


def _check_range(value: float, schema: Schema, where: str) -> None:
    if value < schema.get("minimum", value) or value > schema.get("maximum", value):
        low, high = schema.get("minimum", "…"), schema.get("maximum", "…")
        raise Refusal(422, f"{value} is not between {low} and {high}", where=where)


def _article(kind: str) -> str:
    return {"null": "null"}.get(kind, f"{'an' if kind[0] in 'aoi' else 'a'} {kind}")
