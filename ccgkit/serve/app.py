"""The service as an ASGI application: its routes and what answers them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, ExitStack, aclosing, asynccontextmanager
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from .._version import __version__
from ..grammar import CCGKitError, Rule
from ..render.html import STYLE
from . import desk
from .analysis import Task, chosen_model, parsing_tasks, tagging_tasks
from .description import FORMATS, NDJSON, describe
from .engine import Engine
from .guard import Admission, Guard, refused
from .metrics import Metrics
from .refusal import Refusal
from .schema import check, decode
from .settings import Settings

__all__ = ["create_app"]

_BODY_SECONDS = 10.0  # for a body to come
_MEDIA = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
Body = dict[str, Any]
Handler = Callable[[Request], Awaitable[Any]]


def create_app(settings: Settings) -> Starlette:
    """The application, which loads its first model when it is started."""
    service = _Service(settings)
    routes = [*service.routes(), *_page_routes()]
    paths = frozenset(route.path for route in routes)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await service.start()
        yield
        service.stop()

    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Guard, settings=settings, metrics=service.metrics, routes=paths)],
        exception_handlers={HTTPException: _not_routed, CCGKitError: _not_possible},
    )


class _Service:
    """The models of a process and what is asked of them."""

    def __init__(self, settings: Settings) -> None:
        self.metrics = Metrics()
        self._settings = settings
        self._limits = settings.limits
        self._admission = Admission(settings.limits)
        self._engines = {
            model.name: Engine(model, settings.limits, self.metrics) for model in settings.models
        }
        self._description = describe(settings)
        self._schemas = self._description["components"]["schemas"]

    def routes(self) -> list[Route]:
        return [
            Route("/api/tag", self._analysis(tagging_tasks), methods=["POST"]),
            Route("/api/parse", self._analysis(parsing_tasks), methods=["POST"]),
            Route("/api/validate", self._question(desk.validate), methods=["POST"]),
            Route("/api/oracle", self._question(desk.account), methods=["POST"]),
            Route("/api/read", self._question(lambda body: desk.read(body, self._limits)), methods=["POST"]),
            Route("/api/render", self._render, methods=["POST"]),
            Route("/api/models", self._models),
            Route("/api/rules", self._rules),
            Route("/api/openapi.json", self._describe),
            Route("/health", self._health),
            Route("/metrics", self._figures),
        ]

    async def start(self) -> None:
        await next(iter(self._engines.values())).ready()

    def stop(self) -> None:
        for engine in self._engines.values():
            engine.close()

    def _analysis(self, tasks_of: Callable[..., list[Task]]) -> Handler:
        """What answers a request for tags or parses: one JSON object, or a stream of sentences."""

        async def answer(request: Request) -> Any:
            with ExitStack() as stack:
                stack.enter_context(self._admission.place(_client(request)))
                body = await self._body(request)
                model = chosen_model(body, self._settings)
                tasks = await asyncio.to_thread(tasks_of, body, model, self._settings)
                engine = self._engines[model.name]
                await engine.ready()
                answers = engine.answers(tasks)
                if NDJSON in request.headers.get("accept", ""):
                    return _Stream(answers, stack.pop_all())
                found = await self._while_awaited(request, _all(answers))
                return JSONResponse({"model": model.name, "sentences": found})

        return answer

    def _question(self, reply: Callable[[Body], Body]) -> Handler:
        """What answers a question that needs no model."""

        async def answer(request: Request) -> JSONResponse:
            with self._admission.place(_client(request)):
                body = await self._body(request)
                return JSONResponse(await self._in_time(asyncio.to_thread(reply, body)))

        return answer

    async def _render(self, request: Request) -> Response:
        with self._admission.place(_client(request)):
            body = await self._body(request)
            drawn = await self._in_time(asyncio.to_thread(desk.render, body))
            return Response(drawn, media_type=FORMATS[body["format"]])

    async def _models(self, request: Request) -> JSONResponse:
        names = ("name", "language", "notation", "scheme", "data", "licence")
        return JSONResponse(
            {
                "models": [
                    {name: getattr(model, name) for name in names} | {"figures": dict(model.figures)}
                    for model in self._settings.models
                ]
            }
        )

    async def _rules(self, request: Request) -> JSONResponse:
        named = [{"symbol": rule.symbol, "name": rule.name.lower().replace("_", " ")} for rule in Rule]
        return JSONResponse({"rules": named})

    async def _describe(self, request: Request) -> JSONResponse:
        return JSONResponse(self._description)

    async def _health(self, request: Request) -> JSONResponse:
        if not next(iter(self._engines.values())).is_alive:
            raise Refusal(503, "the model is not running", retry_after=5)
        return JSONResponse({"status": "ok", "version": __version__})

    async def _figures(self, request: Request) -> PlainTextResponse:
        return PlainTextResponse(self.metrics.text(), media_type="text/plain; version=0.0.4")

    async def _body(self, request: Request) -> Body:
        """The body, of bounded size and as the description has it."""
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise Refusal(415, "send the body as Content-Type: application/json")
        try:
            async with asyncio.timeout(_BODY_SECONDS):
                value = decode(await _bounded(request, self._limits.body))
        except TimeoutError:
            raise Refusal(408, f"the body did not come within {_BODY_SECONDS:g} seconds") from None
        described = self._description["paths"][request.url.path]["post"]["requestBody"]
        check(value, described["content"]["application/json"]["schema"], self._schemas)
        return value  # type: ignore[no-any-return]

    async def _in_time(self, work: Awaitable[Any]) -> Any:
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await work
        except TimeoutError:
            reason = f"no answer within {self._limits.seconds:g} seconds"
            raise Refusal(503, reason, retry_after=5) from None

    async def _while_awaited(self, request: Request, work: Awaitable[Any]) -> Any:
        """What the work gives, unless the client goes away or the time is over."""
        working = asyncio.ensure_future(self._in_time(work))
        leaving = asyncio.ensure_future(_departure(request.receive))
        try:
            await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise ClientDisconnect
            return working.result()
        finally:
            working.cancel()
            leaving.cancel()


class _Stream:
    """An answer of JSON objects, one a line, as they come; what goes wrong on the way is the last one."""

    def __init__(self, answers: AsyncIterator[Body], place: AbstractContextManager[Any]) -> None:
        self._answers, self._place = answers, place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._place:
            writing = asyncio.ensure_future(self._write(send))
            leaving = asyncio.ensure_future(_departure(receive))
            try:
                await asyncio.wait({writing, leaving}, return_when=asyncio.FIRST_COMPLETED)
                if writing.done():
                    writing.result()
            finally:
                writing.cancel()
                leaving.cancel()

    async def _write(self, send: Send) -> None:
        head = [(b"content-type", NDJSON.encode()), (b"x-accel-buffering", b"no")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        async for line in self._lines():
            await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async def _lines(self) -> AsyncIterator[bytes]:
        try:
            async with aclosing(self._answers) as answers:  # type: ignore[type-var]
                async for answer in answers:
                    yield _line(answer)
        except CCGKitError as error:
            yield _line(_refusal(error).to_dict())


def _line(value: Body) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


async def _all(answers: AsyncIterator[Body]) -> list[Body]:
    async with aclosing(answers) as found:  # type: ignore[type-var]
        return [answer async for answer in found]


async def _departure(receive: Receive) -> None:
    """Ends when the client goes away."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _bounded(request: Request, most: int) -> bytes:
    """The bytes of the body, no more than so many."""
    too_large = Refusal(413, f"the body is larger than {most} bytes")
    declared = request.headers.get("content-length", "0")
    if declared.isdecimal() and int(declared[:20]) > most:
        raise too_large
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise too_large
    return bytes(body)


