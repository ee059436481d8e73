"""The options that name a C&C, and the C&C that they name."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from ccgkit.parser_bridge import CandC
    from ccgkit.parser_bridge.options import Options
    from ccgkit.parsing import ParseResult

__all__ = ["CANDC_FORMATS", "candc_options", "candc_parser", "gathered", "while_there"]

F = TypeVar("F", bound=Callable[..., Any])

CANDC_FORMATS = ("deps", "jsonl")  #: the formats that need no derivation
# options of `parse` that say nothing to C&C
_EMBEDDED = {"betas": "--beta", "scheme": "--scheme", "markedup": "--markedup", "max_items": "--max-items"}
_TIMEOUT = 300.0  # seconds that C&C has for a sentence, unless others are given

_FLAGS = {
    "jar": ("--cc-jar", "PATH", "C&C's jar: parse with it instead of the embedded parser."),
    "home": ("--cc-home", "DIR", "Where C&C's grammar and model lie."),
    "grammar": ("--cc-grammar", "DIR", "Its grammar, if elsewhere."),
    "lexicon": ("--cc-lexicon", "FILE", "Its lexicon, if elsewhere."),
    "features": ("--cc-features", "FILE", "Its features, if elsewhere."),
    "weights": ("--cc-weights", "FILE", "Its weights, if elsewhere."),
    "classpath": ("--cc-classpath", "PATHS", "Jars, or a folder of jars, that the jar needs."),
    "java": ("--java", "PROGRAM", "The Java to run C&C with.  [default: java]"),
    "xmx": ("--xmx", "SIZE", "Memory for C&C.  [default: 2g]"),
    "betas": ("--betas", "B,B,B…", "C&C's betas, rising; it starts with the third."),
}


def candc_options(function: F) -> F:
    """Add the options; the function gets them together as `candc`, a mapping for `gathered`."""

    @wraps(function)
    def gather(*args: Any, **given: Any) -> Any:
        flags = {name: given.pop(f"cc_{name}") for name in _FLAGS}
        return function(*args, candc=flags, **given)

    decorated: Any = gather
    for name, (flag, metavar, text) in reversed(_FLAGS.items()):
        decorated = click.option(flag, f"cc_{name}", metavar=metavar, help=text)(decorated)
    return decorated  # type: ignore[no-any-return]


def gathered(flags: dict[str, str | None]) -> Options:
    """What the flags, the environment and the configuration file say of C&C."""
    from ccgkit.parser_bridge.options import Options

    return Options.gather(flags)


def candc_parser(
    flags: dict[str, str | None],
    *,
    form: str | None,
    nbest: int,
    jobs: int,
    max_words: int,
    timeout: float,
    keep: Path | None,
) -> CandC | None:
    """The C&C that is to parse, checked and ready until the command ends; None if none is named.

    Formats with derivations and n-best lists are refused, since C&C has neither.
    """
    options = gathered(flags)
    if not options.wanted:
        if keep is not None or any(flags.values()):
            raise click.UsageError("C&C options are given, but no jar: name it with --cc-jar.")
        return None
    _refuse(form, nbest)
    from ccgkit.parser_bridge import CandC

    context = click.get_current_context()
    limits = options.limits(max_words=max_words, timeout=timeout if _is_given("timeout") else _TIMEOUT)
    for number in (signal.SIGTERM, signal.SIGHUP):
        _end_on(number, context)
    parser = context.with_resource(CandC(options.installation(), limits, jobs=jobs, keep=keep))
    context.call_on_close(lambda: click.echo(str(parser.dropped), err=True) if str(parser.dropped) else None)
    return parser


def while_there(results: Iterable[ParseResult]) -> Iterator[ParseResult]:
    """The results up to the first that C&C was gone for; the file ends there, and --resume goes on."""
    from ccgkit.parser_bridge import CandCError
    from ccgkit.parser_bridge.result import NOT_TRIED

    for result in results:
        if result.reason.startswith(NOT_TRIED):
            why = result.reason.removeprefix(NOT_TRIED)
            raise CandCError(f"{why}\nWhat is written is complete; --resume continues it.")
        yield result


def _end_on(number: signal.Signals, context: click.Context) -> None:
    """End the command in order when the signal comes: Java and its files must not outlive it."""
    if signal.getsignal(number) is signal.SIG_IGN:  # as nohup wants it
        return
    before = signal.signal(number, lambda *_: sys.exit(128 + number))
    context.call_on_close(lambda: signal.signal(number, before))


def _refuse(form: str | None, nbest: int) -> None:
    """Refuse what C&C cannot do."""
    if form is not None and form not in CANDC_FORMATS:
        raise click.UsageError(
            f"C&C gives dependencies and no derivation, so the format {form} is not possible with it: "
            f"choose {' or '.join(CANDC_FORMATS)}."
        )
    if nbest > 1:
        raise click.UsageError("C&C gives one parse per sentence, so --nbest is not possible with it.")
    for name, flag in _EMBEDDED.items():
        if _is_given(name):
            raise click.UsageError(f"{flag} is for the embedded parser, but C&C is to parse.")


def _is_given(name: str) -> bool:
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE
