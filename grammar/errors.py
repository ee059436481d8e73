"""The toolkit's exceptions: one root, and those that several rooms raise."""

from __future__ import annotations

__all__ = ["CCGKitError", "CategorySyntaxError", "NotationError", "OptionError", "visible"]

_EXCERPT = 72  # characters of an offending text that a message shows
_JOINERS = frozenset("\u200c\u200d")  # shown as they are: Persian, Indic scripts and emoji need them


class CCGKitError(Exception):
    """Root of every error this toolkit raises on purpose."""


class OptionError(CCGKitError, ValueError):
    """An option outside of its range."""


class NotationError(CCGKitError, ValueError):
    """A derivation that cannot be put into a notation, and the step that stands in the way."""


class CategorySyntaxError(CCGKitError, ValueError):
    """A string that is not a category: what is wrong with it, where, and what was probably meant.

    `position` counts characters from 0 and `column` from 1, both in `text` as it was given.
    """

    def __init__(
        self,
        text: str,
        position: int,
        reason: str,
        *,
        found: str = "",
        expected: str = "",
        suggestions: tuple[str, ...] = (),
    ) -> None:
        self.text = text
        self.position = position
        self.column = position + 1
        self.reason = reason
        self.found = found
        self.expected = expected
        self.suggestions = suggestions
        super().__init__(text, position, reason)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (
            self.text, self.position, self.reason, self.found, self.expected, self.suggestions,
        )  # fmt: skip

    @property
    def message(self) -> str:
        """The error in one line, without the caret."""
        line = f"{self.reason} at column {self.column}"
        if self.expected:
            line += f": expected {self.expected}"
            line += f", found {self.found}" if self.found else ""
        if self.suggestions:
            line += f"; did you mean {' or '.join(map(_clip, self.suggestions))}?"
        return line

    @property
    def caret(self) -> str:
        """The offending text (an excerpt, if it is long) and a caret under the place."""
        from wcwidth import wcswidth

        start = max(0, min(self.position - _EXCERPT // 2, len(self.text) - _EXCERPT))
        end = min(len(self.text), start + _EXCERPT)
        before = ("…" if start else "") + visible(self.text[start : self.position])
        after = visible(self.text[self.position : end]) + ("…" if end < len(self.text) else "")
        return f"    {before}{after}\n    {' ' * wcswidth(before)}^"

    def __str__(self) -> str:
        return f"{self.message}\n{self.caret}"


def visible(text: str) -> str:
    """`text` with control and formatting characters as escapes, so that they can do a terminal no harm.

    >>> visible("a\\tb")
    'a\\\\tb'
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in _JOINERS else c.encode("unicode_escape").decode() for c in text
    )


def _rebuild(
    text: str, position: int, reason: str, found: str, expected: str, suggestions: tuple[str, ...]
) -> CategorySyntaxError:
    return CategorySyntaxError(
        text, position, reason, found=found, expected=expected, suggestions=suggestions
    )


def _clip(text: str) -> str:
    return text if len(text) <= _EXCERPT else text[: _EXCERPT - 1] + "…"