def _client(request: Request) -> str:
    return request.client.host if request.client else ""


def _refusal(error: CCGKitError) -> Refusal:
    return error if isinstance(error, Refusal) else Refusal(422, str(error))


async def _not_possible(request: Request, error: Exception) -> Response:
    return refused(_refusal(error)) if isinstance(error, CCGKitError) else Response(status_code=500)


async def _not_routed(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    reason = "the method is not allowed here" if status == 405 else "there is nothing here"
    return refused(Refusal(status, reason))


def _page_routes() -> list[Route]:
    """The files of the page, read once: no path of a request ever names a file."""
    folder = files(__package__) / "page"
    contents = {
        f"/page/{file.name}": (file.read_bytes(), _MEDIA[f".{file.name.rpartition('.')[2]}"])
        for file in folder.iterdir()
        if f".{file.name.rpartition('.')[2]}" in _MEDIA
    }
    contents["/page/derivation.css"] = (STYLE.encode(), "text/css")
    contents["/"] = contents.pop("/page/index.html")
    return [Route(path, _file(*content)) for path, content in sorted(contents.items())]


def _file(content: bytes, media: str) -> Handler:
    async def answer(request: Request) -> Response:
        return Response(content, media_type=media, headers={"Cache-Control": "no-cache"})

    return answer
