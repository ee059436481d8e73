"""What stands before every request: who may ask, how much at a time, and what is noted of it.

No text of a request is written to the log: of a fault only its kind and its place in the code.
"""

from __future__ import annotations

import hmac
import logging
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .metrics import Metrics
from .refusal import Refusal
from .settings import LOOPBACK, Limits, Settings

__all__ = ["Admission", "Guard", "refused"]

_log = logging.getLogger(__name__)

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_GUARDED = ("/api/", "/metrics")
_GONE = 499  # the client, before there was an answer


def refused(refusal: Refusal) -> JSONResponse:
    """The answer that says why there is none."""
    headers = {} if refusal.retry_after is None else {"Retry-After": str(refusal.retry_after)}
    if refusal.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(refusal.to_dict(), refusal.status, headers)


class Admission:
    """So many requests are answered at a time, and so many of one client."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[str] = Counter()

    @contextmanager
    def place(self, client: str) -> Iterator[None]:
        """A place among the requests that are answered, or a `Refusal`."""
        if self._open.total() >= self._limits.requests:
            raise Refusal(503, "too many requests are being answered", retry_after=2)
        if self._open[client] >= self._limits.client_requests:
            raise Refusal(429, "too many requests of this client are being answered", retry_after=2)
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            self._open += Counter()  # which forgets clients without any


class Guard:
    """An ASGI application around another: host and token, headers, figures, faults."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics, routes: frozenset[str]) -> None:
        self._app, self._settings, self._metrics, self._routes = app, settings, metrics, routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, answer = monotonic(), _Answer(send)
        self._metrics.open += 1
        try:
            self._admit(scope)
            await self._app(scope, receive, answer.send)
        except Refusal as refusal:
            await refused(refusal)(scope, receive, answer.send)
        except ClientDisconnect:
            pass  # nobody is there to be told anything
        except Exception as error:
            _log.error("%s", _account(error))
            if not answer.status:
                await refused(Refusal(500, "a fault of the service"))(scope, receive, answer.send)
        finally:
            self._metrics.open -= 1
            route = scope["path"] if scope["path"] in self._routes else "other"
            seconds = monotonic() - start
            self._metrics.answered(route, answer.status or _GONE, seconds)
            _log.info("%s %s %d %.0f ms", scope["method"], route, answer.status or _GONE, 1000 * seconds)

    def _admit(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if self._settings.token is None:
            if _host(headers.get("host", "")) not in LOOPBACK:
                raise Refusal(400, "this service answers only to the name localhost")
        elif scope["path"].startswith(_GUARDED):
            given = headers.get("authorization", "").removeprefix("Bearer ")
            if not hmac.compare_digest(given.encode(), self._settings.token.encode()):
                raise Refusal(401, "the token is missing or wrong: send it as Authorization: Bearer TOKEN")


class _Answer:
    """What is sent, with the headers that everything has, and its status."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await self._send(message)


def _host(header: str) -> str:
    """The host's name without the port: `[::1]:8000` is `::1`."""
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.rpartition(":")[0] if ":" in header else header


def _account(error: Exception) -> str:
    """The kind of the fault and where it arose; its message may hold text of the request."""
    frames: Any = traceback.extract_tb(error.__traceback__)
    places = " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__} at {places}"
