"""`ccgkit evaluate derivations`: derivations against gold ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from .sources import FILES, Command, corpus, input_format_option

if TYPE_CHECKING:
    from ccgkit.evaluation.dependencies import Counts
    from ccgkit.evaluation.derivations import DerivationScores

__all__ = ["command"]


@click.command("derivations", cls=Command, short_help="Score derivations and their dependencies.")
@click.argument("gold", type=click.Path(exists=True, dir_okay=False))
@click.argument("predicted", metavar="PRED", type=FILES)
@input_format_option
@click.option(
    "--scheme", metavar="NAME|FILE", help="Rules of the derivations. [default: by GOLD's categories]"
)
@click.option("--markedup", type=click.Path(exists=True, dir_okay=False), help="C&C's co-indexed categories.")
@click.option("--by-relation", is_flag=True, help="Also print the scores of each category and slot.")
@click.option("--by-category", is_flag=True, help="Also print the scores of each supertag.")
@click.option("--json", "as_json", is_flag=True, help="All figures as one JSON object.")
def command(
    gold: str,
    predicted: str,
    input_format: str | None,
    scheme: str | None,
    markedup: str | None,
    by_relation: bool,
    by_category: bool,
    as_json: bool,
) -> None:
    """Score the derivations of PRED (.auto, .jsonl …; - is standard input) against those of GOLD.

    Dependencies are read off both by the same rules (docs/dependencies.md). Sentences are matched by their
    ids, or in order. Unreadable gold sentences are left out.
    """
    from ccgkit.corpora import load
    from ccgkit.corpora.scheme import corpus_scheme
    from ccgkit.evaluation.derivations import evaluate_derivations
    from ccgkit.grammar.heads import Coindexation, load_markedup

    expected = [one for one in load(gold, on_error="skip") if one.derivations]
    if not expected:
        raise click.UsageError(f"{gold} has no derivations")
    found = load(corpus(predicted), input_format)
    rules = corpus_scheme(expected, scheme, gold)
    if scheme is None:
        click.echo(f"Rules: {rules.name}, by the categories of {gold}; --scheme names others.", err=True)
    coindexation = load_markedup(markedup) if markedup else Coindexation()
    scores = evaluate_derivations(expected, found, rules, coindexation)
    if as_json:
        click.echo(json.dumps({"scheme": rules.name, **_figures(scores)}, indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(_table(scores, by_relation, by_category)))


def _table(scores: DerivationScores, by_relation: bool, by_category: bool) -> Iterator[str]:
    links, total = scores.links, scores.links.all
    yield f"{'coverage':30}{_share(scores.covered, total.sentences)}"
    yield f"{'supertags':30}{_share(total.right_tokens, total.tokens)}"
    yield f"{'exact derivations':30}{_share(scores.exact, total.sentences)}"
    yield ""
    yield f"{'':30}{'P':>7} {'R':>7} {'F':>7} {'test':>7} {'gold':>7}"
    yield _row("labelled dependencies", total.labelled)
    yield _row("unlabelled dependencies", total.unlabelled)
    if links.parsed.sentences < total.sentences:
        yield _row("labelled, parsed only", links.parsed.labelled)
        yield _row("unlabelled, parsed only", links.parsed.unlabelled)
    yield _row("labelled brackets", scores.labelled_brackets)
    yield _row("unlabelled brackets", scores.unlabelled_brackets)
    yield ""
    yield "by construction"
    for name, counts in sorted(scores.constructions.items(), key=lambda pair: -pair[1].gold):
        yield _row(f"  {name}", counts)
    if by_relation:
        yield "\nby category and slot"
        yield from (
            _row(f"{slot} {category}", counts) for (category, slot), counts in links.relations.items()
        )
    if by_category:
        yield "\nby supertag"
        order = sorted(scores.categories.items(), key=lambda pair: (-pair[1].gold, str(pair[0])))
        yield from (_row(str(category), counts) for category, counts in order)


def _row(name: str, counts: Counts) -> str:
    shares = " ".join(f"{100 * share:7.2f}" for share in (counts.precision, counts.recall, counts.f1))
    return f"{name:30}{shares} {counts.test:7} {counts.gold:7}"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole if whole else 0.0:7.2f} ({part} of {whole})"


def _figures(scores: DerivationScores) -> dict[str, Any]:
    links, total = scores.links, scores.links.all
    return {
        "sentences": total.sentences,
        "covered": scores.covered,
        "supertag_accuracy": total.category_accuracy,
        "exact_derivations": scores.exact,
        "labelled": _counts(total.labelled),
        "unlabelled": _counts(total.unlabelled),
        "parsed_only": {
            "labelled": _counts(links.parsed.labelled),
            "unlabelled": _counts(links.parsed.unlabelled),
        },
        "labelled_brackets": _counts(scores.labelled_brackets),
        "unlabelled_brackets": _counts(scores.unlabelled_brackets),
        "constructions": {name: _counts(counts) for name, counts in sorted(scores.constructions.items())},
        "relations": [
            {"category": str(category), "slot": slot, **_counts(counts)}
            for (category, slot), counts in links.relations.items()
        ],
        "categories": {str(category): _counts(counts) for category, counts in scores.categories.items()},
    }


def _counts(counts: Counts) -> dict[str, Any]:
    return {
        "precision": counts.precision, "recall": counts.recall, "f1": counts.f1,
        "correct": counts.correct, "test": counts.test, "gold": counts.gold,
    }  # fmt: skip
