"""The service, asked in process."""

from __future__ import annotations

import json
import logging
import re
from html.parser import HTMLParser

import pytest

from ccgkit import Category
from ccgkit.corpora import loads
from ccgkit.models.registry import ModelInfo
from ccgkit.pipeline import load

pytest.importorskip("starlette", reason="needs Starlette: pip install 'ccgkit[serve]'")
from ccgkit.serve import desk

TEXT = "Ada sees the old dog. She sleeps."
AUTO = r"""ID=s1 PARSER=GOLD NUMPARSE=1
(<T S[dcl] 1 2> (<T NP 1 2> (<L NP[nb]/N DT DT The NP[nb]/N>) (<L N NN NN dog N>) ) (<L S[dcl]\NP VBZ VBZ barks S[dcl]\NP>) )
"""  # noqa: E501
NDJSON = {"accept": "application/x-ndjson"}


def sentences(client, path: str, **body):
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()["sentences"]


def refusal(client, path: str, **body):
    answer = client.post(path, json=body)
    return answer.status_code, answer.json()


@pytest.mark.parametrize("path", ["/api/tag", "/api/parse"])
def test_the_answer_is_the_pipelines_in_the_schema_of_jsonl(client, model: ModelInfo, path):
    nlp = load(model)
    document = nlp.tag(TEXT) if path == "/api/tag" else nlp.parse(TEXT, max_items=300_000)
    found = sentences(client, path, text=TEXT)
    assert json.dumps(found) == json.dumps(document.to_dict()["sentences"])
    assert len(list(loads("\n".join(map(json.dumps, found)), "jsonl"))) == 2


@pytest.mark.parametrize("path", ["/api/tag", "/api/parse"])
def test_a_stream_has_the_same_sentences_one_a_line(client, path):
    many = {"sentences": ["Ada sees the dog."] * 150}  # more than wait at a time
    answer = client.post(path, json=many, headers=NDJSON)
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert [json.loads(line) for line in answer.text.splitlines()] == sentences(client, path, **many)


def test_a_sentence_is_text_words_or_what_jsonl_holds(client):
    held = {"id": "s1", "tokens": [{"word": "Ada", "pos": "NNP"}, {"word": "sleeps", "pos": "VBZ"}]}
    found = sentences(client, "/api/tag", sentences=["Ada sleeps", ["Ada", "sleeps"], held])
    assert [[token["word"] for token in one["tokens"]] for one in found] == [["Ada", "sleeps"]] * 3
    assert found[2]["id"] == "s1" and found[2]["tokens"][1]["pos"] == "VBZ"


def tagged(*pairs):
    """A sentence of JSONL with one category a word."""
    return {"tokens": [{"word": word, "tags": [{"category": category}]} for word, category in pairs]}


MAN = tagged(
    ("I", "NP"), ("saw", r"(S[dcl]\NP)/NP"), ("the", "NP/N"), ("man", "N"), ("with", r"(N\N)/NP"),
    ("it", "NP"),
)  # fmt: skip


def leaves(sentence, reading=0):
    return [node["category"] for node in sentence["derivations"][reading]["nodes"] if "token" in node]


def test_tags_that_come_with_a_sentence_are_parsed_as_they_are(client):
    (found,) = sentences(client, "/api/parse", sentences=[MAN])
    assert leaves(found) == [token["tags"][0]["category"] for token in MAN["tokens"]]
    assert found["meta"]["status"] == "parsed"
    links = {(link["head"], link["slot"], link["argument"]) for link in found["dependencies"]}
    assert {(1, 1, 0), (1, 2, 3)} <= links


def test_a_fixed_category_is_kept_to_and_another_sentence_is_free(client):
    fixed = {"filters": [{"word": 4, "categories": [r"((S\NP)\(S\NP))/NP"]}]}
    first, second = sentences(client, "/api/parse", sentences=[MAN, MAN], constraints=[fixed, None])
    assert leaves(first)[4] == r"((S\NP)\(S\NP))/NP" and leaves(second)[4] == r"(N\N)/NP"


