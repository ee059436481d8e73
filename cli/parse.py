"""`ccgkit parse`: text or supertagged sentences in, derivations and dependencies out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import click
from click.core import ParameterSource

from .candc_options import candc_options, candc_parser, while_there
from .drawing import FORMATS, VIEWS, Shown, browsed, draw, is_terminal, open_option
from .own_lexicon import OwnLexicon, lexicon_options, own_grammar
from .sources import Command, Source, Texts, source_options
from .tagger_options import K, find_model, load_pipeline, notation_option, tagger_options
from .targets import check_output, check_resume, format_option, output_format, output_options, written

if TYPE_CHECKING:
    from ccgkit.parsing import ParseOptions, ParseResult

__all__ = ["command"]

_SHOWN = 10  # troubles that are told


@click.command("parse", cls=Command)
@source_options
@format_option(
    "pretty at a terminal, auto in a pipe; also deps, jsonl, conll, prolog, html, svg, png, latex …"
)
@output_options
@open_option
@click.option(
    "--nbest", type=click.IntRange(1), default=1, show_default=True, help="Derivations per sentence."
)
@click.option("--distinct", type=click.Choice(["dependencies", "derivations"]), default="dependencies",
              show_default=True, help="What any two of the --nbest must differ in.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True,
              help="Processes, each with the model.")  # fmt: skip
@tagger_options
@click.option("--k", type=K, default=10, show_default=True, help="Supertags per word from the tagger.")
@click.option("--beta", "betas", type=click.FloatRange(0, 1), multiple=True,
              help="Keep supertags at least this fraction as probable as the best; repeat for further tries. "
              "[default: 0.01 0.001 0]")  # fmt: skip
@click.option("--scheme", metavar="NAME|FILE",
              help="Rules: ccgbank, rebank, udccg or a file. [default: the model's, or by the supertags "
              "where they are given]")  # fmt: skip
@notation_option(
    "Notation of the derivations: it chooses the model, or they are translated. [default: that of the rules]"
)
@click.option("--markedup", type=click.Path(exists=True, dir_okay=False), help="C&C's co-indexed categories.")
@click.option("--max-words", type=click.IntRange(1, 1000), default=250, show_default=True,
              help="Longest sentence that is parsed.")  # fmt: skip
@click.option(
    "--max-items",
    type=click.IntRange(1),
    default=1_000_000,
    show_default=True,
    help="Largest chart, in items.",
)
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=10.0, show_default=True,
              help="Time limit for a sentence, in seconds.")  # fmt: skip
@lexicon_options
@click.option("--parser", "parser_name", metavar="NAME", default="ccgkit", show_default=True,
              help="Another installed parser, by the name it is registered under.")  # fmt: skip
@candc_options
@click.option("--keep-files", type=click.Path(file_okay=False, path_type=Path), help="Keep C&C's files here.")
def command(
    source: Source,
    input_format: str | None,
    form: str | None,
    output: Path | None,
    resume: bool,
    open_: bool | None,
    nbest: int,
    distinct: str,
    jobs: int,
    model: str | None,
    lang: str | None,
    threads: int | None,
    device: str,
    k: int,
    betas: tuple[float, ...],
    scheme: str | None,
    notation: str | None,
    markedup: str | None,
    max_words: int,
    max_items: int,
    timeout: float,
    lexicon: OwnLexicon | None,
    parser_name: str,
    candc: dict[str, str | None],
    keep_files: Path | None,
) -> None:
    """Parse text, or sentences whose words have supertags.

    An argument that is the path of a file is read, - is standard input, anything else is text. A sentence
    without a derivation is reported and does not end the run.

    \b
    ccgkit parse "United serves Miami."
    ccgkit parse --input-format brackets "I saw [the man with a telescope]"
    ccgkit parse tagged.multitag --format deps -o parsed.deps
    """
    from ccgkit.corpora import Part, codec
    from ccgkit.pipeline import window_start

    everything = Part.WORDS | Part.POS | Part.TAGS | Part.K_BEST | Part.TREES | Part.DEPENDENCIES
    chosen = None
    if form or output:
        chosen = output_format(form, output, "pretty", VIEWS, everything, "a parser")
    bridge = candc_parser(
        candc, form=chosen, nbest=nbest, jobs=jobs, max_words=max_words, timeout=timeout, keep=keep_files
    )
    form = chosen or ("deps" if bridge else "pretty" if is_terminal() else "auto")
    wanted = None if form in FORMATS else codec(form)
    check_resume(resume, output, wanted)
    check_output(output, source.names)
    own = own_grammar(lexicon, scheme, {"--model": model, "--cc-jar": bridge}) if lexicon else None
    if input_format == "brackets" and (own or bridge or parser_name != "ccgkit"):
        raise click.UsageError("--input-format brackets is for the embedded parser and a model's supertags")
    info = find_model(model, lang, notation)
    if notation and (own or (bridge and info.scheme != notation)):
        raise click.UsageError(f"--notation {notation} needs derivations of the embedded parser and a model")
    texts = Texts(source, input_format or ("tokenized" if own else None), info.language or "en")
    texts.begin()
    nlp = load_pipeline(info, device, threads, bridge or parser_name)
    options: ParseOptions = {} if bridge else _options(betas, markedup)
    options["k"] = k
    if scheme:
        options["scheme"] = scheme
    if notation and not bridge:
        options["notation"] = notation
    report = _Report()
    with texts.watched("parsing", output) as progress:
        if wanted is None:
            results = progress.written((own or nlp).parse_sentences(progress.read(), **options))
            draw(_shown(report.watched(results)), form, output, open_=browsed(form, output, open_))
        else:
            footer, name = wanted.footer, wanted.name

            def pieces(done: int) -> Iterator[str]:
                start = done if own or bridge else window_start(done)
                make = partial(_piece, name, start)
                coming = progress.read(start)
                if own or bridge:
                    found = (own or nlp).parse_sentences(coming, **options)
                    if bridge and output:
                        found = while_there(found)
                    made: Iterator[_Piece] = map(make, found, count(1))
                else:
                    made = nlp.parse_into(make, coming, **options)
                number = done
                for number, piece in enumerate(islice(progress.written(made), done - start, None), done + 1):
                    report.note(piece.id, number, piece.reason)
                    yield piece.header
                    yield piece.text
                yield footer if number else "".join(wanted.texts(()))

            written(output, wanted, resume, pieces)
    report.show()


def _options(betas: tuple[float, ...], markedup: str | None) -> ParseOptions:
    """What was asked of the parser: it has its own defaults, which the command's are."""
    from ccgkit.grammar.heads import load_markedup

    context = click.get_current_context()
    names = ("nbest", "distinct", "jobs", "max_words", "max_items", "timeout")
    given = {
        name: context.params[name]
        for name in names
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    options = cast("ParseOptions", given)
    if betas:
        options["betas"] = betas
    if markedup:
        options["coindexation"] = load_markedup(markedup)
    return options


class _Piece(NamedTuple):
    """A sentence as it is written, and what is reported of it; of all pieces the first has a header."""

    header: str
    text: str
    id: str | None
    reason: str


def _piece(form: str, before: int, result: ParseResult, number: int) -> _Piece:
    """What is written of a result; so many sentences are there `before` those that are counted."""
    from ccgkit.corpora import codec

    header, text, _ = codec(form).texts([result.to_sentence()], before + number - 1)
    return _Piece(header, text, result.sentence.id, result.reason)


class _Report:
    """How many sentences went how, told on standard error."""

    def __init__(self) -> None:
        self.total = self.troubled = 0
        self.troubles: list[str] = []

    def note(self, id: str | None, number: int, reason: str) -> None:
        self.total += 1
        if reason:
            self.troubled += 1
            self.troubles += [f"{id or f'sentence {number}'}: {reason}"] if self.troubled <= _SHOWN else []

    def watched(self, results: Iterable[ParseResult]) -> Iterator[ParseResult]:
        """The results, each noted as it passes."""
        for number, result in enumerate(results, 1):
            self.note(result.sentence.id, number, result.reason)
            yield result

    def show(self) -> None:
        if self.troubled:
            shown = "\n".join(self.troubles)
            more = f"\nand {self.troubled - _SHOWN} more" if self.troubled > _SHOWN else ""
            click.echo(f"{self.troubled} of {self.total} sentences:\n{shown}{more}", err=True)


def _shown(results: Iterable[ParseResult]) -> Iterator[Shown]:
    """Each derivation, or fragment, with its score; None for a sentence without any, with the reason."""
    for place, result in enumerate(results, 1):
        name = result.sentence.id or f"sentence {place}"
        if not result.parses:
            yield Shown(str(place), name, None, f"{result.status.value}: {result.reason}")
        for rank, parse in enumerate(result.parses, 1):
            fragments = len(parse.derivations) > 1
            reason = f" {result.status.value}: {result.reason}" if result.reason else ""
            sure = "" if result.confidence is None else f", confidence {result.confidence:.2f}"
            note = f"({parse.score:.2f}{sure}){reason}"
            for part, tree in enumerate(parse.derivations, 1):
                which = f", fragment {part}" if fragments else f", parse {rank}"
                several = fragments or len(result.parses) > 1
                suffix = f"-{part if fragments else rank}" if several else ""
                yield Shown(f"{place}{suffix}", name + (which if several else ""), tree, note)
