"""C&C as a parser: batches of sentences through Java processes, whatever becomes of them."""

from __future__ import annotations

import math
import tempfile
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, count, islice
from pathlib import Path
from types import TracebackType
from typing import Self

from ccgkit.grammar import Category
from ccgkit.parsing.result import Status
from ccgkit.sentence import Sentence, Supertag

from .errors import CandCError
from .installation import Installation, Interface
from .log import Note
from .markedup import known_categories
from .notation import Notation
from .preparation import Dropped, prepare
from .process import Ending, Limits, Processes, Run
from .result import CandCResult, failed

__all__ = ["CandC"]

_BATCH = 500  # sentences a process gets
_CRASHES = 5  # one after the other, without a parse in between, end the run
_FLOOR = 1e-4  # tags down to this share of the best are sent: C&C goes back to them


class CandC:
    """C&C's parser, to be used in a `with` statement; all that it started is gone at the end.

    `with CandC(Installation.locate("candc.jar", "candc-home")) as parser: parser.parse(sentence)`

    The installation is checked, and the jar asked for its command line, on entering. `dropped` says which
    categories C&C did not know. `keep` is a folder in which the files of all runs stay.
    """

    def __init__(
        self,
        installation: Installation,
        limits: Limits | None = None,
        *,
        jobs: int = 1,
        batch: int = _BATCH,
        keep: Path | None = None,
    ) -> None:
        if jobs < 1 or batch < 1:
            raise CandCError("jobs and sentences a batch must be above 0")
        self.installation, self.limits = installation, limits or Limits()
        self.dropped = Dropped.none()
        self._jobs, self._batch, self._keep = jobs, batch, keep
        self._numbers = count(1)
        self._lock = threading.Lock()
        self._interface: Interface | None = None
        self._active: list[Processes] = []
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        self.installation.check()
        interface = self.installation.probe()
        if interface is Interface.POSITIONAL and self.installation.home is None:
            raise CandCError(
                f"{self.installation.jar} is an older one, which finds its grammar in fixed places: "
                "name the folder that has them with --cc-home"
            )
        self._notation = Notation(known_categories(self.installation.grammar / "markedup"))
        self._interface = interface
        if self._keep is None:
            self._folder = tempfile.TemporaryDirectory(prefix="ccgkit-candc-")
        else:
            self._keep.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for processes in self._active:
            processes.stop()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        self._interface = None

    def parse(self, sentence: Sentence) -> CandCResult:
        """Parse one sentence, which has its k best tags; for many, `pipe` is faster by far."""
        (result,) = self.pipe([sentence])
        return result

    def pipe(self, sentences: Iterable[Sentence]) -> Iterator[CandCResult]:
        """Parse sentences with their k best tags, in order, several batches at a time."""
        if self._interface is None:
            raise CandCError("C&C is used outside of its with statement")
        stream = iter(sentences)
        window = list(islice(stream, self._jobs * self._batch))
        ended = len(window) < self._jobs * self._batch
        size = max(1, math.ceil(len(window) / self._jobs)) if ended else self._batch
        batches = _batches(chain(window, stream), size)
        pool = ThreadPoolExecutor(self._jobs)
        processes = Processes(self.installation, self._interface, self.limits)
        self._active.append(processes)
        waiting: deque[Future[list[CandCResult]]] = deque()
        try:
            for batch in islice(batches, self._jobs + 1):
                waiting.append(pool.submit(self._parse_batch, batch, processes))
            while waiting:
                results = waiting.popleft().result()
                for batch in islice(batches, 1):
                    waiting.append(pool.submit(self._parse_batch, batch, processes))
                yield from results
        finally:
            processes.stop()  # an error, Ctrl-C, or a caller that wants no more
            pool.shutdown(cancel_futures=True)
            self._active.remove(processes)

    def _parse_batch(self, batch: Sequence[Sentence], processes: Processes) -> list[CandCResult]:
        """One result for each sentence; those that C&C cannot take never reach it."""
        results: dict[int, CandCResult] = {}
        prepared: list[tuple[int, Sentence]] = []
        for place, given in enumerate(batch):
            sentence = _with_tags(given)
            if not sentence.tokens or not all(sentence.words):
                results[place] = failed(sentence, "no words" if not sentence.tokens else "an empty word")
            elif not sentence.tags or not all(sentence.tags) or len(sentence.tags) != len(sentence.tokens):
                results[place] = failed(sentence, "a word without a tag")
            else:
                known, dropped = prepare(sentence, self._notation, min(_FLOOR, self.limits.betas[0]))
                with self._lock:
                    self.dropped.update(dropped)
                prepared.append((place, known))
        found = self._run_all([sentence for _, sentence in prepared], processes)
        for (place, _), result in zip(prepared, found, strict=True):
            results[place] = replace(result, sentence=_tagged(batch[place], result))
        return [results[place] for place in range(len(batch))]

    def _run_all(self, sentences: list[Sentence], processes: Processes) -> list[CandCResult]:
        """Run C&C until each sentence has a result: one that breaks it is left out of the next run."""
        done: list[CandCResult] = []
        agenda: deque[list[Sentence] | CandCResult] = deque([sentences] if sentences else [])
        crashes = 0
        while agenda:
            item = agenda.popleft()
            if isinstance(item, CandCResult):
                done.append(item)
                continue
            run = processes.run(item, self._new_folder())
            done += _results(item, run)
            if run.blocks:
                crashes = 0
            elif run.culprit is not None:
                crashes += 1
            if crashes >= _CRASHES:
                raise CandCError(f"C&C has failed {crashes} times in a row; the last time: {run.message}")
            agenda.extendleft(reversed(_left(item, run)))
        return done

    def _new_folder(self) -> Path:
        base = Path(self._folder.name) if self._folder else self._keep
        if base is None:
            raise CandCError("C&C is used outside of its with statement")
        with self._lock:
            return next(path for n in self._numbers if not (path := base / f"run-{n:04}").exists())


