"""Tokens of a sentence, each with its place in the text: of English the Penn Treebank's.

NLTK's tokenizer does the splitting. Addresses stay whole, curly quotation marks are understood, and every
token is found again in the text it came from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ..grammar import Token
from . import pmb_tokens
from .nltk_words import word_tokenizer
from .patterns import WHOLE

__all__ = ["tokenize"]

# as NLTK knows them, one character for one; primes and modifier letters are typed for apostrophes, too
_PLAIN = str.maketrans(
    {"‘": "'", "’": "'", "‛": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"'}
)
_OPENING, _CLOSING = frozenset("“„‟«"), frozenset("”»")
_ABBREVIATION = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")
# what ends inside a line: a stop before what closes, or before what seems to begin a sentence
_INNER_STOP = re.compile(r"\b([a-z]{2,})\.(?=[\"”»)\]]|''|\s+[\"“„«(\[]?[A-Z])")
_ABBREVIATED = re.compile(
    "al|approx|apt|assn|ave|ca|cf|co|corp|dept|dr|eds?|est|etc|fig|gen|hrs?|inc|jr|lbs?|ltd|max|min|misc|mrs?|ms|"
    "mt|nos?|op|oz|pp|prof|pt|resp|rev|sec|sen|sq|sr|st|tel|univ|viz|vol|vs"
)
_CLITICS = re.compile(r"(.*[^'])('(?:d|ll|m|re|s|ve))", re.I)
_ALONE = re.compile(r"\w+|[^\w\s]")
_CHUNK = re.compile(r"\S+")
# whether a quotation mark opens or closes depends on its neighbours; addresses and the like may stay whole
_CONTEXT = re.compile(r"[\"`‘’‛ʼ“”„‟«»…@#&*<>\[\](){}]|''|(?<!\w)'|'(?!\w)|://|\w\.\w\w|[^\S ]")
_PIECE = re.compile(r"[^…]+|…")


def tokenize(text: str, offset: int = 0, language: str = "en") -> tuple[Token, ...]:
    """The tokens of one sentence; `offset` is where it starts in the whole text.

    English is split as in the Penn Treebank, and `word` is the Treebank's spelling (two backticks for
    an opening quotation mark, an ASCII apostrophe); any other `language` as in the Parallel Meaning Bank.
    Start and end are those of the token in the text.

    >>> [token.word for token in tokenize("“Don’t write to a.b@example.org,” she’d said…")]
    ['``', 'Do', "n't", 'write', 'to', 'a.b@example.org', ',', "''", 'she', "'d", 'said', '...']
    """
    if language != "en":
        return pmb_tokens.tokenize(text, offset, language)
    spans = _with_final_abbreviation(_simple(text) or _thorough(text))
    if _INNER_STOP.search(text):
        spans = _with_inner_stops(text, spans)
    return tuple(
        Token(_word(text, start, end, known), None, offset + start, offset + end)
        for start, end, known in spans
    )


def _thorough(text: str) -> list[tuple[int, int, str]]:
    """Start, end and NLTK's spelling of each token."""
    return [span for start, end in _stretches(text) for span in _spans(text, start, end)]


def _simple(text: str) -> list[tuple[int, int, str]] | None:
    """The same where every word can be split by itself, which is remembered: no quotes, nothing whole."""
    if _CONTEXT.search(text):
        return None
    spans: list[tuple[int, int, str]] = []
    chunks = list(_CHUNK.finditer(text))
    for found in chunks:
        start = found.start()
        chunk = found[0]
        parts = _split(chunk, found is chunks[-1])
        spans += [(start + a, start + b, word) for a, b, word in parts]
    return spans


@lru_cache(50_000)
def _split(chunk: str, last: bool) -> tuple[tuple[int, int, str], ...]:
    """The tokens of what stands between two spaces."""
    return tuple(_thorough(chunk) if last else _aligned(chunk, word_tokenizer().tokenize(f"{chunk} .")[:-1]))


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """The parts of the text that are split on their own: between and at what stays whole."""
    start = 0
    for found in WHOLE.finditer(text):
        if start < found.start():
            yield start, found.start()
        yield found.span()
        start = found.end()
    if start < len(text):
        yield start, len(text)


def _spans(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Start, end and NLTK's spelling of each token of a stretch."""
    if WHOLE.fullmatch(text, start, end):
        yield start, end, text[start:end]
        return
    for found in _PIECE.finditer(text, start, end):
        piece = found[0].translate(_PLAIN)
        # a stop ends the sentence only where the sentence ends
        rest = text[found.end() :].strip()
        guarded = f"{piece} ." if rest else piece
        spans = list(_aligned(piece, word_tokenizer().tokenize(guarded)[: -1 if rest else None]))
        for inner_start, inner_end, word in spans:
            yield found.start() + inner_start, found.start() + inner_end, word


def _aligned(text: str, words: list[str]) -> Iterator[tuple[int, int, str]]:
    """Where the words stand in the text; what NLTK has changed is taken as it stands, run by run."""
    place = 0
    for word in words:
        while place < len(text) and text[place].isspace():
            place += 1
        form = word if text.startswith(word, place) else '"' if word in ("``", "''") else ""
        if not form or not text.startswith(form, place):
            break
        yield from _unclitic(place, place + len(form), word)
        place += len(form)
    for found in _ALONE.finditer(text, place):
        yield found.start(), found.end(), found[0]


def _unclitic(start: int, end: int, word: str) -> list[tuple[int, int, str]]:
    """Clitics that NLTK leaves on: `he'd` before `'ve`."""
    found = _CLITICS.fullmatch(word)
    if found is None or end - start != len(word):
        return [(start, end, word)]
    cut = start + len(found[1])
    return [*_unclitic(start, cut, found[1]), (cut, end, found[2])]


def _with_final_abbreviation(spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """`U.S.` at the end of a sentence keeps its stop."""
    for place in range(len(spans) - 1, 0, -1):
        (start, end, word), (stop, stop_end, sign) = spans[place - 1], spans[place]
        if sign == "." and end == stop and _ABBREVIATION.fullmatch(word):
            return [*spans[: place - 1], (start, stop_end, f"{word}."), *spans[place + 1 :]]
        if sign not in ("''", "'", '"', ")", "]", "}"):
            break
    return spans


def _with_inner_stops(text: str, spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Stops that end a sentence inside another, or inside a line, are tokens, too."""
    ends = {found.end() for found in _INNER_STOP.finditer(text) if not _ABBREVIATED.fullmatch(found[1])}
    parted: list[tuple[int, int, str]] = []
    for start, end, word in spans:
        if end in ends and len(word) == end - start > 1 and word.endswith("."):
            parted += [(start, end - 1, word[:-1]), (end - 1, end, ".")]
        else:
            parted.append((start, end, word))
    return parted


def _word(text: str, start: int, end: int, known: str) -> str:
    """The Penn Treebank's spelling of a token."""
    surface = text[start:end]
    if surface == "…":
        return "..."
    if surface in _OPENING:
        return "``"
    if surface in _CLOSING:
        return "''"
    return "`" if surface == "‘" else known
