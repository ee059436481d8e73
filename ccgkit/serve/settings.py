"""What a service offers, to whom, and how much of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..models.registry import ModelInfo

__all__ = ["LOOPBACK", "Limits", "Settings"]

LOOPBACK = ("127.0.0.1", "localhost", "::1")  #: hosts that only this machine reaches


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a request may ask for, and how many there may be; what is beyond is refused with a reason."""

    body: int = 1_000_000  #: bytes of a request's body
    sentences: int = 1000  #: sentences of a request
    words: int = 250  #: words of a sentence
    seconds: float = 30.0  #: time for a request; for each sentence, where the answer is a stream
    parse_seconds: float = 5.0  #: time to search for the parses of a sentence
    items: int = 300_000  #: items of a chart
    readings: int = 10  #: readings of a sentence
    requests: int = 256  #: requests that are answered at a time
    client_requests: int = 64  #: those of one address


@dataclass(frozen=True, slots=True)
class Settings:
    """A service: its models, the first of which is the default, and who may use it.

    With a token, every request but those for the page and for `/health` must bring it. Without one, only
    requests to a loopback name are answered, so that no page of another site can reach the service.
    """

    models: tuple[ModelInfo, ...]
    token: str | None = None
    limits: Limits = field(default_factory=Limits)
