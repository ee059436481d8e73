"""A grammar that was made for the C++ parser, as the Java parser reads it.

The C++ parser numbers slots in any order, takes `NP[nb]` for `NP` in its rule list, and can do without one;
the Java parser does nothing of that. So `markedup` is renumbered from left to right, and the rules are listed
for `NP[nb]` and `N[num]`, too. The list is of a newspaper, which hardly asks questions and in which quotation
marks were left out: pairs that it lacks only for such reasons are added. Where there is no list, all pairs
that the categories can form are listed. C&C's output numbers the slots otherwise, and that stays the same.
"""

from __future__ import annotations

import re
import shutil
from itertools import count
from pathlib import Path

from .installation import GRAMMAR_FILES
from .markedup import known_categories
from .pairs import (
    RULES_FILE,
    enclosed,
    like_seen,
    made_pairs,
    raised_categories,
    read_pairs,
    rule_list,
    wide_pairs,
    write_pairs,
)

__all__ = ["adapt", "needs_adaptation", "renumbered"]

_SLOT = re.compile(r"<\d+>")
_MARKUP = re.compile(r"^(\s+(?:\d+|!)\s+)(\S*\{\S*)$", re.M)
_MARKEDUP = "markedup"
_BARE = "NP[nb]"


def needs_adaptation(grammar: Path) -> list[str]:
    """The files of a grammar folder that the Java parser needs otherwise, or needs at all."""
    wanted = {_MARKEDUP: _markedup(grammar) is not None, RULES_FILE: not _is_usable(rule_list(grammar))}
    return [name for name, is_wanted in wanted.items() if is_wanted]


def adapt(grammar: Path, folder: Path) -> Path:
    """The grammar's folder, or `folder` with a copy of it where the Java parser needs it otherwise."""
    markedup, pairs = _markedup(grammar), _pairs(grammar)
    if markedup is None and pairs is None:
        return grammar
    folder.mkdir(parents=True, exist_ok=True)
    for name in GRAMMAR_FILES:
        if (grammar / name).exists():
            shutil.copy(grammar / name, folder / name)
    if markedup is not None:
        (folder / _MARKEDUP).write_text(markedup, encoding="utf-8", newline="\n")
    if pairs is not None:
        write_pairs(folder / RULES_FILE, pairs)
    return folder


def _markedup(grammar: Path) -> str | None:
    """The text of `markedup` with its slots in order; None where they are."""
    text = (grammar / _MARKEDUP).read_text(encoding="utf-8", errors="replace")
    new = _MARKUP.sub(lambda found: found[1] + renumbered(found[2]), text)
    return None if new == text else new


def _pairs(grammar: Path) -> set[tuple[str, str]] | None:
    """The pairs of the rule list, or of the categories where there is none; None where it can stay."""
    rules = rule_list(grammar)
    if _is_usable(rules):
        return None
    made = made_pairs(known_categories(grammar / _MARKEDUP), raised_categories(grammar))
    seen = read_pairs(rules) if rules.exists() else []
    added = like_seen(seen, made) if seen else made
    return wide_pairs([*seen, *((enclosed(left), enclosed(right)) for left, right in added)])


def _is_usable(rules: Path) -> bool:
    """Whether there is a rule list in its place, for a parser that does not take `NP[nb]` for `NP`."""
    if rules.name != RULES_FILE or not rules.exists():
        return False
    pairs = read_pairs(rules)
    return any(_BARE in pair for pair in pairs) or not any(_BARE in part for pair in pairs for part in pair)


def renumbered(markup: str) -> str:
    """A marked-up category with its slots numbered from left to right.

    >>> renumbered("((NP{Y}\\\\NP{Y}<2>){_}/NP{Z}<1>){_}")
    '((NP{Y}\\\\NP{Y}<1>){_}/NP{Z}<2>){_}'
    """
    numbers = count(1)
    return _SLOT.sub(lambda _: f"<{next(numbers)}>", markup)
