"""What the pipeline makes of a text: its sentences, tagged or parsed, and the text they come from."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import islice, zip_longest
from math import exp
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from .constraints import Constraints
from .grammar import Token
from .grammar.errors import OptionError
from .sentence import Sentence, clipped
from .text import split_text

if TYPE_CHECKING:
    from .parsing import ParseResult
    from .parsing.registry import Known

__all__ = ["Document", "Text", "documents"]

Text = str | Sentence | Sequence[str]  #: running text, a sentence, or its words
Made = TypeVar("Made", bound="Sentence | ParseResult")
Item = TypeVar("Item", bound="Sentence | ParseResult", covariant=True)
_TOKENS = ("sentence", "token", "word", "pos", "lemma", "start", "end", "category", "probability")
_LINKS = ("sentence", "head", "head_word", "category", "slot", "argument", "argument_word")


@dataclass(frozen=True, slots=True, repr=False)
class Document(Sequence[Item], Generic[Item]):
    """The sentences of a text in order; `text` is None where they were split already.

    >>> from ccgkit.corpora import loads
    >>> document = Document(tuple(loads("We|PRP|NP agree|VBP|S[dcl]\\\\NP", "stagged")), "We agree")
    >>> document
    <Document of 1 sentence: 'We agree'>
    >>> document.table()["category"]
    ['NP', 'S[dcl]\\\\NP']
    """

    sentences: tuple[Item, ...]
    text: str | None = None

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.sentences)

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Item]: ...
    def __getitem__(self, place: int | slice) -> Item | Sequence[Item]:
        return self.sentences[place]

    def to_dict(self) -> dict[str, Any]:
        """All as plain values: the text, and the sentences as lines of JSONL hold them."""
        found = {"text": self.text, "sentences": [one.to_dict() for one in self.sentences]}
        return {name: value for name, value in found.items() if value is not None}

    def to_json(self) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def table(self, of: Literal["tokens", "dependencies"] = "tokens") -> dict[str, list[Any]]:
        """The "tokens", or what else the table is `of`, as columns: `pandas.DataFrame(document.table())`.

        Sentences, tokens, heads and arguments are counted from 0.
        """
        names, rows = (_TOKENS, _token_rows) if of == "tokens" else (_LINKS, _link_rows)
        columns: dict[str, list[Any]] = {name: [] for name in names}
        for number, item in enumerate(self.sentences):
            sentence = item if isinstance(item, Sentence) else item.to_sentence()
            for row in rows(sentence):
                for name, value in zip(names, (number, *row), strict=True):
                    columns[name].append(value)
        return columns

    def __repr__(self) -> str:
        count = f"{len(self)} sentence{'' if len(self) == 1 else 's'}"
        return f"<Document of {count}{'' if self.text is None else f': {clipped(self.text)!r}'}>"

    def _repr_html_(self) -> str:
        """The sentences one under the other, as Jupyter shows them."""
        return "".join(
            f"<div><p>{number} {escape(' '.join(_words(one)))}</p>{one._repr_html_()}</div>"
            for number, one in enumerate(self.sentences, 1)
        )


def _words(item: Sentence | ParseResult) -> tuple[str, ...]:
    return item.words if isinstance(item, Sentence) else item.sentence.words


def _token_rows(sentence: Sentence) -> Iterator[tuple[Any, ...]]:
    tags = sentence.tags or (None,) * len(sentence.tokens)
    categories = sentence.categories or (None,) * len(sentence.tokens)
    for place, (token, category, k_best) in enumerate(zip(sentence.tokens, categories, tags, strict=True)):
        spelled = None if category is None else str(category)
        probability = exp(k_best[0].logprob) if k_best else None
        yield place, token.word, token.pos, token.lemma, token.start, token.end, spelled, probability


def _link_rows(sentence: Sentence) -> Iterator[tuple[Any, ...]]:
    words = sentence.words
    for link in sentence.dependencies or ():
        yield link.head, words[link.head], str(link.category), link.slot, link.argument, words[link.argument]


def documents(
    texts: Iterable[Text],
    language: str,
    process: Callable[[Iterable[Sentence]], Iterator[Made]],
    constraints: Known | Iterable[Known] = None,
) -> Iterator[Document[Made]]:
    """For each text what the process makes of its sentences, which may have constraints.

    Raises `OptionError` where there are more or fewer constraints than sentences.
    """
    waiting: deque[tuple[str | None, int]] = deque()

    def sentences() -> Iterator[Sentence]:
        for text, known in _paired(texts, constraints):
            found = _constrained(_split(text, language), known)
            waiting.append((_running(text), len(found)))
            yield from found

    done = process(sentences())
    for first in done:
        while not waiting[0][1]:
            yield Document((), waiting.popleft()[0])
        text, count = waiting.popleft()
        yield Document((first, *islice(done, count - 1)), text)
    yield from (Document((), text) for text, _ in waiting)


def _split(text: Text, language: str) -> list[Sentence]:
    if isinstance(text, str):
        return list(split_text(text, language=language))
    return [text if isinstance(text, Sentence) else Sentence(tuple(map(Token, text)))]


def _running(text: Text) -> str | None:
    """The text as it was given, where it was."""
    return text if isinstance(text, str) else text.text if isinstance(text, Sentence) else None


def _paired(texts: Iterable[Text], constraints: Known | Iterable[Known]) -> Iterator[tuple[Text, Known]]:
    """Each text with the constraints on its sentences."""
    if constraints is None:
        yield from ((text, None) for text in texts)
        return
    if isinstance(constraints, Constraints):
        raise OptionError("several texts take a list of constraints, one for each")
    none: Any = object()
    for text, known in zip_longest(texts, constraints, fillvalue=none):
        if text is none or known is none:
            more, fewer = ("constraints", "texts") if text is none else ("texts", "constraints")
            raise OptionError(f"there are more {more} than {fewer}: give one for each text, or None")
        yield text, known


def _constrained(sentences: list[Sentence], known: Known) -> list[Sentence]:
    """The sentences of a text with their constraints."""
    if known is None:
        return sentences
    each = [known] if isinstance(known, Constraints) else known
    if len(each) != len(sentences):
        raise OptionError(
            f"the text has {len(sentences)} sentences, but there are constraints for {len(each)}"
        )
    return [
        sentence if one is None else replace(sentence, constraints=one)
        for sentence, one in zip(sentences, each, strict=True)
    ]
