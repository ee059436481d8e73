"""One Java process: fed with sentences as they come, it answers in blocks; and why it ended too soon."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from ccgkit.corpora import CorpusError, deps, multitag
from ccgkit.sentence import Sentence

from .errors import CandCError
from .growing import GrowingFile
from .installation import Installation, Interface, environment, first_line, hint
from .log import Log, Note

__all__ = ["Failure", "Kind", "Limits", "Process"]

_AHEAD = 16  # sentences that wait in front of C&C, which is then never idle
_UNSEEN = 500  # the same where no log shows how far it is
_BUFFER = 1 << 16  # bytes that wait where the system takes no more
_STDIN = "/dev/stdin"  # the feed, as a file's name
_SIGNALLED = 128  # a shell that runs Java ends with this and the number of the signal


@dataclass(frozen=True, slots=True)
class Limits:
    """What C&C is told, and how long it may take.

    `timeout` is in seconds for one sentence, `startup` for the model.

    Raises `CandCError` where a limit is not above 0, or the betas are not three or more that rise.
    """

    betas: tuple[float, ...] = (0.0001, 0.01, 0.075, 0.1, 0.2)
    max_words: int = 250
    max_supercats: int = 300_000
    timeout: float = 300.0
    startup: float = 600.0

    def __post_init__(self) -> None:
        if len(self.betas) < 3 or list(self.betas) != sorted(self.betas) or not self.betas[0] > 0:
            raise CandCError(
                "betas are at least three positive numbers, rising: C&C starts with the third, goes on to "
                "the second and the first while it finds no parse, to the fourth when its chart is too big"
            )
        for name in ("max_words", "max_supercats", "timeout", "startup"):
            if not getattr(self, name) > 0:
                raise CandCError(f"{name.replace('_', ' ')} must be above 0")


class Kind(Enum):
    """How a process can fail."""

    START = "start"  # it never came to parse
    CRASH = "crash"  # an exception, an answer that is none, an early end
    MEMORY = "memory"
    TIMEOUT = "timeout"
    KILLED = "killed"  # by somebody else


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a process has ended before its work was done.

    `suspect` is the place, among the sentences without an answer, of the one that it was at; None where that
    cannot be known.
    """

    kind: Kind
    message: str
    suspect: int | None = None