def spans(sentence):
    (derivation, *_) = sentence["derivations"]
    nodes, found = derivation["nodes"], {}
    for place in range(len(nodes) - 1, -1, -1):
        node = nodes[place]
        below = [found[child] for child in node.get("children", ())]
        found[place] = (below[0][0], below[-1][1]) if below else (node["token"], node["token"] + 1)
    return set(found.values())


def test_a_span_is_required_or_forbidden(client):
    free, kept, without = sentences(
        client,
        "/api/parse",
        sentences=[MAN] * 3,
        constraints=[
            None,
            {"spans": [{"start": 2, "end": 4}], "filters": [{"word": 4, "categories": [r"(NP\NP)/NP"]}]},
            {"spans": [{"start": 3, "end": 6, "wanted": False}]},
        ],
    )
    assert (3, 6) in spans(free)
    assert (2, 4) in spans(kept)
    assert not without["derivations"] or (3, 6) not in spans(without)


def test_readings_are_as_many_as_are_wanted_and_different(client):
    (found,) = sentences(client, "/api/parse", text="Ada sees the dog near the piano.", nbest=3)
    drawn = [json.dumps(one) for one in found["derivations"]]
    assert 1 <= len(drawn) <= 3 and len(set(drawn)) == len(drawn)


def test_another_notation_is_that_of_all_categories(client):
    king = tagged(("the", "NP/N"), ("king", "N/PP"), ("of", "PP/NP"), ("France", "N"))
    (found,) = sentences(client, "/api/parse", sentences=[king], notation="ccgbank")
    assert leaves(found) == ["NP[nb]/N", "N", r"(NP\NP)/NP", "N"]
    assert [token["tags"][0]["category"] for token in found["tokens"]] == leaves(found)


@pytest.mark.parametrize("text", ["", " \n "])
def test_a_text_without_sentences_has_none(client, text):
    assert sentences(client, "/api/parse", text=text) == []


@pytest.mark.parametrize(
    ("body", "where", "reason"),
    [
        ({}, "", "either"),
        ({"text": "a", "sentences": []}, "", "either"),
        ({"text": 3}, "/text", "a string"),
        ({"text": "a", "model": "/etc"}, "/model", "one of toy"),
        ({"text": "a", "nbest": 99}, "/nbest", "between 1 and 10"),
        ({"text": "a", "nbest": True}, "/nbest", "an integer"),
        ({"text": "a", "path": "b"}, "", "'path'"),
        ({"text": "a \ud800"}, "/text", "surrogate"),
        ({"sentences": [["a"] * 251]}, "/sentences/0", "251 items"),
        ({"sentences": ["a " * 251]}, "/sentences/0", "251 words"),
        ({"sentences": [[]]}, "/sentences/0", "0 items"),
        ({"sentences": [3]}, "/sentences/0", "wrong type"),
        ({"sentences": [{"tokens": [{"word": "a", "x": 1}]}]}, "/sentences/0", "no member 'x'"),
        ({"text": "a.", "constraints": [None, None]}, "/constraints", "2 constraints for 1"),
        ({"text": "a.", "constraints": [{"spans": [{"start": 0, "end": 9}]}]}, None, "word 8"),
        ({"text": "a.", "constraints": [{"spans": [{"start": 1, "end": 1}]}]}, None, "holds none"),
        ({"text": "a.", "constraints": [{"filters": [{"word": 0, "categories": ["S//"]}]}]}, None, "slashes"),
    ],
)
def test_what_cannot_be_answered_says_where_and_why(client, body, where, reason):
    content = json.dumps(body)
    answer = client.post("/api/parse", content=content, headers={"content-type": "application/json"})
    assert answer.status_code == 422, answer.text
    assert answer.json().get("where") == where and reason in answer.json()["error"]


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b'{"text": NaN}', "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b'{"text": "a"}', "text/plain", 415),
        (b'{"text": "' + b"a" * 1_000_000 + b'"}', "application/json", 413),
    ],
)
def test_bodies_that_are_not_read(client, content, kind, status):
    answer = client.post("/api/parse", content=content, headers={"content-type": kind})
    assert answer.status_code == status and answer.json()["error"]


