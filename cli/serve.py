"""`ccgkit serve`: a page to look at parses, and a service."""

from __future__ import annotations

import logging
import socket
from functools import partial
from typing import TYPE_CHECKING

import click

from ccgkit import CCGKitError

if TYPE_CHECKING:
    from ccgkit.models.registry import ModelInfo
    from ccgkit.serve import Settings

__all__ = ["command"]

_STOPPING = 20  # seconds that open requests have when the service is stopped
_NOT_STARTED = 3  # the code with which uvicorn ends a worker whose application does not start
_HUNG = 60  # seconds after which a worker without a sign of life is replaced


@click.command("serve", short_help="Serve a page that shows parses.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="Port to listen on; 0 takes one that is free.")  # fmt: skip
@click.option("--model", "names", metavar="NAME|DIR", multiple=True,
              help="A model of the package, or the directory of one; repeat it for several, of which the "
              "first is the default. [default: all of the package, English first]")  # fmt: skip
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True,
              help="Processes, each with the models and one core's work.")  # fmt: skip
@click.option("--token", envvar="CCGKIT_TOKEN", metavar="TOKEN",
              help="Requests must send this; needed for a host other than this machine. Better given as "
              "CCGKIT_TOKEN in the environment, which other users cannot see.")  # fmt: skip
@click.option("--max-sentences", type=click.IntRange(1), help="Sentences per request. [default: 1000]")
@click.option("--max-words", type=click.IntRange(1, 1000), help="Words per sentence. [default: 250]")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), help="Seconds per request. [default: 30]")
def command(
    host: str,
    port: int,
    names: tuple[str, ...],
    workers: int,
    token: str | None,
    max_sentences: int | None,
    max_words: int | None,
    timeout: float | None,
) -> None:
    """Serve a page that shows parses, and the service behind it.

    \b
    ccgkit serve                      # then open http://127.0.0.1:8000
    CCGKIT_TOKEN=secret ccgkit serve --host 0.0.0.0 --workers 4
    """
    try:
        from ccgkit.serve import Limits, Settings
        from ccgkit.serve.settings import LOOPBACK
    except ImportError as error:
        raise CCGKitError(
            f"the service needs Starlette and uvicorn: pip install starlette uvicorn ({error})"
        ) from error
    if token == "":
        raise click.UsageError("the token is empty")
    if host not in LOOPBACK and token is None:
        raise click.UsageError(
            f"others can reach {host}: give --token, or stay at 127.0.0.1 behind a server that asks for one"
        )
    given = {"sentences": max_sentences, "words": max_words, "seconds": timeout}
    limits = Limits(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    _run(Settings(_models(names), token, limits), host, port, workers)


def _models(names: tuple[str, ...]) -> tuple[ModelInfo, ...]:
    from ccgkit.models.registry import find, installed

    from .tagger_options import find_model

    if names:
        models = {(model := find_model(name, None)).name: model for name in names}
        if len(models) < len(names):
            raise click.UsageError("the models need different names, by which requests choose them")
        return tuple(models.values())
    first = find()
    return (first, *(model for model in installed() if model.name != first.name))


def _run(settings: Settings, host: str, port: int, workers: int) -> None:
    """Listen, and keep so many workers alive until a signal ends it."""
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    from ccgkit.serve.worker import make_app

    config = uvicorn.Config(
        partial(make_app, settings),
        factory=True,
        host=host,
        port=port,
        workers=workers,
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=_STOPPING,
        timeout_worker_healthcheck=_HUNG,
    )
    listening = _listen(host, port)
    name = f"[{host}]" if ":" in host else host
    click.echo(f"ccgkit serves http://{name}:{listening.getsockname()[1]} (Ctrl-C ends it)", err=True)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    supervisor = Multiprocess(config, sockets=[listening])
    supervisor.run()
    if any(process.exitcode == _NOT_STARTED for process in supervisor.processes):
        raise CCGKitError("the service could not be started: the reason is above")


def _listen(host: str, port: int) -> socket.socket:
    """The socket that the workers share."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise CCGKitError(f"cannot listen on {host}, port {port}: {error.strerror or error}") from error
    listening.set_inheritable(True)
    return listening
