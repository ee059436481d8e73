"""The callable that annotates batches on whatever engine: columns in, columns out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeGuard, TypeVar, Unpack, cast

from .._version import __version__
from ..corpora.jsonl import is_text
from ..grammar import CCGKitError, Token
from ..models.registry import ModelInfo, find
from ..sentence import Sentence
from ..text import split_text
from .columns import like, rows_of
from .errors import BatchError
from .schema import Row, describe

if TYPE_CHECKING:
    from ..parsing import ParseOptions, ParseResult
    from ..pipeline import Pipeline

__all__ = ["LONGEST", "Annotator", "Options", "Task"]

Task = Literal["tag", "parse"]
T = TypeVar("T")
LONGEST = 1000  #: words of a sentence; what is longer is none, and takes memory by the square
_FAILED = "failed"


class Options(TypedDict, total=False):
    """What may be asked of tagging (`k`, `beta`) and of parsing (all but `beta`); else as in the pipeline."""

    k: int
    beta: float
    max_words: int
    max_items: int
    timeout: float
    scheme: str
    notation: str


class _PoisonError(CCGKitError):
    """Why a row cannot be read."""


class Annotator:
    """Tags or parses batches of texts; a row that it cannot manage gives a row with the reason.

    A batch is a dict of columns, a `pandas.DataFrame`, or a `pyarrow.Table` or `RecordBatch`, and so is the
    answer, with a row for each sentence. It has a column `text`, or `words` for sentences that are
    tokenised, and perhaps `id`. Pickled, it goes to other processes, each of which loads the model once.

    Raises `BatchError` for an unknown task or option and for a batch without texts, `UnknownModelError` where
    there is no such model.

    >>> annotate = Annotator(task="tag")  # doctest: +SKIP
    >>> annotate({"text": ["We agree."]})["words"]  # doctest: +SKIP
    [['We', 'agree', '.']]
    """

    def __init__(
        self,
        model: str | None = None,
        task: Task = "parse",
        *,
        language: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        if task not in ("tag", "parse"):
            raise BatchError(f"the task must be tag or parse, not {task!r}")
        known = {"k", "beta"} if task == "tag" else set(Options.__annotations__) - {"beta"}
        if wrong := sorted(options.keys() - known):
            raise BatchError(
                f"the task {task} has no option {', '.join(wrong)}; it has {', '.join(sorted(known))}"
            )
        self.task: Task = task
        self.options = options
        self._model, self._language = model, language
        self.info: ModelInfo = find(model, language)

    def __reduce__(self) -> tuple[Callable[..., Annotator], tuple[Any, ...]]:
        return _restored, (self._model, self.task, self._language, tuple(sorted(self.options.items())))

    def __call__(self, batch: T) -> T:
        """The sentences of a batch, as a batch of the same kind."""
        return cast(T, like(batch, list(self.rows(rows_of(batch)))))

    def load(self) -> Annotator:
        """The same, with the model loaded and the options tried."""
        self._nlp  # noqa: B018 - a cached property
        return self

    def rows(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
        """The sentences of many texts as rows, in order; a text without any gives one row, too."""
        self.load()  # what is wrong with the model is no text's fault
        read = [self._read(row) for row in rows]
        short = [one for found in read if not isinstance(found, str) for one in found if len(one) <= LONGEST]
        done = self._careful(short)
        for row, found in zip(rows, read, strict=True):
            if isinstance(found, str):
                yield self.failed(row, found)
                continue
            for number, sentence in enumerate(found):
                yield self._row(row, number, next(done) if len(sentence) <= LONGEST else _too_long(sentence))

    def failed(self, row: Mapping[str, Any], reason: str) -> Row:
        """The row for a text that cannot be annotated."""
        return self._row(row, None, _failure(row, reason))

    def _row(self, given: Mapping[str, Any], number: int | None, known: Row) -> Row:
        origin = {"id": _identity(given.get("id")), "sentence": number}
        return {**origin, **known, "model": self.info.name, "version": __version__}

    def _read(self, row: Mapping[str, Any]) -> list[Sentence] | str:
        """The sentences of a row, or why there are none."""
        try:
            found = self._sentences(row)
        except _PoisonError as error:
            return str(error)
        except Exception as error:  # whatever a text can do is that text's fault
            return _account(error)
        return found or "there is no sentence in the text"

    def _sentences(self, row: Mapping[str, Any]) -> list[Sentence]:
        text, words = _known(row.get("text")), _known(row.get("words"))
        if isinstance(row.get("reason"), str):
            raise _PoisonError(row["reason"])
        if text is None and words is None:
            raise _PoisonError("there is no text")
        if _is_list(words):
            kept = text if isinstance(text, str) and is_text(text) else None
            return [Sentence(tuple(Token(_word(word)) for word in words), text=kept)] if len(words) else []
        if not isinstance(text, str):
            wrong, kind = (
                ("words", type(words)) if words is not None and text is None else ("text", type(text))
            )
            raise _PoisonError(
                f"{wrong} is of the type {kind.__name__}: a string, or a list of words, is needed"
            )
        return list(split_text(_clean(text, "the text"), language=self.info.language or "en"))

    def _careful(self, sentences: Sequence[Sentence]) -> Iterator[Row]:
        """A row for each sentence; of those that cannot be read together each is tried alone."""
        if not sentences:
            return
        try:
            rows = self._annotated(self._nlp, sentences)
        except Exception as error:
            if len(sentences) == 1:
                yield {**describe(sentences[0]), "status": _FAILED, "reason": _account(error)}
                return
            middle = len(sentences) // 2
            yield from self._careful(sentences[:middle])
            yield from self._careful(sentences[middle:])
        else:
            yield from rows

    def _annotated(self, nlp: Pipeline, sentences: Sequence[Sentence]) -> list[Row]:
        if self.task == "tag":
            return [_tagged(one) for one in nlp.pipe_sentences(sentences, **cast("Any", self.options))]
        results = nlp.parse_sentences(sentences, **cast("ParseOptions", self.options))
        return [_parsed(result) for result in results]

    @cached_property
    def _nlp(self) -> Pipeline:
        from ..pipeline import load

        nlp = load(self.info, threads=1, parser=None if self.task == "tag" else "ccgkit")
        self._annotated(nlp, [Sentence((Token("."),))])
        return nlp


@cache
def _restored(
    model: str | None, task: Task, language: str | None, options: tuple[tuple[str, Any], ...]
) -> Annotator:
    """The annotator in another process: one for all copies there, so that the model is loaded once."""
    return Annotator(model, task, language=language, **cast("Options", dict(options)))


def _tagged(sentence: Sentence) -> Row:
    return {**describe(sentence), "status": "tagged"}


def _parsed(result: ParseResult) -> Row:
    row = {**describe(result.to_sentence()), "supertags": None}
    known = {"status": result.status.value, "reason": result.reason or None, "confidence": result.confidence}
    return {**row, **known}


def _failure(row: Mapping[str, Any], reason: str) -> Row:
    text = row.get("text")
    kept = text if isinstance(text, str) and is_text(text) else None
    return {"text": kept, "status": _FAILED, "reason": reason}


def _too_long(sentence: Sentence) -> Row:
    reason = f"a sentence of {len(sentence)} words, more than the limit of {LONGEST}"
    return {**describe(sentence), "status": _FAILED, "reason": reason}


def _identity(value: object) -> str | None:
    """The id as a string."""
    value = _known(value)
    if value is None:
        return None
    return str(value) if is_text(str(value)) else ascii(value)


def _known(value: Any) -> Any:
    """The value; None for what pandas puts where there is none."""
    missing = isinstance(value, float) and value != value
    return None if missing or type(value).__name__ in ("NAType", "NaTType") else value


def _is_list(words: object) -> TypeGuard[Collection[object]]:
    return (
        hasattr(words, "__len__") and hasattr(words, "__iter__") and not isinstance(words, str | bytes | dict)
    )


def _word(word: object) -> str:
    if not isinstance(word, str):
        raise _PoisonError(f"a word is of the type {type(word).__name__}: a string is needed")
    if not word.strip():
        raise _PoisonError("a word is empty")
    return _clean(word, "a word")


def _clean(text: str, what: str) -> str:
    if not is_text(text):
        raise _PoisonError(f"{what} holds half of a surrogate pair")
    return str(text)


def _account(error: Exception) -> str:
    said = str(error) if isinstance(error, CCGKitError) else f"{type(error).__name__}: {error}"
    return said.encode("utf-8", "backslashreplace").decode()
