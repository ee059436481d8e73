"""`ccgkit doctor`: what is installed, what is found, what is missing."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import click

from .candc_options import candc_options, gathered

if TYPE_CHECKING:
    from ccgkit.parser_bridge.installation import Installation
    from ccgkit.parser_bridge.options import Options

__all__ = ["command"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; `ok` is None where nothing is wanted of it."""

    name: str
    found: str
    ok: bool | None = True


@click.command("doctor", short_help="Report what is found and what is missing.")
@candc_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def command(candc: dict[str, str | None], as_json: bool) -> None:
    """Report what is found of ccgkit and of C&C, and what is missing.

    Exit code: 0 all well (without any C&C, too), 1 something is missing.
    """
    well = True
    for finding in _findings(candc):
        well &= finding.ok is not False
        click.echo(json.dumps(asdict(finding)) if as_json else _line(finding))
    sys.exit(0 if well else 1)


def _line(finding: Finding) -> str:
    mark = {True: click.style("ok", fg="green"), False: click.style("!!", fg="red"), None: "--"}[finding.ok]
    first, *others = finding.found.splitlines()
    return "\n".join([f"{mark}  {finding.name:12} {first}", *(f"{'':17}{line}" for line in others)])


def _findings(flags: dict[str, str | None]) -> Iterator[Finding]:
    from ccgkit import __version__
    from ccgkit.grammar import CCGKitError

    yield Finding("ccgkit", f"{__version__}, Python {platform.python_version()}, {platform.platform()}")
    yield from _libraries()
    yield _model()
    try:
        options = gathered(flags)
        yield from _candc(options)
    except CCGKitError as error:
        yield Finding("C&C", str(error), False)


def _libraries() -> Iterator[Finding]:
    from importlib.metadata import PackageNotFoundError, version

    for name, needed in (("torch", True), ("numpy", True), ("transformers", False), ("matplotlib", False)):
        try:
            yield Finding(name, version(name))
        except PackageNotFoundError:
            yield Finding(
                name, "not installed" + ("" if needed else " (not needed)"), False if needed else None
            )


def _model() -> Finding:
    """The model that is used when none is named."""
    from ccgkit.grammar import CCGKitError
    from ccgkit.models.registry import find

    try:
        info = find(None, "en")
    except CCGKitError as error:
        return Finding("model", str(error), False)
    return Finding("model", f"{info.path.name} in {info.path}")


def _candc(options: Options) -> Iterator[Finding]:
    from ccgkit.parser_bridge.installation import java_version
    from ccgkit.parser_bridge.options import config_file

    file = config_file()
    yield Finding("settings", f"{file}" if file.is_file() else f"no {file}", True if file.is_file() else None)
    java = options.values.get("java", "java")
    version = java_version(java)
    if not options.wanted:
        yield Finding("java", version or f"no {java} (needed for C&C only)", True if version else None)
        yield Finding("C&C", "no jar is named: parsing is done by the embedded parser", None)
        return
    yield Finding("java", version or f"{java!r} does not run", version is not None)
    for name, origin in options.origins.items():
        yield Finding(name, f"{options.values[name]} (by {origin})", None)
    installation = options.installation()
    problems = installation.problems()
    for problem in problems:
        yield Finding("C&C", problem, False)
    if not problems:
        yield from _installed(installation)


def _installed(installation: Installation) -> Iterator[Finding]:
    """A set-up whose files are all there: what do they hold, and does it parse?"""
    from ccgkit.parser_bridge import CandC
    from ccgkit.parser_bridge.adaptation import needs_adaptation
    from ccgkit.parser_bridge.cpp_model import is_cpp_model
    from ccgkit.parser_bridge.installation import Interface
    from ccgkit.parser_bridge.markedup import known_categories
    from ccgkit.parser_bridge.pairs import RULES_FILE, read_pairs, rule_list

    interface = installation.probe()
    kind = "with options" if interface is Interface.OPTIONS else "an older one, with positional arguments"
    yield Finding("jar", f"{installation.jar}, {kind}")
    known = known_categories(installation.grammar / "markedup")
    rules = rule_list(installation.grammar)
    pairs = read_pairs(rules) if rules.exists() else None
    counted = f"no {RULES_FILE}" if pairs is None else f"{len(pairs)} rules"
    yield Finding("grammar", f"{len(known)} categories, {counted} in {installation.grammar}")
    if pairs == []:
        yield Finding("grammar", f"{rules.name} is empty: no two words would combine", False)
    for name in needs_adaptation(installation.grammar):
        there = name != RULES_FILE or rules.exists()
        said = (
            "is for the C++ parser: a copy is made for the Java parser"
            if there
            else "is made of its categories"
        )
        yield Finding("grammar", f"{rules.name if name == RULES_FILE else name} {said}", None)
    for what in ("lexicon", "features", "weights"):
        path = getattr(installation, what)
        yield Finding(what, f"{path}, {path.stat().st_size:,} bytes")
    if is_cpp_model(installation.features):
        yield Finding("model", "is for the C++ parser: a copy is made for the Java parser", None)
    with CandC(installation) as parser:
        result = parser.parse(parser.example)
    said = " ".join(result.sentence.words)
    well = f"parses {said!r}"
    yield Finding("C&C", well if result.spans else f"does not parse {said!r}: {result.reason}", result.spans)
