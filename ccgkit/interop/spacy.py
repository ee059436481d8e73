"""spaCy: the component `nlp.add_pipe("ccgkit")` (`pip install 'ccgkit[spacy]'`).

It gives `token._.supertag`, the category of the token in the parse; `token._.supertags`, its k best ones with
their probabilities; and `sent._.ccg`, the sentence with its derivation and dependencies.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache

from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.tokens import Token as SpacyToken
from spacy.util import minibatch

from ..corpora import jsonl
from ..grammar import Token
from ..grammar.notations import check_notation
from ..models.registry import find
from ..parsing import ParseOptions, ParseResult
from ..pipeline import Pipeline, load
from ..sentence import Sentence
from ..text.sentences import sentence_spans

__all__ = ["Component"]

_KEY = "ccgkit"
_QUOTES = {"“": "``", "„": "``", "«": "``", "”": "''", "»": "''", "‘": "`", "…": "..."}
_ENTITIES = {
    "PERSON": "I-PER", "PER": "I-PER", "ORG": "I-ORG", "GPE": "I-LOC", "LOC": "I-LOC", "FAC": "I-LOC",
    "DATE": "I-DAT", "TIME": "I-TIM", "MONEY": "I-MON", "PERCENT": "I-PCT",
}  # fmt: skip


@Language.factory(  # type: ignore[untyped-decorator]
    "ccgkit",
    default_config={"model": None, "notation": None},
    assigns=["token._.supertag", "token._.supertags", "span._.ccg"],
)
def make_component(nlp: Language, name: str, model: str | None, notation: str | None) -> Component:
    """What spaCy calls for `nlp.add_pipe("ccgkit", config={"model": …, "notation": …})`."""
    info = find(model, None if model else nlp.lang, notation)
    return Component(load(info, lazily=True), notation)


class Component:
    """Tags and parses the sentences of a document; spaCy's tokens are kept, with what it knows of them.

    A document that has no sentences yet is split into them. Whitespace that is a token to spaCy is no word.
    """

    def __init__(self, nlp: Pipeline, notation: str | None = None) -> None:
        if notation is not None:
            check_notation(notation)
        self.nlp, self.notation = nlp, notation

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 32) -> Iterator[Doc]:
        """The documents in batches, which is faster than one by one."""
        options: ParseOptions = {} if self.notation is None else {"notation": self.notation}
        for docs in minibatch(stream, batch_size):
            spans = [span for doc in docs for span in _sentences(doc)]
            results = self.nlp.parse_sentences(map(_sentence, spans), **options)
            for span, result in zip(spans, results, strict=True):
                _assign(span, result)
            yield from docs


def _sentences(doc: Doc) -> list[Span]:
    """The sentences of spaCy's, or ours where it has none."""
    if not doc.has_annotation("SENT_START"):
        starts = {start for start, _ in sentence_spans(doc.text)}
        for token in doc:
            inside = range(token.idx, token.idx + max(1, len(token)))
            token.is_sent_start = token.i == 0 or not starts.isdisjoint(inside)
    return list(doc.sents)


def _sentence(span: Span) -> Sentence:
    return Sentence(tuple(map(_token, _words(span))), text=span.text)


def _words(span: Span) -> list[SpacyToken]:
    return [token for token in span if not token.is_space]


def _token(token: SpacyToken) -> Token:
    return Token(
        _spelled(token),
        token.tag_ or None,
        token.idx,
        token.idx + len(token),
        lemma=token.lemma_ or None,
        entity=_ENTITIES.get(token.ent_type_),
    )


def _spelled(token: SpacyToken) -> str:
    """The word as the Penn Treebank spells it, which the models have learnt."""
    if token.text != '"':
        return _QUOTES.get(token.text) or token.text.replace("’", "'")
    opens = not token.whitespace_ and (token.i == 0 or bool(token.nbor(-1).whitespace_))
    return "``" if opens else "''"


def _assign(span: Span, result: ParseResult) -> None:
    known, k_best = result.to_sentence(), result.sentence.tags or ()
    span.doc.user_data[_KEY, span.start] = known.to_json()
    for token, category, tags in zip(_words(span), known.categories or (), k_best, strict=True):
        token._.supertag = str(category)
        token._.supertags = {str(tag.category): math.exp(tag.logprob) for tag in tags}


def _ccg(span: Span) -> Sentence | None:
    """The sentence; None of a span that is no sentence, or was not parsed."""
    line = span.doc.user_data.get((_KEY, span.start))
    return None if line is None or span.end != span[0].sent.end else _read(line)


@lru_cache(maxsize=256)
def _read(line: str) -> Sentence:
    return next(jsonl.loads(line))


for _name in ("supertag", "supertags"):
    SpacyToken.set_extension(_name, default=None, force=True)
Span.set_extension("ccg", getter=_ccg, force=True)
