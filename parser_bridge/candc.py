"""C&C as a parser: sentences through Java processes, in order, whatever becomes of them."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

from ccgkit.grammar import Category, Token
from ccgkit.sentence import Sentence, Supertag

from .adaptation import adapt
from .cpp_model import import_model
from .errors import CandCError
from .installation import Installation, Interface
from .markedup import load_notation
from .pairs import RULES_FILE
from .preparation import FLOOR, Dropped, prepare
from .process import Limits, Process
from .result import CandCResult, failed
from .work import Board, Item, Worker

__all__ = ["CandC"]


class CandC:
    """C&C's parser, to be used in a `with` statement; all that it started is gone at the end.

    `with CandC(Installation.locate("candc.jar", "candc-home")) as parser: parser.parse(sentence)`

    On entering, the installation is checked, the jar asked for its command line, and a process started, which
    loads its model. `dropped` says which categories C&C did not know. `keep` is a folder in which the files
    of all runs stay.

    Raises `CandCError` where `jobs` is not above 0 and, on entering, where the installation does not work.
    """

    def __init__(
        self,
        installation: Installation,
        limits: Limits | None = None,
        *,
        jobs: int = 1,
        keep: Path | None = None,
    ) -> None:
        if jobs < 1:
            raise CandCError("jobs must be above 0")
        self.installation, self.limits = installation, limits or Limits()
        self.dropped = Dropped.none()
        self._jobs, self._keep = jobs, keep and keep.absolute()
        self._adapted = installation
        self._numbers = count(1)
        self._lock = threading.Lock()
        self._interface: Interface | None = None
        self._crews: list[tuple[Board, list[Worker]]] = []
        self._waiting: Process | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        self.installation.check()
        interface = self.installation.probe()
        if interface is Interface.POSITIONAL:
            self._check_older()
        self._notation = load_notation(self.installation.grammar / "markedup")
        self._interface = interface
        try:
            if self._keep is None:
                self._folder = tempfile.TemporaryDirectory(prefix="ccgkit-candc-", ignore_cleanup_errors=True)
            else:
                self._keep.mkdir(parents=True, exist_ok=True)
            if interface is Interface.OPTIONS:  # an older jar reads what lies in its home
                self._adapted = self._adapt()
            self._waiting = self._start()
        except OSError as error:
            self.__exit__(None, None, None)
            raise CandCError(f"C&C's files cannot be written: {error}") from error
        except CandCError:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for crew in list(self._crews):
            self._dismiss(*crew)
        with self._lock:
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.stop()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        self._interface = None

    @property
    def probe(self) -> Sentence:
        """A sentence that any C&C can parse: a word with a category of its grammar."""
        return Sentence((Token("ccgkit", "NN"),), ((Supertag(self._notation.noun),),))

    @property
    def example(self) -> Sentence:
        """A sentence to try C&C with: a noun and a verb, or a word where the grammar does not have both."""
        verb, noun = Category.parse(r"S[dcl]\NP"), Category.parse("N")
        if not {verb, noun} <= self._notation.known:
            return self.probe
        words = Token("birds", "NNS"), Token("sing", "VBP")
        return Sentence(words, ((Supertag(noun),), (Supertag(verb),)))

    def parse(self, sentence: Sentence) -> CandCResult:
        """Parse one sentence, which has its k best tags; for many, `pipe` is faster by far.

        Raises `CandCError` outside of the `with` statement, `FormatError` where a word has no categories.
        """
        (result,) = self.pipe([sentence])
        return result

    def pipe(self, sentences: Iterable[Sentence]) -> Iterator[CandCResult]:
        """Parse sentences with their k best tags, in order; each result comes as soon as C&C gives it.

        Raises `CandCError` outside of the `with` statement, `FormatError` where a word has no categories.
        """
        if self._interface is None:
            raise CandCError("C&C must be used inside its with statement")
        board = Board(self._jobs)
        keep = self._keep is not None
        spellings = self._notation.spellings
        workers = [Worker(board, self._next_process, self.probe, spellings, keep) for _ in range(self._jobs)]
        self._crews.append((board, workers))
        for worker in workers:
            worker.start()
        try:
            for number, given in enumerate(sentences):
                self._post(board, number, _with_tags(given))
                yield from board.results(wait=False)
            board.close()
            yield from board.results(wait=True)
        finally:
            self._dismiss(board, workers)  # an error, Ctrl-C, or a caller that wants no more

    def _dismiss(self, board: Board, workers: list[Worker]) -> None:
        """End the work and wait for that: no process is to be left."""
        board.stop()
        for worker in workers:
            worker.join()
        with suppress(ValueError):
            self._crews.remove((board, workers))

    def _post(self, board: Board, number: int, sentence: Sentence) -> None:
        """Hand a sentence to the workers; one that C&C cannot take never reaches it."""
        if reason := _unfit(sentence):
            board.post(number, failed(sentence, reason))
            return
        prepared, dropped = prepare(sentence, self._notation, min(FLOOR, self.limits.betas[0]))
        self.dropped.update(dropped)
        board.put(Item(number, sentence, prepared))

    def _adapt(self) -> Installation:
        """The installation with grammar and model as the Java parser reads them."""
        grammar = adapt(self.installation.grammar, self._base / "grammar")
        return import_model(replace(self.installation, grammar=grammar), self._base / "model")

    def _check_older(self) -> None:
        """An older jar reads what lies in its home, as it is."""
        jar, rules = self.installation.jar, self.installation.grammar / RULES_FILE
        if self.installation.home is None:
            raise CandCError(
                f"{jar} is an older one, which finds its grammar in fixed places: "
                "name the folder that has them with --cc-home"
            )
        if not rules.exists():
            raise CandCError(f"{jar} is an older one, for which no rules are made: {rules} does not exist")

    def _next_process(self) -> Process:
        """The process that was started on entering, if it is still to be had, or a new one."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
        return waiting or self._start()

    def _start(self) -> Process:
        if self._interface is None:
            raise CandCError("C&C must be used inside its with statement")
        return Process(self._adapted, self._interface, self.limits, self._new_folder())

    def _new_folder(self) -> Path:
        base = self._base
        with self._lock:
            return next(path for n in self._numbers if not (path := base / f"run-{n:04}").exists())

    @property
    def _base(self) -> Path:
        """The folder of all files."""
        base = Path(self._folder.name) if self._folder else self._keep
        if base is None:
            raise CandCError("C&C must be used inside its with statement")
        return base


def _unfit(sentence: Sentence) -> str:
    """Why C&C cannot take a sentence; empty where it can."""
    if not sentence.tokens:
        return "no words"
    if not all(sentence.words):
        return "an empty word"
    tags: Sequence[Sequence[Supertag]] = sentence.tags or ()
    if len(tags) != len(sentence.tokens) or not all(tags):
        return "a word without a tag"
    return ""


def _with_tags(sentence: Sentence) -> Sentence:
    """The sentence with the categories of its derivation as tags, where it has no others."""
    if sentence.tags is not None or sentence.categories is None:
        return sentence
    return replace(sentence, tags=tuple((Supertag(category),) for category in sentence.categories))
