"""What is wrong with a string that is not a category, said so that a person can mend it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .category import FEATURE
from .errors import CategorySyntaxError

if TYPE_CHECKING:
    from lark.exceptions import UnexpectedInput

__all__ = ["diagnose"]

_ANNOTATION = re.compile(r"\{[^{}]*\}|<\d+>|_\d+(?::[A-Z]\w*)?")
_MODALITY = re.compile(r"(?<=[/\\])(?:[^\w\s()\[\]{}/\\]|[<>])+(?=[\w(\[])")
_BRACKETED = re.compile(r"\[([^\[\]]*)\]")


def diagnose(text: str, error: UnexpectedInput | CategorySyntaxError) -> CategorySyntaxError:
    """The error to show for `text`, given what the parser stumbled over."""
    spelling = text.strip()
    offset = len(text) - len(text.lstrip())
    if not spelling:
        return CategorySyntaxError(text, 0, "an empty string", found="nothing", expected="a category")
    unprintable = next((i for i, c in enumerate(spelling) if not (c.isprintable() or c.isspace())), None)
    if unprintable is not None:
        return _found(text, offset + unprintable, "a control character", _without_controls(spelling))
    if isinstance(error, CategorySyntaxError) and spelling.isprintable():
        return CategorySyntaxError(text, offset + error.position, error.reason, suggestions=error.suggestions)
    position = _position(spelling, error)
    return _explain(text, offset, spelling, position)


def _position(spelling: str, error: object) -> int:
    """Where the parser stopped: a character it cannot read, a token it did not expect, or the end."""
    token = getattr(error, "token", None)
    if token is not None:
        return len(spelling) if token.type == "$END" else int(token.start_pos)
    place = getattr(error, "pos_in_stream", None)
    if isinstance(place, int) and place >= 0:
        return place
    return next((i for i, c in enumerate(spelling) if c.isspace()), 0)


def _explain(text: str, offset: int, spelling: str, position: int) -> CategorySyntaxError:
    before = spelling[:position]
    here = spelling[position : position + 1]
    place = offset + position
    if here.isspace():
        return _white_space(text, place, spelling, position)
    if (modal := _modality_at(spelling, position)) is not None:
        return _found(
            text, offset + modal, "a modal slash, which CCGbank's notation does not have",
            _MODALITY.sub("", spelling),
        )  # fmt: skip
    if here in ("{", "<", "_"):
        return _found(
            text, place, f"annotation ({_annotation_at(spelling, position)}) in a plain category",
            _ANNOTATION.sub("", spelling),
        )  # fmt: skip
    if here in ("[", "]"):
        return _feature(text, place, spelling, position)
    if here == "|":
        return _found(
            text, place, "a slash without a direction", spelling.replace("|", "/"),
            spelling.replace("|", "\\"),
        )  # fmt: skip
    if here in ("/", "\\"):
        return _slash(text, place, spelling, position)
    if here == ")":
        return _closing(text, place, spelling, position)
    if here:
        return _two_categories(text, place, spelling, position)
    if before[-1] in "/\\":
        return _found(
            text, place - 1, "nothing after the slash", _balanced(before[:-1]),
            found="the end", expected="a category",
        )  # fmt: skip
    return _unclosed(text, offset, spelling)


def _found(
    text: str, place: int, reason: str, *repairs: str, found: str = "", expected: str = ""
) -> CategorySyntaxError:
    """The error, with those repairs that are categories as suggestions."""
    suggestions = tuple(dict.fromkeys(filter(None, map(_canonical, repairs))))
    return CategorySyntaxError(text, place, reason, found=found, expected=expected, suggestions=suggestions)


def _canonical(repair: str) -> str | None:
    """The repaired category's spelling; None if the repair is not a category either."""
    from lark.exceptions import UnexpectedInput

    from .syntax import parser

    if len(repair) > 1000 or not repair.isprintable():
        return None
    try:
        return str(parser(False).parse(repair))
    except (UnexpectedInput, CategorySyntaxError):
        return None