def test_a_body_is_not_read_beyond_its_limit_whatever_length_it_declares(client):
    read = []

    def pieces():
        for piece in range(100):
            read.append(piece)
            yield b" " * 100_000

    answer = client.post("/api/tag", content=pieces(), headers={"content-type": "application/json"})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("limits", "body", "status"),
    [
        ({"requests": 0}, {"text": "Go."}, 503),
        ({"client_requests": 0}, {"text": "Go."}, 429),
        ({"seconds": 1e-9}, {"text": "Go."}, 503),
        ({"sentences": 2}, {"text": "Go. Go. Go."}, 422),
    ],
)
def test_limits_are_answered_with_a_reason_and_when_to_come_again(client_of, limits, body, status):
    with client_of(**limits) as client:
        answer = client.post("/api/parse", json=body)
    assert answer.status_code == status and answer.json()["error"]
    assert ("retry-after" in answer.headers) is (status in (429, 503))


def test_a_stream_that_runs_out_of_time_says_so_in_its_last_line(client_of):
    with client_of(seconds=1e-9) as client:
        answer = client.post("/api/parse", json={"text": "Go."}, headers=NDJSON)
    (line,) = answer.text.splitlines()
    assert answer.status_code == 200 and "no answer within" in json.loads(line)["error"]


def test_a_place_is_free_again_after_an_answer_a_refusal_and_a_stream(client_of):
    with client_of(requests=1) as client:
        for _ in range(2):
            assert client.post("/api/tag", json={"text": "Go."}).status_code == 200
            assert client.post("/api/tag", json={"text": 1}).status_code == 422
            assert client.post("/api/tag", json={"text": "Go."}, headers=NDJSON).status_code == 200


def test_nothing_is_found_where_nothing_is(client):
    assert client.get("/api/nothing").json() == {"error": "there is nothing here"}
    assert client.get("/page/../app.py").status_code == 404
    assert client.get("/api/parse").status_code == 405


class TestAccess:
    def test_without_a_token_only_the_machine_itself_is_answered(self, client):
        for host in ("localhost", "127.0.0.1:8000", "[::1]:8000"):
            assert client.get("/health", headers={"host": host}).status_code == 200
        assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400

    def test_with_a_token_the_service_wants_it_and_the_page_does_not(self, client_of):
        with client_of(token="s3cret") as client:
            assert client.get("/").status_code == client.get("/health").status_code == 200
            for path in ("/api/models", "/metrics"):
                refused = client.get(path)
                assert refused.status_code == 401 and refused.headers["www-authenticate"] == "Bearer"
                assert client.get(path, headers={"authorization": "Bearer wrong"}).status_code == 401
                assert client.get(path, headers={"authorization": "Bearer s3cret"}).status_code == 200


def test_no_text_of_a_request_is_logged_not_even_by_a_fault(client, caplog, monkeypatch):
    caplog.set_level(logging.DEBUG, "ccgkit")
    client.post("/api/parse?q=marigold", json={"text": "The marigold sleeps."})
    client.get("/marigold")
    client.post("/api/validate", json={"categories": ["marigold//"]})

    def fail(body):
        raise RuntimeError(body["categories"][0])

    monkeypatch.setattr(desk.Category, "parse", lambda text, **_: fail({"categories": [text]}))
    answer = client.post("/api/validate", json={"categories": ["marigold"]})
    assert answer.status_code == 500 and answer.json() == {"error": "a fault of the service"}
    assert "RuntimeError at" in caplog.text and "POST /api/parse 200" in caplog.text
    assert "marigold" not in caplog.text


def test_categories_are_checked_and_explained(client):
    answer = client.post("/api/validate", json={"categories": [r"(S[dcl]\NP)/PP", "S//", "NP[x]"]}).json()
    verb, wrong, _ = answer["categories"]
    assert verb["tree"][0] == "/" and verb["target"] == "S[dcl]"
    assert verb["slots"] == [
        {"slot": 1, "slash": "\\", "category": "NP"},
        {"slot": 2, "slash": "/", "category": "PP"},
    ]
    assert not wrong["valid"] and wrong["column"] == 3
    flagged = client.post("/api/validate", json={"categories": ["Q"], "inventory": "ccgbank"}).json()
    assert not flagged["categories"][0]["valid"]


