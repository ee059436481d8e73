"""From text to tagged and parsed sentences: `ccgkit.load()` and what it gives.

>>> nlp = load()  # doctest: +SKIP
>>> nlp("United serves Miami.")[0].derivation  # doctest: +SKIP
<Derivation S[dcl]: United serves Miami .>
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby, islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, Unpack, cast, overload

from .document import Document, Text, documents
from .grammar import Scheme, load_scheme
from .grammar.errors import CCGKitError, OptionError
from .grammar.notations import check_notation
from .grammar.schemes import guess
from .models.registry import ModelInfo, find
from .sentence import Sentence
from .taggers import TaggerLike
from .tagging import BATCH, MOST_CATEGORIES, SentenceTagger, Taggers, load_taggers, window_start, windows

if TYPE_CHECKING:
    from .parsing import ParseOptions, ParseResult, ParserOptions, SentenceParser
    from .parsing.registry import Known

__all__ = ["MOST_CATEGORIES", "OptionError", "Pipeline", "load", "window_start"]

_K, _BETA = 4, 0.075
_PARSING_K, _PARSING_BETA = 10, 1e-4  # our parser begins with fewer, and seldom wants all of them
_SAMPLE = 50  # sentences that tell a corpus's scheme
_UNTOLD = "rebank"  # the scheme where neither they nor a model tell: that of the shipped models
_KEPT = 7  # parsers with what they have learnt

_log = logging.getLogger(__name__)

One = TypeVar("One", bound=Text)
Made = TypeVar("Made")


def load(
    name: str | Path | ModelInfo | None = None,
    *,
    language: str | None = None,
    device: str = "cpu",
    threads: int | None = None,
    parser: SentenceParser | str | None = "ccgkit",
    lazily: bool = False,
) -> Pipeline:
    """The pipeline with a model of the package, by name, or with the model in a directory.

    Without a name it is the package's model for the language, which is English if none is given. For a model
    that does not say what language it is for, `language` decides how text is split into tokens. `parser` is a
    parser, or the name of one; without, the pipeline only tags, and does not score head words, which is a
    little faster. `lazily` loads the weights when the first sentence needs them. `device` is that of torch
    (cpu, cuda, mps), `threads` the number of its threads, all cores if it is not given.

    Raises `UnknownModelError` where there is no such model, `ModelError` where it is not sound.
    """
    info = name if isinstance(name, ModelInfo) else find(name, language)
    taggers = load_taggers(info, device, threads, head_words=parser is not None)
    return Pipeline(taggers if lazily else taggers.ready(), parser, info=info)


class Pipeline:
    """Text in, tagged or parsed sentences out. It may be used by several threads at once.

    After a fork at which no thread was using it the child may use it, too; pickled, it goes to other
    processes, which load the model themselves.

    A text is a string, a `Sentence`, or a list of words. The embedded parser, and any other that is given by
    name, works under the scheme of the tagger, or of the corpus where the tags came with the sentences.
    """

    def __init__(
        self,
        tagger: TaggerLike | Taggers,
        parser: SentenceParser | str | None = "ccgkit",
        *,
        info: ModelInfo | None = None,
        language: str = "en",
    ) -> None:
        self.info = info
        self.language = (info.language if info else "") or language  #: how text is split
        self.parser = parser
        taggers = tagger if isinstance(tagger, Taggers) else Taggers.of(tagger)
        self._tagger = SentenceTagger(taggers, self.language)
        self._lock = Lock()
        self._idle: list[tuple[tuple[Scheme, ParserOptions], SentenceParser]] = []  # made before, not in use

    def __getstate__(self) -> dict[str, Any]:
        own = ("_lock", "_idle")  # of this process
        return {name: value for name, value in self.__dict__.items() if name not in own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=Lock(), _idle=[])

    @overload
    def __call__(self, text: str | Sentence, **options: Unpack[ParseOptions]) -> Document[ParseResult]: ...
    @overload
    def __call__(
        self, text: list[One] | tuple[One, ...], **options: Unpack[ParseOptions]
    ) -> list[Document[ParseResult]]: ...
    def __call__(
        self, text: str | Sentence | list[One] | tuple[One, ...], **options: Unpack[ParseOptions]
    ) -> Document[ParseResult] | list[Document[ParseResult]]:
        """As `parse`."""
        return self.parse(text, **options)

    @overload
    def tag(self, text: str | Sentence, *, k: int = ..., beta: float = ...) -> Document[Sentence]: ...
    @overload
    def tag(
        self, text: list[One] | tuple[One, ...], *, k: int = ..., beta: float = ...
    ) -> list[Document[Sentence]]: ...
    def tag(
        self, text: str | Sentence | list[One] | tuple[One, ...], *, k: int = _K, beta: float = _BETA
    ) -> Document[Sentence] | list[Document[Sentence]]:
        """The sentences of a text, or of each of several: words with places, POS tags and k best categories.

        Of the `k` best (4 by default) those are kept that are at least `beta` (0.075) times as probable as
        the best.

        Raises `OptionError` where `k` or `beta` is out of range.
        """
        if isinstance(text, str | Sentence):
            return next(self.pipe([text], k=k, beta=beta))
        return list(self.pipe(text, k=k, beta=beta))

    def pipe(
        self, texts: Iterable[Text], *, k: int = _K, beta: float = _BETA, batch_size: int = BATCH
    ) -> Iterator[Document[Sentence]]:
        """As `tag` for each of many texts, in order; they may be without end.

        Raises `OptionError` where `k`, `beta` or `batch_size` is out of range.
        """

        def tagged(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
            return self.pipe_sentences(sentences, k=k, beta=beta, batch_size=batch_size)

        return documents(texts, self.language, tagged)

    @overload
    def parse(self, text: str | Sentence, **options: Unpack[ParseOptions]) -> Document[ParseResult]: ...
    @overload
    def parse(
        self, text: list[One] | tuple[One, ...], **options: Unpack[ParseOptions]
    ) -> list[Document[ParseResult]]: ...
    def parse(
        self, text: str | Sentence | list[One] | tuple[One, ...], **options: Unpack[ParseOptions]
    ) -> Document[ParseResult] | list[Document[ParseResult]]:
        """The sentences of a text, or of each of several, parsed as `ccgkit parse` does it.

        The options are those of `ccgkit.parsing.ParseOptions`: `nbest`, `timeout`, `scheme` …
        `constraints` are those of the text's only sentence, or a list with those of each of its sentences,
        None where there are none; for several texts it is a list of such.

        Raises `OptionError` where the parser does not take an option or there are more or fewer constraints
        than sentences, `NotationError` where there is no way to the notation.
        """
        if isinstance(text, str | Sentence):
            if "constraints" in options:
                options["constraints"] = [cast("Known", options["constraints"])]
            return next(self.pipe_parse([text], **options))
        return list(self.pipe_parse(text, **options))

    def pipe_parse(
        self, texts: Iterable[Text], **options: Unpack[ParseOptions]
    ) -> Iterator[Document[ParseResult]]:
        """As `parse` for each of many texts, in order; they may be without end.

        Raises `OptionError` and `NotationError` as `parse` does.
        """
        known = options.pop("constraints", None)

        def parsed(sentences: Iterable[Sentence]) -> Iterator[ParseResult]:
            return self.parse_sentences(sentences, **options)

        return documents(texts, self.language, parsed, known)

    def parse_sentences(
        self, sentences: Iterable[Sentence | None], **options: Unpack[ParseOptions]
    ) -> Iterator[ParseResult]:
        """Parse sentences that are tokenised already; those without categories are tagged first.

        The rules are those of the scheme that is named, otherwise of the model's where it did the tagging,
        and of the corpus's where the tags came with it; if `notation` is another, each parse is put into it.
        Of several `jobs` each is a process that has the model, and tags and parses its share. None says, as
        for `pipe_sentences`, that nothing more may come for a while.

        Raises `OptionError` where there is no parser, or it does not take an option or a sentence's
        constraints, `NotationError` where there is no such notation, or no way to it, `ParsingError` where
        one of several processes died.
        """
        return self._each(sentences, options)

    def parse_into(
        self,
        make: Callable[[ParseResult, int], Made],
        sentences: Iterable[Sentence | None],
        **options: Unpack[ParseOptions],
    ) -> Iterator[Made]:
        """What `make` makes of each result of `parse_sentences` and its number, from 1.

        With several `jobs` it is made in their processes, so both it and the function have to be picklable:
        a line of text, say, is sent and read faster than a derivation.

        Raises `OptionError`, `NotationError` and `ParsingError` as `parse_sentences` does.
        """
        return self._each(sentences, options, make)

    @overload
    def _each(self, sentences: Iterable[Sentence | None], options: ParseOptions) -> Iterator[ParseResult]: ...
    @overload
    def _each(
        self,
        sentences: Iterable[Sentence | None],
        options: ParseOptions,
        make: Callable[[ParseResult, int], Made],
    ) -> Iterator[Made]: ...
    def _each(
        self,
        sentences: Iterable[Sentence | None],
        options: ParseOptions,
        make: Callable[[ParseResult, int], Any] | None = None,
    ) -> Iterator[Any]:
        if self.parser is None:
            raise OptionError("this pipeline has no parser: load it with one, as load() does")
        if "constraints" in options:
            raise OptionError("a sentence has its constraints itself: Sentence(tokens, constraints=…)")
        asked = _Asked.of(options)
        runs = self._runs(self._checked(sentences), asked.scheme)
        if asked.jobs > 1 and self.parser == "ccgkit":
            yield from self._in_processes(runs, asked, make)
            return
        for number, result in enumerate(self._results(runs, asked), 1):
            yield result if make is None else make(result, number)

    def _results(self, runs: Iterable[_Run], asked: _Asked) -> Iterator[ParseResult]:
        """The results of this process, one run after the other."""
        if self.parser is not None and not isinstance(self.parser, str):
            if named := asked.named():
                raise OptionError(f"the parser was given as it is and takes no options: {named}")
            yield from self.parser.pipe(chain.from_iterable(self._supertagged(run, asked) for run in runs))
            return
        done = 0
        for run in runs:
            for result in self._parsed(run, asked, done):
                done += 1
                yield result

    def _parsed(self, run: _Run, asked: _Asked, before: int) -> Iterator[ParseResult]:
        """The results of a run, or of a part of it; so many sentences were there before."""
        rules, notation = self._rules(run), asked.notation
        if notation:
            check_notation(notation, rules.name)
        with self._parser(rules, asked.options) as parser:
            for number, result in enumerate(self._results_of(run, asked, parser), before + 1):
                numbered = _numbered(result, number) if before else result
                yield numbered if notation in (None, rules.name) else numbered.in_notation(notation)

    def _results_of(self, run: _Run, asked: _Asked, parser: SentenceParser) -> Iterator[ParseResult]:
        """What the parser makes of a run; ours has few sentences tagged with more than it begins with."""
        from .parsing import Parser

        if not run.bare or not isinstance(parser, Parser):
            return parser.pipe(self._supertagged(run, asked))
        beta = max(parser.betas[0], _PARSING_BETA)
        widen = partial(self._tagger.once, k=asked.k, beta=_PARSING_BETA)
        return parser.pipe(
            self.pipe_sentences(run.sentences, k=asked.k, beta=beta), widen if beta > _PARSING_BETA else None
        )

    def _in_processes(
        self, runs: Iterable[_Run], asked: _Asked, make: Callable[[ParseResult, int], Any] | None
    ) -> Iterator[Any]:
        """As `_results`, and `make`, by several processes: each tags and parses what is read together."""
        from .grammar.heads import Coindexation
        from .parsing.parallel import in_order, unpack

        apart = self._tagger.taggers.apart(asked.jobs)
        taggers = Taggers.of() if apart is None else apart
        worker = Pipeline(taggers, self.parser, info=self.info, language=self.language)
        work = partial(worker._answer, replace(asked, options={**asked.options, "jobs": 1}), make)
        chunks = self._chunks(runs, asked, tag=apart is None)
        coindexation = asked.options.get("coindexation") or Coindexation()
        for own, (answers, error) in in_order(work, chunks, asked.jobs):
            for sentence, answer in zip(own, answers, strict=error is None):
                yield unpack(answer, sentence, coindexation) if make is None else answer
            if error is not None:
                raise error

    def _chunks(
        self, runs: Iterable[_Run], asked: _Asked, tag: bool
    ) -> Iterator[tuple[list[Sentence], _Chunk, bool]]:
        """What processes get at a time; `tag` says to send only sentences with supertags."""
        from .parsing.parallel import batches

        done = 0
        for run in runs:
            rules, bare = self._rules(run), run.bare and not tag
            if bare:
                parts = windows(run.sentences)
            else:
                parts = ((batch, False) for batch in batches(self._supertagged(run, asked)))
            for sentences, pause in parts:
                yield sentences, _Chunk(bare, rules, sentences, done), pause
                done += len(sentences)

    def _answer(
        self, asked: _Asked, make: Callable[[ParseResult, int], Any] | None, chunk: _Chunk
    ) -> tuple[list[Any], CCGKitError | None]:
        """What a process sends back: what it has made of the sentences, and what has ended that too soon."""
        from .parsing.parallel import pack

        made: list[Any] = []
        run = _Run(chunk.bare, chunk.scheme, iter(chunk.sentences))
        try:
            for number, result in enumerate(self._parsed(run, asked, chunk.before), chunk.before + 1):
                sent = chunk.sentences[len(made)]
                made.append(
                    pack(result, result.sentence is not sent) if make is None else make(result, number)
                )
        except CCGKitError as error:
            return made, error
        return made, None

    def _checked(self, sentences: Iterable[Sentence | None]) -> Iterator[Sentence | None]:
        """The sentences, of which none has constraints that the parser would not heed."""
        from .parsing import Parser

        heeded = self.parser == "ccgkit" or isinstance(self.parser, Parser)
        for sentence in sentences:
            if sentence is not None and sentence.constraints and not heeded:
                raise OptionError("only the embedded parser, ccgkit, takes constraints")
            yield sentence

    def _runs(self, sentences: Iterable[Sentence | None], given: Scheme | None) -> Iterator[_Run]:
        """Stretches of the sentences: those without supertags, and those that have some."""
        corpus = given
        for bare, run in groupby(sentences, lambda one: one is None or one.categories is None):
            if bare:
                yield _Run(True, given, run)
            else:
                known: Iterator[Sentence] = (one for one in run if one is not None)
                first = list(islice(known, 0 if corpus else _SAMPLE))
                corpus = corpus or guess(one for each in first for one in each.categories or ())
                yield _Run(False, corpus, chain(first, known))

    def _supertagged(self, run: _Run, asked: _Asked) -> Iterator[Sentence]:
        if run.bare:
            return self.pipe_sentences(run.sentences, k=asked.k, beta=_PARSING_BETA)
        return cast("Iterator[Sentence]", run.sentences)

    def _rules(self, run: _Run) -> Scheme:
        """The rules for a run: those given or guessed, or the tagger's."""
        if run.scheme or not run.bare:
            return run.scheme or _untold()
        own = (self.info.scheme if self.info else "") or self._tagger.taggers.scheme
        return load_scheme(own) if own else _untold()

    def pipe_sentences(
        self,
        sentences: Iterable[Sentence | None],
        *,
        k: int = _K,
        beta: float = _BETA,
        batch_size: int = BATCH,
    ) -> Iterator[Sentence]:
        """Tag sentences that are tokenised already; POS tags they have are kept. In order, however many.

        None among them says that nothing more may come for a while: what has come is tagged now.

        Raises `OptionError` where `k`, `beta` or `batch_size` is out of range.
        """
        return self._tagger.pipe(sentences, k, beta, batch_size)

    @contextmanager
    def _parser(self, scheme: Scheme, options: ParserOptions) -> Iterator[SentenceParser]:
        """A parser that nobody else uses meanwhile: it learns rules as it goes."""
        from .parsing import make_parser

        wanted = (scheme, options)
        with self._lock:
            known = [place for place, (made, _) in enumerate(self._idle) if made == wanted]
            parser = self._idle.pop(known[0])[1] if known else None
        parser = parser or make_parser(str(self.parser), scheme, options)
        try:
            yield parser
        finally:
            with self._lock:
                self._idle = [*self._idle[-_KEPT:], (wanted, parser)]


