"""A worker process of `ccgkit serve`."""

from __future__ import annotations

import logging
import sys

from starlette.applications import Starlette

from .app import create_app
from .settings import Settings

__all__ = ["make_app"]


def make_app(settings: Settings) -> Starlette:
    """The application of this process, which tells on standard error what it has answered."""
    logger, handler = logging.getLogger("ccgkit"), logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s [%(process)d] %(levelname)s %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    return create_app(settings)