def test_oracles_have_sequences_and_transitions(client):
    (found,) = client.post("/api/oracle", json={"categories": [r"(NP/NP)\NP"], "k": 1}).json()["categories"]
    assert found["sets"]["PA"]["sequences"] == [["(", "NP/NP", ")", "\\", "NP", "<eos>"]]
    assert found["transitions"][-1]["action"] == "stop"
    deep = "/".join(["NP"] * 2)
    for _ in range(5):
        deep = f"({deep})/({deep})"
    status, answer = refusal(client, "/api/oracle", categories=[deep], k=1000, n=8, all=True)
    assert status == 422 and "sequences" in answer["error"]
    assert refusal(client, "/api/oracle", categories=["S//"])[0] == 422


def test_a_pasted_derivation_gets_rules_and_dependencies(client):
    (found,) = sentences(client, "/api/read", text=AUTO)
    assert {node.get("rule") for node in found["derivations"][0]["nodes"]} == {"<", ">", None}
    assert {(link["head"], link["argument"]) for link in found["dependencies"]} >= {(2, 1)}
    status, answer = refusal(client, "/api/read", text="ID=1\n(<T S 1")
    assert status == 422 and answer["error"]


@pytest.mark.parametrize(
    ("form", "beginning"),
    [("svg", "<svg "), ("latex", "%"), ("auto", "ID="), ("html", "<!DOCTYPE"), ("jsonl", "{")],
)
def test_derivations_are_drawn_and_written(client, form, beginning):
    parsed = sentences(client, "/api/parse", sentences=[MAN])
    answer = client.post("/api/render", json={"sentences": parsed, "format": form})
    assert answer.status_code == 200 and answer.text.startswith(beginning) and "saw" in answer.text


def test_only_derivations_are_drawn(client):
    tags_only = {"sentences": [{"tokens": [{"word": "a"}]}], "format": "svg"}
    assert refusal(client, "/api/render", **tags_only)[1]["where"] == "/sentences/0"


def test_the_models_are_listed_without_their_places(client, model):
    answer = client.get("/api/models")
    assert [one["name"] for one in answer.json()["models"]] == ["toy"]
    assert str(model.path.parent) not in answer.text


def test_figures_are_what_prometheus_reads(client):
    client.post("/api/tag", json={"text": "Ada sleeps."})
    lines = client.get("/metrics").text.splitlines()
    sample = re.compile(r'\w+\{(\w+="[^"]*",?)+\} [\d.e+-]+$')
    assert all(line.startswith("# TYPE ") or sample.match(line) for line in lines)
    assert any(line.startswith("ccgkit_requests_total{") and 'route="/api/tag"' in line for line in lines)


def test_every_answer_forbids_what_the_page_does_not_need(client):
    for answer in (client.get("/"), client.get("/nothing"), client.post("/api/tag", json={})):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'") and "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"


class Links(HTMLParser):
    """What a page fetches, and what it holds that a strict policy forbids."""

    def __init__(self, text):
        super().__init__()
        self.fetched, self.forbidden = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.fetched += [found[name] for name in ("src", "href") if found.get(name)]
        self.forbidden += [name for name in found if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in found):
            self.forbidden.append(tag)


def test_the_page_needs_nothing_of_another_host_and_has_nothing_inline(client):
    page = Links(client.get("/").text)
    assert page.forbidden == [] and page.fetched
    for link in page.fetched:
        if not link.startswith("#"):
            assert link.startswith("/page/") and client.get(link).status_code == 200
            assert "http" not in re.sub(r"http://www\.w3\.org/\S+", "", client.get(link).text)


def test_categories_of_an_answer_are_categories(client):
    for one in sentences(client, "/api/tag", text=TEXT, k=3, beta=0.0):
        for token in one["tokens"]:
            assert [str(Category.parse(tag["category"])) for tag in token["tags"]]