def _without_controls(spelling: str) -> str:
    return "".join(c for c in spelling if c.isprintable() and not c.isspace())


def _white_space(text: str, place: int, spelling: str, position: int) -> CategorySyntaxError:
    left, right = spelling[:position], spelling[position:].lstrip()
    if _canonical(left) and _canonical("".join(right.split())):
        return CategorySyntaxError(
            text, place, "two categories in one string", found=_quote(right), expected="one category"
        )
    return _found(text, place, "white space inside a category", "".join(spelling.split()))


def _modality_at(spelling: str, position: int) -> int | None:
    """Where a modality stands that ends at or covers `position`."""
    for match in _MODALITY.finditer(spelling):
        if match.start() <= position <= match.end():
            return match.start()
    return None


def _annotation_at(spelling: str, position: int) -> str:
    match = _ANNOTATION.match(spelling, position)
    return match.group() if match else spelling[position]


def _feature(text: str, place: int, spelling: str, position: int) -> CategorySyntaxError:
    before, here = spelling[:position], spelling[position]
    if here == "]":
        return _found(text, place, "] without [", before + spelling[position + 1 :])
    feature = _BRACKETED.match(spelling, position)
    if feature is None:
        return _found(
            text, place, "an unclosed feature", spelling + "]",
            found="the end", expected="]",
        )  # fmt: skip
    without = before + spelling[feature.end() :]
    if not feature.group(1).strip():
        return _found(text, place, "an empty feature", without)
    if not re.fullmatch(FEATURE, feature.group()):
        return _found(text, place, f"a feature cannot hold {_quote(feature.group(1))}", without)
    if before.endswith("]"):
        return _found(text, place, "a second feature on one atom", without)
    if before.endswith(")"):
        return _found(text, place, "a feature on a complex category: only atoms have one", without)
    return _found(text, place, "a feature without an atom", without)


def _slash(text: str, place: int, spelling: str, position: int) -> CategorySyntaxError:
    before, after = spelling[:position], spelling[position + 1 :]
    if before and before[-1] in "/\\":
        return _found(
            text, place, "two slashes in a row", before + after, before[:-1] + spelling[position:],
            found=_quote(spelling[position]), expected="a category",
        )  # fmt: skip
    return _found(
        text, place, "nothing before the slash", before + after,
        found=_quote(spelling[position]), expected="a category",
    )  # fmt: skip


def _closing(text: str, place: int, spelling: str, position: int) -> CategorySyntaxError:
    before, after = spelling[:position], spelling[position + 1 :]
    if before.endswith("("):
        return _found(
            text, place - 1, "empty parentheses", before[:-1] + after,
            found="')'", expected="a category",
        )  # fmt: skip
    if before.endswith(("/", "\\")):
        return _found(
            text, place - 1, "nothing after the slash", before[:-1] + spelling[position:],
            found="')'", expected="a category",
        )  # fmt: skip
    return _found(text, place, "a closing parenthesis without an opening one", before + after)


def _two_categories(text: str, place: int, spelling: str, position: int) -> CategorySyntaxError:
    return CategorySyntaxError(
        text, place, "two categories in one string or a missing slash",
        found=_quote(spelling[position:]), expected="a slash or the end",
    )  # fmt: skip


def _unclosed(text: str, offset: int, spelling: str) -> CategorySyntaxError:
    opened: list[int] = []
    for i, character in enumerate(spelling):
        if character == "(":
            opened.append(i)
        elif character == ")" and opened:
            opened.pop()
    first = opened[0] if opened else 0
    count = f" ({len(opened)} of them)" if len(opened) > 1 else ""
    return _found(text, offset + first, f"unclosed parenthesis{count}", _balanced(spelling))


def _balanced(spelling: str) -> str:
    """The spelling with the closing parentheses it lacks."""
    return spelling + ")" * max(0, spelling.count("(") - spelling.count(")"))


def _quote(text: str) -> str:
    return repr(text if len(text) <= 30 else text[:29] + "…")
