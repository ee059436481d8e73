"""Files damaged at random: what a bad disk, an editor, another program or an enemy makes of them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

__all__ = ["mutants"]

_NASTY = (
    "\0", "\x01", "\t", "\r", "\x0b", "\x0c", "\x1c", "\x7f", "\x85", "\u00a0", "\u2028", "\u202e",
    "\ufeff", "\ud800", "\udc80", "\U0001f600", "é", "e\u0301", "|", "||", "_", "~", "(", ")", "[", "]",
    "{", "}", "<", ">", "&", "&amp;", "\\", "\\\\", "/", "'", '"', ",", ":", ";", "#", "%", " ", "  ",
    "\n", "\n\n", "-BAR-", "-LRB-", "\\ud800", "\\u0000",
)  # fmt: skip
_VALUES = (
    "0", "-1", "1e999", "-1e999", "nan", "NaN", "inf", "Infinity", "1_0", "٣", "²", "9" * 30,
    "7" * 5000, "1e-400", "null", "[]", "{}", "[[]]", "true", '""', "None", "0x10", "1.0.0", "99999999",
    "4294967296", "10000000000000000000000",
)  # fmt: skip
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_FIELD = re.compile(r'[^\s|:,"<>()]+')


def _insert(text: str, chance: random.Random) -> str:
    place = chance.randint(0, len(text))
    return text[:place] + chance.choice(_NASTY) + text[place:]


def _delete(text: str, chance: random.Random) -> str:
    start = chance.randrange(len(text))
    return text[:start] + text[start + chance.choice((1, 1, 2, 5, 20)) :]


def _repeat(text: str, chance: random.Random) -> str:
    start = chance.randrange(len(text))
    end = start + chance.choice((1, 3, 10, 40))
    return text[:end] + text[start:end] * chance.choice((1, 1, 3, 50)) + text[end:]


def _truncate(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text))]


def _replace(pattern: re.Pattern[str], values: tuple[str, ...]) -> Callable[[str, random.Random], str]:
    def replaced(text: str, chance: random.Random) -> str:
        found = list(pattern.finditer(text))
        if not found:
            return text
        there = chance.choice(found)
        return text[: there.start()] + chance.choice(values) + text[there.end() :]

    return replaced


def _swap_lines(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


_CHANGES = (
    _insert, _insert, _insert, _delete, _delete, _repeat, _truncate, _swap_lines,
    _replace(_NUMBER, _VALUES), _replace(_NUMBER, _VALUES), _replace(_FIELD, (*_VALUES, *_NASTY)),
)  # fmt: skip


def mutants(text: str, seed: str, count: int) -> Iterator[str]:
    """`count` damaged copies of a text, the same ones for the same seed."""
    chance = random.Random(seed)
    for _ in range(count):
        damaged = text
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            damaged = chance.choice(_CHANGES)(damaged or text, chance)
        yield damaged
