"""Sentences of many clients are read together, and those of clients that have gone are not read at all."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from ccgkit import Sentence, Token

pytest.importorskip("starlette", reason="needs Starlette: pip install 'ccgkit[serve]'")
from ccgkit.serve import Limits, Settings, create_app
from ccgkit.serve.engine import Engine
from ccgkit.serve.metrics import Metrics
from ccgkit.serve.refusal import Refusal
from ccgkit.serve.work import Parsing, Tagging

WORDS = ["Ada", "Bo", "she", "dog", "cat"]


def sentence(number):
    return Sentence((Token(WORDS[number % len(WORDS)]), Token("sleeps")), id=str(number))


def run(model, use, **limits):
    """What `use(engine)` gives, and the figures."""
    metrics = Metrics()

    async def main():
        engine = Engine(model, Limits(**limits), metrics)
        await engine.ready()
        try:
            return await use(engine)
        finally:
            engine.close()

    return asyncio.run(main()), metrics


async def ids(engine, numbers, work):
    return [one["id"] async for one in engine.answers((sentence(number), work) for number in numbers)]


def test_requests_at_a_time_share_batches_and_each_gets_its_own_in_order(model):
    async def use(engine):
        works = [Tagging(), Tagging(k=2), Parsing(), Parsing(nbest=2)]
        jobs = [ids(engine, range(start, start + 5), works[start % 4]) for start in range(0, 200, 5)]
        return await asyncio.gather(*jobs)

    found, metrics = run(model, use)
    assert found == [[str(n) for n in range(start, start + 5)] for start in range(0, 200, 5)]
    assert metrics.sentences["done"] == 200
    assert metrics._batches.total / sum(metrics._batches.counts) > 8  # sentences a batch


def test_who_stops_listening_stops_the_work(model):
    async def use(engine):
        async with aclosing(engine.answers((sentence(n), Parsing()) for n in range(10_000))) as answers:
            async for _ in answers:
                break
        return await ids(engine, [1], Tagging())  # comes after what was left

    found, metrics = run(model, use)
    assert found == ["1"]
    assert metrics.sentences["done"] < 200 and metrics.waiting == 0


def test_what_nobody_waits_for_any_more_is_dropped(model):
    async def use():
        engine = Engine(model, Limits(), metrics)  # whose model is not loaded yet
        waiting = asyncio.ensure_future(ids(engine, range(40), Parsing()))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait({waiting})
        await engine.ready()
        found = await ids(engine, [1], Tagging())
        engine.close()
        return found

    metrics = Metrics()
    assert asyncio.run(use()) == ["1"]
    assert metrics.sentences == {"dropped": 40, "done": 1} and metrics.waiting == 0


def test_a_long_request_does_not_keep_a_short_one_waiting_for_its_end(model):
    async def use(engine):
        long = asyncio.ensure_future(ids(engine, range(600), Tagging()))
        await asyncio.sleep(0)
        await ids(engine, [1], Tagging())
        return long.done() or await long

    found, _ = run(model, use)
    assert found is not True and len(found) == 600


def test_one_bad_sentence_is_its_own_trouble(model):
    bad = Sentence((Token("a"),), tags=((),))

    async def use(engine):
        good = ids(engine, range(3), Parsing())
        return await asyncio.gather(_first(engine, bad), good, return_exceptions=True)

    (trouble, good), _ = run(model, use)
    assert isinstance(trouble, Exception) and good == ["0", "1", "2"]


async def _first(engine, one):
    return [answer async for answer in engine.answers([(one, Parsing())])]


def test_a_stopped_engine_refuses(model):
    async def use(engine):
        engine.close()
        with pytest.raises(Refusal) as refusal:
            await ids(engine, [1], Tagging())
        return refusal.value.status

    assert run(model, use)[0] == 503


def test_a_model_that_does_not_load_is_told_to_whoever_waits(model, tmp_path):
    from dataclasses import replace

    with pytest.raises(Exception, match="elsewhere"):
        run(replace(model, path=tmp_path / "elsewhere"), lambda engine: ids(engine, [1], Tagging()))


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
def test_a_client_that_goes_away_is_not_worked_for(model, accept):
    """As a server calls the application: the body comes, and then the news that nobody listens."""
    body = b'{"sentences": [' + b",".join([b'"Ada sees the old dog near the piano."'] * 900) + b"]}"
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"accept", accept.encode())]
    scope = {"type": "http", "method": "POST", "path": "/api/parse", "headers": headers, "query_string": b"",
             "client": ("127.0.0.1", 1), "server": ("localhost", 80), "scheme": "http", "root_path": "",
             "http_version": "1.1", "asgi": {"version": "3.0"}}  # fmt: skip
    sent = []

    async def main():
        app = create_app(Settings((model,), limits=Limits(requests=1)))
        async with app.router.lifespan_context(app):
            messages = iter([{"type": "http.request", "body": body, "more_body": False}])

            async def receive():
                try:
                    return next(messages)
                except StopIteration:
                    await asyncio.sleep(0.05)
                    return {"type": "http.disconnect"}

            async def send(message):
                sent.append(message)

            await asyncio.wait_for(app(dict(scope), receive, send), 120)
            await asyncio.wait_for(app(dict(scope), receive, send), 120)  # its place is free again

    asyncio.run(main())
    assert b"" not in [message.get("body") for message in sent]  # no answer was finished
    assert {message.get("status", 200) for message in sent} <= {200}
