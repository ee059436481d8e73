"""Stretches of text that stay in one piece: addresses, handles, names such as AT&T, names in programs."""

from __future__ import annotations

import re

__all__ = ["WHOLE"]

_END = r"(?<![.,;:!?'\"’”)\]>])"  # punctuation after an address does not belong to it
_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)+"
WHOLE = re.compile(
    rf"""
      (?:https?|ftp)://[^\s<>"“”]+{_END}                              # http://example.org/a?b=1
    | \bwww\.[^\s<>"“”]+{_END}
    | \b[\w.+-]{{1,64}}@[\w-]+(?:\.[\w-]+)+\b                            # a.b@example.org
    | \b[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{0,9}}\.(?:com|org|net|edu|gov|io)\b(?:/[^\s<>"“”]*{_END})?
    | (?<![\w@#&])[@\#][A-Za-z]\w+                                    # @handle, #topic
    | \b[A-Z]{{1,3}}&[A-Z]{{1,3}}\b                                   # AT&T
    | (?<=[`'"‘“]){_DOTTED}(?=[`'"’”])                              # "os.PathLike"
    | (?<![\w.])(?=[\w.]*(?:_|\.[A-Z]?[a-z]+[A-Z])){_DOTTED}\b     # collections.OrderedDict
    | (?<![\w.])\w{{2,}}(?:\.\w{{2,}}){{2,}}\b                         # System.Text.Json
    """,
    re.X,
)
