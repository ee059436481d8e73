"""The service as OpenAPI describes it. Requests are checked against this, so it is what holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._version import __version__
from ..grammar.notations import NOTATIONS
from ..oracles import TAG_SETS
from .settings import Limits, Settings

__all__ = ["FORMATS", "NDJSON", "describe"]

Schema = dict[str, Any]

NDJSON = "application/x-ndjson"

FORMATS = {
    "auto": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "jsonl": f"{NDJSON}; charset=utf-8",
    "latex": "application/x-tex; charset=utf-8",
    "svg": "image/svg+xml; charset=utf-8",
}
_CATEGORY = {"type": "string", "maxLength": 500}
_WORD = {"type": "string", "minLength": 1, "maxLength": 1000}
_REASONS = {
    400: "the body is not JSON, or the host is not one of this service",
    401: "the token is missing or wrong",
    408: "the body did not come in time",
    413: "the body is too large",
    415: "the body is not declared as application/json",
    422: "the body is not as described, or beyond a limit",
    429: "too many requests of this client at a time",
    500: "a fault of the service",
    503: "too many requests at a time, no answer in time, or the service is stopping",
}


def describe(settings: Settings) -> dict[str, Any]:
    """The OpenAPI description of a service with these settings."""
    names = [model.name for model in settings.models]
    languages = sorted({model.language for model in settings.models if model.language})
    chosen: Schema = {
        "model": {"type": "string", "enum": names, "description": "default: the language's first"},
    }
    if languages:
        spoken = f"default: that of {names[0]}"
        chosen["language"] = {"type": "string", "enum": languages, "description": spoken}
    return {
        "openapi": "3.1.0",
        "info": {"title": "ccgkit", "version": __version__, "description": "Tags and parses text with CCG."},
        "paths": _paths(settings.limits, chosen),
        "components": {
            "schemas": {**_sentence_schemas(settings.limits), **_answer_schemas()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}] if settings.token else [],
    }


def _paths(limits: Limits, chosen: Schema) -> dict[str, Any]:
    source = {
        "text": {"type": "string", "description": "running text, which is split into sentences"},
        "sentences": _array({"$ref": "#/components/schemas/Input"}, limits.sentences),
        **chosen,
    }
    tagging = {
        "k": {"type": "integer", "minimum": 1, "maximum": 50, "default": 4},
        "beta": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.075},
    }
    parsing = {
        "nbest": {"type": "integer", "minimum": 1, "maximum": limits.readings, "default": 1},
        "notation": {"type": "string", "enum": list(NOTATIONS), "description": "default: the model's"},
        "constraints": _array(
            {"oneOf": [{"$ref": "#/components/schemas/Constraints"}, {"type": "null"}]}, limits.sentences
        ),
    }
    validation = {
        "categories": _array(_CATEGORY, 100, 1),
        "inventory": {"type": "string", "enum": list(NOTATIONS)},
        "left_associative": {"type": "boolean", "default": False},
    }
    oracle = {
        "categories": _array(_CATEGORY, 20, 1),
        "sets": _array({"type": "string", "enum": TAG_SETS.names()}, 10),
        "k": {"type": "integer", "minimum": 0, "maximum": 1000, "default": 10},
        "n": {"type": "integer", "minimum": 1, "maximum": 20, "default": 2},
        "all": {"type": "boolean", "default": False, "description": "every sequence, if they are not many"},
    }
    reading = {
        "text": {"type": "string", "description": "the content of a file"},
        "format": {"type": "string", "enum": ["auto", "jsonl"], "default": "auto"},
    }
    rendering = {
        "sentences": _array({"$ref": "#/components/schemas/Sentence"}, limits.sentences, 1),
        "format": {"type": "string", "enum": sorted(FORMATS)},
    }
    return {
        "/api/tag": _post("Tag text", source | tagging, "Analysed", stream=True),
        "/api/parse": _post("Parse text", source | parsing, "Analysed", stream=True),
        "/api/validate": _post("Check categories", validation, "Verdicts", ["categories"]),
        "/api/oracle": _post("Categories as tags and transitions", oracle, "Oracles", ["categories"]),
        "/api/read": _post("Read derivations", reading, "Analysed", ["text"]),
        "/api/render": _render(rendering),
        "/api/models": _get("The models", "Models"),
        "/api/rules": _get("The combinatory rules", "Rules"),
        "/api/openapi.json": _get("This description", None),
        "/health": _get("Whether the service is ready", "Health"),
        "/metrics": {"get": {"summary": "Figures for Prometheus", "responses": _responses("text/plain")}},
    }


def _post(
    summary: str, members: Schema, answer: str, required: list[str] | None = None, stream: bool = False
) -> dict[str, Any]:
    responses = _responses("application/json", {"$ref": f"#/components/schemas/{answer}"}, *_REASONS)
    if stream:  # asked for by the header Accept
        responses["200"]["content"][NDJSON] = {"schema": {"$ref": "#/components/schemas/Sentence"}}
    body = {"type": "object", "properties": members, "additionalProperties": False}
    if required:
        body["required"] = required
    content = {"application/json": {"schema": body}}
    return {
        "post": {
            "summary": summary,
            "requestBody": {"required": True, "content": content},
            "responses": responses,
        }
    }


def _render(members: Schema) -> dict[str, Any]:
    described = _post("Draw or write derivations", members, "Analysed", ["sentences", "format"])
    answers = {media.partition(";")[0]: {"schema": {"type": "string"}} for media in FORMATS.values()}
    described["post"]["responses"]["200"]["content"] = answers
    return described


def _get(summary: str, answer: str | None) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{answer}"} if answer else {"type": "object"}
    return {"get": {"summary": summary, "responses": _responses("application/json", schema)}}


def _responses(media: str, schema: Schema | None = None, *refusals: int) -> dict[str, Any]:
    content = {media: {"schema": schema or {"type": "string"}}}
    found: dict[str, Any] = {"200": {"description": "the answer", "content": content}}
    for status in sorted({*refusals, 400, 401, 500, 503}):
        refused = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
        found[str(status)] = {"description": _REASONS[status], "content": refused}
    return found


def _sentence_schemas(limits: Limits) -> dict[str, Schema]:
    index = {"type": "integer", "minimum": 0}
    tag = _object({"category": _CATEGORY, "logprob": {"type": "number"}}, "category")
    token = _object(
        {
            "word": _WORD,
            "pos": {"type": "string"},
            "start": {"type": "integer"},
            "end": {"type": "integer"},
            "tags": _array(tag, 50, 1),
        },
        "word",
    )
    node = _object(
        {
            "category": _CATEGORY,
            "token": index,
            "children": _array(index, 2, 1),
            "rule": {"type": "string"},
            "head": index,
        },
        "category",
    )
    derivation = _object({"nodes": _array(node, 10 * limits.words, 1)}, "nodes")
    link = _object(
        {"head": index, "category": _CATEGORY, "slot": {"type": "integer"}, "argument": index},
        "head",
        "category",
        "slot",
        "argument",
    )
    sentence = _object(
        {
            "id": {"type": "string"},
            "text": {"type": "string"},
            "tokens": _array(token, limits.words, 1),
            "derivations": _array(derivation, limits.readings),
            "dependencies": _array(link, 100 * limits.words),
            "meta": {"type": "object"},
        },
        "tokens",
    )
    sentence["description"] = "as a line of JSONL holds it (docs/formats.md)"
    words = _array(_WORD, limits.words, 1)
    alternatives = [{"type": "string", "minLength": 1}, words, {"$ref": "#/components/schemas/Sentence"}]
    return {
        "Sentence": sentence,
        "Input": {"description": "a sentence: as text, as words, or as JSONL has it", "oneOf": alternatives},
        "Constraints": _constraints(limits),
    }


def _constraints(limits: Limits) -> Schema:
    word: Schema = {"type": "integer", "minimum": 0, "maximum": limits.words}
    wanted: Schema = {"type": "boolean", "default": True}
    cost: Schema = {
        "type": "number",
        "description": "in nats; without it the constraint always holds",
    }
    several = _array(_CATEGORY, 50)
    span = {"start": word, "end": word, "wanted": wanted, "cost": cost, "categories": several}
    kinds: Schema = {"type": "string", "enum": ["argument", "modifier"]}
    pair = {"head": word, "dependent": word, "kind": kinds, "wanted": wanted, "cost": cost}
    filters = {"word": word, "categories": several, "targets": several, "arguments": several}
    described = {
        "spans": _array(_closed(span, "start", "end"), 250),
        "pairs": _array(_closed(pair, "head", "dependent"), 250),
        "filters": _array(_closed(filters | {"wanted": wanted, "cost": cost}, "word"), 250),
    }
    return _closed(described)


def _answer_schemas() -> dict[str, Schema]:
    text, flag = {"type": "string"}, {"type": "boolean"}
    model = {"name": text, "language": text, "notation": text, "scheme": text, "figures": {"type": "object"}}
    verdict = {"input": text, "valid": flag, "category": text, "error": text, "tree": {"type": "array"}}
    rule = {"symbol": text, "name": text}
    oracle = {"category": text, "atoms": {"type": "integer"}, "sets": {"type": "object"}}
    return {
        "Analysed": _object(
            {"model": text, "sentences": _many({"$ref": "#/components/schemas/Sentence"})}, "sentences"
        ),
        "Verdicts": _object({"categories": _many(_object(verdict, "input", "valid"))}, "categories"),
        "Oracles": _object({"categories": _many(_object(oracle, *oracle))}, "categories"),
        "Models": _object({"models": _many(_object(model, *model))}, "models"),
        "Rules": _object({"rules": _many(_object(rule, *rule))}, "rules"),
        "Health": _object({"status": text, "version": text}, "status", "version"),
        "Refusal": _object({"error": text, "where": text, "retry_after": {"type": "integer"}}, "error"),
    }


def _many(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _array(items: Schema, most: int, least: int = 0) -> Schema:
    return {"type": "array", "items": items, "maxItems": most, "minItems": least}


def _object(members: Mapping[str, Schema], *required: str) -> Schema:
    return {"type": "object", "properties": dict(members), "required": list(required)}


def _closed(members: Mapping[str, Schema], *required: str) -> Schema:
    return _object(members, *required) | {"additionalProperties": False}
