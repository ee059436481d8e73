"""The work of C&C's processes: who parses what, and who tries again when one of them is lost."""

from __future__ import annotations

import shutil
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ccgkit.grammar import Category, Dependency
from ccgkit.parsing.result import Status
from ccgkit.sentence import Sentence, Supertag

from .errors import CandCError
from .log import Note
from .process import Failure, Kind, Process
from .result import NOT_TRIED, CandCResult, failed
from .spellings import Spellings

__all__ = ["Board", "Item", "Worker"]

_POLL = 0.02  # seconds between two looks at a process
_WAITING = 64  # sentences for each worker that wait on the board
_PROCESS = 10_000  # sentences that a process gets: its files do not grow for ever
_STARTS = 5  # without an answer to anything: then C&C is asked whether it is still there
_PROBES = 3  # times that it is asked: one process may be lost by chance
_STRIKES = 2  # times that a process is killed, or ends, at its first sentence before that is to blame
# answers that Java held back are lost: the next process gets fewer sentences
_LOSING = (Kind.KILLED, Kind.MEMORY, Kind.TIMEOUT)


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence with its number (from 0), as it came and as C&C gets it."""

    number: int
    given: Sentence
    prepared: Sentence


class Board:
    """Where sentences wait for workers, and results for their turn."""

    def __init__(self, workers: int) -> None:
        self._changed = threading.Condition()
        self._todo: deque[Item] = deque()
        self._results: dict[int, CandCResult] = {}
        self._next = 0  # number of the result that is due
        self._expected = 0  # results that there will be, as far as is known
        self._taken: set[int] = set()  # numbers of sentences that workers have
        self._workers = workers
        self._capacity = _WAITING * workers
        self._closed = False
        self._error: BaseException | None = None
        self._verdict = ""  # why no worker is left
        self.stopped = threading.Event()
        self.answered = False  #: whether C&C has ever answered

    def put(self, item: Item) -> None:
        """Add a sentence."""
        with self._changed:
            self._expected = item.number + 1
            if self._verdict:
                self._results[item.number] = failed(item.given, self._verdict)
            else:
                self._todo.append(item)
            self._changed.notify_all()

    def close(self) -> None:
        """Say that no sentence follows."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def stop(self) -> None:
        """End all work, done or not."""
        self.stopped.set()
        with self._changed:
            self._changed.notify_all()

    def post(self, number: int, result: CandCResult) -> None:
        """Give a result, of a sentence that was put or of one that never needs a worker."""
        with self._changed:
            self._expected = max(self._expected, number + 1)
            self._taken.discard(number)
            self._results[number] = result
            self._changed.notify_all()

    def results(self, wait: bool) -> Iterator[CandCResult]:
        """The results whose turn it is; with `wait` all that are still to come.

        Without it, too, there is some waiting while there is more to do than the workers can hold. Failures
        wait for an answer: a C&C that never gives one is an error, and no sentence's fault.
        """
        while True:
            with self._changed:
                while not self._is_due() and self._must_wait(wait):
                    self._changed.wait()
                if self._error is not None:
                    raise self._error
                if not self._is_due():
                    return
                result = self._results.pop(self._next)
                self._next += 1
            yield result

    def take(self, patient: bool = False) -> Item | None:
        """The next sentence to parse; None if there is none (now or, for the patient, ever)."""
        with self._changed:
            while patient and not self._todo and self._may_come() and not self.stopped.is_set():
                self._changed.wait()
            if not self._todo:
                return None
            item = self._todo.popleft()
            self._taken.add(item.number)
            self._changed.notify_all()
            return item

    @property
    def exhausted(self) -> bool:
        """Whether no sentence is left to take, nor will be."""
        with self._changed:
            return self._closed and not self._todo

    def pause(self) -> None:
        """Wait for a moment, or until something has changed."""
        self.stopped.wait(_POLL)

    def resign(self, items: Sequence[Item], reason: str) -> None:
        """A worker gives up: the others get its sentences; where there are none, nobody parses the rest."""
        with self._changed:
            self._workers -= 1
            self._taken -= {item.number for item in items}
            self._todo.extendleft(reversed(items))
            if not self._workers:
                self._verdict = f"{NOT_TRIED}{reason}"
                for item in self._todo:
                    self._results[item.number] = failed(item.given, self._verdict)
                self._todo.clear()
                if not self.answered:
                    self._error = CandCError(reason)
            self._changed.notify_all()

    def fail(self, error: BaseException) -> None:
        """Raise an error where results are asked for."""
        with self._changed:
            self._error = self._error or error
            self._changed.notify_all()

    def _is_due(self) -> bool:
        """Whether the next result is there; while C&C has answered nothing, it may yet be an error."""
        all_there = self._closed and len(self._results) == self._expected - self._next
        return self._next in self._results and (self.answered or all_there)

    def _must_wait(self, wait: bool) -> bool:
        if self._error is not None or self.stopped.is_set():
            return False
        return self._next < self._expected if wait else len(self._todo) >= self._capacity

    def _may_come(self) -> bool:
        """Whether sentences can still come: from outside, or from a worker that gives up."""
        return not self._closed or bool(self._taken)


