"""Where a user says which C&C to use: flags, then environment variables, then a configuration file.

[candc]
jar = "/opt/candc/candc.jar"
home = "/opt/candc"
xmx = "4g"
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import CandCError
from .installation import Installation
from .process import Limits

__all__ = ["CONFIG", "Options", "config_file", "variable"]

CONFIG = "CCGKIT_CONFIG"  #: the environment variable that names a configuration file
_PATHS = ("home", "grammar", "lexicon", "features", "weights")
_NAMES = ("jar", *_PATHS, "classpath", "java", "xmx", "betas")


def variable(name: str) -> str:
    """The environment variable of an option.

    >>> variable("jar")
    'CCGKIT_CC_JAR'
    """
    return f"CCGKIT_CC_{name.upper()}"


def config_file(environ: Mapping[str, str] = os.environ) -> Path:
    """The configuration file that is read, if it exists."""
    if CONFIG in environ:
        return Path(environ[CONFIG])
    base = environ.get("XDG_CONFIG_HOME") or Path(environ.get("HOME", "~")).expanduser() / ".config"
    return Path(base) / "ccgkit" / "config.toml"


@dataclass(frozen=True, slots=True)
class Options:
    """What was said of C&C, and where each part was said."""

    values: Mapping[str, str]
    origins: Mapping[str, str]

    @classmethod
    def gather(cls, flags: Mapping[str, str | None], environ: Mapping[str, str] = os.environ) -> Options:
        """The options of all three sources; a flag outdoes a variable, a variable the file."""
        path = config_file(environ)
        values, origins = _read_config(path, CONFIG in environ), {}
        origins = dict.fromkeys(values, str(path))
        for name in _NAMES:
            if environ.get(variable(name)):
                values[name], origins[name] = environ[variable(name)], variable(name)
            flag = flags.get(name)
            if flag is not None:
                values[name], origins[name] = flag, "the command line"
        return cls(values, origins)

    @property
    def wanted(self) -> bool:
        """Whether a jar is named, and C&C hence to be used; an empty name says that it is not."""
        return bool(self.values.get("jar"))

    def installation(self) -> Installation:
        """The installation that is described; `CandCError` if a part of it is not."""
        if not self.wanted:
            raise CandCError(f"no jar is named: give --cc-jar, {variable('jar')}, or a configuration file")
        parts: dict[str, Any] = {name: self.values[name] for name in _PATHS if name in self.values}
        parts |= {name: self.values[name] for name in ("java", "xmx") if name in self.values}
        entries = tuple(entry for entry in self.values.get("classpath", "").split(os.pathsep) if entry)
        return Installation.locate(self.values["jar"], classpath=entries, **parts)

    def limits(self, **others: Any) -> Limits:
        """The limits with the betas that were given; `others` as `Limits` has them."""
        if "betas" not in self.values:
            return Limits(**others)
        try:
            betas = tuple(float(beta) for beta in self.values["betas"].split(","))
        except ValueError:
            raise CandCError(f"betas are numbers joined by commas, not {self.values['betas']!r}") from None
        return Limits(betas, **others)


def _read_config(path: Path, must_exist: bool) -> dict[str, str]:
    if not path.is_file():
        if must_exist:
            raise CandCError(f"the configuration file {path} does not exist")
        return {}
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8")).get("candc", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CandCError(f"{path}: {error}") from error
    return {name: _value(path, name, value) for name, value in table.items()}


def _value(path: Path, name: str, value: object) -> str:
    """A value of the file as a flag would say it; paths are relative to the file."""
    if name not in _NAMES:
        raise CandCError(f"{path}: [candc] has no {name!r}; there are {', '.join(_NAMES)}")
    entries = value if isinstance(value, list) else [value]
    join = "," if name == "betas" else os.pathsep
    if name in ("jar", "classpath", *_PATHS):
        place: Callable[[object], str] = lambda entry: str(path.parent / Path(str(entry)).expanduser())  # noqa: E731
    else:
        place = str
    return join.join(place(entry) for entry in entries)
