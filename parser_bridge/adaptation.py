"""A grammar that was made for the C++ parser, as the Java parser reads it.

The C++ parser numbers slots in any order and takes `NP[nb]` for `NP` in its rule list; the Java parser does
neither. So `markedup` is renumbered from left to right, and the rules are listed for `NP[nb]` and `N[num]`,
too. The numbers of slots in C&C's output are not these, and stay the same.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from itertools import count, product
from pathlib import Path

from .installation import GRAMMAR_FILES

__all__ = ["adapt", "needs_adaptation", "read_pairs", "renumbered", "wide_pairs"]

_SLOT = re.compile(r"<\d+>")
_MARKUP = re.compile(r"^(\s+(?:\d+|!)\s+)(\S*\{\S*)$", re.M)
_RULES = "all_rule_instances"
# whole categories that the C++ parser does not tell apart; the last two are made by coordination
_VARIANTS = {"NP": "NP[nb]", "N": "N[num]", r"(NP\NP)": r"(NP[nb]\NP[nb])", r"(N\N)": r"(N[num]\N[num])"}


def needs_adaptation(grammar: Path) -> list[str]:
    """The files of a grammar folder that were made for the C++ parser."""
    return [name for name in ("markedup", _RULES) if _adapted(grammar / name) is not None]


def adapt(grammar: Path, folder: Path) -> Path:
    """The grammar's folder, or `folder` with a copy of it where it was made for the C++ parser."""
    adapted = {name: _adapted(grammar / name) for name in ("markedup", _RULES)}
    if not any(adapted.values()):
        return grammar
    folder.mkdir(parents=True, exist_ok=True)
    for name in GRAMMAR_FILES:
        text = adapted.get(name)
        if text is None:
            shutil.copy(grammar / name, folder / name)
        else:
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return folder


def _adapted(path: Path) -> str | None:
    """The file's text for the Java parser; None where it can stay as it is."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.name != _RULES:
        new = _MARKUP.sub(lambda found: found[1] + renumbered(found[2]), text)
        return None if new == text else new
    pairs = read_pairs(path)
    listed = any(_VARIANTS["NP"] in pair for pair in pairs)
    if listed or not any(_VARIANTS["NP"] in part for pair in pairs for part in pair):
        return None
    wide = sorted(wide_pairs(pairs))
    return "# rules, with variants\n\n" + "".join(f"{left} {right}\n" for left, right in wide)


def renumbered(markup: str) -> str:
    """A marked-up category with its slots numbered from left to right.

    >>> renumbered("((NP{Y}\\\\NP{Y}<2>){_}/NP{Z}<1>){_}")
    '((NP{Y}\\\\NP{Y}<1>){_}/NP{Z}<2>){_}'
    """
    numbers = count(1)
    return _SLOT.sub(lambda _: f"<{next(numbers)}>", markup)


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """The pairs of categories that a rule list names."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    fields = [line.split() for line in lines if not line.startswith("#")]
    return [(pair[0], pair[1]) for pair in fields if len(pair) == 2]


def wide_pairs(pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """The pairs, and those with `NP[nb]` for a whole `NP`, and with `N[num]` for a whole `N`."""
    return {wide for left, right in pairs for wide in product(_spellings(left), _spellings(right))}


def _spellings(part: str) -> tuple[str, ...]:
    return (part, _VARIANTS[part]) if part in _VARIANTS else (part,)
