"""`ccgkit evaluate deps`: a parser's dependencies against gold, by C&C's rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .linked import linked
from .sources import Command, corpus

if TYPE_CHECKING:
    from ccgkit.corpora.codec import Codec
    from ccgkit.evaluation.dependencies import Counts, DependencyScores, SentenceScore, Totals
    from ccgkit.sentence import Sentence

__all__ = ["command"]

_FILE = click.Path(exists=True, dir_okay=False)


@click.command("deps", cls=Command, short_help="Score dependencies as C&C does.")
@click.argument("predicted", metavar="PRED", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--gold-deps", metavar="FILE", type=_FILE, required=True,
              help="Gold dependencies: .ccgbank_deps, .parg, any file with some, or trees.")  # fmt: skip
@click.option("--gold-tags", metavar="FILE", type=_FILE, required=True,
              help="Gold categories: .stagged, .auto, or whatever else holds some.")  # fmt: skip
@click.option("--input-format", "origin", metavar="FORMAT",
              help="Format of PRED. [default: by its name or content]")  # fmt: skip
@click.option("--variant", type=click.Choice(["candc", "easyccg"]), default="candc", show_default=True,
              help="easyccg: a parse without dependencies is failed; no categories are scored.")  # fmt: skip
@click.option("--markedup", metavar="FILE", type=_FILE,
              help="C&C's markedup: ignore a dependency only where it is marked up as there, as C&C's script "
              "does. [default: by category, however it is marked up]")  # fmt: skip
@click.option("--scheme", metavar="NAME|FILE",
              help="Rules of gold trees. [default: by their categories]")  # fmt: skip
@click.option("--failed-as-empty", is_flag=True,
              help="Print only the scores that count a failed sentence as having found nothing.")  # fmt: skip
@click.option("--by-relation", is_flag=True, help="Also print the scores of each category and slot.")
@click.option(
    "--list", "listing", is_flag=True, help="Also list correct, incorrect and missing dependencies."
)
@click.option("--json", "as_json", is_flag=True, help="All figures as one JSON object.")
def command(
    predicted: str,
    gold_deps: str,
    gold_tags: str,
    origin: str | None,
    variant: str,
    markedup: str | None,
    scheme: str | None,
    failed_as_empty: bool,
    by_relation: bool,
    listing: bool,
    as_json: bool,
) -> None:
    """Score the dependencies of PRED (C&C's output; - is standard input) as C&C's evaluation does.

    A dependency is right if head, category, slot and argument are. Counts are summed over the sentences that
    have a parse, and beside it over all sentences.
    """
    if listing and as_json:
        raise click.UsageError("--list and --json cannot be used together")
    from ccgkit.corpora import load
    from ccgkit.corpora.codec import Part
    from ccgkit.evaluation.dependencies import DependencyScores
    from ccgkit.parser_bridge.evaluation import scored
    from ccgkit.parser_bridge.markedup import known_categories

    links, tags = _gold(gold_deps, scheme, markedup), load(gold_tags)
    parses = _predictions(predicted, origin, variant)
    _check(tags.codec, Part.TAGS, gold_tags)
    easyccg = variant == "easyccg"
    markup = known_categories(Path(markedup)) if markedup else None
    scores = DependencyScores(failed_as_empty)
    for number, score in enumerate(scored(links, tags, parses, easyccg=easyccg, markup=markup), 1):
        scores.add(score)
        if listing:
            click.echo("\n".join(_listed(number, score)))
    if next(parses, None) is not None:
        click.echo(f"Warning: {predicted} has more sentences than gold; they are not scored.", err=True)
    if as_json:
        click.echo(json.dumps(_figures(scores, not easyccg, by_relation), indent=2))
    else:
        click.echo("\n".join(_table(scores, not easyccg, by_relation)))


def _gold(name: str, scheme: str | None, markedup: str | None) -> Iterator[Sentence]:
    """Gold dependencies: those of the file or, where it has trees alone, those of the trees themselves."""
    from ccgkit.corpora import load
    from ccgkit.corpora.codec import Part
    from ccgkit.grammar.heads import Coindexation, load_markedup

    reader = load(name)
    if Part.TREES not in reader.codec.holds:
        _check(reader.codec, Part.DEPENDENCIES, name)
        return reader
    return linked(reader, scheme, name, load_markedup(markedup) if markedup else Coindexation())


def _predictions(name: str, origin: str | None, variant: str) -> Iterator[Sentence]:
    """The parser's output; where neither name nor content tells its format, it is C&C's."""
    from ccgkit.corpora import Reader, codec
    from ccgkit.corpora.blocks import Source
    from ccgkit.corpora.codec import Part
    from ccgkit.corpora.registry import named, recognised
    from ccgkit.parser_bridge import generated

    source = Source.open(corpus(name))
    wanted = codec(origin or named(name) or recognised(source.head()) or "deps")
    _check(wanted, Part.DEPENDENCIES, name)
    # EasyCCG's script scores what C&C's `generate` makes of trees, in which the words are missing
    read_as = generated.CODEC if variant == "easyccg" and wanted.name == "deps" else wanted
    return Reader(read_as, source, "raise")


def _check(codec: Codec, part: Any, name: str) -> None:
    from ccgkit.corpora.codec import describe

    if part not in codec.holds:
        raise click.UsageError(f"{name} is in the format {codec.name}, which holds no {describe(part)}.")


def _listed(number: int, score: SentenceScore) -> Iterator[str]:
    """The dependencies of a sentence, each with what became of it."""
    yield f"# sentence {number}{'' if score.parsed else ': no parse'}"
    for kind, links in (
        ("correct", score.gold & score.test),
        ("incorrect", score.test - score.gold),
        ("missing", score.gold - score.test),
    ):
        for head, category, slot, argument in sorted(
            links, key=lambda link: (link[0][1], link[2], link[3][1])
        ):
            yield f"{kind} {head[0]}_{head[1] + 1} {category} {slot} {argument[0]}_{argument[1] + 1}"


def _table(scores: DependencyScores, categories: bool, by_relation: bool) -> Iterator[str]:
    columns = {"parsed sentences": scores.parsed, "all sentences": scores.all}
    if scores.failed_as_empty:
        del columns["parsed sentences"]
    covered, total = scores.parsed.sentences, scores.all.sentences
    yield f"cover   {_percent(scores.coverage)}  ({covered} of {total} sentences parsed)"
    yield ""
    yield "        " + "".join(f"{name:28}" for name in columns).rstrip()
    for name in _rows(scores.all, categories):
        cells = (_rows(totals, categories)[name] for totals in columns.values())
        yield f"{name:8}" + "".join(f"{cell:28}" for cell in cells).rstrip()
    if by_relation:
        yield ""
        yield "     P       R       F    test    gold  slot  category"
        for (category, slot), counts in scores.relations.items():
            yield (
                f"{_percent(counts.precision)} {_percent(counts.recall)} {_percent(counts.f1)} "
                f"{counts.test:7} {counts.gold:7}  {slot:4}  {category}"
            )


def _rows(totals: Totals, categories: bool) -> dict[str, str]:
    """The lines of the table under C&C's names."""
    sentences = totals.sentences

    def share(part: int, whole: int) -> str:
        return f"{_percent(part / whole if whole else 0.0)}  ({part} of {whole})"

    rows: dict[str, str] = {}
    if categories:
        rows["cats"] = share(totals.right_tokens, totals.tokens)
        rows["csent"] = share(totals.exact_categories, sentences)
    for letter, counts, exact in (
        ("l", totals.labelled, totals.exact_labelled),
        ("u", totals.unlabelled, totals.exact_unlabelled),
    ):
        rows[f"{letter}p"] = share(counts.correct, counts.test)
        rows[f"{letter}r"] = share(counts.correct, counts.gold)
        rows[f"{letter}f"] = _percent(counts.f1)
        rows[f"{letter}sent"] = share(exact, sentences)
    rows["skip"] = share(totals.ignored, totals.labelled.test + totals.ignored)
    return rows


def _percent(ratio: float) -> str:
    return f"{100 * ratio:6.2f}%"


def _figures(scores: DependencyScores, categories: bool, by_relation: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "coverage": scores.coverage,
        "parsed": _totals(scores.parsed, categories),
        "all": _totals(scores.all, categories),
    }
    if by_relation:
        found["relations"] = [
            {"category": str(category), "slot": slot, **_counts(counts)}
            for (category, slot), counts in scores.relations.items()
        ]
    return found


def _totals(totals: Totals, categories: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"sentences": totals.sentences}
    if categories:
        found["categories"] = {
            "accuracy": totals.category_accuracy,
            "correct": totals.right_tokens,
            "tokens": totals.tokens,
            "exact_sentences": totals.exact_categories,
        }
    found["labelled"] = _counts(totals.labelled) | {"exact_sentences": totals.exact_labelled}
    found["unlabelled"] = _counts(totals.unlabelled) | {"exact_sentences": totals.exact_unlabelled}
    found["ignored"] = totals.ignored
    found["skip"] = totals.skipped
    return found


def _counts(counts: Counts) -> dict[str, Any]:
    return {
        "precision": counts.precision, "recall": counts.recall, "f1": counts.f1,
        "correct": counts.correct, "test": counts.test, "gold": counts.gold,
    }  # fmt: skip
