"""A service with a small untrained model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from toy import small_tagger

from ccgkit.models.registry import ModelInfo, describe

if TYPE_CHECKING:
    from starlette.testclient import TestClient


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> ModelInfo:
    folder = tmp_path_factory.mktemp("models") / "toy"
    small_tagger("cg", scheme="rebank").save(folder)
    return describe(folder)


@pytest.fixture(scope="session")
def client_of(model: ModelInfo) -> Callable[..., TestClient]:
    """Makes a client of a service of its own."""
    from starlette.testclient import TestClient

    from ccgkit.serve import Limits, Settings, create_app

    def make(token: str | None = None, **limits: Any) -> TestClient:
        return TestClient(create_app(Settings((model,), token, Limits(**limits))), "http://localhost")

    return make


@pytest.fixture(scope="session")
def client(client_of: Callable[..., TestClient]) -> Iterator[TestClient]:
    with client_of() as opened:
        yield opened
