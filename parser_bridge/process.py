"""One run of the Java process over a file of sentences, and what has become of each of them."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import IO

from ccgkit.corpora import CorpusError, deps, multitag
from ccgkit.corpora.words import field
from ccgkit.sentence import Sentence

from .errors import CandCError
from .installation import Installation, Interface, environment, first_line, hint
from .log import Note, read_log, tail

__all__ = ["Ending", "Limits", "Processes", "Run"]

_POLL = 0.05  # seconds between two looks at the process
_HEADER = 3  # lines


class Ending(Enum):
    """How a run ended."""

    COMPLETE = "complete"  # a block for each sentence
    SHORT = "short"  # exit code 0, but fewer blocks
    CRASH = "crash"
    MEMORY = "memory"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Limits:
    """What C&C is told, and how long it may take.

    `timeout` is in seconds for one sentence, `startup` for the model.
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
                raise CandCError(f"{name.replace('_', '-')} must be above 0")


@dataclass(frozen=True, slots=True)
class Run:
    """The blocks that C&C has finished, one for each sentence from the first on, and how it ended.

    `culprit` is the index of the sentence at which a run broke off; None where that cannot be known.
    """

    blocks: list[Sentence]
    notes: list[Note]
    ending: Ending
    message: str = ""
    culprit: int | None = None


class Processes:
    """The Java processes of a bridge; `stop` ends them all, from any thread."""

    def __init__(self, installation: Installation, interface: Interface, limits: Limits) -> None:
        self._installation, self._interface, self._limits = installation, interface, limits
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Kill what is running, and start nothing any more."""
        self._stopped.set()
        with self._lock:
            running = list(self._running)
        for process in running:
            with contextlib.suppress(OSError):
                process.kill()
        for process in running:
            process.wait()

    def run(self, sentences: Sequence[Sentence], folder: Path) -> Run:
        """Parse the sentences in a folder of their own, which must be new."""
        files = _Files(folder)
        multitag.dump(sentences, files.input)
        with files.stdout.open("wb") as stdout, files.stderr.open("wb") as stderr:
            process = self._start(files, stdout, stderr)
            try:
                in_time = self._wait(process, files, len(sentences))
            finally:
                if process.poll() is None:
                    process.kill()
                process.wait()
                with self._lock:
                    self._running.discard(process)
        if self._stopped.is_set():
            raise CandCError("C&C was stopped")
        return _judge(sentences, files, process.returncode, in_time, self._installation, self._limits)

    def _start(self, files: _Files, stdout: IO[bytes], stderr: IO[bytes]) -> subprocess.Popen[bytes]:
        older = self._interface is Interface.POSITIONAL
        with self._lock:
            if self._stopped.is_set():
                raise CandCError("C&C was stopped")
            try:
                process = subprocess.Popen(
                    [*self._installation.command(), *self._arguments(files)],
                    stdin=subprocess.DEVNULL,
                    stdout=stdout,
                    stderr=stderr,
                    # an older jar finds its grammar in the current folder
                    cwd=self._installation.home if older else files.folder,
                    env=environment(),
                    start_new_session=True,  # Ctrl-C reaches us alone, and we end it
                )
            except OSError as error:
                raise CandCError(f"{self._installation.java} does not start: {error}") from error
            self._running.add(process)
        return process

    def _arguments(self, files: _Files) -> list[str]:
        here, limits = self._installation, self._limits
        if self._interface is Interface.POSITIONAL:
            return [str(files.input), str(files.output), str(files.log), str(here.weights), "1", "2147483647"]
        named = {
            "grammarDir": here.grammar,
            "lexiconFile": here.lexicon,
            "featuresFile": here.features,
            "weights": here.weights,
            "input": files.input,
            "output": files.output,
            "log": files.log,
            "maxWords": limits.max_words,
            "maxSupercats": limits.max_supercats,
            "betas": ",".join(map(str, limits.betas)),
        }
        return [word for name, value in named.items() for word in (f"--{name}", str(value))]

    def _wait(self, process: subprocess.Popen[bytes], files: _Files, size: int) -> bool:
        """Wait for the end; False if nothing has moved for longer than is allowed."""
        seen, since = files.progress(), time.monotonic()
        while not self._stopped.is_set():
            try:
                process.wait(_POLL)
                return True
            except subprocess.TimeoutExpired:
                pass
            now = files.progress()
            if now != seen:
                seen, since = now, time.monotonic()
            elif time.monotonic() - since > self._patience(files, size):
                return False
        return True

    def _patience(self, files: _Files, size: int) -> float:
        """Seconds without a movement: of one sentence where the log shows each, else of all."""
        if not files.output.exists():
            return self._limits.startup
        return self._limits.timeout * (1 if files.log.exists() else size)


class _Files:
    """The files of one run."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self.input = folder / "input.multitag"
        self.output = folder / "output.deps"
        self.log = folder / "log"
        self.stdout = folder / "stdout"
        self.stderr = folder / "stderr"

    def progress(self) -> tuple[int, ...]:
        """Sizes that grow while C&C works."""
        return tuple(path.stat().st_size if path.exists() else -1 for path in (self.output, self.log))


