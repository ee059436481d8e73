"""Requests that are not answered, and why."""

from __future__ import annotations

from typing import Any

from ..grammar import CCGKitError

__all__ = ["Refusal"]


class Refusal(CCGKitError):
    """A request that is refused: the HTTP status, the reason, and after how many seconds to try again.

    `where` is the place in the body, as a JSON pointer.
    """

    def __init__(
        self, status: int, reason: str, *, where: str | None = None, retry_after: int | None = None
    ) -> None:
        super().__init__(reason)
        self.status, self.reason, self.where, self.retry_after = status, reason, where, retry_after

    def to_dict(self) -> dict[str, Any]:
        """The body of the answer."""
        found = {"error": self.reason, "where": self.where, "retry_after": self.retry_after}
        return {name: value for name, value in found.items() if value is not None}
