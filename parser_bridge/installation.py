"""A C&C that a user brings: where its parts lie, whether all are there, which command line it has."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zipfile
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path

from .cpp_model import is_cpp_model
from .errors import CandCError
from .preface import has_preface

__all__ = ["GRAMMAR_FILES", "Installation", "Interface", "java_version"]

GRAMMAR_FILES = ("markedup", "trNP", "trPP", "trAP", "trVP_to", "all_rule_instances")
_OPTIONAL = "all_rule_instances"  # the Java parser needs it, but it can be made
_WITH_PREFACE = ("markedup", "all_rule_instances")
_OLDER = "data/baseline_expts"  # where the first jars look
_GRAMMAR = ("grammar", f"{_OLDER}/grammar", "cats")  # the last is the C++ parser's name
_LEXICON = ("words_feats/wsj02-21.wordsPos", "lexicon", f"{_OLDER}/working/lexicon/wsj02-21.wordsPos")
_FEATURES = ("words_feats/wsj02-21.feats.1-22", "features", f"{_OLDER}/working/lexicon/wsj02-21.feats.1-22")
_WEIGHTS = ("model/weights", "weights")
_XMX = re.compile(r"[1-9]\d*[kKmMgG]?")
_NOTICE = re.compile(r"Picked up |\d{4}-\d\d-\d\d\S* \S+ (?:TRACE|DEBUG|INFO) ")
_PROBE_SECONDS = 60


class Interface(Enum):
    """The command line of a jar: named options, or the six positional arguments of older ones."""

    OPTIONS = "options"
    POSITIONAL = "positional"


@dataclass(frozen=True, slots=True)
class Installation:
    """The jar, its grammar and model files, and the Java to run it with.

    `classpath` names jars, or folders of jars, that hold the libraries of a jar which has them not inside.
    """

    jar: Path
    grammar: Path
    lexicon: Path
    features: Path
    weights: Path
    home: Path | None = None
    classpath: tuple[Path, ...] = ()
    java: str = "java"
    xmx: str = "2g"
    java_options: tuple[str, ...] = ()

    @classmethod
    def locate(
        cls,
        jar: str | Path,
        home: str | Path | None = None,
        *,
        grammar: str | Path | None = None,
        lexicon: str | Path | None = None,
        features: str | Path | None = None,
        weights: str | Path | None = None,
        classpath: tuple[str | Path, ...] = (),
        java: str = "java",
        xmx: str = "2g",
        java_options: tuple[str, ...] = (),
    ) -> Installation:
        """The installation of a `jar`; files that are not named are sought under `home`, by C&C's own names.

        `grammar` is a folder; `lexicon`, `features` and `weights` are the model. `classpath` has libraries
        that are not in the jar; `java` is the program to run with `java_options` and a memory of `xmx`.

        Raises `CandCError` where a part is not named and there is no `home`.
        """
        base = None if home is None else Path(home).absolute()
        return cls(
            Path(jar).absolute(),
            _part(grammar, base, _GRAMMAR, "grammar"),
            _part(lexicon, base, _LEXICON, "lexicon"),
            _part(features, base, _FEATURES, "features"),
            _part(weights, base, _WEIGHTS, "weights"),
            base,
            tuple(Path(entry).absolute() for entry in classpath),
            java if Path(java).name == java else str(Path(java).absolute()),  # a name is sought on the path
            xmx,
            java_options,
        )

    def problems(self) -> list[str]:
        """All that is missing or wrong, in words; nothing is run."""
        found = []
        if shutil.which(self.java) is None:
            found.append(f"no Java: {self.java!r} is not a program (name one with --java)")
        if not _XMX.fullmatch(self.xmx):
            found.append(f"--xmx must be a size such as 512m or 2g, not {self.xmx!r}")
        if not self.jar.exists():
            found.append(f"no jar: {self.jar} does not exist")
        elif self.jar.is_file() and not zipfile.is_zipfile(self.jar):
            found.append(f"{self.jar} is not a jar")
        found += [
            f"on the class path: {entry} does not exist" for entry in self.classpath if not entry.exists()
        ]
        if not self.grammar.is_dir():
            found.append(f"no grammar: {self.grammar} is not a folder")
        else:
            files = [self.grammar / name for name in GRAMMAR_FILES]
            needed = [path for path in files if path.name != _OPTIONAL or path.exists()]
            for path in needed:
                found += _file_problems("grammar file", path, preface=path.name in _WITH_PREFACE)
        for what in ("lexicon", "features", "weights"):
            found += _file_problems(what, getattr(self, what), preface=what != "weights" or not self._is_cpp)
        return found

    @property
    def _is_cpp(self) -> bool:
        """Whether the model is the C++ parser's, whose weights have no preface."""
        return self.features.is_file() and os.access(self.features, os.R_OK) and is_cpp_model(self.features)

    def check(self) -> None:
        """See that everything is in its place.

        Raises `CandCError`, which names all that is missing, where it is not.
        """
        if found := self.problems():
            raise CandCError("C&C is not set up:\n" + "\n".join(f"  {problem}" for problem in found))

    def command(self) -> list[str]:
        """The command line up to the program's own arguments."""
        start = [
            self.java, f"-Xmx{self.xmx}", "-Dfile.encoding=UTF-8", "-Dsun.jnu.encoding=UTF-8",
            *self.java_options,
        ]  # fmt: skip
        if not self.classpath and _main_class(self.jar):
            return [*start, "-jar", str(self.jar)]
        entries = [str(self.jar)]
        for entry in self.classpath:
            entries += [str(entry), str(entry / "*")] if entry.is_dir() else [str(entry)]
        return [*start, "-cp", os.pathsep.join(entries), "Parser"]

    def probe(self) -> Interface:
        """Which command line the jar has, found out by running it with --help.

        Raises `CandCError` where it is not C&C, or does not run.
        """
        return _probe(tuple(self.command()), self.jar, self.jar.stat().st_mtime_ns)


