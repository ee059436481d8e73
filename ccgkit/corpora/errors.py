"""What goes wrong with corpus files: a damaged file, or a format that cannot say what is asked of it."""

from __future__ import annotations

from ..grammar import CategorySyntaxError, CCGKitError

__all__ = ["CorpusError", "FormatError"]


class CorpusError(CCGKitError, ValueError):
    """A corpus file that does not read: what is wrong, in which file, line and column (from 1).

    `text` is the offending line. `line` and `column` are None where the fault has no such place.
    """

    def __init__(
        self,
        reason: str,
        path: str = "<text>",
        line: int | None = None,
        column: int | None = None,
        text: str = "",
    ) -> None:
        self.reason = reason
        self.path = path
        self.line = line
        self.column = column
        self.text = text
        super().__init__(reason, path, line, column, text)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)
        message = f"{place}: {self.reason}"
        if self.column is None or not self.text:
            return message
        return f"{message}\n{CategorySyntaxError(self.text, self.column - 1, self.reason).caret}"


class FormatError(CCGKitError, ValueError):
    """A format that is not known, not recognised, or cannot express what it should write."""
