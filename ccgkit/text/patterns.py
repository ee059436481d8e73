"""Stretches of text that stay in one piece: addresses, handles, names such as AT&T."""

from __future__ import annotations

import re

__all__ = ["WHOLE"]

_END = r"(?<![.,;:!?'\"’”)\]>])"  # punctuation after an address does not belong to it
WHOLE = re.compile(
    rf"""
      (?:https?|ftp)://[^\s<>"“”]+{_END}                              # http://example.org/a?b=1
    | \bwww\.[^\s<>"“”]+{_END}
    | \b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b                                # a.b@example.org
    | \b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|io)\b(?:/[^\s<>"“”]*{_END})?
    | (?<![\w@#&])[@\#][A-Za-z]\w+                                    # @handle, #topic
    | \b[A-Z]{{1,3}}&[A-Z]{{1,3}}\b                                   # AT&T
    """,
    re.X,
)
