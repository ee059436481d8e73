"""`ccgkit tag`: text in, categories out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from .sources import Command, Source, Texts, source_options
from .tagger_options import K, find_model, load_pipeline, notation_option, tagger_options
from .targets import check_output, check_resume, format_option, output_format, output_options, written

if TYPE_CHECKING:
    from ccgkit.corpora import Codec
    from ccgkit.models.registry import ModelInfo
    from ccgkit.sentence import Sentence

__all__ = ["command"]

_VIEWS = {".txt": "table"}
_CANDC_K = 10


@click.command("tag", cls=Command)
@source_options
@click.option("--k", type=K, default=4, show_default=True, help="Categories per word, at most.")
@click.option("--beta", type=click.FloatRange(0, 1), default=0.075, show_default=True,
              help="Leave out categories less than this fraction as probable as the best.")  # fmt: skip
@format_option("table at a terminal, stagged in a pipe; also multitag, jsonl, conll, easyccg …")
@click.option("--cc-grammar", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="For a C&C with this grammar: write categories that it knows, by default 10 per word with "
              "a beta of 0.0001 (formats multitag and stagged).")  # fmt: skip
@output_options
@notation_option("Notation of the categories: it chooses the model. [default: the model's]")
@click.option("--batch-size", type=click.IntRange(1), default=64, show_default=True,
              help="Sentences that are tagged together.")  # fmt: skip
@tagger_options
def command(
    source: Source,
    input_format: str | None,
    k: int,
    beta: float,
    form: str | None,
    cc_grammar: Path | None,
    output: Path | None,
    resume: bool,
    notation: str | None,
    batch_size: int,
    model: str | None,
    lang: str | None,
    threads: int | None,
    device: str,
) -> None:
    """Tag text with categories.

    An argument that is the path of a file is read, - is standard input, anything else is text.

    \b
    ccgkit tag "United serves Miami."
    ccgkit tag --input-format lines --output news.multitag news.txt
    """
    from ccgkit.corpora import Part, codec
    from ccgkit.parser_bridge.preparation import prepare_for
    from ccgkit.pipeline import window_start

    if input_format == "brackets":
        raise click.UsageError("brackets are for a parser: use ccgkit parse, or --input-format tokenized")
    gives = Part.WORDS | Part.POS | Part.TAGS | Part.K_BEST
    default = "table" if sys.stdout.isatty() else "stagged"
    form = output_format(form, output, default, _VIEWS, gives, "a tagger")
    wanted = None if form == "table" else codec(form)
    check_resume(resume, output, wanted)
    check_output(output, source.names)
    if cc_grammar is not None:
        k, beta = _for_candc(form, k, beta)
    info = _model(model, lang, notation)
    texts = Texts(source, input_format, info.language or "en")
    texts.begin()
    nlp = load_pipeline(info, device, threads)
    with texts.watched("tagging", output) as progress:

        def pieces(done: int) -> Iterator[str]:
            start = window_start(done, batch_size)
            tagged = nlp.pipe_sentences(progress.read(start), k=k, beta=beta, batch_size=batch_size)
            if cc_grammar is not None:
                tagged = prepare_for(cc_grammar, tagged)
            new = islice(progress.written(tagged), done - start, None)
            return _texts(new, wanted, str(info), done, output)

        written(output, wanted, resume, pieces)


def _model(model: str | None, lang: str | None, notation: str | None) -> ModelInfo:
    """The model that answers in the notation."""
    info = find_model(model, lang, notation)
    if notation and info.scheme != notation:
        raise click.UsageError(
            f"the model {info} does not answer in the notation {notation}, and categories cannot be "
            f"translated without a derivation: use ccgkit parse --notation {notation} --format stagged"
        )
    return info


def _for_candc(form: str, k: int, beta: float) -> tuple[int, float]:
    """Categories a word and beta, where they are not given, such that C&C finds more when it wants more."""
    from ccgkit.parser_bridge.preparation import FLOOR

    if form not in ("multitag", "stagged"):
        raise click.UsageError(f"--cc-grammar is for the formats multitag and stagged, not {form}")
    source = click.get_current_context().get_parameter_source
    return (
        k if source("k") is ParameterSource.COMMANDLINE else _CANDC_K,
        beta if source("beta") is ParameterSource.COMMANDLINE else FLOOR,
    )


def _texts(
    sentences: Iterable[Sentence], wanted: Codec | None, model: str, done: int, output: Path | None
) -> Iterator[str]:
    """The output, piece by piece, with the model's name where the format has room for it."""
    from ccgkit.corpora.codec import Preface
    from ccgkit.text.table import table

    if wanted is None:
        yield f"# ccgkit tag, model {model}\n\n"
        colour = output is None and sys.stdout.isatty()
        yield from (table(one, colour=colour) for one in sentences)
        return
    known = {"model": model}
    if wanted.preface is Preface.MANDATORY:
        known["preface"] = f"# ccgkit tag, model {model}\n\n"
    # what a corpus says of the sentence besides is of other categories
    named = (
        replace(one, derivations=None, dependencies=None, meta={**one.meta, **known}) for one in sentences
    )
    yield from wanted.texts(named, done)