class _Run(NamedTuple):
    """Sentences that are all without supertags, or all have some, and the scheme that is given or guessed."""

    bare: bool
    scheme: Scheme | None
    sentences: Iterator[Sentence | None]


class _Chunk(NamedTuple):
    """Sentences that go to another process together; so many were there `before` them."""

    bare: bool
    scheme: Scheme
    sentences: list[Sentence]
    before: int


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of parsing: of the tagger, of the pipeline, and the rest of the parser."""

    k: int
    scheme: Scheme | None
    notation: str | None
    options: ParserOptions

    @classmethod
    def of(cls, options: ParseOptions) -> _Asked:
        own = ("k", "scheme", "notation")
        left = {name: value for name, value in options.items() if name not in own}
        scheme = options.get("scheme")
        return cls(
            options.get("k", _PARSING_K),
            load_scheme(scheme) if isinstance(scheme, str) else scheme,
            options.get("notation"),
            cast("ParserOptions", left),
        )

    @property
    def jobs(self) -> int:
        return self.options.get("jobs", 1)

    def named(self) -> str:
        """The options that are for a parser that is given by name."""
        own = {"scheme": self.scheme, "notation": self.notation}
        return ", ".join([*(name for name, value in own.items() if value), *self.options])


def _untold() -> Scheme:
    """The scheme where nobody could tell one: that of the shipped models, with a warning."""
    _log.warning("the categories fit several schemes: they are parsed by the rules of %s", _UNTOLD)
    return load_scheme(_UNTOLD)


def _numbered(result: ParseResult, number: int) -> ParseResult:
    """The result with the sentence's number in the ids of its parses, if it has no id."""
    if result.sentence.id:
        return result
    parses = tuple(replace(one, id=f"{number}/{rank}") for rank, one in enumerate(result.parses, 1))
    return replace(result, parses=parses)
