"""The service is as its OpenAPI description says, whatever is sent to it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import categories, examples

pytest.importorskip("starlette", reason="needs Starlette: pip install 'ccgkit[serve]'")
from ccgkit.serve import Settings, create_app
from ccgkit.serve.description import describe
from ccgkit.serve.refusal import Refusal
from ccgkit.serve.schema import check

POSTS = ["/api/tag", "/api/parse", "/api/validate", "/api/oracle", "/api/read", "/api/render"]


@pytest.fixture(scope="session")
def description(client) -> dict[str, Any]:
    return client.get("/api/openapi.json").json()


def test_every_route_is_described_and_every_described_route_is_there(model):
    app = create_app(Settings((model,)))
    routes = {
        (route.path, method.lower())
        for route in app.routes
        for method in route.methods - {"HEAD"}
        if route.path != "/" and not route.path.startswith("/page/")
    }
    described = {
        (path, method) for path, item in describe(Settings((model,)))["paths"].items() for method in item
    }
    assert routes == described


def test_every_reference_leads_somewhere(description):
    schemas = description["components"]["schemas"]

    def references(value):
        if isinstance(value, dict):
            yield from (
                [value["$ref"]]
                if "$ref" in value
                else (ref for part in value.values() for ref in references(part))
            )
        elif isinstance(value, list):
            yield from (ref for part in value for ref in references(part))

    found = set(references(description))
    assert found and {name.removeprefix("#/components/schemas/") for name in found} <= set(schemas)


def values(schema: dict[str, Any], schemas: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a schema describes, small ones."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rsplit("/", 1)[1]]
    if "oneOf" in schema:
        return st.one_of(*(values(one, schemas) for one in schema["oneOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "object":
            members = {name: values(one, schemas) for name, one in schema.get("properties", {}).items()}
            needed = {name: members.pop(name) for name in schema.get("required", ())}
            return st.fixed_dictionaries(needed, optional=members)
        case "array":
            few = min(schema.get("maxItems", 3), 3)
            return st.lists(
                values(schema["items"], schemas), min_size=schema.get("minItems", 0), max_size=few
            )
        case "string":
            texts = st.one_of(categories().map(str), st.text(max_size=12), st.just("Ada sees Bo."))
            return texts.filter(lambda text: len(text) >= schema.get("minLength", 0))
        case "integer":
            return st.integers(schema.get("minimum", -3), min(schema.get("maximum", 9), 9))
        case "number":
            return st.floats(schema.get("minimum", -9), schema.get("maximum", 9), allow_nan=False)
        case "boolean":
            return st.booleans()
        case _:
            return st.none()


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside, max_size=3),
    max_leaves=8,
)


def answer_as_described(client, description, path, body) -> int:
    answer = client.post(path, content=json.dumps(body), headers={"content-type": "application/json"})
    responses = description["paths"][path]["post"]["responses"]
    assert str(answer.status_code) in responses and answer.status_code != 500, answer.text
    content = responses[str(answer.status_code)]["content"]
    media = answer.headers["content-type"].partition(";")[0]
    assert media in content
    if media == "application/json":
        check(answer.json(), content[media]["schema"], description["components"]["schemas"])
    return answer.status_code


@pytest.mark.parametrize("path", POSTS)
@examples(15)
@given(data=st.data())
def test_what_is_described_is_answered_as_described(client, description, path, data):
    schema = description["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    body = data.draw(values(schema, description["components"]["schemas"]))
    assert answer_as_described(client, description, path, body) in (200, 422)


@pytest.mark.parametrize("path", POSTS)
@examples(15)
@given(data=st.data())
def test_whatever_else_is_sent_is_refused_as_described(client, description, path, data):
    schema = description["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    body = data.draw(st.one_of(anything, _spoilt(schema, description["components"]["schemas"])))
    assert answer_as_described(client, description, path, body) in (200, 422)


def _spoilt(schema: dict[str, Any], schemas: dict[str, Any]) -> st.SearchStrategy[Any]:
    """A described body with one member replaced by anything."""
    names = st.sampled_from(sorted(schema["properties"]))
    return st.builds(
        lambda body, name, value: {**body, name: value}, values(schema, schemas), names, anything
    )


@given(value=anything)
def test_only_what_json_schema_says_is_refused_by_the_check(value):
    """The part of JSON Schema that the check knows, against the words of the standard."""
    schema = {"type": "array", "items": {"type": "integer", "minimum": 0}, "maxItems": 2}
    fits = (
        isinstance(value, list)
        and len(value) <= 2
        and all(type(one) is int and 0 <= one <= 10**300 for one in value)
    )
    try:
        check(value, schema, {})
    except Refusal as refusal:
        assert not fits and refusal.status == 422
    else:
        assert fits, json.dumps(value)
