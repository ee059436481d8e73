"""`ccgkit parse --lexicon`: all derivations under a lexicon of one's own, without a tagger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

if TYPE_CHECKING:
    from ccgkit.parsing import ParseOptions, ParseResult
    from ccgkit.sentence import Sentence
    from ccgkit.teaching import Grammar

__all__ = ["OwnGrammar", "lexicon_option", "own_grammar"]

_MOST = 100  # derivations a sentence, unless more are asked for


def lexicon_option(function: Any) -> Any:
    return click.option(
        "--lexicon",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Words and categories of your own instead of a model, and all derivations of them.",
    )(function)


def own_grammar(lexicon: Path, scheme: str | None, others: Mapping[str, object]) -> OwnGrammar:
    """The grammar of a lexicon's file; the `others` are options that it cannot be combined with."""
    from ccgkit.teaching import Grammar, Lexicon

    if wrong := [name for name, given in others.items() if given]:
        raise click.UsageError(f"--lexicon does not go with {wrong[0]}: it takes the place of a model")
    return OwnGrammar(Grammar(Lexicon.fromfile(lexicon), scheme))


class OwnGrammar:
    """A grammar that parses sentences as a pipeline does."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar

    def parse_sentences(
        self, sentences: Iterable[Sentence | None], **options: Unpack[ParseOptions]
    ) -> Iterator[ParseResult]:
        """The derivations of each sentence, at most `nbest`; other options mean nothing here."""
        most = options.get("nbest", _MOST)
        return (self._parse(sentence, most) for sentence in sentences if sentence is not None)

    def _parse(self, sentence: Sentence, most: int) -> ParseResult:
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
            Parse(f"{sentence.id or 'sentence'}/{rank}", 0.0, (one,))
            for rank, one in enumerate(islice(forest, most), 1)
        )
        more = f"{forest.count} derivations, {most} of them given" if forest.count > most else ""
        return ParseResult(sentence, Status.PARSED, parses, more)
