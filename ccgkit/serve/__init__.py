"""The service and its page: `ccgkit serve`. Needs Starlette and uvicorn, which the extra `serve` installs."""

from .app import create_app
from .settings import Limits, Settings

__all__ = ["Limits", "Settings", "create_app"]
