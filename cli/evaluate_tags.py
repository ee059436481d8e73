"""`ccgkit evaluate tags`: supertags against gold."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .sources import FILES, Command, corpus, input_format_option
from .tagger_options import K, find_model, load_pipeline

if TYPE_CHECKING:
    from ccgkit.evaluation.tags import Share, TagScores
    from ccgkit.grammar import Category
    from ccgkit.sentence import Sentence

__all__ = ["command"]


@click.command("tags", cls=Command, short_help="Score categories.")
@click.argument("gold", metavar="GOLD", type=FILES)
@click.argument("predicted", metavar="[PRED]", type=FILES, required=False)
@input_format_option
@click.option("--model", metavar="NAME|DIR", help="Tag GOLD's words with this model instead of reading PRED.")
@click.option("--k", type=K, default=4, show_default=True, help="Categories per word (--model).")
@click.option("--train", type=FILES, help="Training corpus, for accuracy by a category's frequency in it.")
@click.option("--json", "as_json", is_flag=True, help="All figures as one JSON object.")
@click.option("--threads", type=click.IntRange(1), help="CPU threads. [default: all cores]")
def command(
    gold: str,
    predicted: str | None,
    input_format: str | None,
    model: str | None,
    k: int,
    train: str | None,
    as_json: bool,
    threads: int | None,
) -> None:
    """Score the categories of PRED, or those a model gives the words of GOLD.

    Corpora are in any format of `ccgkit convert --formats`; in both files stand the same words.

    \b
    ccgkit evaluate tags dev.stagged tagged.multitag
    ccgkit evaluate tags dev.stagged --model models/mine --train train.stagged
    """
    if (predicted is None) == (model is None):
        raise click.UsageError("give either PRED or --model")
    if [gold, predicted, train].count("-") > 1:
        raise click.UsageError("only one of the files can be the standard input")
    from ccgkit.corpora import load
    from ccgkit.evaluation.tags import score_tags

    frequencies = None if train is None else _count(load(corpus(train)))
    if predicted is not None:
        what: str = Path(predicted).name
        found: Iterable[Sentence] = load(corpus(predicted), input_format)
        scores = score_tags(load(corpus(gold)), found, frequencies)
    else:
        expected = list(load(corpus(gold), input_format))
        what, found = _tagged(expected, str(model), k, threads)
        scores = score_tags(expected, found, frequencies)
    if not scores.accuracy.all:
        raise click.ClickException(f"there is no word in {gold}")
    if as_json:
        click.echo(json.dumps({"gold": Path(gold).name, "predicted": what, **scores.as_dict()}, indent=2))
    else:
        click.echo("\n".join(_table(scores, Path(gold).name, what)))


def _count(sentences: Iterable[Sentence]) -> Counter[Category]:
    return Counter(category for sentence in sentences for category in sentence.categories or ())


def _tagged(
    gold: Iterable[Sentence], model: str, k: int, threads: int | None
) -> tuple[str, Iterable[Sentence]]:
    from ccgkit.sentence import Sentence

    nlp = load_pipeline(find_model(model, None), "cpu", threads)
    bare = (Sentence(sentence.tokens) for sentence in gold)
    return str(nlp.info), nlp.pipe_sentences(bare, k=k, beta=0.0)


def _table(scores: TagScores, gold: str, what: str) -> list[str]:
    lines = [
        f"{what} against {gold}",
        _row("sentences", f"{scores.sentences:,}"),
        _row("accuracy", scores.accuracy),
        _row("  without features", scores.without_features),
        _row("whole sentences", scores.whole_sentences),
    ]
    if scores.deepest > 1:
        lines += [_row(f"among the {k} best", scores.at(k)) for k in range(2, scores.deepest + 1)]
        lines.append(_row("categories a word", f"{scores.ambiguity:.2f}"))
    by_frequency, by_length = scores.bins()
    if by_frequency:
        lines += ["", "by times the category is in the training data", *_rows(by_frequency)]
    return [*lines, "", "by symbols of the category", *_rows(by_length)]


def _rows(shares: dict[str, Share]) -> list[str]:
    return [_row(f"  {label}", share) for label, share in shares.items()]


def _row(name: str, value: object) -> str:
    return f"{name:22}{value}"
