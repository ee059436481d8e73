"""What the pipeline makes of a text: its sentences, tagged or parsed, and the text they come from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import exp
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from .sentence import Sentence, clipped

if TYPE_CHECKING:
    from .parsing import ParseResult

__all__ = ["Document"]

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
        """The tokens, or the dependencies, as columns: `pandas.DataFrame(document.table())`.

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