class Worker(threading.Thread):
    """Keeps one process busy with sentences from the board, and starts another when it is lost.

    A sentence at which a process was lost is tried again as the first of the next one, and given up if that
    is lost, too: once, if it was for memory, otherwise twice, since it may have been chance. Where the log
    does not tell which it was, processes get fewer sentences, in the end that one alone. After some starts
    without any answer C&C gets `probe`: where that has none, either, the worker resigns.
    """

    def __init__(
        self, board: Board, start: Callable[[], Process], probe: Sentence, spellings: Spellings, keep: bool
    ) -> None:
        super().__init__(daemon=True)
        self._board, self._start_process, self._probe, self._keep = board, start, probe, keep
        self._spellings = spellings
        self._backlog: deque[Item] = deque()
        self._limit = _PROCESS  # sentences for the next process
        self._strikes: Counter[int] = Counter()
        self._fruitless = 0  # starts in a row

    def run(self) -> None:
        try:
            while not self._board.stopped.is_set() and (item := self._take(patient=True)):
                self._backlog.appendleft(item)
                if reason := self._parse():
                    self._board.resign(self._backlog, reason)
                    return
        except OSError as error:
            self._board.fail(CandCError(f"C&C's files cannot be written: {error}"))
        except BaseException as error:  # it is the reader of the results who is to see it
            self._board.fail(error)

    def _take(self, patient: bool = False) -> Item | None:
        return self._backlog.popleft() if self._backlog else self._board.take(patient)

    def _parse(self) -> str:
        """Run a process for as long as it lasts; the reason to resign, if there is one."""
        unanswered: deque[Item] = deque()
        answers = 0
        with self._process() as process:
            for block, note in self._answers(process, unanswered):
                item = unanswered.popleft()
                self._board.answered = True
                answers += 1
                self._board.post(item.number, _result(item, block, note, self._spellings))
            if self._board.stopped.is_set():
                return ""
            failure, fed = process.failure(), process.fed if process.ready else 0
        self._fruitless = 0 if answers else self._fruitless + 1
        if failure is None:
            self._limit = min(2 * self._limit, _PROCESS)
            return ""
        if failure.kind is Kind.START and not self._board.answered:
            self._backlog.extendleft(reversed(unanswered))
            return failure.message
        self._blame(failure, list(unanswered), fed)
        if self._fruitless < _STARTS:
            return ""
        return "" if self._is_there() else f"C&C has failed {_STARTS} times in a row: {failure.message}"

    def _answers(self, process: Process, unanswered: deque[Item]) -> Iterator[tuple[Sentence, Note]]:
        """Feed a process, and pass on what it answers, until it has ended."""
        while not self._board.stopped.is_set():
            ended = process.ended
            while process.hungry and process.fed < self._limit and (item := self._take()):
                process.feed(item.prepared)
                unanswered.append(item)
            if process.fed >= self._limit or (not self._backlog and self._board.exhausted):
                process.close()
            yield from process.step()
            if ended:
                return
            self._board.pause()

    def _blame(self, failure: Failure, items: list[Item], fed: int) -> None:
        """Find the sentence at fault among those without an answer; the others are tried again.

        None is while the model is loaded.
        """
        suspect, loaded = failure.suspect, fed > 0 and failure.kind is not Kind.START
        if suspect is None and loaded and fed == len(items) == 1:
            suspect = 0
        if suspect is not None:
            item = items.pop(suspect)
            if self._is_guilty(failure, item, suspect == 0 and fed == len(items) + 1):
                self._board.post(item.number, failed(item.given, failure.message))
            else:
                items.insert(0, item)
        if items and loaded and (suspect is None or failure.kind in _LOSING):
            self._limit = max(1, len(items) // 2)
        self._backlog.extendleft(reversed(items))

    def _is_guilty(self, failure: Failure, item: Item, first: bool) -> bool:
        """Whether it was the sentence's fault; `first` says that a fresh process had it to itself."""
        if failure.kind is Kind.TIMEOUT:
            return True
        if failure.kind is Kind.MEMORY:
            return first
        self._strikes[item.number] += first
        return self._strikes[item.number] >= _STRIKES

    def _is_there(self) -> bool:
        """Whether C&C answers at all; then the sentences are to blame, and parsing goes on."""
        self._fruitless = 0
        return any(self._answers_probe() for _ in range(_PROBES))

    def _answers_probe(self) -> bool:
        with self._process() as process:
            process.feed(self._probe)
            process.close()
            answers = 0
            while not self._board.stopped.is_set():
                ended = process.ended
                answers += len(list(process.step()))
                if ended:
                    break
                self._board.pause()
        if answers:
            self._board.answered = True
        return answers > 0

    @contextmanager
    def _process(self) -> Iterator[Process]:
        """A process that is gone in the end, with its files unless they are to be kept."""
        process = self._start_process()
        try:
            yield process
        finally:
            process.stop()
            if not self._keep:
                shutil.rmtree(process.folder, ignore_errors=True)


def _result(item: Item, block: Sentence, note: Note, spellings: Spellings) -> CandCResult:
    if not block.tokens:
        return failed(item.given, note.reason or "C&C found no parse", note.beta)
    tags = _chosen(item.prepared, block.categories or (), spellings)
    links = tuple(sorted(map(spellings.read_dependency, block.dependencies or ()), key=_place))
    return CandCResult(replace(item.given, tags=tags), Status.PARSED, beta=note.beta, links=links)


def _place(link: Dependency) -> tuple[int, int, int, str, int]:
    """Heads, slots and arguments in order, as ours are: C&C's own depends on what it has parsed before."""
    return link.head, link.slot, link.argument, str(link.category), link.rule


def _chosen(
    sentence: Sentence, categories: Sequence[Category], spellings: Spellings
) -> tuple[tuple[Supertag, ...], ...]:
    """The tag that C&C chose for each word, with the log-probability that it was sent with."""
    chosen = []
    for tags, category in zip(sentence.tags or (), categories, strict=True):
        logprob = next((tag.logprob for tag in tags if tag.category is category), 0.0)
        chosen.append((Supertag(spellings.read(category), logprob),))
    return tuple(chosen)
