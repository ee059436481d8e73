"""Sentences of running text, found by syntok."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from ..sentence import Sentence
from .patterns import WHOLE
from .pmb_tokens import MEASURES, TITLES
from .tokens import tokenize

__all__ = ["paragraphs", "sentence_spans", "split_text"]

_LONGEST = 100_000  # characters of a paragraph that are looked at together
# a closing quotation mark in German, French or Italian, that syntok takes for an opening one
_CLOSING = re.compile(r"(?<=[^\s([{])[“«»]")
_MONTHS = "Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Jahrhundert|Jh"  # after a German ordinal
# nothing within that could end a sentence, so syntok, which takes its time, need not be asked
_SINGLE = re.compile(r"[^\W_][\w ,'’%-]*[.!?]?\s*")
# English: titles that a name follows; words that begin a sentence even after an abbreviation
_RANKS = (
    "Adm|Amb|Atty|Capt|Cmdr|Col|Cpl|Dets?|Drs?|Ft|Gens?|Govs?|Hon|Insp|Lt|Maj|Messrs|Mlle|Mme|Mrs?|Ms|Msgr|Pres|"
    "Profs?|Pvt|Reps?|Rev|Sens?|Sgt|St|Supt"
)
_BEGINNING = (
    "But|He|His|However|I|If|It|Its|Meanwhile|My|Our|She|That|The|Their|There|These|They|This|Those|We|What|When|"
    "While|Why|You"
)
_MISSED = re.compile(
    rf"""
      (?<!\w)(?!(?:e\.g|i\.e)\.)(?:(?:[A-Za-z]\.){{2,6}}|(?:al|Bros|Co|Corp|etc|Inc|Jr|Ltd|Ph\.D|Sr)\.)
      ['"’”)\]]*\s+(?=["“'‘(]?(?:{_BEGINNING})\b)                    # the U.S. They …
    | (?<=\S)[^\S\n]+[$€£]?\d[\d,]*\.\d+\.['"’”)\]]*\s+(?=["“'‘(]?[A-Z])    # $ 2.50. Yesterday …
    | (?<![!?])[!?]{{2,}}\s+(?=[a-z])                                      # really!! we all …
    """,
    re.X,
)
_BLANK = re.compile(r"\n[^\S\n]*\n")


def split_text(text: str, offset: int = 0, language: str = "en") -> Iterator[Sentence]:
    """The sentences of a text, tokenised; places are those in the text, counted from `offset`.

    The `language` (en, de, it, nl) decides how it is split.

    >>> for sentence in split_text("Dr. Who left. Did she? See http://a.org/b."):
    ...     print(*sentence.words)
    Dr. Who left .
    Did she ?
    See http://a.org/b .
    """
    for start, end in sentence_spans(text, language):
        tokens = tokenize(text[start:end], offset + start, language)
        if tokens:
            yield Sentence(tokens, text=text[start:end], meta={"offset": str(offset + start)})


def sentence_spans(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Start and end of each sentence, without the space around it."""
    if _SINGLE.fullmatch(text):
        return [(0, len(text.rstrip()))]
    return _found(text, language)


def _found(text: str, language: str) -> list[tuple[int, int]]:
    """As `sentence_spans`, of any text."""
    from syntok.segmenter import analyze  # type: ignore[import-untyped]

    # what stays whole is shown to syntok as one word: it cannot end a sentence within
    shown = _unfinished(language).sub(_as_word, WHOLE.sub(_as_word, text))
    begun: set[int] = set()
    if language == "en":
        begun.update(found.end() for found in _MISSED.finditer(shown))
    else:
        shown = _CLOSING.sub("”", shown)
    for start, paragraph in _paragraphs(shown):
        begun.update(
            start + sentence[0].offset for found in analyze(paragraph) for sentence in found if sentence
        )
    starts = [*sorted(begun), len(text)]
    if starts[0] and text[: starts[0]].strip():
        starts = [0, *starts]
    spans = []
    for start, following in pairwise(starts):
        stretch = text[start:following]
        left = start + len(stretch) - len(stretch.lstrip())
        if stretch.strip():
            spans.append((left, left + len(stretch.strip())))
    return spans


def _as_word(found: re.Match[str]) -> str:
    """A word as long as what was found."""
    return "X" + "x" * (len(found[0]) - 1)


@cache
def _unfinished(language: str) -> re.Pattern[str]:
    """Abbreviations that end no sentence: syntok knows those of English, German and Spanish, and not all."""
    if language == "en":
        return re.compile(rf"(?<!\w)(?:{_RANKS})\.(?=\s+(?!(?:{_BEGINNING})\b)[A-Z])")
    kinds = [r"(?:[^\W\d_]\.){2,}(?=\s+[a-z])"]
    if language in TITLES:
        kinds += [rf"(?i:{TITLES[language]})\.(?=\s+\w)", rf"(?i:{MEASURES[language]})\.(?=\s+[a-z])"]
    if language == "de":
        kinds.append(rf"\d{{1,2}}\.(?=\s+(?:[a-zäöü]|{_MONTHS}))")
    return re.compile(rf"(?<!\w)(?:{'|'.join(kinds)})")


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Stretches between blank lines, with where they start."""
    start = 0
    for found in _BLANK.finditer(text):
        yield start, text[start : found.start()]
        start = found.end()
    yield start, text[start:]


def paragraphs(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """A file's lines as stretches that end at a blank line, with where they start; no more is held at a time.

    A paragraph without end is cut at a line's end.
    """
    start = size = 0
    held: list[str] = []
    for line in lines:
        held.append(line)
        size += len(line)
        if not line.strip() or size > _LONGEST:
            yield start, "".join(held)
            start, size, held = start + size, 0, []
    if held:
        yield start, "".join(held)