def _left(sentences: list[Sentence], run: Run) -> list[list[Sentence] | CandCResult]:
    """What is still to do after a run: lists of sentences, and failures in their places."""
    start = len(run.blocks)
    rest = sentences[start:]
    if not rest:
        return []
    if run.ending is Ending.MEMORY and start:
        return [rest]  # a new process has its memory to itself
    if run.culprit is None and len(rest) > 1:
        middle = len(rest) // 2
        return [rest[:middle], rest[middle:]]
    # what was parsed before the culprit, but was lost with the process, is parsed again
    place = max(0, (run.culprit or 0) - start)
    parts: list[list[Sentence] | CandCResult] = [
        rest[:place],
        failed(rest[place], run.message),
        rest[place + 1 :],
    ]
    return [part for part in parts if part]


def _results(sentences: list[Sentence], run: Run) -> list[CandCResult]:
    notes = run.notes + [Note()] * (len(run.blocks) - len(run.notes))
    results = []
    for sentence, block, note in zip(sentences, run.blocks, notes, strict=False):
        if block.tokens:
            results.append(
                CandCResult(
                    replace(sentence, tags=_chosen(sentence, block.categories or ())),
                    Status.PARSED,
                    beta=note.beta,
                    links=block.dependencies or (),
                )
            )
        else:
            results.append(failed(sentence, note.reason or "C&C found no parse", note.beta))
    return results


def _chosen(sentence: Sentence, categories: Sequence[Category]) -> tuple[tuple[Supertag, ...], ...]:
    """The tag that C&C chose for each word, with the log-probability that it was sent with."""
    chosen = []
    for tags, category in zip(sentence.tags or (), categories, strict=True):
        sent = [tag for tag in tags if tag.category is category]
        chosen.append((sent[0] if sent else Supertag(category),))
    return tuple(chosen)


def _with_tags(sentence: Sentence) -> Sentence:
    """The sentence with the categories of its derivation as tags, where it has no others."""
    if sentence.tags is not None or sentence.categories is None:
        return sentence
    return replace(sentence, tags=tuple((Supertag(category),) for category in sentence.categories))


def _tagged(sentence: Sentence, result: CandCResult) -> Sentence:
    """The sentence as it came, with the chosen tags where there is a parse."""
    return replace(sentence, tags=result.sentence.tags) if result.status is Status.PARSED else sentence


def _batches(stream: Iterator[Sentence], size: int) -> Iterator[list[Sentence]]:
    while batch := list(islice(stream, size)):
        yield batch