@lru_cache
def _probe(command: tuple[str, ...], jar: Path, changed: int) -> Interface:
    """Ask a jar, as it is since it was `changed`."""
    try:
        answer = subprocess.run(
            [*command, "--help"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_SECONDS,
            env=environment(),
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CandCError(f"{command[0]} does not run {jar}: {error}") from error
    if "--grammarDir" in answer.stdout:
        return Interface.OPTIONS
    if "6 arguments" in answer.stderr or "ArrayIndexOutOfBounds" in answer.stderr:
        return Interface.POSITIONAL
    said = first_line(answer.stderr) or first_line(answer.stdout) or "nothing"
    raise CandCError(f"{jar} does not answer --help as C&C's parser does: {said}{hint(answer.stderr)}")


def environment() -> dict[str, str]:
    """The environment of a JVM, in which file names and files are UTF-8."""
    return {**os.environ, "LC_ALL": "C.UTF-8"}


def first_line(text: str) -> str:
    """The first line that says something; notices of Java's and of log4j's on how they start do not."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if line and not _NOTICE.match(line)), "")


def hint(said: str) -> str:
    """What to do about all that Java has said, where that is known."""
    if "no main manifest attribute" in said or "Could not find or load main class" in said:
        return "\nThe jar has no class Parser: it is not that of C&C."
    if "NoClassDefFoundError" in said or "ClassNotFoundException" in said:
        return (
            "\nA library is missing: name the jars of joptsimple, log4j-api and log4j-core (or their "
            "folder) with --cc-classpath."
        )
    if "UnsupportedClassVersionError" in said:
        return "\nThe jar was built for a newer Java: name one with --java."
    return ""


def java_version(java: str) -> str | None:
    """What a Java calls itself; None where it does not run."""
    try:
        answer = subprocess.run(
            [java, "-version"],
            capture_output=True,
            timeout=_PROBE_SECONDS,
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return first_line(answer.stderr) if answer.returncode == 0 else None


def _part(given: str | Path | None, home: Path | None, names: tuple[str, ...], what: str) -> Path:
    if given is not None:
        return Path(given).absolute()
    if home is None:
        raise CandCError(f"C&C's {what} is not named: give --cc-{what}, or --cc-home with all of them")
    found = [home / name for name in names if (home / name).exists()]
    return found[0] if found else home / names[0]


def _file_problems(what: str, path: Path, preface: bool) -> list[str]:
    if not path.is_file():
        return [f"no {what}: {path} does not exist"]
    if not os.access(path, os.R_OK):
        return [f"{what} {path} cannot be read: permission denied"]
    if preface and not has_preface(path):
        return [f"{what} {path} does not start with '#' lines and an empty line"]
    return []


def _main_class(jar: Path) -> bool:
    """Whether the jar says itself which class to run."""
    if not zipfile.is_zipfile(jar):
        return False
    with zipfile.ZipFile(jar) as archive:
        try:
            manifest = archive.read("META-INF/MANIFEST.MF").decode("utf-8", "replace")
        except KeyError:
            return False
    return re.search(r"^Main-Class:", manifest, re.M) is not None