def _judge(
    sentences: Sequence[Sentence],
    files: _Files,
    code: int,
    in_time: bool,
    installation: Installation,
    limits: Limits,
) -> Run:
    """What a run has brought: the exit code alone proves nothing."""
    said = _said(files, code)
    errors = files.stderr.read_text(encoding="utf-8", errors="replace")
    out_of_memory = "OutOfMemoryError" in errors
    lines = _finished_lines(files.output)
    notes = read_log(files.log)
    # a killed JVM loses what it has not yet written; an exception does not
    killed = not in_time or code < 0
    if len(lines) < _HEADER and not (killed and files.output.exists()):
        raise CandCError(_broken(said + hint(errors), in_time, out_of_memory, installation, limits))
    blocks = _read_blocks(lines)
    _verify(sentences, blocks)
    if len(blocks) == len(sentences):
        return Run(blocks, notes, Ending.COMPLETE)
    begun = len(notes) - 1 if notes else None
    if not in_time:
        message = f"took longer than {limits.timeout:g} seconds (--timeout)"
        return Run(blocks, notes, Ending.TIMEOUT, message, begun)
    if out_of_memory:
        message = f"out of memory with --xmx {installation.xmx}: give it more"
        return Run(blocks, notes, Ending.MEMORY, message, len(blocks))
    if code == 0:
        return Run(blocks, notes, Ending.SHORT, "C&C ended without a block for it", len(blocks))
    return Run(blocks, notes, Ending.CRASH, f"C&C crashed: {said}", begun if killed else len(blocks))


def _broken(said: str, in_time: bool, out_of_memory: bool, installation: Installation, limits: Limits) -> str:
    """Why there is no output at all."""
    if not in_time:
        return f"C&C has not begun to parse after {limits.startup:g} seconds.\n{said}"
    if out_of_memory:
        return f"C&C's model does not fit into --xmx {installation.xmx}: give it more.\n{said}"
    return f"C&C has written nothing: {said}"


def _said(files: _Files, code: int) -> str:
    """The exit code and what the streams and the log say."""
    said = [f"exit code {code}"]
    for path in (files.stderr, files.stdout):
        if line := first_line(path.read_text(encoding="utf-8", errors="replace")):
            said.append(line)
    if last := tail(files.log):
        said.append(f"its log ends in:\n{last}")
    return "; ".join(said)


def _finished_lines(path: Path) -> list[str]:
    """The output's lines up to the last empty one, with which a block ends."""
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    if lines[-1] == "":  # what stands after the last line's end
        lines.pop()
    while lines and lines[-1].rstrip("\r"):
        lines.pop()
    return [line.rstrip("\r") for line in lines]


def _read_blocks(lines: list[str]) -> list[Sentence]:
    if len(lines) < _HEADER:
        return []
    try:
        return list(deps.loads("".join(f"{line}\n" for line in lines)))
    except CorpusError as error:
        raise CandCError(f"C&C's output does not read: {error}") from error


def _verify(sentences: Sequence[Sentence], blocks: list[Sentence]) -> None:
    """Each block is about the words that were sent."""
    if len(blocks) > len(sentences):
        raise CandCError(f"C&C answered {len(blocks)} blocks to {len(sentences)} sentences")
    for number, (sent, block) in enumerate(zip(sentences, blocks, strict=False), 1):
        words = tuple(field(word) for word in sent.words)
        if block.tokens and block.words != words:
            raise CandCError(
                f"C&C's block {number} is not about the words sent: "
                f"{' '.join(block.words)!r} instead of {' '.join(words)!r}"
            )
