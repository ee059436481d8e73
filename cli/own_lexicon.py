"""`ccgkit parse --lexicon`: all derivations under a lexicon of one's own, without a tagger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import click

if TYPE_CHECKING:
    from ccgkit.parsing import ParseOptions, ParseResult
    from ccgkit.sentence import Sentence
    from ccgkit.teaching import Grammar

__all__ = ["OwnGrammar", "OwnLexicon", "lexicon_options", "own_grammar"]

F = TypeVar("F", bound=Callable[..., Any])
_MOST = 100  # derivations a sentence, unless more are asked for
_SWITCHES = {
    "composition": ">B <B, on by default",
    "type_raising": ">T <T, on by default",
    "crossed": "Crossed composition, >Bx <Bx, off by default",
    "substitution": ">S <S, off by default",
    "normal_form": "Leave out derivations that only repeat a simpler one, on by default",
}


@dataclass(frozen=True, slots=True)
class OwnLexicon:
    """A lexicon's file, and which rules were switched on or off."""

    path: Path
    switches: Mapping[str, bool]


def lexicon_options(function: F) -> F:
    """`--lexicon` and the switches of its grammar; the function gets an `OwnLexicon`, or None."""

    @wraps(function)
    def gather(*args: Any, lexicon: Path | None, **given: Any) -> Any:
        switches = {name: on for name in _SWITCHES if (on := given.pop(name)) is not None}
        if switches and lexicon is None:
            name = next(iter(switches)).replace("_", "-")
            raise click.UsageError(f"--{name} is a switch of a grammar of your own: give its --lexicon")
        return function(*args, lexicon=OwnLexicon(lexicon, switches) if lexicon else None, **given)

    decorated: Any = gather
    for name, text in reversed(_SWITCHES.items()):
        flag = name.replace("_", "-")
        option = click.option(f"--{flag}/--no-{flag}", default=None, help=f"With --lexicon: {text}.")
        decorated = option(decorated)
    return click.option(  # type: ignore[no-any-return]
        "--lexicon",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Words and categories of your own instead of a model, and all derivations of them.",
    )(decorated)


def own_grammar(lexicon: OwnLexicon, scheme: str | None, others: Mapping[str, object]) -> OwnGrammar:
    """The grammar of a lexicon's file; the `others` are options that it cannot be combined with."""
    from ccgkit.teaching import Grammar, Lexicon

    if wrong := [name for name, given in others.items() if given]:
        raise click.UsageError(f"--lexicon cannot be combined with {wrong[0]}: it takes the place of a model")
    return OwnGrammar(Grammar(Lexicon.fromfile(lexicon.path), scheme, **lexicon.switches))


class OwnGrammar:
    """A grammar that parses sentences as a pipeline does."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar

    def parse_sentences(
        self, sentences: Iterable[Sentence | None], **options: Unpack[ParseOptions]
    ) -> Iterator[ParseResult]:
        """The derivations of each sentence, at most `nbest`; other options mean nothing here."""
        most = options.get("nbest", _MOST)
        present = (sentence for sentence in sentences if sentence is not None)
        return (self._parse(one, one.id or str(number), most) for number, one in enumerate(present, 1))

    def _parse(self, sentence: Sentence, name: str, most: int) -> ParseResult:
        from ccgkit.parsing import Parse, ParseResult, Status
        from ccgkit.teaching import UnknownWordError

        try:
            forest = self._grammar.parse(sentence.words)
        except UnknownWordError as error:
            return ParseResult(sentence, Status.FAILED, reason=str(error))
        if not forest:
            reason = f"the words do not combine to {self._grammar.lexicon.start}"
            return ParseResult(sentence, Status.FAILED, reason=reason)
        parses = tuple(
            Parse(f"{name}/{rank}", 0.0, (one,)) for rank, one in enumerate(islice(forest, most), 1)
        )
        more = f"{forest.count} derivations, only {most} given" if forest.count > most else ""
        return ParseResult(sentence, Status.PARSED, parses, more)