class Process:
    """A Java process in a folder of its own, which must be new.

    It is started at once and loads its model while nothing is fed. `step` moves sentences and answers, and
    must be called again and again until it has `ended`.
    """

    def __init__(
        self, installation: Installation, interface: Interface, limits: Limits, folder: Path
    ) -> None:
        self._installation, self._interface, self._limits = installation, interface, limits
        self.folder = folder
        self._files = _Files(folder)
        # an older jar keeps its log to itself until it ends, but prints the same lines
        older = interface is Interface.POSITIONAL
        self._log = Log(self._files.stdout if older else self._files.log)
        self._output = GrowingFile(self._files.output)
        self._lines: list[str] = []
        self._header = True
        self._unwritten = bytearray(multitag.CODEC.header.encode())
        self._unanswered: deque[Sentence] = deque()
        self._sent = self._answered = 0
        self._closed = False
        self._failure: Failure | None = None
        self._copy = self._files.input.open("wb")
        self._process = self._start()
        self._feed = self._process.stdin
        if self._feed is not None:
            os.set_blocking(self._feed.fileno(), False)
        self._moved, self._since = (0, 0), time.monotonic()

    def feed(self, sentence: Sentence) -> None:
        """Send a sentence, as `prepare` has made it."""
        self._unwritten += multitag.CODEC.encode(sentence, self._sent + 1).encode()
        self._unanswered.append(sentence)
        self._sent += 1

    def close(self) -> None:
        """Say that no sentence follows: Java answers what it still holds back, and ends."""
        self._closed = True

    @property
    def hungry(self) -> bool:
        """Whether another sentence should be fed."""
        if self._closed or len(self._unwritten) > _BUFFER:
            return False
        if self._log.exists or not self.ready:
            return self._sent - self._begun < _AHEAD
        return len(self._unanswered) < _UNSEEN

    @property
    def ready(self) -> bool:
        """Whether the model is loaded: Java opens its input before it makes its output."""
        return self._output.exists

    @property
    def fed(self) -> int:
        """How many sentences were sent."""
        return self._sent

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def step(self) -> Iterator[tuple[Sentence, Note]]:
        """The blocks that have come since, each with what the log says; a process that is stuck is killed."""
        if self._failure is not None:
            return
        ended = self.ended  # before the files are read: then they are complete
        self._write()
        blocks = list(self._new_blocks())
        self._log.read(self._sent)
        for lines in blocks:
            note = self._log.take(self._answered)
            try:
                block = self._checked(lines, note)
            except CandCError as error:
                self._fail(Kind.CRASH, str(error), 0 if self._unanswered else None)
                return
            self._answered += 1
            self._unanswered.popleft()
            yield block, note
        if not ended and self._is_stuck():
            self._give_up_waiting()

    def failure(self) -> Failure | None:
        """Why the process, which has ended, did not do its work; None if it did."""
        if self._failure is not None:
            return self._failure
        if self._closed and not self._unanswered and self.ready:
            return None
        return self._judge(self._process.returncode)

    def stop(self) -> None:
        """End the process with all that it has started, and let go of the files."""
        with contextlib.suppress(OSError):  # Java may have been started by a script: its group goes, too
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._close_feed()
        self._copy.close()
        self._output.close()
        self._log.close()

    def _start(self) -> subprocess.Popen[bytes]:
        older = self._interface is Interface.POSITIONAL
        with self._files.stdout.open("wb") as stdout, self._files.stderr.open("wb") as stderr:
            try:
                return subprocess.Popen(
                    [*self._installation.command(), *self._arguments()],
                    bufsize=0,
                    stdin=subprocess.PIPE,  # and no named one: should we be killed, it ends, and Java with it
                    stdout=stdout,
                    stderr=stderr,
                    # an older jar finds its grammar in the current folder
                    cwd=self._installation.home if older else self._files.folder,
                    env=environment(),
                    start_new_session=True,  # Ctrl-C reaches us alone, and we end it
                )
            except OSError as error:
                self._copy.close()
                raise CandCError(f"{self._installation.java} does not start: {error}") from error

    def _arguments(self) -> list[str]:
        here, limits, files = self._installation, self._limits, self._files
        if self._interface is Interface.POSITIONAL:
            return [_STDIN, str(files.output), str(files.log), str(here.weights), "1", "2147483647"]
        named = {
            "grammarDir": here.grammar,
            "lexiconFile": here.lexicon,
            "featuresFile": here.features,
            "weights": here.weights,
            "input": _STDIN,
            "output": files.output,
            "log": files.log,
            "maxWords": limits.max_words,
            "maxSupercats": limits.max_supercats,
            "betas": ",".join(map(str, limits.betas)),
        }
        return [word for name, value in named.items() for word in (f"--{name}", str(value))]

    @property
    def _begun(self) -> int:
        """Sentences that Java has begun; an older jar says so before it has one."""
        return min(self._log.begun, self._sent)

    def _write(self) -> None:
        """Write what the feed takes, and end it when all is written; a Java that is gone takes nothing."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            while self._unwritten and self._feed is not None:
                count = os.write(self._feed.fileno(), self._unwritten)
                self._copy.write(self._unwritten[:count])
                del self._unwritten[:count]
        if self._closed and not self._unwritten:
            self._close_feed()

    def _close_feed(self) -> None:
        if self._feed is not None:
            self._feed.close()
            self._feed = None

    def _new_blocks(self) -> Iterator[list[str]]:
        """The lines of each block that was completed since the last time."""
        for line in self._output.lines():
            if line:
                self._lines.append(line)
                continue
            lines, self._lines = self._lines, []
            if self._header:
                self._header = False
            else:
                yield lines

    def _checked(self, lines: list[str], note: Note) -> Sentence:
        """A block that is about the words that were sent; an empty one has a reason in the log."""
        if not self._unanswered:
            raise CandCError(f"C&C answered more than the {self._sent} sentences it was sent")
        try:
            (block,) = deps.loads(deps.CODEC.header + "".join(f"{line}\n" for line in lines) + "\n")
        except CorpusError as error:
            raise CandCError(f"C&C's answer cannot be read: {error.reason}") from error
        words = self._unanswered[0].words
        if not block.tokens and not note.reason and self._interface is Interface.OPTIONS and self._log.exists:
            raise CandCError("C&C gave an empty answer to it, and no reason")
        if block.tokens and block.words != words:
            raise CandCError(
                f"C&C's answer is not about the words sent: {' '.join(block.words)!r} instead of "
                f"{' '.join(words)!r}"
            )
        return block

    def _is_stuck(self) -> bool:
        """Whether nothing has moved for longer than is allowed, though there is something to do."""
        now = time.monotonic()
        moved = (self._output.size, self._log.size)
        if moved != self._moved or (self.ready and not self._owes):
            self._moved, self._since = moved, now
        return now - self._since > self._patience

    @property
    def _owes(self) -> bool:
        """Whether Java has something to do: it holds answers back, so the last sentence may be done."""
        if self._closed:
            return True
        return self._begun < self._sent if self._log.exists else bool(self._unwritten)

    @property
    def _patience(self) -> float:
        """Seconds without a movement: of one sentence where the log shows each, else of all."""
        if not self.ready:
            return self._limits.startup
        return self._limits.timeout * (1 if self._log.exists else max(1, len(self._unanswered)))

    def _give_up_waiting(self) -> None:
        if self.ready:
            message = f"took longer than {self._limits.timeout:g} seconds (--timeout)"
            self._fail(Kind.TIMEOUT, message, self._suspect())
        else:
            message = f"C&C has not begun to parse after {self._limits.startup:g} seconds; {self._said(None)}"
            self._fail(Kind.START, message, None)

    def _fail(self, kind: Kind, message: str, suspect: int | None) -> None:
        self._failure = Failure(kind, message, suspect)
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _suspect(self) -> int | None:
        """The unanswered sentence that Java was at, by its log; where it was at none, nobody is."""
        if not self._unanswered or not self._log.exists or self._begun <= self._answered:
            return None
        return self._begun - 1 - self._answered

    def _judge(self, code: int) -> Failure:
        """What an end means: the exit code alone proves nothing."""
        errors = self._files.stderr.read_text(encoding="utf-8", errors="replace")
        said = self._said(code) + hint(errors)
        xmx = self._installation.xmx
        if code < 0 or code > _SIGNALLED:
            number = -code if code < 0 else code - _SIGNALLED
            return Failure(Kind.KILLED, f"C&C was killed (signal {number})", self._suspect())
        if "OutOfMemoryError" in errors:
            if self._log.begun:
                return Failure(Kind.MEMORY, f"out of memory with --xmx {xmx}: give it more", self._suspect())
            if not self.ready or self._log.exists:
                return Failure(Kind.START, f"C&C's model does not fit into --xmx {xmx}: give it more; {said}")
            return Failure(Kind.MEMORY, f"out of memory with --xmx {xmx}: give it more", None)
        if not self.ready:
            return Failure(Kind.START, f"C&C has written nothing: {said}")
        # all that was finished has been written, so it is the first of the others
        suspect = 0 if self._unanswered else None
        if code == 0:
            return Failure(Kind.CRASH, "C&C ended without an answer to it", suspect)
        return Failure(Kind.CRASH, f"C&C crashed: {said}", suspect)

    def _said(self, code: int | None) -> str:
        """The exit code and what the streams and the log say."""
        said = [] if code is None else [f"exit code {code}"]
        for path in (self._files.stderr, self._files.stdout):
            if line := first_line(path.read_text(encoding="utf-8", errors="replace")):
                said.append(line)
        if last := self._log.tail():
            said.append(f"its log ends in:\n{last}")
        return "; ".join(said)


class _Files:
    """The files of one process."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self.input = folder / "input.multitag"
        self.output = folder / "output.deps"
        self.log = folder / "log"
        self.stdout = folder / "stdout"
        self.stderr = folder / "stderr"
