"""A service that listens, in a thread of the tests."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ccgkit.models.registry import ModelInfo


@contextmanager
def served(*models: ModelInfo, token: str | None = None) -> Iterator[str]:
    """The address of a service with these models."""
    import uvicorn

    from ccgkit.serve import Settings, create_app

    server = uvicorn.Server(uvicorn.Config(create_app(Settings(models, token)), port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join(30)
